// Damaged input: a clear error, or a partial answer that says what was lost. Never a crash, never a silent zero.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { readCsv } from '../support/csv.mjs';
import { isCommunication, shownTotal, totalOf } from '../support/kernels.mjs';
import { copyOf, example, filesNamed, run, scratchDir } from '../support/stepwise.mjs';

const whole = example({ seed: 31 });
const outputOf = (profile) => dirname(filesNamed(profile, 'kernel_details.csv')[0]);

function damaged(change) {
  const profile = copyOf(whole, 'damaged');
  change(outputOf(profile));
  return profile;
}

// The call must end by itself with 0 or 3, and its answer must name the file.
function ask(tool, profile, args = {}) {
  const done = run(['call', tool, '--profile', profile, '--args', JSON.stringify(args)]);
  assert.equal(done.signal, null, done.stderr);
  assert.ok(done.code === 0 || done.code === 3, `${done.code}: ${done.stderr}`);
  return done.code === 0 ? JSON.parse(done.stdout) : { refused: done.stderr };
}

const told = (answer) => JSON.stringify([answer.missing, answer.warnings, answer.why, answer.refused]);

function errorOf(done) {
  const value = JSON.parse(done.stderr.slice(done.stderr.indexOf('{')));
  return value.error ?? value;
}

test('a path that does not exist is refused with 3 and a JSON error that names it', () => {
  const nowhere = join(scratchDir('nowhere'), 'gone');
  for (const args of [
    ['call', 'summarize_profile', '--profile', nowhere],
    ['analyze', nowhere, '-o', join(scratchDir('out'), 'r')],
  ]) {
    const done = run(args);
    assert.equal(done.code, 3, done.stderr);
    assert.equal(done.stdout, '');
    const error = errorOf(done);
    assert.equal(error.code, 'profile.missing');
    assert.ok(JSON.stringify(error).includes(nowhere));
  }
});

test('a folder without a profile is refused with 3, and says what was looked for', () => {
  const empty = scratchDir('empty');
  writeFileSync(join(empty, 'notes.txt'), 'nothing here\n');
  for (const args of [
    ['call', 'summarize_profile', '--profile', empty],
    ['analyze', empty, '-o', join(scratchDir('out'), 'r')],
  ]) {
    const done = run(args);
    assert.equal(done.code, 3, done.stderr);
    assert.equal(errorOf(done).code, 'profile.none');
    assert.match(done.stderr, /kernel_details|_ascend_pt|ASCEND_PROFILER_OUTPUT/);
  }
});

test('a file given as the profile is refused, not read as nothing', () => {
  const file = join(scratchDir('file'), 'kernel_details.txt');
  writeFileSync(file, 'hello\n');
  const done = run(['call', 'summarize_profile', '--profile', file]);
  assert.equal(done.code, 3, done.stderr);
  assert.match(errorOf(done).code, /^profile\./);
});

test('an empty kernel_details.csv is told', () => {
  const profile = damaged((dir) => truncateSync(join(dir, 'kernel_details.csv'), 0));
  assert.match(told(ask('top_operators', profile)), /kernel_details\.csv/);
  assert.match(told(ask('detect_execution_mode', profile)), /kernel_details\.csv/);
});

test('kernel_details.csv cut in the middle of a row: the rows before it count, the cut is told', () => {
  let path;
  const profile = damaged((dir) => {
    path = join(dir, 'kernel_details.csv');
    const bytes = readFileSync(path);
    const half = bytes.indexOf('\n', bytes.length / 2) + 1;
    truncateSync(path, half + 20);
  });
  const text = readFileSync(path, 'utf8');
  writeFileSync(`${path}.whole-rows`, text.slice(0, text.lastIndexOf('\n') + 1));
  const expected = totalOf(readCsv(`${path}.whole-rows`).filter((row) => !isCommunication(row)));
  rmSync(`${path}.whole-rows`);
  const answer = ask('top_operators', profile, { limit: 1000 });
  assert.equal(shownTotal(answer), expected);
  assert.equal(answer.status, 'partial');
  assert.match(told(answer), /kernel_details\.csv/);
});

