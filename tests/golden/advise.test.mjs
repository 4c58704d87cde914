// Advice on examples and on real profiles: nothing in it that the knowledge base does not hold.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { McpClient } from '../support/mcp.mjs';
import { call, example, root, run, scratchDir, sharedProfile } from '../support/stepwise.mjs';

const parameters = JSON.parse(readFileSync(join(root, 'skills/knowledge/parameters.json'), 'utf8'));
const byName = new Map();
for (const one of parameters) for (const name of [one.name, ...(one.aliases ?? [])]) byName.set(name, one);

const tokens = (json) => JSON.stringify(json).length / 4;
const MOST_TOKENS = 2000; // of the structure; the text has a limit of its own

// What every answer must be, whatever the profile.
function checkAdvice(answer, profile) {
  assert.ok(['ok', 'partial'].includes(answer.status), profile);
  assert.ok(tokens(answer) < MOST_TOKENS, `${profile}: ${tokens(answer)} tokens`);
  const { execution_mode: mode, scenario } = answer.context;
  for (const row of answer.rows) {
    const at = `${profile}: ${row.id}`;
    assert.ok(['accepted', 'downgraded'].includes(row.verdict), at);
    assert.doesNotMatch(row.gain.how, /\d\s*%/, `${at} promises a percentage`);
    assert.notEqual(row.trigger.tool, '', at);
    assert.ok(row.share_ratio >= 0 && row.share_ratio <= 1, at);
    if (row.verdict === 'downgraded') assert.deepEqual(row.parameters, [], at);
    if (mode === 'undetermined' || mode === 'graph_dump') assert.deepEqual(row.parameters, [], at);
    for (const one of row.parameters) {
      const known = byName.get(one.name);
      assert.ok(known, `${at} names ${one.name}`);
      assert.equal(known.status, 'verified', at);
      assert.ok(known.sources.some((source) => one.source === `${source.ref} ${source.at}`), at);
      if (known.scenarios?.length > 0) assert.ok(known.scenarios.includes(scenario), `${at} in ${scenario}`);
      if (one.value !== null) assert.notEqual(one.value, known.default, `${at} proposes the default`);
    }
  }
  const shares = answer.rows.map((row) => row.share_ratio);
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a), profile);
}

for (const kind of ['recsys-train', 'recsys-infer', 'llm-train']) {
  test(`advice on the example ${kind}, in both languages`, () => {
    const profile = example({ kind });
    const english = call('advise', profile), chinese = call('advise', profile, { lang: 'zh' });
    checkAdvice(english, kind);
    checkAdvice(chinese, kind);
    assert.ok(english.rows.length > 0);
    assert.deepEqual(chinese.rows.map((row) => row.id), english.rows.map((row) => row.id));
    for (const row of chinese.rows) assert.match(row.measure, /\p{Script=Han}/u, row.id);
  });
}

test('what is planted in the example is what advice is about', () => {
  const profile = example({ kind: 'recsys-train' });
  const { rows } = call('advise', profile, { limit: 1000 });
  const problems = call('problem_operators', profile).metrics;
  const aiCpu = rows.filter((row) => row.rule === 'ai_cpu');
  assert.ok(aiCpu.length > 0, 'the example runs operators on AI CPUs');
  for (const row of aiCpu) assert.equal(row.trigger.value, problems['problem.ai_cpu_ratio']);
  const step = call('summarize_profile', profile).metrics;
  const share = problems['problem.ai_cpu_ratio'] * step['step.computing_ratio'];
  assert.ok(Math.abs(aiCpu[0].share_ratio - share) < 1e-12, `${aiCpu[0].share_ratio}, ${share}`);
  assert.ok(Math.abs(aiCpu[0].gain.bound_us - share * step['step.wall_us']) < 1e-6);
});

test('a step that stands out: its data comes before dispatching, which is possible at most', () => {
  const { rows } = call('advise', example({ kind: 'recsys-train', steps: 5 }), { limit: 1000 });
  const rank = (rule) => rows.findIndex((row) => row.rule === rule);
  assert.ok(rank('data_slow') >= 0);
  assert.ok(rank('host_wait') > rank('data_slow'), 'kernels wait for the host, too');
  for (const row of rows.filter((row) => row.rule === 'host_wait')) assert.equal(row.share_ratio, null, row.id);
});

test('three measures a finding, all of them where focus is the rule', () => {
  const profile = example({ kind: 'recsys-train' });
  const { rows } = call('advise', profile, { limit: 1000 });
  for (const rule of new Set(rows.map((row) => row.rule))) {
    assert.ok(rows.filter((row) => row.rule === rule).length <= 3, rule);
  }
  assert.ok(call('advise', profile, { focus: 'host_wait', limit: 1000 }).rows.length > 3);
});

test('training never gets what is for inference, nor the other way round', () => {
  const ids = (kind) => call('advise', example({ kind }), { limit: 1000 }).rows.map((row) => row.id);
  assert.ok(ids('recsys-train').every((id) => !id.startsWith('inference.')));
  assert.ok(ids('recsys-infer').every((id) => !id.startsWith('training.')));
});

