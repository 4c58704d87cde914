// Stages of a training step: against the simulator's truth, and against a real timeline read a second time.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { nsOfUs, sum } from '../support/exact.mjs';
import { call, example, filesNamed, run, scratchDir, sharedProfile } from '../support/stepwise.mjs';
import { linksOf, readTrace, slicesOf, stageByHand, unionNs } from '../support/trace.mjs';

// Seeds whose runs differ in what runs beside what: fetches ahead or not, updates side by side or not.
for (const options of [
  { seed: 1, ranks: 1, steps: 3, events: 3000 },
  { seed: 2, ranks: 2, steps: 4, events: 6000 },
  { seed: 3, ranks: 4, steps: 2, events: 3000 },
  { seed: 5, ranks: 1, steps: 2, events: 3000 },
  { seed: 8, ranks: 1, steps: 3, events: 20000 },
  { seed: 4, ranks: 4, steps: 2, events: 5000, kind: 'llm-train' },
]) {
  test(`stages of each step of each rank are the true ones, to the nanosecond (${JSON.stringify(options)})`, () => {
    const profile = example(options);
    const { per_rank: truth } = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
    for (const [rank, { stage_breakdown: expected }] of Object.entries(truth)) {
      for (const step of expected.steps) {
        const got = call('stage_breakdown', profile, { rank: Number(rank), step: step.step });
        const what = `rank ${rank}, step ${step.step}`;
        assert.equal(got.status, 'ok', what);
        assert.equal(nsOfUs(got.step_us), nsOfUs(step.profiler_step_us), what);
        assert.equal(nsOfUs(got.unclassified_us), nsOfUs(step.unclassified_us), what);
        const figures = (row) => [row.stage, nsOfUs(row.wall_us), nsOfUs(row.exclusive_us), nsOfUs(row.all_threads_us)];
        const byStage = (a, b) => (a[0] < b[0] ? -1 : 1);
        assert.deepEqual(got.rows.map(figures).sort(byStage), step.rows.map(figures).sort(byStage), what);
      }
    }
  });
}

test('the mean over steps is theirs, and parts add up to the step', () => {
  const profile = example({ seed: 2, ranks: 2, steps: 4, events: 6000 });
  const { stage_breakdown: truth } = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
  const mean = call('stage_breakdown', profile);
  assert.equal(mean.steps, truth.steps.length);
  for (const row of mean.rows) {
    const us = truth.steps.map((step) => step.rows.find(({ stage }) => stage === row.stage)?.wall_us ?? 0);
    assert.ok(Math.abs(row.wall_us - us.reduce((a, b) => a + b, 0) / us.length) < 1e-6, row.stage);
  }
  const total = mean.rows.reduce((all, row) => all + row.wall_us, mean.unclassified_us);
  assert.ok(Math.abs(total - mean.step_us) < 1e-6);
  assert.ok(Math.abs(mean.coverage_ratio - (1 - mean.unclassified_us / mean.step_us)) < 1e-12);
});

test('a rank that is late, or a loader that stalls, shows in preprocess', () => {
  const profile = example({ seed: 2, ranks: 2, steps: 4, events: 6000 });
  const { facts } = JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
  const stalled = call('stage_breakdown', profile, { step: facts.stall_step });
  assert.equal(stalled.rows[0].stage, 'preprocess');
  assert.ok(stalled.rows[0].wall_us >= facts.stall_us);
});

const text = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
const skip = text ? false : 'the real profiles are not here';

