// Pictures of VS Code: docs/pictures/vscode.

import { picture as compared } from '../../support/pictures.mjs';

// The editor without the bars around it: what a hover, a fix, a completion is about.
export const editorPart = { x: 48, y: 57, width: 880, height: 540 };

export function picture(editor, name, clip, stays = {}) {
  return compared(editor.page, 'vscode', name, { clip, ...stays });
}

// The window with a panel, the keyboard in the editor. `settle` puts the panel as it is to be seen, as often as it
// takes.
export async function pictureOfPanels(editor, name, settle = async () => {}) {
  await editor.focusEditor();
  await settle();
  await editor.page.mouse.move(20, 600);
  // The corner of the status bar still shows where the mouse was.
  await compared(editor.page, 'vscode', name, { again: settle, changing: [{ x: 0, y: 740, width: 140, height: 60 }] });
}
