// An agent's day on the examples and on real profiles: no call fails, every suggestion can be followed as it stands,
// every text stands alone, and no answer weighs more than it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scratchDir } from '../support/stepwise.mjs';
import { AgentDay } from './agent.mjs';
import { differences, read } from './baseline.mjs';
import { EXAMPLES, examplePath, holdsProfile, realProfiles, straysIn } from './profiles.mjs';

for (const name of Object.keys(EXAMPLES)) {
  test(`a day with the example ${name} goes well`, async () => {
    const day = await AgentDay.spend(examplePath(name), scratchDir('out'));
    assert.deepEqual(day.faults, []);
    assert.deepEqual([...differences(read('baseline')[name], day.sizes)], []);
  });
}

const real = realProfiles();
const skip = real.length === 0 && 'real profiles are not here';

// Which profiles lie here, and what else, is not the program's doing: what is not in the baseline is held to all but it.
test('a day with each real profile goes well', { skip }, async (t) => {
  const kept = read('baseline_shared');
  for (const [name, path] of real) {
    if (!holdsProfile(path)) {
      assert.ok(!(name in kept), `${name} does not open any more`);
      continue;
    }
    await t.test(name, async (t) => {
      const day = await AgentDay.spend(path, scratchDir('out'));
      assert.deepEqual(day.faults, []);
      const strays = straysIn(path);
      if (strays.length > 0) return t.diagnostic(`not weighed: ${strays} lies there`);
      if (day.isOneOfSeveral) return t.diagnostic('not weighed: one of several runs, chosen by the times of their files');
      if (!(name in kept)) return t.diagnostic('not weighed: it is not in the baseline');
      assert.deepEqual([...differences(kept[name], day.sizes)], []);
    });
  }
});
