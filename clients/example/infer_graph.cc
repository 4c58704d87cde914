#include "clients/example/infer_graph.h"

#include <utility>

namespace stepwise::example {
namespace {

std::string numbered(const std::string& name, int number) { return name + "_" + std::to_string(number); }

/// FLOAT, as profiles say it.
std::string profile_type(const std::string& dtype) { return dtype.substr(std::string("DT_").size()); }

}  // namespace

InferGraph::InferGraph(const Facts& facts) {
  const InferFacts& model = facts.infer;
  std::vector<int> parts;
  for (int field = 0; field < model.fields; ++field) parts.push_back(embed(facts, field));
  parts.push_back(add("dense_features", "Data", {}, dims({model.batch_size, model.width}), "DT_FLOAT"));
  const int64_t joined = model.fields * model.embedding_dim + model.width;
  int last = run("concat_features", "ConcatD", Core::vector, parts, dims({model.batch_size, joined}),
                 3'000 + model.batch_size * joined / 400, 32);
  for (int block = 0; block < facts.blocks; ++block) last = densify(facts, block, last);
  const int weight = add("score/kernel", "Const", {}, dims({model.width, 1}), "DT_FLOAT");
  last = run("score/MatMul", "MatMulV2", Core::ai_core, {last, weight}, dims({model.batch_size, 1}), 5'500, 8);
  last = run("score/Sigmoid", "Sigmoid", Core::vector, {last}, dims({model.batch_size, 1}), 2'600, 8);
  add("Node_Output", "NetOutput", {last}, dims({model.batch_size, 1}), "DT_FLOAT");

  repeats.push_back({{"Cast", "FloorMod", "GatherV2", "ReduceSumD"}, model.fields});
  if (facts.blocks > 1) repeats.push_back({{"MatMulV2", "BiasAdd", "Relu"}, facts.blocks});
}

int64_t InferGraph::edges() const {
  int64_t count = 0;
  for (const GraphNode& node : nodes) count += static_cast<int64_t>(node.inputs.size());
  return count;
}

int InferGraph::add(std::string name, std::string type, std::vector<int> inputs, std::string shape, std::string dtype) {
  nodes.push_back({std::move(name), std::move(type), std::move(inputs), std::move(shape), std::move(dtype)});
  return static_cast<int>(nodes.size()) - 1;
}

int InferGraph::run(const std::string& name, const std::string& type, Core core, std::vector<int> inputs,
                    const std::string& shape, int64_t base_ns, int block_dim) {
  std::vector<std::string> shapes, dtypes;
  for (int input : inputs) {
    const GraphNode& producer = nodes[static_cast<size_t>(input)];
    shapes.push_back(producer.shape);
    dtypes.push_back(profile_type(producer.dtype));
  }
  const std::string dtype = type == "FloorMod" || type == "Cast" ? "DT_INT32" : "DT_FLOAT";
  KernelSpec spec = kernel(name, type, core, tensors(shapes), shape, base_ns, block_dim, profile_type(dtype));
  spec.input_types = tensors(dtypes);
  spec.input_formats = repeated("ND", inputs.size());
  spec.output_formats = "ND";
  const int node = add(name, type, std::move(inputs), shape, dtype);
  nodes.back().kernel = static_cast<int>(kernels.size());
  kernels.push_back(std::move(spec));
  return node;
}

/// Ids of one field to the sum of their embeddings.
int InferGraph::embed(const Facts& facts, int field) {
  const InferFacts& model = facts.infer;
  const std::string scope = numbered("embedding", field) + "/";
  const std::string ids = dims({model.batch_size, model.ids_per_sample});
  const int64_t count = model.batch_size * model.ids_per_sample;
  const int input = add(numbered("ids", field), "Data", {}, ids, "DT_INT64");
  const int buckets = add(scope + "buckets", "Const", {}, "", "DT_INT32");
  const int table = add(scope + "table", "Const", {}, dims({100'000, model.embedding_dim}), "DT_FLOAT");
  int last = run(scope + "Cast", "Cast", Core::vector, {input}, ids, 2'200 + count / 200, 16);
  last = run(scope + "FloorMod", "FloorMod", Core::vector, {last, buckets}, ids, 2'800 + count / 100, 16);
  last = run(scope + "GatherV2", "GatherV2", Core::vector, {table, last},
             dims({model.batch_size, model.ids_per_sample, model.embedding_dim}),
             5'000 + count * model.embedding_dim / 80, 40);
  return run(scope + "Sum", "ReduceSumD", Core::mix_aiv, {last}, dims({model.batch_size, model.embedding_dim}),
             3'500 + count * model.embedding_dim / 200, 40);
}

int InferGraph::densify(const Facts& facts, int block, int input) {
  const InferFacts& model = facts.infer;
  const std::string scope = numbered("dense", block) + "/";
  const int64_t from = block == 0 ? model.fields * model.embedding_dim + model.width : model.width;
  const std::string shape = dims({model.batch_size, model.width});
  const int64_t elements = model.batch_size * model.width;
  const int weight = add(scope + "kernel", "Const", {}, dims({from, model.width}), "DT_FLOAT");
  const int bias = add(scope + "bias", "Const", {}, dims({model.width}), "DT_FLOAT");
  int last =
      run(scope + "MatMul", "MatMulV2", Core::ai_core, {input, weight}, shape, 5'000 + elements * from / 60'000, 20);
  last = run(scope + "BiasAdd", "BiasAdd", Core::vector, {last, bias}, shape, 2'400 + elements / 300, 40);
  return run(scope + "Relu", "Relu", Core::vector, {last}, shape, 2'000 + elements / 300, 40);
}

}  // namespace stepwise::example
