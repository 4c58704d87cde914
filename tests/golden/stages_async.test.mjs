// Stages side by side, prefetch, waits and merged framework calls: against the simulator's truth, and real timelines read
// a second time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { nsOfUs, sum } from '../support/exact.mjs';
import { call, example, sharedProfile } from '../support/stepwise.mjs';
import { readTrace, slicesOf } from '../support/trace.mjs';

// Seeds whose runs differ in all: how far fetches run ahead (0 to 3), what runs beside what, what is handed over late.
const PROFILES = [1, 2, 3, 5, 8, 13, 22].map((seed) => ({ seed, ranks: seed % 2 ? 1 : 2, steps: 3, events: 3000 }));
const truthOf = (profile) => JSON.parse(readFileSync(join(profile, 'truth.json'), 'utf8'));
const PAIRS = ['preprocess_embedding_fetch_us', 'update_embedding_update_dense_us'];

for (const options of PROFILES) {
  test(`pairs, prefetch and waits are the true ones, to the nanosecond (${JSON.stringify(options)})`, () => {
    const profile = example(options);
    for (const [rank, { stage_async: expected }] of Object.entries(truthOf(profile).per_rank)) {
      for (const step of expected.overlap_by_step) {
        const { pairs, waits } = call('stage_async', profile, { rank: Number(rank), step: step.step });
        pairs.forEach((pair, i) => {
          assert.equal(nsOfUs(pair.overlap_us), nsOfUs(step[PAIRS[i]]), `${PAIRS[i]} of step ${step.step}`);
          assert.equal(pair.serial, pair.overlap_us / Math.min(pair.a_us, pair.b_us) < 0.05);
        });
        const results = waits.filter(({ name }) => name.endsWith('.result'));
        assert.equal(sum(results.map((row) => nsOfUs(row.total_us))), nsOfUs(step.result_wait_us), `waits of step ${step.step}`);
      }
      const { prefetch, pairs } = call('stage_async', profile, { rank: Number(rank) });
      const ofSteps = expected.overlap_by_step.map(({ step }) => call('stage_async', profile, { rank: Number(rank), step }).pairs);
      pairs.forEach(({ overlap_ratio: ratio, serial }, i) => {
        const shorter = ofSteps.reduce((us, of) => us + Math.min(of[i].a_us, of[i].b_us), 0);
        assert.ok(Math.abs(ratio - ofSteps.reduce((us, of) => us + of[i].overlap_us, 0) / shorter) < 1e-9, `${PAIRS[i]} ${ratio}`);
        assert.equal(serial, ![expected.preprocess_beside_fetch, expected.updates_side_by_side][i], PAIRS[i]);
      });
      for (const key of ['found', 'depth', 'hides_communication']) assert.equal(prefetch[key], expected.prefetch[key], key);
    }
  });
}

test('the examples differ in what is to be found', () => {
  const all = PROFILES.map((options) => truthOf(example(options)).stage_async);
  const values = (of) => new Set(all.map(of));
  assert.ok(values(({ prefetch }) => prefetch.depth).size >= 3);
  assert.deepEqual(values(({ updates_side_by_side }) => updates_side_by_side), new Set([true, false]));
  assert.deepEqual(values(({ preprocess_beside_fetch }) => preprocess_beside_fetch), new Set([true, false]));
});

const text = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
const skip = text ? false : 'the real profiles are not here';

test('the merged calls of a real step are those of its timeline, two levels deep', { skip }, () => {
  const host = slicesOf(readTrace(join(text, 'ASCEND_PROFILER_OUTPUT/trace_view.json.gz')), ({ cat }) => cat === 'cpu_op');
  const step = host.find(({ name }) => name === 'ProfilerStep#50');
  const inStep = host.filter((slice) => slice !== step && slice.start >= step.start && slice.start < step.end);
  const pathOf = ({ name, parent, track }) => (parent && parent !== step ? `${pathOf(parent)} > ${name}` : `${track === step.track} ${name}`);
  const expected = new Map();
  for (const slice of inStep) {
    const path = pathOf(slice);
    if (path.split(' > ').length > 2) continue;
    const one = expected.get(path) ?? [0, 0n, 0n];
    const dur = slice.end - slice.start;
    expected.set(path, [one[0] + 1, one[1] + dur, dur > one[2] ? dur : one[2]]);
  }
  const { tree, step_us: stepUs } = call('ir_tree', text, { max_depth: 2, min_ratio: 0 });
  const got = new Map();
  for (const outer of tree[0].children) {
    if (outer.name === 'other') continue;
    const path = `${!outer.off_main} ${outer.name}`;
    got.set(path, outer);
    for (const inner of outer.children ?? []) if (inner.name !== 'other') got.set(`${path} > ${inner.name}`, inner);
  }
  assert.equal(nsOfUs(stepUs), step.end - step.start);
  const figures = [...got].map(([path, node]) => [path, node.count, nsOfUs(node.total_us), nsOfUs(node.max_us)]);
  assert.deepEqual(figures.sort(), [...expected].map(([path, one]) => [path, ...one]).sort());
});

