// What is seen in the panels' frame.

import { until } from '../../support/waiting.mjs';

// The panel in sight.
export const shown = '.g-content > :not([hidden])';
export const inPanel = (selector) => `${shown} ${selector}`;

export const textOf = (frame) =>
  frame.evaluate((shown) => document.querySelector(shown).innerText.replace(/\u00a0/g, ' '), shown);

// Waits for the panel in sight to say something; all that it then says.
export const says = (frame, what, milliseconds) =>
  until(
    `the panel says ${what}`,
    async () => {
      const now = await textOf(frame);
      return (what instanceof RegExp ? what.test(now) : now.includes(what)) && now;
    },
    milliseconds,
  );

// Clicks the first element of a kind with a text. News may draw the elements anew between the look and the click.
export async function clickText(frame, selector, wanted) {
  const click = async () => {
    for (const each of await frame.$$(selector))
      if ((await each.evaluate((one) => one.textContent)).includes(wanted)) return each.click().then(() => true);
    return false;
  };
  await until(`${selector} with "${wanted}"`, click);
}

// Opens a panel by its keys, from the editor.
export async function openPanel(editor, letter) {
  await editor.focusEditor();
  await editor.chord('Control+Alt+g', letter);
  return editor.panels();
}
