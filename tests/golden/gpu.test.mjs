// Real GPU traces: how the time of the device is split, computed a second time from the events.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readBytes } from '../support/csv.mjs';
import { groupBy, nsOfUs } from '../support/exact.mjs';
import { McpClient } from '../support/mcp.mjs';
import { call, sharedProfile } from '../support/stepwise.mjs';

const PROFILES = [
  { path: 'gpu-alexnet-a100-cuda-sync', scenario: 'inference', mode: 'eager' },
  { path: 'gpu-dlrm-8rank-v100', scenario: 'training', mode: 'eager' },
  { path: 'gpu-torchrec-a100', scenario: 'training', mode: 'cuda_graph' },
  { path: 'gpu-resnet50-tbplugin-2021/resnet50_num_workers_0', scenario: 'training', mode: 'eager' },
  { path: 'gpu-tracelens/h100', scenario: 'inference', mode: 'eager' },
  { path: 'gpu-tracelens/torch_compile_triton', mode: 'inductor_triton' },
  { path: 'gpu-triton-inductor-mini', mode: 'inductor_triton' },
];

// us to ns: whole numbers may be too large for a double of ns, others are small enough.
const ns = (us) => (Number.isInteger(us) ? BigInt(us) * 1000n : BigInt(Math.round(us * 1000)));

// Rows of the device in a trace: [{name, kind, start, end, correlation}]
function deviceRows(file) {
  const trace = JSON.parse(readBytes(file).toString('utf8'));
  const kinds = { kernel: 'compute', gpu_memcpy: 'copy', memcpy: 'copy', gpu_memset: 'compute', memset: 'compute' };
  return trace.traceEvents
    .filter(({ ph, cat }) => ph === 'X' && kinds[`${cat}`.toLowerCase()])
    .map(({ name, cat, ts, dur, args }) => {
      const category = `${cat}`.toLowerCase();
      const kind = category === 'kernel' && /nccl|rccl/i.test(name) ? 'communication' : kinds[category];
      const correlation = args?.correlation;
      return { name, kind, category, start: ns(ts), end: ns(ts) + ns(dur), correlation };
    });
}

// Time in which any of the rows runs.
function busy(rows) {
  const ordered = [...rows].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  let total = 0n;
  let until = null;
  for (const { start, end } of ordered) {
    const from = until !== null && until > start ? until : start;
    if (end > from) total += end - from;
    if (until === null || end > until) until = end;
  }
  return total;
}

// The profile's lowest rank: its files' names sort as the ranks do.
function lowestTrace(dir) {
  return join(dir, readdirSync(dir).filter((name) => name.endsWith('.json.gz')).sort()[0]);
}