test('small by default: structures of both stay under 2,000 tokens', { skip }, () => {
  for (const tool of ['ir_tree', 'stage_async', 'stage_breakdown', 'comm_overlap']) {
    const size = JSON.stringify(call(tool, text)).length / 4;
    assert.ok(size < 2000, `${tool}: ${size} tokens`);
  }
});

const gpu = sharedProfile('gpu-torchrec-a100/rank0.json.gz');

test("TorchRec's pipeline fetches one step ahead, and says so by order alone", { skip: gpu ? false : 'not here' }, () => {
  const { prefetch, pairs, warnings } = call('stage_async', gpu);
  assert.equal(prefetch.found, true);
  assert.equal(prefetch.depth, 1);
  assert.equal(prefetch.event_count, 5);
  assert.ok(prefetch.events.every(({ name }) => name === '## sparse_data_dist ##'));
  assert.ok(warnings.some(({ code }) => code === 'stages.depth_by_order'));
  assert.deepEqual(pairs.map(({ serial }) => serial), [true, true]);
});

// Real jobs with TorchRec's pipelines. In the first the fetch itself copies from pageable memory, on the main thread;
// in the others it is taken after the optimizer, for the next step, which lies behind the profile once.
const FETCHES = { '## sparse_data_dist ##': true, '## sdd_preprocess_tensors ##': true };
for (const [file, main, hides] of [
  ['gpu-torchrec-a100/rank0.json.gz', '4515', false],
  ['gpu-recsys-cpu-only-trace/rank_non_gpu.json.gz', '3113936', false],
  ['gpu-recsys-128rank-sampled/sampled_rank-0.json.gz', '4037', true],
]) {
  const profile = sharedProfile(file);
  test(`what the main thread waits for although it was fetched, and how far ahead: ${file}`, { skip: profile ? false : 'not here' }, () => {
    const events = readTrace(profile).filter(({ ph, tid }) => ph === 'X' && `${tid}` === main);
    const ranges = (wanted) => events.filter(({ name }) => wanted(name)).map(({ ts, dur }) => [Number(ts), Number(ts) + Number(dur)]);
    const steps = events.filter(({ name }) => name.startsWith('ProfilerStep#')).length;
    const fetches = ranges((name) => FETCHES[name]);
    const updates = ranges((name) => name === '## backward ##' || name === '## optimizer ##');
    const isIn = (of, { ts }) => of.some(([start, end]) => start <= Number(ts) && Number(ts) < end);
    const waits = events.filter((event) => {
      const { name, cat, dur } = event;
      if (name.includes(' wait()') || name.startsWith('## wait_')) return !isIn(updates, event);
      const blocks = name === 'aten::item' || name.includes('Synchronize') || (cat === 'cuda_runtime' && name.includes('emcpy') && Number(dur) >= 1000);
      return blocks && isIn(fetches, event);
    });
    let [us, until] = [0, 0];
    for (const { ts, dur } of waits.sort((a, b) => Number(a.ts) - Number(b.ts) || Number(b.dur) - Number(a.dur))) {
      const end = Number(ts) + Number(dur);
      us += Math.max(0, end - Math.max(until, Number(ts)));
      until = Math.max(until, end);
    }
    const { prefetch } = call('stage_async', profile);
    assert.ok(Math.abs(prefetch.wait_us - us / steps) < 1e-6, `${prefetch.wait_us} ${us / steps}`);
    assert.equal(prefetch.hides_communication, hides);
    assert.equal(prefetch.depth, 1);
    assert.equal(prefetch.event_count, fetches.length);
  });
}

test('what a real step waits for is what its timeline shows, second showings left out', { skip }, () => {
  const events = readTrace(join(text, 'ASCEND_PROFILER_OUTPUT/trace_view.json.gz'));
  const step = slicesOf(events, ({ name }) => name === 'ProfilerStep#50')[0];
  const hardware = events.find(({ name, args }) => name === 'process_name' && args.name === 'Ascend Hardware').pid;
  const sources = call('comm_overlap', text, { limit: 1000 }).sync_sources;
  const totals = (name, wanted) => {
    const slices = slicesOf(events, wanted).filter(({ start }) => start >= step.start && start < step.end);
    const rows = sources.filter(({ api }) => api === name);
    assert.equal(sum(rows.map(({ count }) => BigInt(count))), BigInt(slices.length), name);
    assert.equal(sum(rows.map((row) => nsOfUs(row.total_us))), sum(slices.map(({ start, end }) => end - start)), name);
  };
  const sync = 'AscendCL@aclrtSynchronizeStreamWithTimeout';
  totals(sync, ({ name }) => name === sync);
  for (const wait of ['EVENT_WAIT', 'Notify Wait']) totals(wait, ({ name, pid }) => name === wait && pid === hardware);
});

test('gradients of a real step are reduced uncovered in backward, by launch', { skip }, () => {
  const { rows } = call('comm_overlap', text, { limit: 1000 });
  assert.ok(rows.length > 0);
  for (const row of rows) assert.equal(row.stage, 'backward');
});
