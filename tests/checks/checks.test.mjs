// Runs every check on the repository, and shows of each that it finds the violations planted for it.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import * as assertions from './assertions.mjs';
import * as compileRules from './compile_rules.mjs';
import * as errorCodes from './error_codes.mjs';
import * as ingestPrint from './ingest_print.mjs';
import * as layering from './layering.mjs';
import * as links from './links.mjs';
import * as portable from './portable.mjs';
import { Repo } from './repo.mjs';
import * as size from './size.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const repo = Repo.fromDisk(root, process.env.STEPWISE_BUILD ?? `${root}/build`);

test('the checks look into every folder of source, whatever it is called', () => {
  assert.ok(repo.paths.includes('core/report/make_report.cc'));
});

for (const check of [layering, size, compileRules, portable, assertions, errorCodes, ingestPrint, links]) {
  test(check.title, (t) => {
    for (const warning of check.warnings?.(repo) ?? []) t.diagnostic(warning);
    assert.deepEqual([...check.violations(repo)], []);
  });

  for (const plant of check.planted) {
    test(`finds ${plant.what}`, () => {
      const found = [...check.violations(Repo.literal(plant))];
      assert.equal(found.length, 1, `one violation was planted, found: ${JSON.stringify(found)}`);
      assert.match(found[0], plant.says);
    });
  }
}
