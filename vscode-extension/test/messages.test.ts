import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName, readMessage } from '../src/panels/messages.ts';
import { range } from './samples.ts';

const moment = {
  uri: 'file:///w/a.py',
  kernel: 'kernel',
  specialization: 'kernel.1',
  program: '0,0,0',
  schedule: 'latest',
  moment: 12,
};

test('the messages of host.ts are read', () => {
  const messages = [
    { kind: 'ready' },
    { kind: 'request', id: 1, method: 'gluond/layoutMap', params: { expression: 'x' } },
    { kind: 'applyEdit', id: 2, edit: { changes: { 'file:///w/a.py': [{ range: range(1), newText: 'x' }] } } },
    {
      kind: 'applyEdit',
      id: 3,
      edit: {
        documentChanges: [
          { textDocument: { uri: 'file:///w/a.py', version: 3 }, edits: [{ range: range(1), newText: 'x' }] },
        ],
      },
    },
    { kind: 'saveFile', id: 4, name: 'map.svg', mimeType: 'image/svg+xml', base64: 'AAAA' },
    { kind: 'openLocation', uri: 'file:///w/a.py', range: range(3), preserveFocus: true },
    { kind: 'highlightLines', uri: 'file:///w/a.py', lines: [1, 2] },
    { kind: 'seekDebugger', moment },
  ];
  for (const message of messages) assert.deepEqual(readMessage(message), message);
});

test('everything else is dropped', () => {
  const bad: unknown[] = [
    undefined,
    null,
    'ready',
    [],
    { kind: 'eval', code: '1' },
    { kind: 'request', id: 1, method: 'workspace/executeCommand', params: {} },
    { kind: 'request', id: 1, method: 'gluond/../shutdown', params: {} },
    { kind: 'request', id: '1', method: 'gluond/layoutMap', params: {} },
    { kind: 'openLocation', uri: 'command:workbench.action.terminal.new', range: range(0) },
    { kind: 'openLocation', uri: 'https://example.com/', range: range(0) },
    {
      kind: 'openLocation',
      uri: 'file:///a.py',
      range: { start: { line: -1, character: 0 }, end: { line: 0, character: 0 } },
    },
    { kind: 'highlightLines', uri: 'file:///a.py', lines: [1.5] },
    { kind: 'applyEdit', id: 1, edit: {} },
    { kind: 'applyEdit', id: 1, edit: { documentChanges: [{ kind: 'delete', uri: 'file:///a.py' }] } },
    { kind: 'applyEdit', id: 1, edit: { changes: { 'untitled:x': [] } } },
    { kind: 'saveFile', id: 1, name: 3, mimeType: '', base64: '' },
    { kind: 'seekDebugger' },
    { kind: 'seekDebugger', moment: { ...moment, moment: -1 } },
    { kind: 'seekDebugger', moment: { ...moment, uri: 'command:x' } },
    { kind: 'seekDebugger', moment: { ...moment, program: [0] } },
  ];
  for (const message of bad) assert.equal(readMessage(message), undefined, JSON.stringify(message));
});

test('a file name is no path', () => {
  assert.equal(fileName('../../etc/passwd'), 'passwd');
  assert.equal(fileName('C:\\x\\map.svg'), 'map.svg');
  assert.equal(fileName('.bashrc'), 'bashrc');
  assert.equal(fileName('a<b>:c.svg'), 'a_b__c.svg');
  assert.equal(fileName('..'), 'picture');
  assert.equal(fileName('x'.repeat(500)).length, 120);
});
