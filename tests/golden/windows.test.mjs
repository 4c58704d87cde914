// Whether a summary's figures are of a step, of a run, or of nothing, by which files are there.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { nsOf, nsOfUs } from '../support/exact.mjs';
import { durationNs, isCommunication } from '../support/kernels.mjs';
import { call, example, scratchDir, sharedProfile } from '../support/stepwise.mjs';

const OF_A_STEP = ['step.wall_us', 'step.busy_ratio', 'step.computing_ratio', 'step.free_ratio', 'comm.step_ratio'];

/// A profile of one of a run's files alone.
const alone = (run, file) => {
  const dir = scratchDir();
  const output = join(dir, 'run_ascend_pt', 'ASCEND_PROFILER_OUTPUT');
  mkdirSync(output, { recursive: true });
  cpSync(join(run, file), join(output, file));
  return dir;
};

test('an msprof database tells no steps: its whole run is none, and the iteration decides what text decides', () => {
  const options = { kind: 'recsys-infer', seed: 11, events: 6000, steps: 3 };
  const text = call('summarize_profile', example(options));
  const db = call('summarize_profile', example({ ...options, export: 'db' }));
  assert.equal(db.breakdown.window_of, 'run');
  for (const metric of OF_A_STEP) assert.equal(db.metrics[metric], null, metric);
  assert.equal(db.busy_ratio, null);
  assert.equal(db.iterations.avg_us, text.iterations.avg_us);
  assert.equal(db.op_time_ratio, text.op_time_ratio);
  assert.equal(db.schedule_bound, text.schedule_bound);
  assert.equal(db.metrics['schedule.ratio'], text.metrics['schedule.ratio']);
});

const vllm = sharedProfile('msprof-vllm-ascend-moe-lora-metrics');
test('three kernels without an iteration do not make a step that waits', { skip: !vllm }, () => {
  const answer = call('summarize_profile', vllm);
  for (const metric of OF_A_STEP) assert.equal(answer.metrics[metric], null, metric);
  assert.equal(answer.schedule_bound, null);
  const wait = call('problem_operators', vllm, { kind: 'host_wait' });
  assert.deepEqual(wait.unknown, [{ problem: 'host_wait', lacks: 'the time of steps' }]);
});

const hostOnly = sharedProfile('gpu-recsys-cpu-only-trace');
test('a trace without device rows has no computing, not 0', { skip: !hostOnly }, () => {
  const { iterations, metrics } = call('summarize_profile', hostOnly);
  assert.equal(iterations.avg_us, null);
  assert.equal(metrics['iteration.avg_us'], null);
  assert.ok(iterations.wall_avg_us > 0);
});

test('operators by type alone are one iteration, assumed', () => {
  const profile = example({ kind: 'recsys-infer', seed: 11, events: 6000, steps: 3 });
  const folders = readdirSync(profile).filter((name) => name.startsWith('PROF_')).sort();
  const output = join(profile, folders[0], 'mindstudio_profiler_output');
  const file = readdirSync(output).find((name) => name.startsWith('op_statistic'));
  const dir = scratchDir();
  cpSync(join(output, file), join(dir, 'op_statistic.csv'));
  const { iterations } = call('summarize_profile', dir);
  assert.equal(iterations.count, 1);
  assert.equal(iterations.source, 'assumed');
  const total = readCsv(join(dir, 'op_statistic.csv')).reduce((sum, row) => sum + nsOf(row['Total Time(us)']), 0n);
  assert.equal(nsOfUs(iterations.avg_us), total);
});

