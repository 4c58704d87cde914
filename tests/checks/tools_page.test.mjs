// docs/tools.md says what the program's tools are today.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { toolsPage } from '../../scripts/docs/render_tools.mjs';
import { root, run } from '../support/stepwise.mjs';

const declared = () => JSON.parse(run(['tools', '--json']).stdout);

test('docs/tools.md is what ./dev docs writes', () => {
  assert.equal(readFileSync(`${root}/docs/tools.md`, 'utf8'), toolsPage(declared()), 'stale: run ./dev docs');
});

test('a tool that is new, or says something else, changes the page', () => {
  const page = toolsPage(declared());
  const more = declared();
  more.tools.push({ ...more.tools[0], name: 'planted_tool' });
  assert.match(toolsPage(more), /### planted_tool/);
  const other = declared();
  other.tools[0].description = 'Something else.';
  assert.notEqual(toolsPage(other), page);
});
