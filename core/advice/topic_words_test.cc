#include "core/advice/topic_words.h"

#include "core/advice/knowledge.h"
#include "tests/catch.h"

namespace stepwise::advice {

TEST_CASE("a question's words, and what they are called in the knowledge base") {
  CHECK(topic_words("CPU affinity") == std::set<std::string>{"cpu", "affinity"});
  CHECK(topic_words("绑核").contains("affinity"));
  CHECK(topic_words("an OOM?").contains("memory"));
  CHECK(topic_words("a").empty());
  CHECK(topic_words("Why is the data loader slow?") == std::set<std::string>{"data", "loader", "dataloader", "slow"});
}

TEST_CASE("questions in Chinese and in other words find the parameters that are meant") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto finds = [&](std::string_view query, std::string_view id) {
    const auto found = knowledge->about(query);
    for (size_t i = 0; i < found.size() && i < 10; ++i) {
      if (found[i]->id == id) return true;
    }
    return false;
  };
  CHECK(finds("绑核", "env.CPU_AFFINITY_CONF"));
  CHECK(finds("通信 缓冲区", "env.HCCL_BUFFSIZE"));
  CHECK(finds("task queue", "env.TASK_QUEUE_ENABLE"));
  CHECK_FALSE(knowledge->about("OOM").empty());
}

TEST_CASE("of several words the entries come first that fit most of them, and those that fit few are left out") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const auto found = knowledge->about("data loader is slow");
  REQUIRE(found.size() >= 4);
  CHECK(found.size() <= 12);
  for (size_t i = 0; i < 4; ++i) CHECK(found[i]->id.starts_with("opt.DataLoader."));
}

}  // namespace stepwise::advice
