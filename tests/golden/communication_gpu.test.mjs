// Communication of real GPU traces: what each NCCL kernel is, told a second time from the ranges of its launching thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readBytes } from '../support/csv.mjs';
import { call, filesNamed, sharedProfile } from '../support/stepwise.mjs';

const TYPES = {
  'nccl:all_reduce': 'allReduce',
  'nccl:all_to_all': 'alltoall',
  'nccl:_all_gather_base': 'allGather',
  'nccl:_reduce_scatter_base': 'reduceScatter',
};

for (const [name, file] of [
  ['gpu-torchrec-a100', 'rank0.json.gz'],
  ['gpu-recsys-128rank-sampled', 'sampled_rank-0.json.gz'],
  ['gpu-dlrm-8rank-v100', 'worker0_step_12.1694128201545.pt.trace.json.gz'],
]) {
  const profile = sharedProfile(name);
  test(`NCCL kernels of one name are told apart by what launched them (${name})`, { skip: profile ? false : 'the real profiles are not here' }, () => {
    const { ops, ops_total: total } = call('comm_overlap', profile, { rank: 0, limit: 1000 });
    const got = Object.fromEntries(ops.map((op) => [`${op.name}|${op.type}`, [op.count, op.elapse_us]]));
    assert.deepEqual(got, kindsOf(filesNamed(profile, file)[0]));
    assert.equal(ops.reduce((count, op) => count + op.count, 0), total.count);
  });
}

// {"kernel|type": [count, us]}: the range "nccl:..." in which the driver's call of the same correlation lies.
function kindsOf(path) {
  const events = JSON.parse(readBytes(path).toString('utf8')).traceEvents.filter(({ ph }) => ph === 'X');
  const launches = new Map();
  const ranges = events.filter((one) => `${one.name}`.startsWith('nccl:') && one.cat !== 'kernel');
  for (const one of events) {
    if (/^cuda_(runtime|driver)$/.test(one.cat)) launches.set(one.args.correlation, one);
  }
  const out = {};
  for (const kernel of events.filter(({ cat, name }) => cat === 'kernel' && /nccl/i.test(name))) {
    const launch = launches.get(kernel.args.correlation);
    const inside = ({ pid, tid, ts, dur }) =>
      launch?.pid === pid && launch.tid === tid && ts <= launch.ts && launch.ts <= ts + dur;
    const [range] = ranges.filter(inside).sort((a, b) => a.dur - b.dur);
    const key = `${kernel.name}|${range ? TYPES[range.name] : null}`;
    out[key] ??= [0, 0];
    out[key][0] += 1;
    out[key][1] += kernel.dur;
  }
  return out;
}
