#include "clients/cli/token_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "clients/cli/listen_address.h"
#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;

namespace {

namespace fs = std::filesystem;
constexpr const char* kToken = "0123456789abcdef";

/// The token that a file of these words gives, or the code of the error.
std::string read(const std::string& words, fs::perms perms = fs::perms::owner_read | fs::perms::owner_write) {
  const fs::path path = fs::temp_directory_path() / ("stepwise_token_test_" + std::to_string(::getpid()));
  std::ofstream(path) << words;
  fs::permissions(path, perms);
  const auto token = read_token(path);
  fs::remove(path);
  return token.ok() ? token.value() : token.error().code;
}

}  // namespace

TEST_CASE("a token is the only line of a file") {
  CHECK(read(kToken) == kToken);
  CHECK(read(std::string(kToken) + "\n") == kToken);
  CHECK(read(std::string(kToken) + "\r\n") == kToken);
  CHECK(read(std::string(4096, 'x') + "\n") == std::string(4096, 'x'));
}

TEST_CASE("a token file that others may read, even in part, is refused") {
  for (const fs::perms perm : {fs::perms::group_read, fs::perms::others_read, fs::perms::group_write}) {
    CHECK(read(kToken, fs::perms::owner_read | fs::perms::owner_write | perm) == "cli.token");
  }
}

TEST_CASE("what is no token is refused") {
  CHECK(read("") == "cli.token");
  CHECK(read("0123456789abcde\n") == "cli.token");
  CHECK(read("01234567 9abcdef0") == "cli.token");
  CHECK(read(std::string(kToken) + "\n" + kToken) == "cli.token");
  CHECK(read(std::string(4097, 'x')) == "cli.token");
  CHECK(read(std::string(5000, 'x')) == "cli.token_file");
  CHECK(read_token("no/such/file").error().code == "cli.token_file");
}

TEST_CASE("an address to listen at is a host and a port") {
  const auto four = parse_listen_address("127.0.0.1:7337");
  REQUIRE(four);
  CHECK(four->host == "127.0.0.1");
  CHECK(four->port == 7337);
  CHECK(four->text() == "127.0.0.1:7337");
  const auto six = parse_listen_address("[::1]:0");
  REQUIRE(six);
  CHECK(six->host == "::1");
  CHECK(six->text() == "[::1]:0");
  for (const char* none :
       {"", "7337", ":7337", "127.0.0.1", "127.0.0.1:", "::1:7337", "h:65536", "h:-1", "h:1x", "[]:1"}) {
    INFO(none);
    CHECK_FALSE(parse_listen_address(none));
  }
}
