// Sentences of Markdown in English and Chinese. Internal to core/advice/draft.
#pragma once

#include <string_view>

namespace stepwise::advice {

/// Bytes of the full stop at that place; 0: the sentence does not end there. A dot within a name or number ends
/// nothing.
size_t sentence_end_at(std::string_view text, size_t at);

/// The sentence that holds [offset, offset + length), cut 200 bytes before and behind: looking at it costs the same
/// wherever it stands.
std::string_view sentence_around(std::string_view text, size_t offset, size_t length);

}  // namespace stepwise::advice
