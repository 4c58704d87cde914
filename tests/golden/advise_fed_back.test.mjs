// What advise finds in a profile, given back to validate_advice as a draft: none of its figures is called wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, example } from '../support/stepwise.mjs';

for (const kind of ['recsys-train', 'recsys-infer', 'llm-train']) {
  test(`the findings of the example ${kind} hold against its own profile`, () => {
    const profile = example({ kind });
    for (const lang of ['en', 'zh']) {
      const items = call('advise', profile, { lang, limit: 1000 }).rows.map((row) => row.finding);
      assert.ok(items.length > 0);
      const { figures, items: judged } = call('validate_advice', profile, { items });
      assert.ok(figures.length > 0);
      assert.deepEqual(figures.filter((one) => one.ok === false), [], lang);
      assert.deepEqual(judged.filter((one) => one.verdict !== 'accepted'), [], lang);
    }
  });
}

test('items that an answer leaves out are given by the next, each once', () => {
  const profile = example({ kind: 'recsys-train' });
  const items = Array.from({ length: 24 }, (_, i) => `Set NPU_TURBO_${i}=1 where the device waits for the host.`);
  const seen = [];
  let start = 0;
  do {
    const answer = call('validate_advice', profile, { items, start });
    assert.ok(answer.items.length > 0);
    seen.push(...answer.items.map((one) => one.text));
    start = answer.next_start;
  } while (start !== undefined);
  assert.deepEqual([...seen].sort(), [...items].sort());
});
