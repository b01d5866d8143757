// Debian's Chromium, the same in every test and on every machine: fonts, colours and pixels do not depend on what else
// is installed.

import { fileURLToPath } from 'node:url';

// `puppeteer` is the caller's copy; `options` are puppeteer's and win. GLUOND_CHROMIUM says which program.
/** @param {import('puppeteer-core').PuppeteerNode} puppeteer */
export function launchChromium(puppeteer, options = {}) {
  return puppeteer.launch({
    executablePath: process.env.GLUOND_CHROMIUM,
    args: [
      '--no-sandbox', // root, in a container
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--force-color-profile=srgb',
      '--force-device-scale-factor=1',
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--hide-scrollbars',
      '--lang=en-US',
    ],
    env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)) },
    timeout: 120_000, // until it listens, and for an answer: a slow machine under load
    protocolTimeout: 300_000,
    ...options,
  });
}
