#include "clients/example/facts.h"

#include <algorithm>

#include "clients/example/random.h"

namespace stepwise::example {
namespace {

void draw_llm(Facts& facts) {
  LlmFacts& llm = facts.llm;
  llm.data = std::max(2, (facts.ranks + 3) / 4);
  facts.world_size = llm.tensor * llm.pipeline * llm.data;
  Random random = stream(facts.seed, 0x11A0, 0);
  llm.micro_batches = static_cast<int>(random.between(2, 4));
  llm.hidden = int64_t{1'024} << random.below(3);
  llm.heads = llm.hidden / 128;
  llm.sequence = int64_t{1'024} << random.below(3);
  llm.vocabulary = 32'000 * random.between(1, 4);
  facts.shapes_vary = false;  // every sequence is filled to its length
}

void draw_infer(Facts& facts) {
  InferFacts& infer = facts.infer;
  Random random = stream(facts.seed, 0x13FE, 0);
  infer.fields = static_cast<int>(random.between(4, 8));
  infer.batch_size = int64_t{128} << random.below(4);
  infer.ids_per_sample = random.between(1, 20);
  infer.embedding_dim = int64_t{16} << random.below(3);
  infer.width = int64_t{128} << random.below(3);
  infer.input_copy_ns = 9'000 + infer.batch_size * infer.fields * infer.ids_per_sample / 2;
  infer.output_copy_ns = 5'000 + infer.batch_size * 4;
  infer.pause_ns = random.between(20, 300) * 1'000;
  facts.shapes_vary = false;
  facts.dynamic_kernels = false;
}

/// From three ranks on a link may be slow, in most runs clearly and in some hardly: tools must tell these apart.
void draw_slow_link(Facts& facts) {
  Random random = stream(facts.seed, 0x51C4, 0);
  if (facts.kind == ExampleKind::recsys_infer || facts.ranks < 3 || random.one_in(4)) return;
  facts.slow_src = static_cast<int>(random.below(facts.ranks));
  facts.slow_dst = (facts.slow_src + 1 + static_cast<int>(random.below(facts.ranks - 1))) % facts.ranks;
  if (facts.kind == ExampleKind::llm_train) {
    // Ranks talk to few others there; those that share tensors do, and are numbered in pairs.
    facts.slow_src = facts.slow_src / facts.llm.tensor * facts.llm.tensor;
    facts.slow_dst = facts.slow_src + 1;
    if (facts.slow_dst >= facts.ranks) facts.slow_src -= facts.llm.tensor, facts.slow_dst -= facts.llm.tensor;
  }
  const bool hardly = random.one_in(3);
  facts.slow_percent = static_cast<int>(hardly ? random.between(85, 95) : random.between(45, 75));
}

}  // namespace

Facts draw_facts(const ExampleOptions& options) {
  Facts facts;
  facts.kind = *kind_named(options.kind);
  facts.form = *export_named(options.export_form);
  facts.seed = options.seed;
  facts.ranks = options.ranks;
  facts.world_size = std::max(options.ranks, 2);
  facts.steps = options.steps;

  Random random = stream(options.seed, 0xFAC7, 0);
  facts.first_step = random.between(3, 60);
  // Some moment of January 2025, on a 10 ns grid as the host's counter gives it.
  facts.origin_ns = 1'736'400'000'000'000'000 + random.below(86'400) * 1'000'000'000 + random.below(100'000'000) * 10;

  facts.recsys.tables = static_cast<int>(random.between(2, 4));
  facts.recsys.batch_size = int64_t{512} << random.below(4);
  facts.recsys.dense_dim = int64_t{128} << random.below(3);
  facts.recsys.embedding_dim = int64_t{32} << random.below(3);
  facts.host_node_ns = random.between(6, 40) * 1'000;

  facts.recsys.prefetch_depth = static_cast<int>(random.below(4));
  facts.recsys.preprocess_overlaps_fetch = random.one_in(2);
  facts.recsys.updates_overlap = random.one_in(2);

  facts.late_rank = options.ranks > 1 ? static_cast<int>(random.below(options.ranks)) : -1;
  facts.late_ns = random.between(150, 900) * 10'000;
  facts.stall_step = static_cast<int>(random.below(options.steps));
  facts.stall_ns = random.between(200, 800) * 100'000;
  facts.shapes_vary = random.one_in(2);
  facts.dynamic_kernels = !random.one_in(4);
  if (facts.kind == ExampleKind::llm_train) draw_llm(facts);
  if (facts.kind == ExampleKind::recsys_infer) draw_infer(facts);
  draw_slow_link(facts);
  set_blocks(facts, 1);
  return facts;
}

void set_blocks(Facts& facts, int blocks) {
  facts.blocks = blocks;
  facts.buckets = std::clamp(blocks / 4, 1, 6);
}

}  // namespace stepwise::example
