// A folder with knowledge files, for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/advice/knowledge.h"
#include "tests/catch.h"

namespace stepwise::advice {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-knowledge-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& with(const std::string& json, const char* file = "parameters.json") const {
    std::ofstream(path_ / file) << json;
    return path_;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Of the only fault of a list in that file: code, blank, the pointer behind the file's name.
inline std::string only_fault(const std::string& list, const char* file) {
  const Folder folder;
  std::vector<Error> faults;
  Knowledge::load({folder.with(list, file)}, faults);
  for (const Error& one : faults) UNSCOPED_INFO(to_text(one));
  REQUIRE(faults.size() == 1);
  return faults[0].code + " " + faults[0].where.substr(faults[0].where.find('#'));
}

/// The text with the first `from` in it replaced; it must be there.
inline std::string but(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace stepwise::advice
