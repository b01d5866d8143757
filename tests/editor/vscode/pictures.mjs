// Pictures of VS Code: docs/pictures/vscode.

import { picture as compared } from '../../support/pictures.mjs';

// The editor without the bars around it: what a hover, a fix, a completion is about.
export const editorPart = { x: 48, y: 35, width: 880, height: 560 };

export function picture(editor, name, clip, stays = {}) {
  return compared(editor.page, 'vscode', name, { clip, ...stays });
}