test('focus narrows to a rule, or to what rules are about; others are refused with what there is', () => {
  const profile = example({ kind: 'llm-train' });
  const { rows, judged } = call('advise', profile, { focus: 'comm', limit: 1000 });
  assert.ok(rows.length > 0);
  for (const row of rows) assert.ok(row.rule.split('_').includes('comm'), row.rule);
  assert.ok(judged.lacking.length > 0);
  const whole = call('advise', profile);
  assert.ok(whole.judged.lacking.length <= 5 && judged.lacking.length >= whole.judged.lacking.length);
  for (const one of judged.lacking) assert.ok(one.rules >= 1 && !one.metric.startsWith('bottleneck.'), one.metric);
  const { rules: all, fired, not_judged: lack, not_for_this_run: others, reserved } = whole.judged;
  assert.ok(reserved > 0 && fired + lack + others + reserved <= all);
  const triggers = call('advise', profile, { limit: 1000 }).rows.map((row) => row.trigger.tool);
  assert.ok(whole.next.length > 0);
  for (const next of whole.next) assert.ok(triggers.includes(next.tool), next.tool);
  const refused = run(['call', 'advise', '--profile', profile, '--args', '{"focus": "turbo"}']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /args\.focus[^]*comm/);
});

const dlrm = sharedProfile('gpu-dlrm-8rank-v100');
test('on GPUs a bound is of the span that its share is of', { skip: dlrm ? false : 'the real profiles are not here' }, () => {
  const { metrics } = call('summarize_profile', dlrm);
  for (const row of call('advise', dlrm, { limit: 1000 }).rows) {
    if (row.gain.bound_us === null) continue;
    assert.ok(Math.abs(row.gain.bound_us - row.share_ratio * metrics['step.wall_us']) < 1e-6, row.id);
    if (row.rule.startsWith('comm_')) assert.ok(row.gain.bound_us <= 5537.1, `${row.id}: uncovered communication`);
  }
});

const pipeline = sharedProfile('npu-pt-llm-pp2dp2-level2');
test('a pipeline gets no buckets; transfers that the file leaves at 0 are no waits',
  { skip: pipeline ? false : 'the real profiles are not here' }, () => {
    const { rows } = call('advise', pipeline, { limit: 1000 });
    const ids = rows.map((row) => row.id), rules = rows.map((row) => row.rule);
    assert.ok(ids.includes('training.pipeline_balance'));
    for (const id of ['training.overlap_gradients', 'training.gradient_accumulation']) assert.ok(!ids.includes(id), id);
    for (const rule of ['comm_waits', 'comm_synchronization_bound', 'many_launches']) assert.ok(!rules.includes(rule), rule);
    for (const id of ['nn.task_queue', 'nn.graph_mode', 'nn.core_binding']) assert.ok(!ids.includes(id), id);
  });
test('the texts stand alone: parameters, conditions, examples and rewrites are whole', async () => {
  const profile = example({ kind: 'recsys-train' });
  const client = await new McpClient(['--root', profile]).start();
  const { text, structure } = await client.call('advise', { profile });
  assert.ok(text.length / 4 < 2000, `${text.length / 4} tokens`);
  for (const row of structure.rows) {
    assert.ok(text.includes(`${row.finding} -> ${row.measure}`), row.id);
    for (const one of row.parameters) assert.ok(text.includes(`${one.name}${one.value === null ? '' : `=${one.value}`} (`), row.id);
    for (const part of [row.risk, row.example?.split('\n')[0]]) assert.ok(!part || text.includes(part), row.id);
  }
  const markdown = '- Set `NPU_OPS_SYNC=0`. Communication not hidden is 1.2 % of the step.';
  const checked = await client.call('validate_advice', { profile, markdown });
  await client.stop();
  for (const line of checked.structure.items[0].rewrite.split('\n')) assert.ok(checked.text.includes(line), line);
  assert.match(checked.text, /NPU_OPS_SYNC=0: refused, R1: .*ASCEND_LAUNCH_BLOCKING/);
  assert.match(checked.text, /wrong figure: 1\.2 %, measured/);
});

test('the report has its advice in the language of the report', () => {
  const out = scratchDir('advice-zh');
  const done = run(['analyze', example({ kind: 'recsys-train' }), '--lang', 'zh', '-o', out]);
  assert.equal(done.code, 0, done.stderr);
  const chapter = readFileSync(join(out, 'report.md'), 'utf8').split('. 优化建议\n')[1];
  assert.match(chapter.split('\n#### ')[1], /^1\.1\. .*\p{Script=Han}{5}/u);
  assert.match(done.stdout, /^建议 .*\p{Script=Han}{5}/mu);
});

const REAL = ['npu-pt-alexnet-ddp-text/level1', 'npu-pt-alexnet-ddp-db', 'npu-pt-llm-pp2dp2-level2', 'gpu-dlrm-8rank-v100',
  'gpu-torchrec-a100', 'gpu-alexnet-a100-cuda-sync', 'msprof-vllm-ascend-moe-lora-metrics', 'ge-proto-resnet50'];
for (const name of REAL) {
  const profile = sharedProfile(name);
  test(`advice on ${name}`, { skip: profile ? false : 'the real profiles are not here' }, () => {
    const answer = call('advise', profile);
    checkAdvice(answer, name);
    if (!name.startsWith('gpu')) return;
    for (const row of answer.rows) assert.notEqual(row.hardware, 'ascend', row.id);
  });
}
