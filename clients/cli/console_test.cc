#include "clients/cli/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "tests/catch.h"

using namespace stepwise;
using namespace stepwise::cli;

namespace {

const Environment kNone = [](const char*) { return std::nullopt; };

struct Pipe {
  int ends[2];
  Pipe() { REQUIRE(::pipe2(ends, O_CLOEXEC) == 0); }
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

}  // namespace

TEST_CASE("a result arrives whole through a pipe that does not wait for its reader") {
  Pipe pipe;
  ::fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK);
  const std::string large(1u << 20, 'x');
  std::string got;
  std::thread reader([&] {
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(pipe.ends[0], bytes, sizeof bytes)) > 0;) {
      got.append(bytes, static_cast<size_t>(count));
    }
  });
  Console console(pipe.ends[1], STDERR_FILENO, kNone);
  console.result(large);
  pipe.close(1);
  reader.join();
  CHECK(got == large);
  CHECK(console.write_failure().empty());
}

TEST_CASE("a full disk is a failure of the result, and the first one is kept") {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  Console console(full, STDERR_FILENO, kNone);
  console.result("text");
  CHECK_FALSE(console.write_failure().empty());
  ::close(full);
}
