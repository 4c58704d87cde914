// Figures of a real two-rank training profile, each computed a second time from the files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { groupBy, nsOf, nsOfUs } from '../support/exact.mjs';
import { durationNs, isCommunication, shownTotal, totalOf } from '../support/kernels.mjs';
import { call, sharedProfile } from '../support/stepwise.mjs';

const profile = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
const skip = profile ? false : 'the real profiles are not here';
const read = (file) => readCsv(join(profile, 'ASCEND_PROFILER_OUTPUT', file));

test('a step is computing, uncovered communication and free, as step_trace_time.csv says', { skip }, () => {
  const [step] = read('step_trace_time.csv');
  const { breakdown } = call('summarize_profile', profile);
  assert.equal(nsOfUs(breakdown.computing_us), nsOf(step.Computing));
  assert.equal(nsOfUs(breakdown.not_overlapped_us), nsOf(step['Communication(Not Overlapped)']));
  assert.equal(nsOfUs(breakdown.overlapped_us), nsOf(step.Overlapped));
  assert.equal(nsOfUs(breakdown.communication_us), nsOf(step.Communication));
  assert.equal(nsOfUs(breakdown.free_us), nsOf(step.Free));
  assert.equal(nsOfUs(breakdown.stage_us), nsOf(step.Stage));
  assert.equal(nsOfUs(breakdown.bubble_us), nsOf(step.Bubble));
});

test('the figures that the first user will look up', { skip }, () => {
  const { breakdown, scenario, execution_mode: mode, where_time_goes: parts } = call('summarize_profile', profile);
  const ms = (us) => (us / 1000).toFixed(3);
  assert.equal(ms(breakdown.computing_us), '8.874');
  assert.equal(ms(breakdown.not_overlapped_us), '101.963');
  assert.equal(ms(breakdown.free_us), '25.744');
  assert.equal((breakdown.stage_us / 1000).toFixed(2), '136.58');
  assert.equal(scenario.value, 'training');
  assert.equal(mode.value, 'eager');
  assert.deepEqual(
    parts.map(({ part }) => part).slice(0, 3),
    ['communication_not_overlapped', 'free', 'computing'],
  );
  assert.equal(nsOfUs(parts.reduce((total, { us }) => total + us, 0)), nsOfUs(breakdown.stage_us + breakdown.bubble_us));
});

test('the mode is proved by the model id, the scenario by what ran', { skip }, () => {
  const mode = call('detect_execution_mode', profile);
  assert.equal(mode.value, 'eager');
  assert.equal(mode.proof, 'model_id');
  const ids = new Set(read('kernel_details.csv').map((row) => row['Model ID']).filter((id) => id !== 'N/A'));
  assert.deepEqual([...ids], ['4294967295']);
  assert.equal(call('detect_scenario', profile).value, 'training');
});

test('top_operators by type adds up to the kernels of the file, to its last digit', { skip }, () => {
  const kernels = read('kernel_details.csv').filter((row) => !isCommunication(row));
  const answer = call('top_operators', profile, { limit: 1000 });
  const expected = groupBy(kernels, (row) => `${row.Type}|${row['Accelerator Core']}`);
  const got = new Map(answer.rows.map((row) => [`${row.op_type}|${row.core_type}`, row]));
  assert.deepEqual([...got.keys()].sort(), [...expected.keys()].sort());
  for (const [key, members] of expected) {
    const row = got.get(key);
    assert.equal(row.count, members.length, key);
    assert.equal(nsOfUs(row.total_us), totalOf(members), key);
    assert.equal(nsOfUs(row.max_us), members.map(durationNs).reduce((a, b) => (a > b ? a : b)), key);
  }
  assert.equal(answer.operators.count, kernels.length);
  assert.equal(nsOfUs(answer.operators.total_us), totalOf(kernels));
});

test('top_operators says how much communication it leaves out', { skip }, () => {
  const left = read('kernel_details.csv').filter(isCommunication);
  const { communication_left_out: told } = call('top_operators', profile);
  assert.equal(told.count, left.length);
  assert.equal(nsOfUs(told.total_us), totalOf(left));
});

test('rows are ranked, and ratios are of the operators that are shown', { skip }, () => {
  const { rows, operators } = call('top_operators', profile, { limit: 1000 });
  const totals = rows.map((row) => row.total_us);
  assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
  for (const row of rows) assert.ok(Math.abs(row.ratio - row.total_us / operators.total_us) < 1e-12, row.op_type);
});

test('whatever the limit, shown rows and the other row add up to the same total', { skip }, () => {
  const whole = totalOf(read('kernel_details.csv').filter((row) => !isCommunication(row)));
  for (const limit of [1, 5, 20, 1000]) {
    assert.equal(shownTotal(call('top_operators', profile, { limit })), whole, `limit ${limit}`);
  }
});

test('grouping by name or shape moves no time', { skip }, () => {
  const whole = totalOf(read('kernel_details.csv').filter((row) => !isCommunication(row)));
  for (const by of ['type', 'name', 'shape']) {
    assert.equal(shownTotal(call('top_operators', profile, { by, limit: 1000 })), whole, by);
  }
});

test('the profiler\'s own op_statistic.csv agrees but for its rounding', { skip }, () => {
  const rows = new Map(call('top_operators', profile, { limit: 1000 }).rows.map((row) => [row.op_type, row]));
  for (const stat of read('op_statistic.csv')) {
    const row = rows.get(stat['OP Type']);
    assert.equal(`${row.count}`, stat.Count, stat['OP Type']);
    const difference = nsOfUs(row.total_us) - nsOf(stat['Total Time(us)']);
    assert.ok(difference >= -7n && difference <= 7n, `${stat['OP Type']}: ${difference} ns`);
  }
});

test('evidence names files of the profile and rows that they have', { skip }, () => {
  for (const tool of ['summarize_profile', 'detect_execution_mode', 'detect_scenario']) {
    const { evidence } = call(tool, profile);
    assert.ok(evidence?.length > 0, tool);
    for (const { file, row } of evidence) {
      if (!file.endsWith('.csv')) continue;
      const rows = readCsv(join(profile, file.includes('/') ? file : `ASCEND_PROFILER_OUTPUT/${file}`));
      assert.ok((row ?? 0) >= 0 && (row ?? 0) <= rows.length, `${tool}: ${file} row ${row}`);
    }
  }
});
