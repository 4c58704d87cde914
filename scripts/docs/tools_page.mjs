// Writes the page of tools from `stepwise tools --json` (on standard input).
//   node scripts/docs/tools_page.mjs docs/tools.md [--check]
import { readFileSync, writeFileSync } from 'node:fs';

import { toolsPage } from './render_tools.mjs';

const [path, check] = process.argv.slice(2);
const page = toolsPage(JSON.parse(readFileSync(0, 'utf8')));
if (check !== '--check') {
  writeFileSync(path, page);
} else if (readFileSync(path, 'utf8') !== page) {
  console.error(`${path} is stale: run ./dev docs`);
  process.exit(1);
} else {
  console.error(`${path} is up to date.`);
}
