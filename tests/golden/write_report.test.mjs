// write_report against `analyze`: one report, whoever asks for it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { example, run, scratchDir, sharedProfile } from '../support/stepwise.mjs';

// The report directory is ./report of where the program runs.
function write(profile, args) {
  const cwd = scratchDir('write-report');
  const done = run(['call', 'write_report', '--profile', profile, '--args', JSON.stringify(args)], { cwd });
  return { ...done, dir: join(cwd, 'report') };
}

// The report's own checks.
function sameAsAnalyze(profile, lang) {
  const out = scratchDir('analyze');
  const analyzed = run(['analyze', profile, '-o', out, '--lang', lang, '--quiet']);
  assert.equal(analyzed.code, 0, analyzed.stderr);
  const written = write(profile, { dir: 'before', lang });
  assert.equal(written.code, 0, written.stderr);
  const dir = join(written.dir, 'before');
  assert.deepEqual(readdirSync(dir).sort(), ['report.html', 'report.json', 'report.md']);
  for (const name of readdirSync(dir)) {
    assert.ok(readFileSync(join(dir, name)).equals(readFileSync(join(out, name))), `${name} differs`);
  }
  return JSON.parse(written.stdout).checks;
}

for (const options of [{ ranks: 2 }, { kind: 'recsys-infer' }, { kind: 'llm-train', ranks: 4 }]) {
  test(`the same bytes as analyze (${JSON.stringify(options)}), in both languages`, () => {
    for (const lang of ['en', 'zh']) {
      const checks = sameAsAnalyze(example(options), lang);
      assert.ok(checks.length > 0);
      for (const check of checks) assert.equal(check.ok, true, check.what);
    }
  });
}

for (const name of ['gpu-dlrm-8rank-v100', 'npu-pt-llm-pp2dp2-level2']) {
  const profile = sharedProfile(name);
  test(`the same bytes as analyze (${name})`, { skip: profile ? false : 'the real profiles are not here' }, () => {
    for (const check of sameAsAnalyze(profile, 'en')) assert.equal(check.ok, true, check.what);
  });
}

test('only the formats that are asked for are written', () => {
  const written = write(example(), { format: ['html'] });
  assert.equal(written.code, 0, written.stderr);
  assert.deepEqual(readdirSync(written.dir), ['report.html']);
});

test('a folder outside the output directory, and an unknown format, are refused and write nothing', () => {
  for (const args of [{ dir: '../outside' }, { dir: '/tmp/outside' }, { dir: 'a/../../b' }, { format: ['pdf'] }]) {
    const refused = write(example(), args);
    assert.equal(refused.code, 2, JSON.stringify(args));
    assert.ok(!existsSync(refused.dir), JSON.stringify(args));
  }
});

test('a link below the output directory leads nowhere', () => {
  const cwd = scratchDir('write-report-link');
  const outside = scratchDir('outside');
  mkdirSync(join(cwd, 'report'));
  symlinkSync(outside, join(cwd, 'report', 'link'));
  for (const dir of ['link', 'link/below', 'two\nlines']) {
    const refused = run(['call', 'write_report', '--profile', example(), '--args', JSON.stringify({ dir })], { cwd });
    assert.equal(refused.code, 2, dir);
    assert.match(refused.stderr, /report\.dir/);
  }
  assert.deepEqual(readdirSync(outside), []);
});

test('read_report gives the chapters of report.md, in both languages, and writes nothing', () => {
  for (const lang of ['en', 'zh']) {
    const written = write(example(), { format: ['md'], lang });
    const markdown = readFileSync(join(written.dir, 'report.md'), 'utf8');
    const cwd = scratchDir('read-report');
    const read = (args) =>
      run(['call', 'read_report', '--profile', example(), '--args', JSON.stringify({ lang, ...args, profile: undefined })], { cwd });
    const { chapters } = JSON.parse(read({}).stdout);
    assert.ok(chapters.length > 10);
    const texts = chapters.map(({ chapter, title, chars }) => {
      let text = '';
      for (let args = { chapter }; args; ) {
        const answer = JSON.parse(read(args).stdout);
        assert.equal(answer.title, title);
        text += answer.markdown;
        args = answer.next?.find(({ tool }) => tool === 'read_report')?.arguments;
      }
      assert.equal(Buffer.byteLength(text), chars);
      return text;
    });
    assert.equal(texts.join(''), markdown.slice(markdown.indexOf('\n## ') + 1));
    assert.equal(read({ chapter: chapters.length + 1 }).code, 2);
    assert.deepEqual(readdirSync(cwd), []);
  }
});

test('a report in Chinese calls every column and every metric by a word, not by its key', () => {
  const dash = /^[\s|:-]+$/;
  for (const kind of ['recsys-train', 'recsys-infer', 'llm-train']) {
    const out = scratchDir('zh');
    const done = run(['analyze', example({ kind, ranks: 2 }), '--lang', 'zh', '--format', 'md', '-o', out]);
    assert.equal(done.code, 0, done.stderr);
    const keys = [];
    let head = null;
    for (const line of readFileSync(join(out, 'report.md'), 'utf8').split('\n')) {
      if (!line.startsWith('|')) head = null;
      else if (!dash.test(line)) {
        const cells = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
        // A head as a whole; below it the names of metrics.
        const named = head === null ? cells : head[0] === '指标' ? cells.slice(0, 1) : [];
        keys.push(...named.filter((cell) => /(^|: )[a-z]+(_[a-z]+)+$/.test(cell)));
        head ??= cells;
      }
    }
    assert.deepEqual(keys, [], kind);
  }
});

// What a reader of Chinese meets in English: sentences of evidence, of windows, of what is missing and where to go on.
function englishSentences(markdown) {
  const found = [];
  let head = null;
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      head = null;
      const window = /^(?:时间窗口|每一步)：(.*)$/.exec(line);
      if (window && !/\p{Script=Han}/u.test(window[1].replace(/^由该步[^]*总体：/u, ''))) found.push(window[1]);
      continue;
    }
    if (/^[\s|:-]+$/.test(line)) continue;
    const cells = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
    if (head === null) {
      head = cells;
      continue;
    }
    for (const name of ['内容', '影响', '原因', '时间窗口']) {
      const text = cells[head.indexOf(name)] ?? '';
      // "ProfilerStep#3: 12 ms" has no words of a language.
      if (/[a-z]{2,} [a-z]{2,}/.test(text.replace(/`[^`]*`/g, '')) && !/\p{Script=Han}/u.test(text)) found.push(text);
    }
  }
  return found;
}

const CHINESE = [
  ...['recsys-train', 'recsys-infer', 'llm-train'].map((kind) => [kind, () => example({ kind, ranks: kind === 'recsys-infer' ? 1 : 2 })]),
  ...['npu-pt-alexnet-ddp-text', 'npu-pt-llm-pp2dp2-level2', 'gpu-torchrec-a100', 'gpu-dlrm-8rank-v100', 'msprof-vllm-ascend-moe-lora-metrics']
    .map((name) => [name, () => sharedProfile(name)]),
];
for (const [name, of] of CHINESE) {
  test(`a report in Chinese says in Chinese what its figures rest on (${name})`, { skip: of() ? false : 'the real profiles are not here' }, () => {
    const out = scratchDir('zh-sentences');
    const done = run(['analyze', of(), '--lang', 'zh', '--format', 'md', '-o', out]);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(englishSentences(readFileSync(join(out, 'report.md'), 'utf8')), []);
  });
}
