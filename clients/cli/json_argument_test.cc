#include "clients/cli/json_argument.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;

TEST_CASE("arguments stand on the command line, in a file or on standard input") {
  const std::string path = (std::filesystem::temp_directory_path() / "stepwise_json_argument_test.json").string();
  std::ofstream(path) << "{\"limit\": 4}\n";
  std::istringstream none, input("{\"limit\": 5}");
  CHECK(parse_json_argument("{\"limit\": 3}", none).value() == Json{{"limit", 3}});
  CHECK(parse_json_argument("@" + path, none).value() == Json{{"limit", 4}});
  CHECK(parse_json_argument("@-", input).value() == Json{{"limit", 5}});
}

TEST_CASE("what is no object, or no file, is refused") {
  const auto code = [](const std::string& written, const std::string& given) {
    std::istringstream input(given);
    const auto parsed = parse_json_argument(written, input);
    return parsed.ok() ? "" : parsed.error().code;
  };
  CHECK(code("[1]", "") == "cli.usage");
  CHECK(code("@-", "") == "cli.usage");
  CHECK(code("@-", std::string((16u << 20) + 1, ' ')) == "cli.usage");
  CHECK(code("@no/such/file", "") == "cli.args");
  CHECK(code("@.", "") != "");  // a folder
}
