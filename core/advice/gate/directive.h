// Whether a text tells its reader to set or call something. Internal to core/advice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stepwise::advice {

constexpr size_t kLookBackBytes = 72;  // of the sentence before a name

/// near: a verb of setting or "environment variable" stands before it in the sentence. adjacent: right before it.
/// code: export, setenv(, os.environ[ and the like stand right before it.
enum class Told : uint8_t { no, near, adjacent, code };

/// Of what begins at `begin` of `text`, quotes before it passed over; looks at a fixed number of bytes.
Told told_to_set(std::string_view text, size_t begin);
/// The last of Told alone, which is cheap: it is asked of every word.
bool is_told_in_code(std::string_view text, size_t begin);
/// "if X:", "while not X": a condition of a program, right before it.
bool is_condition_in_code(std::string_view text, size_t begin);
/// "call X", "use X", 调用 X: right before it.
bool is_told_to_call(std::string_view text, size_t begin);
/// What follows says that it is a setting: "X environment variable", X 参数.
bool is_called_setting(std::string_view text, size_t end);

}  // namespace stepwise::advice
