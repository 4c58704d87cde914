// A real run that was exported into databases only. The expected figures come from Python's sqlite3 module.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nsOfUs } from '../support/exact.mjs';
import { call, sharedProfile } from '../support/stepwise.mjs';

const profile = sharedProfile('npu-pt-alexnet-ddp-db/level1/rank0_ascend_pt');
const both = sharedProfile('npu-pt-alexnet-ddp-db/level1');
const skip = profile ? false : 'the real profiles are not here';

test('the step is what StepTraceTime says', { skip }, () => {
  const { breakdown, scenario, execution_mode: mode } = call('summarize_profile', profile);
  const ns = Object.fromEntries(
    ['computing_us', 'not_overlapped_us', 'overlapped_us', 'communication_us', 'free_us', 'stage_us', 'bubble_us'].map(
      (key) => [key, Number(nsOfUs(breakdown[key]))],
    ),
  );
  assert.deepEqual(ns, {
    computing_us: 8_903_431,
    not_overlapped_us: 98_071_947,
    overlapped_us: 4_036_153,
    communication_us: 102_108_100,
    free_us: 25_258_144,
    stage_us: 132_233_522,
    bubble_us: 0,
  });
  assert.equal(scenario.value, 'training');
  assert.equal(mode.value, 'eager');
});

test('the operators add up to the kernels of the database', { skip }, () => {
  const { rows } = call('top_operators', profile, { limit: 1000 });
  assert.equal(rows.reduce((sum, row) => sum + row.count, 0), 187);
  assert.equal(Number(nsOfUs(rows.reduce((sum, row) => sum + row.total_us, 0))), 8_903_431);
  const first = rows[0];
  assert.deepEqual([first.op_type, first.core_type, first.count], ['ForeachAddList', 'AI_VECTOR_CORE', 3]);
  assert.equal(Number(nsOfUs(first.total_us)), 1_947_618);
});

// No viewer has added an overlap analysis to this rank's database: kernels and the host's steps tell the same.
test('communication of a database breaks down as its analysis.db says', { skip }, () => {
  const { breakdown, against_step_file: against } = call('comm_overlap', both, { rank: 1 });
  assert.equal(breakdown.source, 'kernels');
  const ns = ['computing_us', 'not_overlapped_us', 'overlapped_us', 'free_us', 'stage_us', 'bubble_us'].map((key) =>
    Number(nsOfUs(breakdown[key])),
  );
  assert.deepEqual(ns, [8_915_634, 94_556_050, 4_034_140, 25_840_499, 129_312_183, 0]);
  assert.equal(against.largest_difference_us, 0);
});