// What stands on this network's threads, sorted by hand; the first that fits, from the outside in.
const BY_HAND = [
  ['preprocess', /^enumerate\(DataLoader\)#|^acl_memcpy_host_to_device$/],
  ['forward', /^DistributedDataParallel\.forward$|^aten::cross_entropy_loss$/],
  ['update_dense', /^Optimizer\.(step|zero_grad)#SGD/],
  ['backward', /Backward|AccumulateGrad|reducer::/],
];

test('stages of a real step are what its timeline says, read a second time', { skip }, () => {
  const events = readTrace(join(text, 'ASCEND_PROFILER_OUTPUT/trace_view.json.gz'));
  const host = slicesOf(events, ({ cat }) => cat === 'cpu_op');
  const step = host.find(({ name }) => name === 'ProfilerStep#50');
  const deciding = host.filter((slice) => stageByHand(slice, BY_HAND)?.decides === slice);
  const of = (stage) => deciding.filter((slice) => stageByHand(slice, BY_HAND).stage === stage);

  const got = call('stage_breakdown', text);
  assert.equal(nsOfUs(got.step_us), step.end - step.start);
  assert.deepEqual(got.rows.map(({ stage }) => stage).sort(), BY_HAND.map(([stage]) => stage).sort());
  for (const row of got.rows) {
    const main = of(row.stage).filter(({ track }) => track === step.track);
    assert.equal(nsOfUs(row.wall_us), unionNs(main), `${row.stage} on the main thread`);
    assert.equal(nsOfUs(row.all_threads_us), unionNs(of(row.stage)), `${row.stage} on all threads`);
  }
  const classified = sum(got.rows.map((row) => nsOfUs(row.wall_us)));
  assert.equal(nsOfUs(got.unclassified_us), step.end - step.start - classified);

  // Device work by the flow from the call that launched it.
  const device = slicesOf(events, ({ cat, args }) => cat === undefined && args !== undefined);
  const launched = new Map();
  for (const [from, to] of linksOf(events, 'async_npu', [...host, ...device])) {
    const stage = stageByHand(from, BY_HAND)?.stage ?? 'unclassified';
    launched.set(stage, [...(launched.get(stage) ?? []), to]);
  }
  for (const row of got.rows) assert.equal(nsOfUs(row.device_us), unionNs(launched.get(row.stage)), `${row.stage} on the device`);
  assert.equal(nsOfUs(got.unclassified.device_us), unionNs(launched.get('unclassified')));
});

test('what waits longest there is a scalar read, in no stage', { skip }, () => {
  const { unclassified, rows } = call('stage_breakdown', text);
  assert.equal(unclassified.blocking, true);
  assert.equal(unclassified.waits[0].name, 'aten::item');
  assert.equal((unclassified.waits[0].us / 1000).toFixed(1), '94.0');
  for (const row of rows) assert.equal(row.blocking, false, row.stage);
});

test('evidence of stages points at the events that it names', () => {
  const profile = example({ seed: 1 });
  const { evidence, rows } = call('stage_breakdown', profile);
  const [path] = filesNamed(profile, 'trace_view.json');
  const bytes = readFileSync(path);
  assert.ok(rows.every((row) => row.evidence.length > 0));
  for (const { row, says } of evidence) {
    const name = /`([^`]+)`/.exec(says)?.[1] ?? /^ProfilerStep#\d+/.exec(says)[0];
    assert.ok(bytes.subarray(row, row + 300).toString('utf8').includes(JSON.stringify(name)), says);
  }
});

test('words for stages come from a file with --declare stage_keywords=@FILE; one that is not there is told', () => {
  const profile = example();
  const before = call('stage_breakdown', profile);
  const file = join(scratchDir('words'), 'stages.json');
  writeFileSync(file, JSON.stringify({ forward: ['aten::item'] }));
  const declare = (value) => run(['call', 'stage_breakdown', '--profile', profile, '--declare', `stage_keywords=${value}`]);
  const done = declare(`@${file}`);
  assert.equal(done.code, 0, done.stderr);
  const after = JSON.parse(done.stdout);
  assert.ok(after.unclassified_us < before.unclassified_us, `${after.unclassified_us}, ${before.unclassified_us}`);
  const absent = declare(`@${file}.absent`);
  assert.notEqual(absent.code, 0);
  assert.match(absent.stderr, /stages\.json\.absent/);
});