for (const { path, scenario, mode } of PROFILES) {
  const profile = sharedProfile(path);
  const skip = profile ? false : 'the real profiles are not here';

  test(`${path}: computing, exposed communication, exposed copies and idle add up to the span`, { skip }, () => {
    const rows = deviceRows(lowestTrace(profile));
    const of = (...kinds) => rows.filter(({ kind }) => kinds.includes(kind));
    const span =
      rows.reduce((last, { end }) => (end > last ? end : last), 0n) -
      rows.reduce((first, { start }) => (start < first ? start : first), rows[0].start);
    const computing = busy(of('compute'));
    const both = busy(of('compute', 'communication'));
    const expected = [computing, both - computing, busy(rows) - both, span - busy(rows), span];
    for (const tool of ['summarize_profile', 'comm_overlap']) {
      const { breakdown: got } = call(tool, profile);
      assert.deepEqual(
        [got.computing_us, got.not_overlapped_us, got.copy_not_overlapped_us, got.free_us, got.stage_us].map(nsOfUs),
        expected,
        tool,
      );
      assert.equal(nsOfUs(got.communication_us), busy(of('communication')), tool);
    }
  });

  test(`${path}: top operators are its kernels, to the nanosecond`, { skip }, () => {
    const rows = deviceRows(lowestTrace(profile)).filter((row) => row.category === 'kernel' && row.kind === 'compute');
    const length = (members) => members.reduce((total, { start, end }) => total + (end - start), 0n);
    const answer = call('top_operators', profile, { full_names: true, by: 'name', limit: 1000 });
    assert.equal(nsOfUs(answer.operators.total_us), length(rows));
    const expected = groupBy(rows, ({ name }) => name);
    for (const row of answer.rows) assert.equal(nsOfUs(row.total_us), length(expected.get(row.name)), row.name);
  });

  test(`${path}: the largest part of the time leads to the tool that says where it comes from`, { skip }, () => {
    const tools = {
      computing: 'top_operators',
      communication_not_overlapped: 'comm_overlap',
      free: 'host_api',
      copy_not_overlapped: 'host_api',
    };
    const { where_time_goes, next } = call('summarize_profile', profile);
    assert.equal(next[0].tool, tools[where_time_goes[0].part]);
    const followed = call(next[0].tool, profile, next[0].arguments);
    assert.ok(followed.rows.length > 0);
  });

  test(`${path}: no two kernels look alike, in the structure and in the text`, { skip }, async () => {
    const client = await new McpClient(['--root', profile, '--tools', 'all']).start();
    const answers = [];
    let cursor;
    do {
      answers.push(await client.call('top_operators', { profile, by: 'name', ...(cursor && { cursor }) }));
      cursor = answers.at(-1).structure.next_cursor;
    } while (cursor);
    await client.stop();
    const names = answers.flatMap(({ structure }) => structure.rows.map(({ name }) => name));
    assert.equal(new Set(names).size, names.length);
    const whole = call('top_operators', profile, { full_names: true, by: 'name', limit: 1000 }).rows;
    assert.equal(names.length, whole.length);
    for (const { text } of answers) {
      const lines = text.split('\n');
      const from = lines.findIndex((line) => line.startsWith('op_type'));
      const column = lines[from].indexOf('name');
      const until = lines.findIndex((line, i) => i > from && /^(other:|\d+ rows in all)/.test(line));
      const shown = lines.slice(from + 1, until).map((line) => line.slice(column, lines[from].indexOf('core_type')));
      assert.ok(shown.length > 0 && shown.every((name) => name.trim().length <= 48));
      assert.equal(new Set(shown).size, shown.length);
    }
  });

  test(`${path}: scenario and execution mode`, { skip }, () => {
    const answer = call('summarize_profile', profile);
    if (scenario) assert.equal(answer.scenario.value, scenario);
    assert.equal(answer.execution_mode.value, mode);
  });
}

