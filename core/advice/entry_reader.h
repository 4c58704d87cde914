// Reading the fields of one entry of a knowledge file. Internal to core/advice.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/source.h"
#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::advice {

using Words = std::span<const std::string_view>;

/// What a fault of an entry is called.
struct FaultKind {
  ErrorKind kind = ErrorKind::bad_data;
  const char* code = "";
};
inline constexpr FaultKind kEntryFault{ErrorKind::bad_data, "knowledge.entry"};

/// Every fault is told (where = `where` and the JSON pointer), and reading goes on. A JSON that is no object is one
/// fault, and has no fields.
class Entry {
 public:
  Entry(const Json& json, std::string where, std::vector<Error>& faults, FaultKind kind = kEntryFault);

  void fault(const std::string& field, const std::string& what);
  /// nullptr: it has none of that name; that is a fault where it is needed.
  const Json* member(const char* name, bool needed = false);
  void text(const char* name, std::string& out, bool needed = false);
  /// `known` empty: any texts.
  void texts(const char* name, std::vector<std::string>& out, Words known = {});
  void boolean(const char* name, bool& out, bool needed = false);
  template <class T, size_t N>
  void word(const char* name, const std::array<std::pair<const char*, T>, N>& words, T& out, bool needed) {
    std::string written;
    text(name, written, needed);
    if (written.empty()) return;
    const auto* const it =
        std::find_if(words.begin(), words.end(), [&](const auto& one) { return written == one.first; });
    if (it == words.end()) return fault(std::string("/") + name, "\"" + written + "\" is not one of its words.");
    out = it->second;
  }
  /// use(Entry&) for the object of that name; nothing where there is none.
  template <class Use>
  void object(const char* name, const Use& use) {
    if (const Json* value = member(name); value != nullptr) within(*value, std::string("/") + name, use);
  }
  /// use(Entry&) for each object of the list of that name.
  template <class Use>
  void objects(const char* name, const Use& use) {
    const Json* list = member(name);
    if (list == nullptr) return;
    if (!list->is_array()) return fault(std::string("/") + name, "must be a list.");
    for (size_t i = 0; i < list->size(); ++i)
      within((*list)[i], std::string("/") + name + "/" + std::to_string(i), use);
  }
  /// Fields that nobody asked for. Last.
  void refuse_others();

  const Json& json() const { return json_; }
  const std::string& where() const { return where_; }
  std::vector<Error>& faults() { return faults_; }

 private:
  template <class Use>
  void within(const Json& json, const std::string& at, const Use& use) {
    Entry one(json, where_ + at, faults_, kind_);
    if (!json.is_object()) return;
    use(one);
    one.refuse_others();
  }

  const Json& json_;
  const std::string where_;
  std::vector<Error>& faults_;
  const FaultKind kind_;
  std::vector<std::string> asked_;
};

/// The fields of a source. `says_needed`: it must say what it says.
Source read_source(Entry& entry, bool says_needed);

}  // namespace stepwise::advice
