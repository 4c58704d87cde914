// What advise finds in a profile, given back to validate_advice as a draft: none of its figures is called wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, example, sharedProfile } from '../support/stepwise.mjs';

for (const kind of ['recsys-train', 'recsys-infer', 'llm-train']) {
  test(`the findings of the example ${kind} hold against its own profile`, () => {
    const profile = example({ kind });
    for (const lang of ['en', 'zh']) {
      const items = call('advise', profile, { lang, limit: 1000 }).rows.map((row) => row.finding);
      assert.ok(items.length > 0);
      const { figures, items: judged } = call('validate_advice', profile, { items });
      assert.ok(figures.length > 0);
      assert.deepEqual(figures.filter((one) => one.ok === false), [], lang);
      assert.deepEqual(judged.filter((one) => one.verdict !== 'accepted'), [], lang);
    }
  });
}

// What a row prints with figures, as a reader may quote it.
function quotesOf(row, lang) {
  const zh = lang === 'zh';
  const quotes = [row.finding, JSON.stringify(row), JSON.stringify(row, null, 2)];
  const percent = (ratio, digits) => `${(ratio * 100).toFixed(digits)} %`;
  if (row.share_ratio > 0) {
    quotes.push(zh ? `1. [高，${percent(row.share_ratio, 2)} 单步上限] ${row.finding} -> ${row.measure}`
      : `1. [high, ${percent(row.share_ratio, 2)} of the step at most] ${row.finding} -> ${row.measure}`);
  }
  if (row.gain.bound_us !== undefined) {
    const ms = `${(row.gain.bound_us / 1000).toFixed(3)} ms`;
    quotes.push(zh ? `${row.finding} ${row.measure}\n预期收益：上限 ${ms}` : `${row.finding} ${row.measure}\nGain: at most ${ms}.`);
  }
  return quotes;
}

// Of so many at once as an answer has room for.
function validated(profile, items) {
  const all = { figures: [], judged: [] };
  for (let at = 0; at < items.length; at += 5) {
    const answer = call('validate_advice', profile, { items: items.slice(at, at + 5), limit: 1000 });
    assert.equal(answer.figures_left_out, undefined);
    all.figures.push(...answer.figures);
    all.judged.push(...answer.items);
  }
  return all;
}

const FED_BACK = [
  ...['recsys-train', 'recsys-infer', 'llm-train'].map((kind) => [kind, () => example({ kind, ranks: kind === 'recsys-infer' ? 1 : 2 })]),
  ...['npu-pt-alexnet-ddp-text', 'npu-pt-llm-pp2dp2-level2', 'gpu-torchrec-a100', 'gpu-dlrm-8rank-v100', 'gpu-alexnet-a100-cuda-sync',
    'msprof-vllm-ascend-moe-lora-metrics'].map((name) => [name, () => sharedProfile(name)]),
];
for (const [name, of] of FED_BACK) {
  test(`every figure that advise prints holds where it is quoted as printed (${name})`, { skip: of() ? false : 'the real profiles are not here' }, () => {
    const profile = of();
    for (const lang of ['en', 'zh']) {
      const items = call('advise', profile, { lang, limit: 1000 }).rows.flatMap((row) => quotesOf(row, lang));
      const { figures, judged } = validated(profile, items);
      const unsure = figures.filter((one) => one.ok !== true).map(({ text, ok, what }) => ({ text, ok, what }));
      assert.deepEqual(unsure, [], lang);
      const gains = judged.filter((one) => one.rule === 'R5');
      assert.deepEqual(gains.map((one) => one.text), [], lang);
    }
  });

  test(`every figure of the summary holds where its member is quoted (${name})`, { skip: of() ? false : 'the real profiles are not here' }, () => {
    const { iterations, breakdown, where_time_goes, metrics } = call('summarize_profile', of());
    const items = [{ iterations }, { breakdown }, { where_time_goes }, { metrics }].map((one) => JSON.stringify(one));
    for (const [key, value] of Object.entries(metrics)) {
      if (typeof value === 'number') items.push(`${key} = ${value}`);
    }
    const { figures } = validated(of(), items);
    assert.deepEqual(figures.filter((one) => one.ok !== true).map(({ text, ok, what }) => ({ text, ok, what })), []);
  });
}

test('items that an answer leaves out are given by the next, each once', () => {
  const profile = example({ kind: 'recsys-train' });
  const items = Array.from({ length: 24 }, (_, i) => `Set NPU_TURBO_${i}=1 where the device waits for the host.`);
  const seen = [];
  let start = 0;
  do {
    const answer = call('validate_advice', profile, { items, start });
    assert.ok(answer.items.length > 0);
    seen.push(...answer.items.map((one) => one.text));
    start = answer.next_start;
  } while (start !== undefined);
  assert.deepEqual([...seen].sort(), [...items].sort());
});
