// Monaco, and the language server's features wired into it.
import 'monaco-editor/esm/vs/editor/edcore.main.js';
import 'monaco-editor/esm/vs/basic-languages/python/python.contribution.js';
import * as monaco from 'monaco-editor/esm/vs/editor/editor.api.js';
import { timelineCodes } from '../model/findings.ts';
import { showInTimeline } from '../model/timeline.ts';
import { messageOf } from '../model/words.ts';
import type { Diagnostic, Location, Position, Range, TextEdit } from '../protocol.ts';
import { contentModified, requestCancelled, RpcError, type LanguageClient } from './lsp.ts';

// When Monaco no longer needs an answer (a file was closed, a theme changed), it rejects one of its own promises, which
// is not awaited.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Error && event.reason.name === 'Canceled') event.preventDefault();
});

export { monaco };

self.MonacoEnvironment = { getWorkerUrl: () => new URL('editor.worker.js', document.baseURI).href };

export const toRange = (range: Range): monaco.IRange => ({
  startLineNumber: range.start.line + 1,
  startColumn: range.start.character + 1,
  endLineNumber: range.end.line + 1,
  endColumn: range.end.character + 1,
});
export const fromRange = (range: monaco.IRange): Range => ({
  start: { line: range.startLineNumber - 1, character: range.startColumn - 1 },
  end: { line: range.endLineNumber - 1, character: range.endColumn - 1 },
});
export const fromPosition = (position: monaco.IPosition): Position => ({
  line: position.lineNumber - 1,
  character: position.column - 1,
});

type Markup = { kind: string; value: string } | string;
// Server text as Markdown that can neither run commands, nor carry HTML,
// nor fetch pictures (docstrings may hold anything).
const markdown = (markup: Markup): monaco.IMarkdownString => ({
  value: (typeof markup === 'string' ? markup : markup.value).replaceAll('![', '!\\['),
  isTrusted: false,
  supportHtml: false,
});

export function markersOf(diagnostics: readonly Diagnostic[]): monaco.editor.IMarkerData[] {
  const severities = [
    monaco.MarkerSeverity.Error,
    monaco.MarkerSeverity.Error,
    monaco.MarkerSeverity.Warning,
    monaco.MarkerSeverity.Info,
    monaco.MarkerSeverity.Hint,
  ];
  return diagnostics.map((diagnostic) => ({
    ...toRange(diagnostic.range),
    severity: severities[diagnostic.severity] ?? monaco.MarkerSeverity.Error,
    message: diagnostic.message,
    code: diagnostic.code,
    source: diagnostic.source,
    relatedInformation: (diagnostic.relatedInformation ?? []).map((related) => ({
      ...toRange(related.location.range),
      message: related.message,
      resource: monaco.Uri.parse(related.location.uri),
    })),
  }));
}

// Completion kinds of LSP to Monaco's, by name.
const kinds = monaco.languages.CompletionItemKind;
const completionKinds = [
  kinds.Text,
  kinds.Text,
  kinds.Method,
  kinds.Function,
  kinds.Constructor,
  kinds.Field,
  kinds.Variable,
  kinds.Class,
  kinds.Interface,
  kinds.Module,
  kinds.Property,
  kinds.Unit,
  kinds.Value,
  kinds.Enum,
  kinds.Keyword,
  kinds.Snippet,
  kinds.Color,
  kinds.File,
  kinds.Reference,
  kinds.Folder,
  kinds.EnumMember,
  kinds.Constant,
  kinds.Struct,
  kinds.Event,
  kinds.Operator,
  kinds.TypeParameter,
];

interface Wiring {
  client: LanguageClient;
  // A command of a code lens that was clicked.
  runCommand: (command: string, args: unknown[]) => void;
  // Opens the files that an edit changes, where they are not open: Monaco edits only texts that it has. They stay
  // unsaved, as the file that is shown. Rejects with what is to be told if one cannot be edited here.
  openAll: (uris: readonly string[]) => Promise<void>;
  // Tells why something that was asked for did not happen.
  tell: (problem: string) => void;
}

