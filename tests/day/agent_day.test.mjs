// An agent's day on the examples and on real profiles: no call fails, every suggestion can be followed as it stands,
// every text stands alone, and no answer weighs more than it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scratchDir } from '../support/stepwise.mjs';
import { AgentDay } from './agent.mjs';
import { differences, read } from './baseline.mjs';
import { EXAMPLES, examplePath, holdsProfile, realProfiles } from './profiles.mjs';

for (const name of Object.keys(EXAMPLES)) {
  test(`a day with the example ${name} goes well`, async () => {
    const day = await AgentDay.spend(examplePath(name), scratchDir('out'));
    assert.deepEqual(day.faults, []);
    assert.deepEqual([...differences(read('baseline')[name], day.sizes)], []);
  });
}

const real = realProfiles();
const skip = real.length === 0 && 'real profiles are not here';

test('a day with each real profile goes well', { skip }, async (t) => {
  const kept = read('baseline_shared');
  const opened = real.filter(([, path]) => holdsProfile(path));
  assert.deepEqual(opened.map(([name]) => name), Object.keys(kept));
  for (const [name, path] of opened) {
    await t.test(name, async () => {
      const day = await AgentDay.spend(path, scratchDir('out'));
      assert.deepEqual(day.faults, []);
      assert.deepEqual([...differences(kept[name], day.sizes)], []);
    });
  }
});
