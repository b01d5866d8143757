// The README of the package: its pictures inside it. VS Code loads none from the package, and the page must not need
// the network. Newer versions show pictures of https addresses only: there the words that describe them stand in their
// place.
//   node readme.mjs README.md OUT
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [source, out] = process.argv.slice(2);
const text = readFileSync(source, 'utf8').replace(/!\[([^\]]*)\]\(([^)\s]+\.png)\)/g, (_, alt, name) => {
  const file = join(dirname(source), name);
  if (existsSync(file)) return `![${alt}](data:image/png;base64,${readFileSync(file).toString('base64')})`;
  console.error(`${file} is missing: left out of the package's README`);
  return '';
});
writeFileSync(out, text);
