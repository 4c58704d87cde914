// Communication of real Ascend profiles: each figure computed a second time, from the timeline and communication.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes, readCsv } from '../support/csv.mjs';
import { nsOf, nsOfUs, sum } from '../support/exact.mjs';
import { isCommunication } from '../support/kernels.mjs';
import { call, example, sharedProfile } from '../support/stepwise.mjs';

const profile = sharedProfile('npu-pt-alexnet-ddp-text/level1');
const pipeline = sharedProfile('npu-pt-llm-pp2dp2-level2');
const skip = profile && pipeline ? false : 'the real profiles are not here';
const output = (rank) => join(profile, `rank${rank}_ascend_pt`, 'ASCEND_PROFILER_OUTPUT');

// {kind: [[start, end]...]} of the profiler's own overlap analysis.
function overlapSpans(rank) {
  // Timestamps are text; durations are numbers short enough to survive a double.
  const events = JSON.parse(readBytes(join(output(rank), 'trace_view.json.gz')).toString('utf8'));
  const { pid } = events.find(({ name, args }) => name === 'process_name' && args.name === 'Overlap Analysis');
  const spans = {};
  for (const event of events.filter((one) => one.pid === pid && one.ph === 'X')) {
    const start = nsOf(`${event.ts}`);
    (spans[event.name] ??= []).push([start, start + nsOf(`${event.dur}`)]);
  }
  return spans;
}
const total = (spans) => sum(spans.map(([start, end]) => end - start));

// [{name, info}] of communication.json, sums left out.
function operations(rank) {
  const steps = JSON.parse(readBytes(join(output(rank), 'communication.json')).toString('utf8'));
  return Object.values(steps)
    .flatMap((kinds) => Object.values(kinds))
    .flatMap((all) => Object.entries(all))
    .filter(([name]) => name !== 'Total Op Info')
    .map(([name, info]) => ({ name: name.split('@')[0], info }));
}
const msOf = (rank, key) =>
  operations(rank).reduce((ms, { info }) => ms + info['Communication Time Info'][`${key} Time(ms)`], 0);

test('both ranks break down to the nanosecond as the overlap analysis does', { skip }, () => {
  for (const rank of [0, 1]) {
    const spans = overlapSpans(rank);
    const { breakdown, total_rows: rows } = call('comm_overlap', profile, { rank, limit: 1000 });
    assert.equal(breakdown.source, 'timeline');
    assert.equal(nsOfUs(breakdown.computing_us), total(spans.Computing));
    assert.equal(nsOfUs(breakdown.communication_us), total(spans.Communication));
    assert.equal(nsOfUs(breakdown.not_overlapped_us), total(spans['Communication(Not Overlapped)']));
    assert.equal(nsOfUs(breakdown.free_us), total(spans.Free));
    assert.equal(
      nsOfUs(breakdown.computing_us) + nsOfUs(breakdown.not_overlapped_us) + nsOfUs(breakdown.free_us),
      nsOfUs(breakdown.stage_us) + nsOfUs(breakdown.bubble_us),
    );
    assert.equal(rows, spans['Communication(Not Overlapped)'].length);
  }
});

test('the figures that the first user will look up', { skip }, () => {
  const { breakdown, ops_total: ops, against_step_file: against } = call('comm_overlap', profile, { step: 50 });
  const ms = (us) => (us / 1000).toFixed(3);
  assert.deepEqual(
    [breakdown.computing_us, breakdown.not_overlapped_us, breakdown.free_us, breakdown.stage_us].map(ms),
    ['8.874', '101.963', '25.744', '136.581'],
  );
  assert.deepEqual(
    [ops.transit_us, ops.wait_us, ops.idle_us, ops.elapse_us].map(ms),
    ['3.683', '5.941', '96.368', '105.992'],
  );
  assert.equal(against.figure, 'stage');
  assert.ok(Math.abs(against.largest_difference_us) < 0.25, `${against.largest_difference_us}`);
});

test('spans count from the profile\'s origin', { skip }, () => {
  const { origin_ns: origin } = call('open_profile', profile);
  const [start, end] = overlapSpans(0)['Communication(Not Overlapped)'].sort((a, b) =>
    a[1] - a[0] < b[1] - b[0] ? 1 : -1,
  )[0];
  const [longest] = call('comm_overlap', profile, { limit: 1 }).rows;
  assert.equal(nsOfUs(longest.start_us), start - BigInt(origin));
  assert.equal(nsOfUs(longest.dur_us), end - start);
});

