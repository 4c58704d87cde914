// A name as keywords are compared with it: letters and digits in lower case, and where its words begin and end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepwise::recsys_stages {

/// Words end at anything but letters and digits, between letters and digits, and as in camelCase and HTTPServer.
struct NameWords {
  explicit NameWords(std::string_view name);

  std::string text;
  std::vector<bool> begins, ends;  // by position in text: whether a word begins with, or ends after, this character
};

}  // namespace stepwise::recsys_stages
