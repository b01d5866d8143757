// Pictures of the page of `gluond serve`: docs/pictures/serve.

import { picture as compared } from '../support/pictures.mjs';

export async function picture(page, name) {
  await page.page.mouse.move(2, 2);
  await compared(page.page, 'serve', name);
}