test('uncovered spans are those of the overlap analysis, longest first', { skip }, () => {
  const expected = overlapSpans(0)
    ['Communication(Not Overlapped)'].map(([start, end]) => end - start)
    .sort((a, b) => (a < b ? 1 : -1));
  const { rows } = call('comm_overlap', profile, { limit: 1000 });
  assert.deepEqual(rows.map((row) => nsOfUs(row.dur_us)), expected);
  for (const row of rows) {
    assert.equal(row.step, 50);
    assert.equal(row.collectives.length, 1);
    assert.match(row.collectives[0], /^hcom_allReduce__586_[0-3]_1$/);
  }
});

test('operations carry the times and the bandwidth of communication.json', { skip }, () => {
  for (const rank of [0, 1]) {
    const { ops, ops_total: all } = call('comm_overlap', profile, { rank });
    for (const { name, info } of operations(rank)) {
      const times = info['Communication Time Info'];
      const row = ops.find((one) => one.name === name);
      // Text goes half to even, a double half up: a nanosecond apart at most.
      assert.ok(Math.abs(row.transit_us * 1000 - times['Transit Time(ms)'] * 1e6) < 0.6, name);
      assert.ok(Math.abs(row.wait_us * 1000 - times['Wait Time(ms)'] * 1e6) < 0.6, name);
      assert.ok(Math.abs(row.wait_ratio - times['Wait Time Ratio']) < 1e-4, name);
      const hccs = info['Communication Bandwidth Info'].HCCS;
      assert.equal(row.transport, 'HCCS');
      assert.ok(Math.abs(row.bandwidth_gb_s - hccs['Bandwidth(GB/s)']) < 1e-3, name);
    }
    for (const key of ['Transit', 'Wait', 'Idle', 'Elapse']) {
      const told = all[`${key.toLowerCase()}_us`];
      assert.ok(Math.abs(told / 1000 - msOf(rank, key)) < 1e-5, key);
    }
  }
});

test('groups: rank 1 comes late, whichever rank is asked; R_wait from both ranks\' files', { skip }, () => {
  const transits = [0, 1].map((rank) => msOf(rank, 'Transit'));
  const expected = 1 - (transits[0] + transits[1]) / 2 / Math.max(...transits);
  for (const rank of [0, 1]) {
    const { groups } = call('comm_overlap', profile, { rank });
    assert.equal(groups.length, 1);
    assert.deepEqual(groups[0].ranks, [0, 1]);
    assert.ok(Math.abs(groups[0].r_wait - expected) < 1e-6);
    assert.equal(groups[0].r_wait.toFixed(4), '0.0228');
    assert.equal(groups[0].late_rank, 1);
  }
});

test('R_wait of each collective: the mean of its ranks\' transfer against the largest', { skip }, () => {
  const { ops } = call('comm_overlap', profile, { limit: 1000 });
  const transits = [0, 1].map((rank) =>
    new Map(operations(rank).map(({ name, info }) => [name, info['Communication Time Info']['Transit Time(ms)']])),
  );
  assert.equal(ops.length, 4);
  for (const { name, r_wait: got, insufficient } of ops) {
    const ms = transits.map((of_rank) => of_rank.get(name));
    const expected = 1 - (ms[0] + ms[1]) / 2 / Math.max(...ms);
    if (Math.max(...ms) < 0.05) {
      assert.deepEqual([got, insufficient], [null, 'transit_below_50_us'], name);
    } else {
      assert.ok(Math.abs(got - expected) < 1e-6, `${name}: ${got}, expected ${expected}`);
      assert.equal(insufficient, null);
    }
  }
  assert.ok(ops.some(({ r_wait: one }) => one !== null));
});

