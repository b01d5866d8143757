// A debugging session, driven as a person would: the lens, F5, steps forwards and backwards, values, a finding.

import { until } from './editor.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const kernel = `import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def square(value):
    result = value * value
    return result


@gluon.jit
def sums(x, out, n, SIZE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    at = gl.arange(0, SIZE, layout=layout)
    total = gl.zeros([SIZE], gl.float32, layout)
    for i in range(n):
        values = gl.load(x + i * SIZE + at)
        total += square(values)
    gl.store(out + at, total)
    gl.device_assert(total < 0)


def run():
    x = torch.randn(4 * 256, device="cuda")
    out = torch.empty(256, device="cuda")
    sums[(1, )](x, out, 4, 256, debug=True)


run()
`;
const file = 'sums.py';
const session = useEditor({ files: { [file]: kernel } });
const step = stepsOf(session);
const lineOf = (text) => kernel.split('\n').findIndex((line) => line.includes(text)) + 1;

// Waits for a stop at the line: the call stack tells it, and then the editor puts its cursor there. A key that is
// pressed between the two would mean another line.
const frames = (editor) => editor.texts('.debug-call-stack .stack-frame');
async function stopsAt(editor, text) {
  const line = lineOf(text);
  await until(`a stop at line ${line}`, async () =>
    (await frames(editor)).some((frame) => new RegExp(`\\D${line}(:\\d+)?$`).test(frame)),
  );
  await until(`the cursor in line ${line}`, async () => (await editor.cursorLine()) === line);
}
// The debugger's bar stays in the page, out of sight.
const isDebugging = (editor) => editor.page.evaluate(() => !!document.querySelector('.debug-toolbar')?.offsetParent);
// A button of the debugger's bar.
const press = (editor, title) =>
  until(`the button ${title}`, async () => {
    const button = await editor.page.$(`.debug-toolbar .action-label[aria-label^="${title}"]`);
    return button?.click().then(() => true);
  });
// The list keeps only the rows that fit: it is scrolled until the name is among them.
async function variable(editor, name) {
  const list = await editor.page.$('.debug-variables .monaco-list-rows');
  for (const delta of [0, 100, 100, -1000]) {
    if (delta && list) {
      await list.hover();
      await editor.page.mouse.wheel({ deltaY: delta });
    }
    const found = (await editor.texts('.debug-variables .monaco-list-row')).find((row) => row.startsWith(name));
    if (found) return found;
  }
}

// Sets a breakpoint at the line, or takes it away, and waits for the list of breakpoints to say so.
async function toggle(editor, text, isSet) {
  const line = lineOf(text);
  await editor.goTo(line);
  await editor.key('F9');
  await until(`${isSet ? 'a' : 'no'} breakpoint at line ${line}`, async () => {
    const rows = await editor.texts('.debug-breakpoints .monaco-list-row');
    return rows.some((row) => row.includes(file) && new RegExp(`(^|\\D)${line}$`).test(row.trim())) === isSet;
  });
}

step('the lens stops at the first statement', async (editor) => {
  await editor.openFile(file);
  await until('the lens Debug', async () => {
    for (const each of await editor.page.$$('.codelens-decoration a'))
      if ((await each.evaluate((a) => a.textContent)) === 'Debug') return each.click().then(() => true);
    return false;
  });
  await until('the debugger', () => isDebugging(editor));
  await editor.key('Control+Shift+d');
  await stopsAt(editor, 'layout: gl.constexpr');
});

step('steps go forwards and backwards', async (editor) => {
  await editor.focusEditor();
  await editor.key('F10');
  await stopsAt(editor, 'at = gl.arange');
  await editor.key('F10');
  await stopsAt(editor, 'total = gl.zeros');
  await until('the value of `at`', async () => (await variable(editor, 'at'))?.includes('[0, 1, 2, 3'));
  await press(editor, 'Step Back');
  await stopsAt(editor, 'at = gl.arange');
  await until('no value of `at`', async () => (await variable(editor, 'at')) === undefined);
});

step('the timeline takes the session to its moment', async (editor) => {
  await editor.command('gluond: Show Timeline of a Simulated Run');
  const frame = await editor.panels();
  const canvas = '#g-panel-timeline .g-tracks canvas';
  await until('the run', () => frame.$eval('#g-panel-timeline .g-subtitle', (e) => /steps/.test(e.textContent)));
  await frame.focus(canvas);
  await editor.key('End');
  await stopsAt(editor, 'gl.device_assert');
  await frame.focus(canvas);
  await editor.key('Home');
  const last = new RegExp(`\\D${lineOf('gl.device_assert')}(:\\d+)?$`);
  await until('the beginning', async () => {
    const stack = await frames(editor);
    return stack.length > 0 && !stack.some((frame) => last.test(frame));
  });
});

step('the timeline follows the session', async (editor) => {
  const frame = await editor.panels();
  const step = () => frame.$eval('#g-panel-timeline .g-timeline-now b', (e) => e.textContent);
  await until('the beginning', async () => (await step()) === 'step 0');
  await editor.key('F10');
  await until('a later moment', async () => (await step()) !== 'step 0');
});

step('a breakpoint, a helper, and out of it', async (editor) => {
  await toggle(editor, 'total += square', true);
  await editor.key('F5');
  await stopsAt(editor, 'total += square');
  await editor.key('F11');
  await stopsAt(editor, 'result = value * value');
  await until('the helper above its caller', async () => {
    const stack = await frames(editor);
    return stack[0]?.startsWith('square') && stack[1]?.startsWith('sums');
  });
  await editor.key('Shift+F11');
  await stopsAt(editor, 'for i in range');
});

step('the end is a finding, and goes back to the breakpoint', async (editor) => {
  await toggle(editor, 'total += square', false);
  await editor.key('F5');
  await stopsAt(editor, 'gl.device_assert');
  await editor.see('.exception-widget, .debug-call-stack', /run-assertion|finding/i);
  await toggle(editor, 'values = gl.load', true);
  await press(editor, 'Reverse');
  await stopsAt(editor, 'values = gl.load');
  await until('the last turn', async () => (await variable(editor, 'i'))?.includes('3'));
  await press(editor, 'Stop');
  await until('the end of the session', async () => !(await isDebugging(editor)));
});

step('F5 needs no launch.json', async (editor) => {
  await editor.goTo(lineOf('total = gl.zeros'));
  await editor.key('F5');
  await stopsAt(editor, 'values = gl.load'); // the breakpoint
  await until('the first turn', async () => (await variable(editor, 'i'))?.includes('0'));
  await press(editor, 'Stop');
  await until('the end of the session', async () => !(await isDebugging(editor)));
});
