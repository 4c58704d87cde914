// What a caller declares is checked where it is declared.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, example, run } from '../support/stepwise.mjs';

const declared = (what) => run(['call', 'open_profile', '--profile', example(), '--declare', what]);

test('a mode that there is not is refused, with those that there are', () => {
  const { code, stderr } = declared('execution_mode=blah');
  assert.equal(code, 2);
  assert.match(stderr, /inductor_ascendc/);
  assert.equal(declared('execution_mode=eager').code, 0);
});

test('of a chip that nothing is known of a warning says so', () => {
  const codes = (what) => (JSON.parse(declared(what).stdout).warnings ?? []).map(({ code }) => code);
  assert.ok(codes('chip=foo').includes('declare.chip'));
  assert.ok(!codes('chip=910B').includes('declare.chip'));
  assert.equal(call('open_profile', example()).warnings?.some(({ code }) => code === 'declare.chip') ?? false, false);
});
