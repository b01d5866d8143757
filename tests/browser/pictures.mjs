// Pictures of the page of `gluond serve`: docs/pictures/serve.

import { picture as compared } from '../support/pictures.mjs';

// The kernel has its hints and its lens, and the page nothing under the mouse. `options` as in support/pictures.mjs.
export async function picture(page, name, options) {
  await page.see('.view-lines', /: (int|float)32\[/);
  await page.see('.codelens-decoration', /\S/);
  await page.page.mouse.move(2, 2);
  await compared(page.page, 'serve', name, options);
}
