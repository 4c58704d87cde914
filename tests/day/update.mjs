// Writes the baselines anew: node tests/day/update.mjs, after a change that makes answers longer or shorter on purpose.
import { scratchDir } from '../support/stepwise.mjs';
import { AgentDay } from './agent.mjs';
import { write } from './baseline.mjs';
import { EXAMPLES, examplePath, holdsProfile, realProfiles, straysIn } from './profiles.mjs';

async function daysWith(profiles) {
  const days = {};
  for (const [name, path] of profiles) {
    const strays = straysIn(path);
    if (strays.length > 0) throw new Error(`${name}: remove ${strays} first`);
    const day = await AgentDay.spend(path, scratchDir('out'));
    for (const fault of day.faults) console.error(`${name}: ${fault}`);
    if (!day.isOneOfSeveral) days[name] = day.sizes;
  }
  return days;
}

write('baseline', await daysWith(Object.keys(EXAMPLES).map((name) => [name, examplePath(name)])));
const real = realProfiles().filter(([, path]) => holdsProfile(path));
if (real.length > 0) write('baseline_shared', await daysWith(real));
else console.error('real profiles are not here: baseline_shared.json stays as it is');
