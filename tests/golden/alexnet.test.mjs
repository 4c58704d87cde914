// Figures of a real two-rank training profile, each computed a second time from the files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { groupBy, nsOf, nsOfUs, sum } from '../support/exact.mjs';
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
  assert.equal(scenario.value ?? scenario, 'training');
  assert.equal(mode.value ?? mode, 'eager');
  assert.ok(parts.length >= 3);
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
  const kernels = read('kernel_details.csv');
  const { rows } = call('top_operators', profile, { limit: 1000 });
  const expected = groupBy(kernels, (row) => `${row.Type}|${row['Accelerator Core']}`);
  const got = new Map(rows.map((row) => [`${row.op_type}|${row.core_type}`, row]));
  assert.equal(got.size, rows.length, 'one row for each type and core');
  for (const [key, members] of expected) {
    assert.ok(got.has(key), `${key} is missing`);
    const durations = members.map((row) => nsOf(row['Duration(us)']));
    assert.equal(got.get(key).count, members.length, key);
    assert.equal(nsOfUs(got.get(key).total_us), sum(durations), key);
    assert.equal(nsOfUs(got.get(key).max_us), durations.reduce((a, b) => (a > b ? a : b)), key);
  }
  assert.equal(got.size, expected.size);
});

test('whatever the limit, shown rows and the other row add up to the same total', { skip }, () => {
  const whole = sum(read('kernel_details.csv').map((row) => nsOf(row['Duration(us)'])));
  for (const limit of [1, 5, 20, 1000]) {
    const { rows, other } = call('top_operators', profile, { limit });
    const shown = sum(rows.map((row) => nsOfUs(row.total_us)));
    assert.equal(shown + nsOfUs(other?.total_us ?? 0), whole, `limit ${limit}`);
  }
});

test('grouping by name or shape moves no time', { skip }, () => {
  const whole = sum(read('kernel_details.csv').map((row) => nsOf(row['Duration(us)'])));
  for (const by of ['type', 'name', 'shape']) {
    const { rows, other } = call('top_operators', profile, { by, limit: 1000 });
    assert.equal(sum(rows.map((row) => nsOfUs(row.total_us))) + nsOfUs(other?.total_us ?? 0), whole, by);
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
