// A real dumped graph, read a second time by regular expressions: nodes, edges, levels, and the blocks that anyone who
// knows the network would count.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { call, sharedProfile } from '../support/stepwise.mjs';

const profile = sharedProfile('ge-proto-resnet50');
const skip = profile ? false : 'the real profiles are not here';

function readNodes() {
  const [file] = readdirSync(profile).filter((name) => name.startsWith('ge_proto_'));
  const text = gunzipSync(readFileSync(join(profile, file))).toString();
  return text.split(/^ {2}op \{$/m).slice(1).map((op) => ({
    name: /^ {4}name: "(.*)"$/m.exec(op)[1],
    type: /^ {4}type: "(.*)"$/m.exec(op)[1],
    inputs: [...op.matchAll(/^ {4}input: "(.+):\d+"$/gm)].map((match) => match[1]),
  }));
}

// Distinct producers of each node, levels from the roots.
function measure(nodes) {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const producers = new Map(nodes.map((node) => [node, new Set(node.inputs.map((name) => byName.get(name)).filter(Boolean))]));
  const levels = new Map();
  const level = (node) => {
    if (!levels.has(node)) levels.set(node, 1 + Math.max(0, ...[...producers.get(node)].map(level)));
    return levels.get(node);
  };
  const onLevel = [];
  for (const node of nodes) onLevel[level(node)] = (onLevel[level(node)] ?? 0) + 1;
  const consumed = new Map();
  for (const set of producers.values()) for (const one of set) consumed.set(one, (consumed.get(one) ?? 0) + 1);
  return {
    nodes: nodes.length,
    edges: [...producers.values()].reduce((sum, set) => sum + set.size, 0),
    depth: onLevel.length - 1,
    width: Math.max(...onLevel.slice(1)),
    branching: Math.max(...consumed.values()),
    roots: nodes.filter((node) => producers.get(node).size === 0).length,
    leaves: nodes.filter((node) => !consumed.has(node)).length,
  };
}

const figures = ({ nodes, edges, depth, width, branching, roots, leaves }) => ({
  nodes, edges, depth, width, branching, roots, leaves,
});

test('the topology of a real graph, with and without what is no operator', { skip }, () => {
  const nodes = readNodes();
  const { topology } = call('repeated_subgraphs', profile);
  assert.deepEqual(figures(topology), measure(nodes));
  const operators = nodes.filter(({ type }) => !['Const', 'Data', 'NetOutput'].includes(type));
  assert.deepEqual(figures(topology.operators_only), measure(operators));
  assert.equal(topology.cycles, 0);
  assert.equal(topology.control_edges, 0);
});

test('the bottleneck blocks of a ResNet-50 are found, once each', { skip }, () => {
  const { rows } = call('repeated_subgraphs', profile);
  const adds = readNodes().filter(({ type }) => type === 'Eltwise').length;
  assert.equal(adds, 16); // a block ends with one
  const block = rows[0];
  assert.equal(block.count, adds);
  assert.equal(block.signature.filter((type) => type === 'Eltwise').length, 1);
  assert.equal(block.signature.filter((type) => type === 'Conv2D').length, 3);
  assert.equal(block.variant_of, null);
});

test('a repeat stands where its instances say', { skip }, () => {
  const types = new Map(readNodes().map(({ name, type }) => [name, type]));
  const { rows } = call('repeated_subgraphs', profile, { limit: 1000, instances: 100 });
  for (const { signature, count, instances } of rows) {
    assert.deepEqual(instances[0].nodes.map(({ name }) => types.get(name)), signature);
    assert.equal(instances.length, Math.min(count, 100));
    assert.equal(new Set(instances.map(({ nodes }) => nodes[0].name)).size, instances.length);
    for (const { nodes } of instances) assert.equal(nodes[0].op_type, signature[0]);
  }
});

test('generated code is preferred to the graph that it was made from', { skip }, () => {
  const answer = call('repeated_subgraphs', sharedProfile('inductor-gpu-tlparse'));
  assert.equal(answer.graph, 'graph_exec_order_rank0/0_1_0/output_code.py');
  assert.equal(answer.repeats.operators, 11);
  assert.deepEqual(answer.rows, []); // no two of its calls follow each other twice
});