test('a ragged record is left out, counted, and its line is named', () => {
  let expected;
  const profile = damaged((dir) => {
    const path = join(dir, 'kernel_details.csv');
    const rows = readCsv(path);
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[3] = lines[3].split(',').slice(0, 4).join(',');
    expected = totalOf(rows.filter((row, i) => i !== 2 && !isCommunication(row)));
    writeFileSync(path, lines.join('\n'));
  });
  const answer = ask('top_operators', profile, { limit: 1000 });
  assert.equal(shownTotal(answer), expected);
  assert.equal(answer.status, 'partial');
  assert.match(told(answer), /kernel_details\.csv:4\b/);
});

test('a cell that must be a number and is none is told with its place', () => {
  const profile = damaged((dir) => {
    const path = join(dir, 'step_trace_time.csv');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(\n[^,]*,)[\d.]+,/, '$1broken,'));
  });
  assert.match(told(ask('summarize_profile', profile)), /step_trace_time\.csv/);
});

test('a header without the columns that matter is told', () => {
  const profile = damaged((dir) => writeFileSync(join(dir, 'step_trace_time.csv'), 'a,b,c\n1,2,3\n'));
  assert.match(told(ask('summarize_profile', profile)), /step_trace_time\.csv/);
});

test('communication.json cut in its middle is told', () => {
  const profile = damaged((dir) => {
    const path = join(dir, 'communication.json');
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
  });
  assertAnalyzed(profile, /communication\.json/);
});

test('trace_view.json cut in the middle of an event is told', () => {
  const profile = damaged((dir) => {
    const path = join(dir, 'trace_view.json');
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
  });
  assertAnalyzed(profile, /trace_view\.json/);
});

test('a binary file named trace_view.json is told', () => {
  const profile = damaged((dir) => {
    const bytes = Buffer.alloc(4096);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 197) & 0xff;
    writeFileSync(join(dir, 'trace_view.json'), bytes);
  });
  assertAnalyzed(profile, /trace_view\.json/);
});

test('a .gz cut short is told', () => {
  const profile = damaged((dir) => {
    const path = join(dir, 'trace_view.json');
    const packed = gzipSync(readFileSync(path));
    writeFileSync(`${path}.gz`, packed.subarray(0, packed.length / 2));
    rmSync(path);
  });
  assertAnalyzed(profile, /trace_view\.json\.gz/);
});

test('folders where files should be do not crash', () => {
  const profile = damaged((dir) => {
    for (const name of ['step_trace_time.csv', 'op_statistic.csv']) {
      rmSync(join(dir, name));
      mkdirSync(join(dir, name));
    }
  });
  assert.match(told(ask('summarize_profile', profile)), /step_trace_time/);
});

test('a profile of which nothing can be read says so', () => {
  const profile = damaged((dir) => {
    for (const name of ['kernel_details.csv', 'step_trace_time.csv', 'op_statistic.csv', 'trace_view.json']) {
      writeFileSync(join(dir, name), '');
    }
  });
  const answer = ask('top_operators', profile);
  assert.notEqual(answer.status, 'ok');
  assert.match(told(answer), /kernel_details\.csv/);
});

// The whole job: ends with 0, and the report names the file that is damaged.
function assertAnalyzed(profile, file) {
  const out = join(scratchDir('out'), 'report');
  const done = run(['analyze', profile, '-o', out]);
  assert.equal(done.signal, null, done.stderr);
  assert.equal(done.code, 0, done.stderr);
  assert.match(readFileSync(join(out, 'report.json'), 'utf8'), file);
  assert.match(readFileSync(join(out, 'report.md'), 'utf8'), file);
}
