// What MindSpore before 2.4 left: the tools' figures against sums of the files, made here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { call, sharedProfile } from '../support/stepwise.mjs';

const root = sharedProfile('npu-mindspore-legacy');
const skip = root ? false : 'the real profiles are not here';

/// Rows as lists of cells; none of these files has quotes.
function rows(path) {
  const bytes = readFileSync(join(root, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text.trim().split(/\r?\n/).slice(1).map((line) => line.split(',').map((cell) => cell.trim()));
}
const sum = (values) => values.reduce((a, b) => a + b, 0);
const isClose = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b), `${a} is not ${b}`);

test('iterations are those of step_trace_raw, without the row of means', { skip }, () => {
  for (const [folder, file] of [
    ['cluster_propose', 'step_trace_raw_0_detail_time.csv'],
    ['run_1', 'normal_run/profiler/step_trace_raw_1_detail_time.csv.gz'],
  ]) {
    const us = rows(join(folder, file)).filter(([step]) => step !== '-').map((cells) => Number(cells[3]) / 100);
    const { iterations } = call('summarize_profile', join(root, folder));
    assert.equal(iterations.count, us.length);
    assert.equal(iterations.source, 'step_trace');
    isClose(iterations.avg_us, sum(us) / us.length);
  }
});

test('top_operators sums the executions of output_timeline_data, by type', { skip }, () => {
  const executions = rows('run_1/normal_run/profiler/output_timeline_data_1.txt.gz');
  const byType = new Map();
  for (const [name, , , ms] of executions) {
    const type = name.split('/').at(-1).replace(/-op\d+$/, '');
    byType.set(type, (byType.get(type) ?? 0) + Number(ms) * 1000);
  }
  const [type, us] = [...byType].sort((a, b) => b[1] - a[1])[0];
  const top = call('top_operators', join(root, 'run_1'));
  assert.equal(top.operators.count, executions.length);
  isClose(top.operators.total_us, sum(executions.map(([, , , ms]) => Number(ms) * 1000)));
  assert.equal(top.rows[0].op_type, type);
  isClose(top.rows[0].total_us, us);
});

test('without executions, top_operators has the sums by type', { skip }, () => {
  const types = rows('profiler/aicore_intermediate_1_type.csv');
  const top = call('top_operators', join(root, 'profiler'), { rank: 1 });
  assert.equal(top.operators.count, sum(types.map(([, , count]) => Number(count))));
  isClose(top.operators.total_us, sum(types.map(([, ms]) => Number(ms) * 1000)));
  assert.equal(top.rows[0].op_type, 'MatMul');
});
