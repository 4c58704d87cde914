// A column of texts that repeat: each text is judged once.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwise/sdk.hpp"

namespace stepwise::recsys_stages {

template <class Judge>
class ByCode {
 public:
  ByCode(sdk::Column<table::Type::code> column, Judge judge)
      : column_(column), judge_(std::move(judge)), known_(column.dictionary_size()) {}
  auto operator()(uint64_t row) {
    const int32_t code = column_.code(row);
    if (code < 0) return judge_(std::string_view());
    auto& slot = known_[static_cast<size_t>(code)];
    if (!slot) slot = judge_(column_.text_of(code));
    return *slot;
  }

 private:
  sdk::Column<table::Type::code> column_;
  Judge judge_;
  std::vector<std::optional<decltype(std::declval<Judge&>()(std::string_view()))>> known_;
};

}  // namespace stepwise::recsys_stages