interface TextEdits {
  changes: Record<string, TextEdit[]>;
}

// A fix, whose edit may be of several files; it is made when the fix is chosen.
interface ServerAction extends monaco.languages.CodeAction {
  changes: TextEdits;
  shown: { uri: string; version: number }; // the text that it was made for
}

// `shown` is the text that the edit was made for, if that must not have changed since.
const workspaceEdit = (
  { changes }: TextEdits,
  shown?: { uri: string; version: number },
): monaco.languages.WorkspaceEdit => ({
  edits: Object.entries(changes).flatMap(([uri, edits]) =>
    edits.map((e) => ({
      resource: monaco.Uri.parse(uri),
      versionId: uri === shown?.uri ? shown.version : undefined,
      textEdit: { range: toRange(e.range), text: e.newText },
    })),
  ),
});

// All providers that the server offers.
export function wire({ client, runCommand, openAll, tell }: Wiring): {
  refreshLenses: () => void;
  refreshHints: () => void;
} {
  const language = 'python';
  const at = (model: monaco.editor.ITextModel, position: monaco.IPosition) => ({
    textDocument: { uri: model.uri.toString() },
    position: fromPosition(position),
  });
  // A request that an edit overtook is sent again a little later, about the new text.
  const ask = async <T>(method: string, params: unknown): Promise<T | null> => {
    for (let tries = 0; ; ++tries) {
      try {
        return (await client.request(method, params)) as T | null;
      } catch (error) {
        const isOvertaken = error instanceof RpcError && error.code === contentModified;
        if (!isOvertaken && !(error instanceof RpcError && error.code === requestCancelled))
          console.warn(method, error);
        if (!isOvertaken || tries === 4) return null;
        await new Promise((resolve) => setTimeout(resolve, 80));
      }
    }
  };
  const languages = monaco.languages;
  const hintsChanged = new monaco.Emitter<void>();
  const lensesChanged = new monaco.Emitter<monaco.languages.CodeLensProvider>();

  languages.registerHoverProvider(language, {
    provideHover: async (model, position) => {
      const hover = await ask<{ contents: Markup; range?: Range }>('textDocument/hover', at(model, position));
      return hover
        ? { contents: [markdown(hover.contents)], ...(hover.range ? { range: toRange(hover.range) } : {}) }
        : null;
    },
  });
  languages.registerCompletionItemProvider(language, {
    triggerCharacters: ['.', '"', "'"],
    provideCompletionItems: async (model, position) => {
      interface Item {
        label: string;
        kind?: number;
        labelDetails?: { detail?: string; description?: string };
        detail?: string;
        documentation?: Markup;
        sortText?: string;
        insertText?: string;
        textEdit?: TextEdit;
      }
      const list = await ask<{ isIncomplete: boolean; items: Item[] }>('textDocument/completion', at(model, position));
      const word = model.getWordUntilPosition(position);
      const standard = {
        startLineNumber: position.lineNumber,
        endLineNumber: position.lineNumber,
        startColumn: word.startColumn,
        endColumn: word.endColumn,
      };
      return {
        incomplete: list?.isIncomplete ?? false,
        suggestions: (list?.items ?? []).map((item) => ({
          label: item.labelDetails ? { label: item.label, ...item.labelDetails } : item.label,
          kind: completionKinds[item.kind ?? 1] ?? kinds.Text,
          insertText: item.textEdit?.newText ?? item.insertText ?? item.label,
          range: item.textEdit ? toRange(item.textEdit.range) : standard,
          ...(item.detail ? { detail: item.detail } : {}),
          ...(item.documentation ? { documentation: markdown(item.documentation) } : {}),
          ...(item.sortText ? { sortText: item.sortText } : {}),
        })),
      };
    },
  });
  languages.registerSignatureHelpProvider(language, {
    signatureHelpTriggerCharacters: ['(', ','],
    provideSignatureHelp: async (model, position) => {
      interface Help {
        signatures: {
          label: string;
          documentation?: Markup;
          parameters: { label: [number, number]; documentation?: Markup }[];
        }[];
        activeSignature: number;
        activeParameter: number;
      }
      const help = await ask<Help>('textDocument/signatureHelp', at(model, position));
      if (!help) return null;
      const signatures = help.signatures.map((s) => ({
        label: s.label,
        ...(s.documentation ? { documentation: markdown(s.documentation) } : {}),
        parameters: s.parameters.map((p) => ({
          label: p.label,
          ...(p.documentation ? { documentation: markdown(p.documentation) } : {}),
        })),
      }));
      return { value: { ...help, signatures }, dispose: () => {} };
    },
  });
  const locations = (found: Location | Location[] | null): monaco.languages.Location[] =>
    (found ? (Array.isArray(found) ? found : [found]) : []).map((l) => ({
      uri: monaco.Uri.parse(l.uri),
      range: toRange(l.range),
    }));
  languages.registerDefinitionProvider(language, {
    provideDefinition: async (model, position) => locations(await ask('textDocument/definition', at(model, position))),
  });
  languages.registerReferenceProvider(language, {
    provideReferences: async (model, position) =>
      locations(
        await ask('textDocument/references', { ...at(model, position), context: { includeDeclaration: true } }),
      ),
  });
  languages.registerDocumentHighlightProvider(language, {
    provideDocumentHighlights: async (model, position) =>
      ((await ask<{ range: Range; kind?: number }[]>('textDocument/documentHighlight', at(model, position))) ?? []).map(
        (h) => ({ range: toRange(h.range) }),
      ),
  });
  languages.registerRenameProvider(language, {
    provideRenameEdits: async (model, position, newName) => {
      try {
        const edit = (await client.request('textDocument/rename', { ...at(model, position), newName })) as TextEdits;
        await openAll(Object.keys(edit.changes));
        return workspaceEdit(edit);
      } catch (error) {
        return { edits: [], rejectReason: messageOf(error) };
      }
    },
  });
  interface SymbolInfo {
    name: string;
    detail?: string;
    kind: number;
    range: Range;
    selectionRange: Range;
    children?: SymbolInfo[];
  }
  const symbol = (s: SymbolInfo): monaco.languages.DocumentSymbol => ({
    name: s.name,
    detail: s.detail ?? '',
    kind: s.kind - 1,
    tags: [],
    range: toRange(s.range),
    selectionRange: toRange(s.selectionRange),
    children: (s.children ?? []).map(symbol),
  });
  languages.registerDocumentSymbolProvider(language, {
    provideDocumentSymbols: async (model) =>
      (
        (await ask<SymbolInfo[]>('textDocument/documentSymbol', { textDocument: { uri: model.uri.toString() } })) ?? []
      ).map(symbol),
  });
  languages.registerFoldingRangeProvider(language, {
    provideFoldingRanges: async (model) =>
      (
        (await ask<{ startLine: number; endLine: number; kind?: string }[]>('textDocument/foldingRange', {
          textDocument: { uri: model.uri.toString() },
        })) ?? []
      ).map((f) => ({ start: f.startLine + 1, end: f.endLine + 1 })),
  });
  languages.registerInlayHintsProvider(language, {
    onDidChangeInlayHints: hintsChanged.event,
    provideInlayHints: async (model, range) => {
      const hints = await ask<{ position: Position; label: string; tooltip?: Markup; paddingLeft?: boolean }[]>(
        'textDocument/inlayHint',
        { textDocument: { uri: model.uri.toString() }, range: fromRange(range) },
      );
      return {
        hints: (hints ?? []).map((h) => ({
          position: { lineNumber: h.position.line + 1, column: h.position.character + 1 },
          label: h.label,
          paddingLeft: h.paddingLeft ?? false,
          ...(h.tooltip ? { tooltip: markdown(h.tooltip) } : {}),
        })),
        dispose: () => {},
      };
    },
  });
  const lensCommand = 'gluond.lens';
  monaco.editor.registerCommand(lensCommand, (_accessor, command: string, args: unknown[]) =>
    runCommand(command, args),
  );
  languages.registerCodeLensProvider(language, {
    onDidChange: lensesChanged.event,
    provideCodeLenses: async (model) => {
      const lenses = await ask<{ range: Range; command?: { title: string; command: string; arguments?: unknown[] } }[]>(
        'textDocument/codeLens',
        { textDocument: { uri: model.uri.toString() } },
      );
      return {
        lenses: (lenses ?? []).flatMap((l) =>
          // The page has no debugger.
          l.command && l.command.command !== 'gluond.debug'
            ? [
                {
                  range: toRange(l.range),
                  command: {
                    id: lensCommand,
                    title: l.command.title,
                    arguments: [l.command.command, l.command.arguments ?? []],
                  },
                },
              ]
            : [],
        ),
        dispose: () => {},
      };
    },
  });
  languages.registerCodeActionProvider(language, {
    provideCodeActions: async (model, range, context) => {
      interface Action {
        title: string;
        kind?: string;
        isPreferred?: boolean;
        diagnostics?: Diagnostic[];
        edit?: TextEdits;
      }
      const actions = await ask<Action[]>('textDocument/codeAction', {
        textDocument: { uri: model.uri.toString() },
        range: fromRange(range),
        context: { diagnostics: [] },
      });
      const version = model.getVersionId();
      const told = context.markers.find((m) =>
        timelineCodes.has(typeof m.code === 'object' ? m.code.value : (m.code ?? '')),
      );
      const toTimeline: monaco.languages.CodeAction[] = told
        ? [
            {
              title: showInTimeline,
              kind: 'quickfix',
              diagnostics: [told],
              command: {
                id: lensCommand,
                title: showInTimeline,
                arguments: ['gluond.showTimeline', [model.uri.toString(), undefined, told.startLineNumber - 1]],
              },
            },
          ]
        : [];
      const fixes = (actions ?? []).map((a): ServerAction => ({
        title: a.title,
        kind: a.kind ?? 'quickfix',
        isPreferred: a.isPreferred ?? false,
        diagnostics: context.markers.filter((m) => a.diagnostics?.some((d) => d.message === m.message)),
        changes: a.edit ?? { changes: {} },
        shown: { uri: model.uri.toString(), version },
      }));
      return {
        actions: [...fixes, ...toTimeline],
        dispose: () => {},
      };
    },
    // Before the action that was chosen is applied.
    resolveCodeAction: async (action) => {
      if (!('changes' in action)) return action;
      const { changes, shown } = action as ServerAction;
      try {
        await openAll(Object.keys(changes.changes));
        return { ...action, edit: workspaceEdit(changes, shown) };
      } catch (error) {
        tell(messageOf(error));
        return action;
      }
    },
  });
  const semantic = client.capabilities['semanticTokensProvider'] as
    { legend?: { tokenTypes: string[]; tokenModifiers: string[] } } | undefined;
  if (semantic?.legend) {
    const legend = semantic.legend;
    languages.registerDocumentSemanticTokensProvider(language, {
      getLegend: () => legend,
      provideDocumentSemanticTokens: async (model) => {
        const tokens = await ask<{ data: number[] }>('textDocument/semanticTokens/full', {
          textDocument: { uri: model.uri.toString() },
        });
        return tokens ? { data: Uint32Array.from(tokens.data) } : null;
      },
      releaseDocumentSemanticTokens: () => {},
    });
  }
  return { refreshLenses: () => lensesChanged.fire(undefined as never), refreshHints: () => hintsChanged.fire() };
}
