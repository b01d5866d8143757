// Validates the messages that a webview posts. Pure.
//
// The bundle is ours, but the extension does not trust messages of a page: those of an unknown form are dropped, only
// the server's own requests are passed on, only files are opened, and a file name never is a path.

import type { Moment, Position, Range, ToExtension, WorkspaceEdit } from '../protocol.ts';

export function readMessage(value: unknown): ToExtension | undefined {
  if (!isObject(value)) return undefined;
  switch (value['kind']) {
    case 'ready':
      return { kind: 'ready' };
    case 'request': {
      const { id, method, params } = value;
      if (!isId(id) || typeof method !== 'string' || !isPassedOn(method)) return undefined;
      return { kind: 'request', id, method, params };
    }
    case 'applyEdit': {
      const { id, edit } = value;
      return isId(id) && isEdit(edit) ? { kind: 'applyEdit', id, edit } : undefined;
    }
    case 'saveFile': {
      const { id, name, mimeType, base64 } = value;
      if (!isId(id) || typeof name !== 'string' || typeof mimeType !== 'string' || typeof base64 !== 'string')
        return undefined;
      return { kind: 'saveFile', id, name: fileName(name), mimeType, base64 };
    }
    case 'openLocation': {
      const { uri, range, preserveFocus } = value;
      return isFileUri(uri) && isRange(range)
        ? { kind: 'openLocation', uri, range, preserveFocus: preserveFocus === true }
        : undefined;
    }
    case 'highlightLines': {
      const { uri, lines } = value;
      return isFileUri(uri) && Array.isArray(lines) && lines.every(isLine)
        ? { kind: 'highlightLines', uri, lines }
        : undefined;
    }
    case 'seekDebugger': {
      const { moment } = value;
      return isMoment(moment) ? { kind: 'seekDebugger', moment } : undefined;
    }
    default:
      return undefined;
  }
}

// Panels may send the server's own requests, and none that an editor sends.
function isPassedOn(method: string): boolean {
  return /^gluond\/[A-Za-z]+$/.test(method);
}

// The last part of a name that may look like a path, without characters that are special to a file system.
export function fileName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? '';
  const clean = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+/, '');
  return clean.slice(0, 120) || 'picture';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPosition(value: unknown): value is Position {
  return isObject(value) && isLine(value['line']) && isLine(value['character']);
}

function isRange(value: unknown): value is Range {
  return isObject(value) && isPosition(value['start']) && isPosition(value['end']);
}

function isMoment(value: unknown): value is Moment {
  return (
    isObject(value) &&
    isFileUri(value['uri']) &&
    ['kernel', 'specialization', 'program', 'schedule'].every((name) => typeof value[name] === 'string') &&
    isLine(value['moment'])
  );
}

function isFileUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('file:///');
}

function isTextEdit(value: unknown): boolean {
  return isObject(value) && isRange(value['range']) && typeof value['newText'] === 'string';
}

// Accepts changes of text in files, and nothing that makes, moves or deletes a file.
function isEdit(value: unknown): value is WorkspaceEdit {
  if (!isObject(value)) return false;
  const { changes, documentChanges } = value;
  if (changes !== undefined) {
    if (!isObject(changes)) return false;
    for (const [uri, edits] of Object.entries(changes))
      if (!isFileUri(uri) || !Array.isArray(edits) || !edits.every(isTextEdit)) return false;
  }
  if (documentChanges !== undefined) {
    if (!Array.isArray(documentChanges)) return false;
    for (const change of documentChanges)
      if (
        !isObject(change) ||
        !isObject(change['textDocument']) ||
        !isFileUri(change['textDocument']['uri']) ||
        !Array.isArray(change['edits']) ||
        !change['edits'].every(isTextEdit)
      )
        return false;
  }
  return changes !== undefined || documentChanges !== undefined;
}
