// The maintained list of documents: advice names no other, and names them as [name] (rule R4). Read once, immutable;
// any thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace stepwise::advice {

struct Link {
  std::string name, subject;
  bool is_code = false;          // code_repository; else official_doc
  std::string address;           // of a page; empty: it lies in a repository
  std::string repository, path;  // hicann/ge, a file or a folder in it
  bool is_opened = false;        // the page itself was read when the list was made; else only its address is known

  /// The address, or repository and path.
  std::string at() const { return address.empty() ? repository + " " + path : address; }
};

class Links {
 public:
  static constexpr const char* kFile = "links.json";

  Links() = default;
  /// As Knowledge::load says, of links.json.
  static Links load(const std::vector<std::filesystem::path>& directories, std::vector<Error>& faults);

  const std::vector<Link>& all() const { return links_; }
  /// By its name, without regard to case; nullptr: none.
  const Link* find(std::string_view name) const;
  /// Whether that address is one of the list's, or below one that ends in a slash.
  bool holds_address(std::string_view address) const;

 private:
  std::vector<Link> links_;
  std::map<std::string, size_t, std::less<>> by_lower_name_;
};

}  // namespace stepwise::advice