{
  const profile = sharedProfile('gpu-resnet50-tbplugin-2021/resnet50_num_workers_0');
  const skip = profile ? false : 'the real profiles are not here';

  test('beside the whole trace each step stands with the parts of what it launched, and their mean', { skip }, () => {
    const file = lowestTrace(profile);
    const { traceEvents } = JSON.parse(readBytes(file).toString('utf8'));
    const launchedAt = new Map(
      traceEvents.filter(({ cat }) => cat === 'Runtime').map(({ ts, args }) => [args.correlation, ns(ts)]),
    );
    const ranges = traceEvents
      .filter(({ ph, name }) => ph === 'X' && /^ProfilerStep#\d+$/.test(name))
      .map(({ name, ts, dur }) => ({ step: Number(name.split('#')[1]), start: ns(ts), end: ns(ts) + ns(dur) }));
    const rows = deviceRows(file);
    const expected = ranges.map(({ step, start, end }) => {
      const own = rows.filter(({ correlation }) => {
        const at = launchedAt.get(correlation);
        return start <= at && at < end;
      });
      const wall =
        own.reduce((last, row) => (row.end > last ? row.end : last), 0n) -
        own.reduce((first, row) => (row.start < first ? row.start : first), own[0].start);
      const computing = busy(own.filter(({ kind }) => kind === 'compute'));
      return [step, end - start, wall, computing, busy(own) - computing, wall - busy(own)];
    });
    const answer = call('summarize_profile', profile);
    const got = answer.steps.map((row) => [
      row.step,
      ...[row.host_us, row.wall_us, row.computing_us, row.copy_not_overlapped_us, row.free_us].map(nsOfUs),
    ]);
    const byStep = (a, b) => a[0] - b[0];
    assert.deepEqual([...got].sort(byStep), expected.sort(byStep));
    assert.ok(got.every((row, i) => i === 0 || got[i - 1][1] >= row[1]));
    const mean = (column) => Number(expected.reduce((total, row) => total + row[column], 0n)) / expected.length / 1000;
    const { per_step, breakdown } = answer;
    assert.equal(per_step.count, expected.length);
    for (const [column, key] of [[1, 'host_us'], [2, 'wall_us'], [3, 'computing_us'], [4, 'copy_not_overlapped_us'], [5, 'free_us']]) {
      assert.ok(Math.abs(per_step[key] - mean(column)) < 1e-6, key);
    }
    assert.match(breakdown.window, /^the whole trace, 6 steps \(5, 6, 7, 8, 9, 10\): all device rows/);
  });
}

{
  const profile = sharedProfile('gpu-torchrec-a100');
  const skip = profile ? false : 'the real profiles are not here';

  test('what blocks the host is told with its place and the time in which the device was idle meanwhile', { skip }, () => {
    const { traceEvents } = JSON.parse(readBytes(lowestTrace(profile)).toString('utf8'));
    const slices = traceEvents.filter(({ ph }) => ph === 'X');
    const range = ({ ts, dur }) => ({ start: ns(ts), end: ns(ts) + ns(dur) });
    const rows = slices.filter(({ cat }) => /^(kernel|gpu_mem(cpy|set))$/.test(cat)).map(range);
    const readsBack = new Set(
      slices.filter(({ name }) => name === 'Memcpy DtoH (Device -> Pageable)').map(({ args }) => args.correlation),
    );
    const fetches = slices.filter(({ name }) => name === '## sparse_data_dist ##');
    const calls = slices
      .filter(({ name, args }) => name === 'cudaMemcpyAsync' && readsBack.has(args.correlation))
      .filter((call) =>
        fetches.some((one) => one.tid === call.tid && one.ts <= call.ts && call.ts + call.dur <= one.ts + one.dur),
      );
    const idle = calls.map(range).map(({ start, end }) => {
      const within = rows
        .filter((row) => row.start < end && start < row.end)
        .map((row) => ({ start: row.start > start ? row.start : start, end: row.end < end ? row.end : end }));
      return end - start - busy(within);
    });
    const sum = (list) => list.reduce((total, one) => total + one, 0n);

    const [first] = call('host_api', profile).blocking;
    assert.deepEqual(
      [first.call, first.copied, first.op, first.within],
      ['cudaMemcpyAsync', 'Memcpy DtoH (Device -> Pageable)', 'aten::copy_', '## sparse_data_dist ##'],
    );
    assert.equal(first.count, calls.length);
    assert.equal(nsOfUs(first.total_us), sum(calls.map(range).map(({ start, end }) => end - start)));
    assert.equal(nsOfUs(first.device_idle_us), sum(idle));

    const { where_time_goes, next } = call('summarize_profile', profile);
    assert.equal(where_time_goes[0].part, 'free');
    assert.equal(next[0].tool, 'host_api');
    assert.match(next[0].why, /most in `cudaMemcpyAsync` in `aten::copy_` of `## sparse_data_dist ##`$/);
    assert.match(call('problem_operators', profile).next[0].why, /`## sparse_data_dist ##`$/);
  });

  test('the shares of graph launches and of the kernels in them are those of the events', { skip }, () => {
    const { traceEvents } = JSON.parse(readBytes(lowestTrace(profile)).toString('utf8'));
    const calls = traceEvents.filter(({ cat }) => cat === 'cuda_runtime' || cat === 'cuda_driver');
    const graph = calls.filter(({ name }) => name.startsWith('cudaGraphLaunch'));
    const single = calls.filter(({ name }) => name.startsWith('cudaLaunchKernel'));
    const launchedBy = new Map(calls.map((one) => [one.args.correlation, one]));
    const kernels = traceEvents.filter(({ cat, name }) => cat === 'kernel' && !/nccl/i.test(name));
    const inGraph = kernels.filter(({ args }) => launchedBy.get(args.correlation)?.name.startsWith('cudaGraphLaunch'));
    const unseen = kernels.filter(({ args }) => !launchedBy.has(args.correlation));
    const us = (rows) => rows.reduce((total, { dur }) => total + dur, 0);

    const { launches, kernels_by, applies } = call('detect_execution_mode', profile);
    assert.deepEqual([launches.graph, launches.single], [graph.length, single.length]);
    assert.ok(Math.abs(launches.graph_ratio - graph.length / (graph.length + single.length)) < 1e-12);
    const part = (by) => kernels_by.find((row) => row.by === by);
    assert.deepEqual([part('graph').count, part('graph').total_us], [inGraph.length, us(inGraph)]);
    assert.deepEqual([part('not_recorded').count, part('not_recorded').total_us], [unseen.length, us(unseen)]);
    assert.equal(
      kernels_by.reduce((total, { count }) => total + count, 0),
      kernels.length,
    );
    assert.deepEqual(applies, ['eager']);
  });
}
