#include "core/advice/links.h"

#include <string>

#include "core/advice/knowledge_folder_test.h"

namespace stepwise::advice {
namespace {

const std::string kLink =
    R"({"name": "Guide", "subject": "Queues", "kind": "official_doc", "address": "https://example.com/", "opened": true})";

std::string fault_of(const std::string& from, const std::string& to) {
  return only_fault("[" + but(kLink, from, to) + "]", Links::kFile);
}

}  // namespace

TEST_CASE("documents are found by name, and their addresses known") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  const Links& links = knowledge->links();
  REQUIRE(links.find("task_queue_enable") != nullptr);
  CHECK(links.find("task_queue_enable")->name == "TASK_QUEUE_ENABLE");
  CHECK(links.find("TASK_QUEUE") == nullptr);
  CHECK(links.find("GE option keys")->at() == "hicann/ge docs/zh/api/graph_engine_api/cpp/ge/options_params/");
  CHECK(links.holds_address("https://gitcode.com/cann"));
  CHECK_FALSE(links.holds_address("https://gitcode.com/cann.evil.example"));
  CHECK_FALSE(links.holds_address("https://example.com"));
  CHECK_FALSE(links.holds_address(""));
}

TEST_CASE("pages that nobody opened are marked so, what was read is not") {
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({"skills/knowledge"}, faults);
  size_t opened = 0;
  for (const Link& one : knowledge->links().all()) {
    if (one.address.find("hiascend.com") != one.address.npos) CHECK_FALSE(one.is_opened);
    if (!one.repository.empty()) CHECK(one.is_opened);
    opened += one.is_opened ? 1 : 0;
  }
  CHECK(opened == 16);  // 13 paths in repositories, three pages on PyTorch and NCCL
}

TEST_CASE("what lies below a folder's address is held by it") {
  const Folder folder;
  std::vector<Error> faults;
  const auto knowledge = Knowledge::load({folder.with("[" + kLink + "]", Links::kFile)}, faults);
  CHECK(faults.empty());
  CHECK(knowledge->links().holds_address("https://example.com/queue"));
  CHECK_FALSE(knowledge->links().holds_address("https://example.com.evil/queue"));
}

TEST_CASE("each fault of a link is told with its place") {
  CHECK(fault_of("Guide", "[Guide]") == "knowledge.entry #/0/name");
  CHECK(fault_of("official_doc", "hearsay") == "knowledge.entry #/0/kind");
  CHECK(fault_of("https://", "http://") == "knowledge.entry #/0/address");
  CHECK(fault_of(R"(, "opened": true)", "") == "knowledge.entry #/0/opened");
  CHECK(fault_of(R"("opened": true)", R"("opened": "yes")") == "knowledge.entry #/0/opened");
  CHECK(fault_of(R"("address": "https://example.com/", )", "") == "knowledge.entry #/0");
  CHECK(fault_of(R"("address": "https://example.com/")", R"("repository": "hicann/ge")") == "knowledge.entry #/0");
  CHECK(only_fault("[" + kLink + "," + but(kLink, "Guide", "GUIDE") + "]", Links::kFile) == "knowledge.override #/1");
}

}  // namespace stepwise::advice
