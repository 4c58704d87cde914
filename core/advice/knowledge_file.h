// One kind of knowledge file in each of several directories. Internal to core/advice.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace stepwise::advice {

/// use(entry, where) for each entry of the file of that name in each directory, in turn; where = file#/position. A
/// directory without the file has none. Faults: bad_data `knowledge.file`.
void each_entry(const std::vector<std::filesystem::path>& directories, const char* file_name,
                std::vector<Error>& faults, const std::function<void(const Json&, const std::string&)>& use);

/// bad_data `knowledge.override`: what is known is added to, never overridden.
Error override_fault(const std::string& name, const std::string& where);

/// The entries of one kind that are sound: `read(json, where, faults)` makes one, `key(entry)` is what no two may
/// share.
template <class T, class Read, class Key>
std::vector<T> read_all(const std::vector<std::filesystem::path>& directories, const char* file_name,
                        std::vector<Error>& faults, const Read& read, const Key& key) {
  std::vector<T> all;
  std::set<std::string> keys;
  each_entry(directories, file_name, faults, [&](const Json& json, const std::string& where) {
    const size_t before = faults.size();
    T one = read(json, where, faults);
    if (faults.size() > before) return;
    if (!keys.insert(key(one)).second) return faults.push_back(override_fault(key(one), where));
    all.push_back(std::move(one));
  });
  return all;
}

}  // namespace stepwise::advice
