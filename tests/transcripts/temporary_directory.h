// A directory for one test, gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "tests/catch.h"

namespace stepwise::transcripts {

struct TemporaryDirectory {
  std::filesystem::path path;

  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-transcripts-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = std::filesystem::canonical(name);  // as answers tell it
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace stepwise::transcripts
