// The skill that this follows, whole, as a draft: its own wrong parameters are in it.
#include <filesystem>

#include "core/advice/draft/rewrites_test.h"
#include "core/base/small_file.h"
#include "tests/catch.h"
#include "tests/shared_folder.h"

namespace stepwise::advice {
TEST_CASE("every rewrite of the skill's own text passes when it is validated again") {
  size_t read = 0;
  for (const auto& file : std::filesystem::directory_iterator(shared_folder("seeds"))) {
    const auto text = read_small_file(file.path(), 1u << 20);
    REQUIRE(text);
    if (text->find("措施") == std::string::npos) continue;
    ++read;
    CHECK(fault_of_rewrites(eager(), *text, "zh") == "");
    CHECK(fault_of_rewrites(compiled(), *text, "zh") == "");
  }
  CHECK(read > 0);
}

}  // namespace stepwise::advice
