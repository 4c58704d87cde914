// Host calls and their flags, computed a second time from the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { groupBy, nsOf, nsOfUs, sum } from '../support/exact.mjs';
import { call, example, sharedProfile } from '../support/stepwise.mjs';
import { readTrace } from '../support/trace.mjs';

const profile = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
const skip = profile ? false : 'the real profiles are not here';
const files = () => join(profile, 'ASCEND_PROFILER_OUTPUT');
const trace = () => readTrace(join(files(), 'trace_view.json.gz')).filter((event) => event.ph === 'X');
// Older files call the level of collectives by their library.
const nowCalled = (level) => (level === 'hccl' ? 'communication' : level);
const durationOf = (event) => nsOf(`${event.dur}`);

test('rows of the driver are those of api_statistic.csv', { skip }, () => {
  const expected = readCsv(join(files(), 'api_statistic.csv'));
  const { rows } = call('host_api', profile, { limit: 1000 });
  const got = rows.filter((row) => row.level !== 'framework');
  const figures = (level, name, count, total, max) => `${nowCalled(level)}|${name}|${count}|${total}|${max}`;
  assert.deepEqual(
    got.map((row) => figures(row.level, row.name, row.count, nsOfUs(row.total_us), nsOfUs(row.max_us))).sort(),
    expected.map((row) => figures(row.Level, row['API Name'], row.Count, nsOf(row['Time(us)']), nsOf(row['Max(us)']))).sort(),
  );
});

test('rows of the framework are sums over the timeline by name', { skip }, () => {
  const expected = groupBy(trace().filter((event) => event.cat === 'cpu_op'), (event) => event.name);
  const { rows } = call('host_api', profile, { limit: 1000 });
  for (const row of rows.filter(({ level }) => level === 'framework')) {
    const events = expected.get(row.name);
    assert.equal(row.count, events.length, row.name);
    assert.equal(nsOfUs(row.total_us), sum(events.map(durationOf)), row.name);
  }
  assert.equal(rows.filter(({ level }) => level === 'framework').length, [...expected.keys()].filter((name) => !name.startsWith('ProfilerStep')).length);
});

test('flags: synchronisations and waits of the device', { skip }, () => {
  const { flags } = call('host_api', profile);
  const flag = (name) => flags.find((one) => one.flag === name);
  const events = trace();
  const syncs = events.filter((event) => /^AscendCL@aclrtSynchronize/.test(event.name));
  const items = events.filter((event) => event.name === 'aten::item');
  assert.equal(flag('synchronisations').value, Math.max(syncs.length, items.length));
  const waits = events.filter((event) => ['EVENT_WAIT', 'Notify Wait'].includes(event.name));
  const [{ Computing: computing }] = readCsv(join(files(), 'step_trace_time.csv'));
  const ratio = Number(sum(waits.map(durationOf))) / Number(nsOf(computing));
  assert.ok(Math.abs(flag('device_waits').value - ratio) < 1e-9, `${flag('device_waits').value} ${ratio}`);
  assert.equal(flag('device_waits').found, true);
});

for (const [name, file] of [['gpu-torchrec-a100', 'rank0.json.gz'], ['gpu-dlrm-8rank-v100', 'worker0_step_12.1694128201545.pt.trace.json.gz']]) {
  const profile = sharedProfile(name);
  test(`${name}: synchronisations are the reads in its steps, each once; their time and evidence that of calls in steps`, { skip: profile ? false : 'the real profiles are not here' }, () => {
    const { flags, evidence } = call('host_api', profile);
    const flag = (wanted) => flags.find((one) => one.flag === wanted);
    const events = readTrace(join(profile, file)).filter((event) => event.ph === 'X');
    const steps = events.filter((event) => event.name.startsWith('ProfilerStep#') && event.cat === 'user_annotation');
    const inSteps = events.filter(({ ts }) => steps.some((step) => Number(step.ts) <= Number(ts) && Number(ts) < Number(step.ts) + Number(step.dur)));
    const items = inSteps.filter((event) => event.name === 'aten::item');
    assert.equal(flag('synchronisations').value, items.length / steps.length);
    assert.equal(flag('synchronisations').calls, 'aten::item');
    const syncs = inSteps.filter((event) => event.cat === 'cuda_runtime' && event.name.includes('Synchronize'));
    assert.equal(flag('synchronisation_time').value, syncs.reduce((us, { dur }) => us + Number(dur), 0) / steps.length);
    const longest = syncs.reduce((most, event) => (Number(event.dur) > Number(most.dur) ? event : most));
    assert.equal(flag('synchronisation_time').calls, longest.name);
    assert.ok(evidence.find(({ id }) => id === flag('synchronisation_time').evidence).says.includes(longest.name));
  });
}

test('the default answer fits a page', { skip }, () => {
  const answer = call('host_api', profile);
  assert.ok(JSON.stringify(answer).length < 8000, `${JSON.stringify(answer).length} characters`);
});

for (const options of [{ ranks: 2 }, { kind: 'recsys-infer' }, { kind: 'llm-train', ranks: 2 }]) {
  test(`calls of a synthetic run are the true ones (${JSON.stringify(options)})`, () => {
    const dir = example(options);
    const truth = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8'));
    for (const [rank, { host_api: expected }] of Object.entries(truth.per_rank)) {
      const { rows } = call('host_api', dir, { rank: Number(rank), limit: 1000 });
      const figures = (row) => [nowCalled(row.level), row.name, row.count, nsOfUs(row.total_us), nsOfUs(row.max_us)].join('|');
      assert.deepEqual(rows.filter((row) => row.level !== 'framework').map(figures).sort(), expected.rows.map(figures).sort());
    }
  });
}