const alexnet = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
test('a timeline alone tells the scenario and the step, as step_trace_time.csv has it', { skip: !alexnet }, () => {
  const output = join(alexnet, 'ASCEND_PROFILER_OUTPUT');
  const profile = alone(output, 'trace_view.json.gz');
  const scenario = call('detect_scenario', profile);
  assert.equal(scenario.value, 'training');
  assert.equal(scenario.proof, 'backward_operators');
  const [step] = readCsv(join(output, 'step_trace_time.csv'));
  const { breakdown, iterations } = call('summarize_profile', profile);
  assert.equal(nsOfUs(breakdown.computing_us), nsOf(step.Computing));
  assert.equal(nsOfUs(breakdown.not_overlapped_us), nsOf(step['Communication(Not Overlapped)']));
  assert.equal(nsOfUs(breakdown.free_us), nsOf(step.Free));
  // The file computes Stage from absolute times as doubles.
  assert.ok(Math.abs(Number(nsOfUs(breakdown.stage_us) - nsOf(step.Stage))) < 160);
  assert.equal(iterations.source, 'profiler_step');
  assert.equal(iterations.count, 1);
  assert.equal(call('host_api', profile).iterations.count, 1);
});

test('text and database of one run show the same problems, shapes and cores', () => {
  for (const kind of ['recsys-train', 'llm-train']) {
    const options = { kind, seed: 6, ranks: 2, events: 6000 };
    const [text, db] = ['text', 'db'].map((form) => example({ ...options, export: form }));
    const problems = (profile) => call('problem_operators', profile).problems.filter(({ problem }) => problem !== 'cube_utilization');
    assert.deepEqual(problems(db), problems(text), kind);
    // What the database does not hold.
    assert.deepEqual(call('problem_operators', db).unknown.map(({ problem }) => problem), ['cube_utilization']);
    const shapes = (profile) => call('summarize_profile', profile).dynamic_shape;
    assert.equal(shapes(db), shapes(text), kind);
    assert.notEqual(shapes(db), null, kind);
    assert.deepEqual(call('top_operators', db).by_core, call('top_operators', text).by_core, kind);
  }
});

test('operators by core type add up as in kernel_details.csv', { skip: !alexnet }, () => {
  const expected = new Map();
  let total = 0n;
  for (const row of readCsv(join(alexnet, 'ASCEND_PROFILER_OUTPUT', 'kernel_details.csv'))) {
    if (isCommunication(row)) continue;
    const sum = expected.get(row['Accelerator Core']) ?? { count: 0, ns: 0n };
    expected.set(row['Accelerator Core'], { count: sum.count + 1, ns: sum.ns + durationNs(row) });
    total += durationNs(row);
  }
  const { by_core: cores } = call('top_operators', alexnet);
  assert.equal(cores.length, expected.size);
  for (const core of cores) {
    const { count, ns } = expected.get(core.core_type);
    assert.equal(core.count, count);
    assert.equal(nsOfUs(core.total_us), ns);
    assert.equal(core.ratio, Number(ns) / Number(total));
  }
});

const torchrec = sharedProfile('gpu-torchrec-a100');
test('the gap of a GPU trace is the host step minus the kernels that it launched', { skip: !torchrec }, () => {
  const sql = (text) => call('query_sql', torchrec, { sql: text }).rows;
  const steps = sql('select step, end_ns - start_ns from step order by step');
  const operators = new Map(
    sql("select step, sum(dur_ns) from kernel where class = 'compute' and step is not null group by step"),
  );
  const { gap, metrics } = call('summarize_profile', torchrec);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length / 1000;
  const expected = mean(steps.map(([step, wall]) => wall - (operators.get(step) ?? 0)));
  assert.ok(Math.abs(gap.gap_us - expected) < 1e-3, `${gap.gap_us} ${expected}`);
  const parts = ['communication', 'copy', 'between_kernels', 'outside_kernels', 'parallel', 'rounding'];
  const sum = parts.reduce((total, part) => total + gap[`${part}_us`], 0);
  assert.ok(Math.abs(sum - gap.gap_us) < 1e-3);
  assert.ok(Math.abs(metrics['step.gap_ratio'] - gap.gap_us / gap.step_us) < 1e-9);
});
