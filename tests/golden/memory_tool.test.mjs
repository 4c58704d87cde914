// Device memory of a real run, summed up a second time from its files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readCsv } from '../support/csv.mjs';
import { groupBy } from '../support/exact.mjs';
import { call, run, example, sharedProfile } from '../support/stepwise.mjs';

const profile = sharedProfile('npu-pt-alexnet-ddp-text/level1/rank0_ascend_pt');
const skip = profile ? false : 'the real profiles are not here';
const read = (file) => readCsv(join(profile, 'ASCEND_PROFILER_OUTPUT', file));
// The file prints MB and KB with all binary digits.
const bytesOf = (cell, unit) => (cell === '' ? null : Math.round(Number(cell) * unit));
const mostOf = (rows, column) => {
  const values = rows.map((row) => bytesOf(row[column], 1 << 20)).filter((value) => value !== null);
  return values.length > 0 ? Math.max(...values) : null;
};

test('peaks are the largest samples of memory_record.csv', { skip }, () => {
  const { peak, metrics, headroom_bytes: headroom } = call('memory', profile);
  const expected = groupBy(read('memory_record.csv'), (row) => `${row['Device Type']}|${row.Component}`);
  assert.deepEqual(peak.map((one) => `${one.device}|${one.component}`).sort(), [...expected.keys()].sort());
  for (const one of peak) {
    const rows = expected.get(`${one.device}|${one.component}`);
    assert.equal(one.allocated_bytes, mostOf(rows, 'Total Allocated(MB)'), one.component);
    assert.equal(one.reserved_bytes, mostOf(rows, 'Total Reserved(MB)'), one.component);
    assert.equal(one.active_bytes, mostOf(rows, 'Total Active(MB)'), one.component);
    const unused = one.active_bytes === null ? null : one.reserved_bytes - one.active_bytes;
    assert.equal(one.reserved_minus_active_bytes, unused, one.component);
  }
  assert.equal(metrics['memory.reserved_bytes'], Math.max(...peak.map((one) => one.reserved_bytes)));
  assert.equal(headroom, null);
  const reserved = metrics['memory.reserved_bytes'];
  const done = run(['call', 'memory', '--profile', profile, '--declare', 'device_memory_bytes=65536000000']);
  assert.equal(JSON.parse(done.stdout).headroom_bytes, 65536000000 - reserved);
});

test('operators are ranked by size times duration of their blocks', { skip }, () => {
  const blocks = groupBy(read('operator_memory.csv'), (row) => row.Name);
  const { rows } = call('memory', profile, { limit: 1000 });
  assert.equal(rows.length, blocks.size);
  for (const row of rows) {
    const own = blocks.get(row.name);
    const sizes = own.map((block) => Math.abs(bytesOf(block['Size(KB)'], 1 << 10)));
    const lasts = (block) => block['Duration(us)'].trim();
    const product = own.reduce((sum, block, i) => sum + (lasts(block) === '' ? 0 : sizes[i] * Number(lasts(block))), 0);
    const held = own.reduce((sum, block, i) => sum + (lasts(block) === '' ? sizes[i] : 0), 0);
    assert.equal(row.count, own.length, row.name);
    assert.equal(row.bytes, sizes.reduce((a, b) => a + b, 0), row.name);
    assert.equal(row.held_bytes, held, row.name);
    assert.ok(Math.abs(row.byte_us - product) <= 1e-6 * product + 1, `${row.name}: ${row.byte_us}, ${product}`);
  }
  const products = rows.map((row) => row.byte_us);
  assert.deepEqual(products, [...products].sort((a, b) => b - a));
});

test('components of the driver, and the default answer fits a page', { skip }, () => {
  const answer = call('memory', profile);
  const expected = groupBy(read('npu_module_mem.csv'), (row) => row.Component);
  for (const { component, reserved_bytes: reserved } of answer.modules) {
    const samples = expected.get(component).map((row) => bytesOf(row['Total Reserved(MB)'], 1 << 20));
    assert.equal(reserved, Math.max(...samples), component);
  }
  assert.equal(answer.modules[0].component, 'APP');
  assert.ok(JSON.stringify(answer).length < 8000, `${JSON.stringify(answer).length} characters`);
});

for (const ranks of [1, 2]) {
  test(`a synthetic run's peaks and blocks are the true ones (${ranks} ranks)`, () => {
    const dir = example({ ranks });
    const truth = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8'));
    for (const [rank, { memory: expected }] of Object.entries(truth.per_rank)) {
      const { peak, rows } = call('memory', dir, { rank: Number(rank), limit: 1000 });
      const allocator = peak.find(({ component }) => component === 'PTA');
      assert.equal(allocator.allocated_bytes, expected.peak_allocated_bytes);
      assert.equal(allocator.reserved_bytes, expected.peak_reserved_bytes);
      assert.equal(rows.reduce((count, row) => count + row.count, 0), expected.blocks);
    }
  });
}