test('a group that no two ranks at hand have a collective of tells nothing of their times', { skip }, () => {
  for (const [tool, args] of [['comm_overlap', { limit: 1000 }], ['cluster_summary', { limit: 1000 }]]) {
    const { groups } = call(tool, pipeline, args);
    const kinds = groups.map(({ rank_count: ranks, collectives, ...group }) => {
      const known = ranks > 1 && collectives > 0;
      for (const key of ['longest_wait_us', 'shortest_wait_us', 'largest_transit_us']) {
        assert.equal(typeof group[key] === 'number', known, `${tool}, ${group.group}: ${key} is ${group[key]}`);
      }
      return `${known}`;
    });
    assert.deepEqual([...new Set(kinds)].sort(), ['false', 'true']);
  }
});

test('a pipeline of four ranks transfers too little for R_wait in any group', { skip }, () => {
  const { groups, groups_total: count } = call('comm_overlap', pipeline, { limit: 1000 });
  assert.equal(groups.length, count);
  assert.ok(count > 8);
  for (const group of groups) {
    assert.equal(group.r_wait, null, group.group);
    assert.ok(group.insufficient, group.group);
  }
});

test('ranks without kernels answer from the step file, without spans', { skip }, () => {
  const [step] = readCsv(join(pipeline, 'rank_1_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv'));
  const { breakdown, rows, status } = call('comm_overlap', pipeline, { rank: 1 });
  assert.equal(status, 'partial');
  assert.equal(breakdown.source, 'step_file');
  assert.equal(nsOfUs(breakdown.not_overlapped_us), nsOf(step['Communication(Not Overlapped)']));
  assert.equal(rows.length, 0);
});

test('without a timeline the breakdown is the step file, and the spans are the kernels', { skip }, () => {
  for (const rank of [0, 2]) {
    const folder = join(pipeline, `rank_${rank}_ascend_pt/ASCEND_PROFILER_OUTPUT`);
    const [step] = readCsv(join(folder, 'step_trace_time.csv'));
    const { breakdown, rows, other } = call('comm_overlap', pipeline, { rank, limit: 1000 });
    assert.equal(breakdown.source, 'step_file');
    assert.equal(nsOfUs(breakdown.free_us), nsOf(step.Free));
    assert.equal(nsOfUs(breakdown.stage_us), nsOf(step.Stage));
    const uncovered = sum(rows.map((row) => nsOfUs(row.dur_us))) + nsOfUs(other?.dur_us ?? 0);
    assert.equal(uncovered, uncoveredOfKernels(join(folder, 'kernel_details.csv')));
  }
});

// Instants of communication in which nothing computes, swept over all starts and ends.
function uncoveredOfKernels(file) {
  const edges = readCsv(file).flatMap((row) => {
    const kind = isCommunication(row) ? 'communication' : 'computing';
    const start = nsOf(row['Start Time(us)']);
    return [
      [start, kind, 1],
      [start + nsOf(row['Duration(us)']), kind, -1],
    ];
  });
  edges.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const running = { communication: 0, computing: 0 };
  let [ns, last] = [0n, 0n];
  for (const [at, kind, change] of edges) {
    if (running.communication > 0 && running.computing === 0) ns += at - last;
    last = at;
    running[kind] += change;
  }
  return ns;
}

test('each step of a run of several is the true one, and its spans add up', () => {
  const made = example({ seed: 2, ranks: 2, steps: 4, events: 6000 });
  const truth = JSON.parse(readFileSync(join(made, 'truth.json'), 'utf8'));
  for (const step of truth.summarize_profile.steps) {
    const { breakdown, rows, other } = call('comm_overlap', made, { step: step.step, limit: 1000 });
    assert.equal(breakdown.source, 'timeline');
    for (const key of ['computing_us', 'communication_us', 'not_overlapped_us', 'free_us', 'stage_us']) {
      assert.ok(Math.abs(breakdown[key] - step[key]) <= 0.25, `step ${step.step} ${key}: ${breakdown[key]} ${step[key]}`);
    }
    assert.equal(sum(rows.map((row) => nsOfUs(row.dur_us))), nsOfUs(breakdown.not_overlapped_us));
    assert.equal(other, undefined);
    assert.equal(
      nsOfUs(breakdown.computing_us) + nsOfUs(breakdown.not_overlapped_us) + nsOfUs(breakdown.free_us),
      nsOfUs(breakdown.stage_us) + nsOfUs(breakdown.bubble_us),
    );
    assert.ok(rows.every((row) => row.start_us >= 0 && row.start_us < 1e9));
  }
});
