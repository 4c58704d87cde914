#include "tests/transcripts/transcript.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace stepwise::transcripts {
namespace {

class Parser {
 public:
  explicit Parser(std::string name) { transcript_.name = std::move(name); }

  Result<void> take(std::string_view line) {
    ++line_;
    if (line == "---") return end_message(), Result<void>();
    if (line.starts_with("#<")) return expect(trim(line.substr(2)));
    if (line.starts_with("#!")) return direct(trim(line.substr(2)));
    if (line.starts_with('#') || trim(line).empty()) return {};
    if (message_.empty()) message_line_ = line_;
    // Joined by blanks: the same message then fits a framing by lines.
    if (!message_.empty()) message_ += ' ';
    message_ += trim(line);
    return {};
  }

  Transcript finish() {
    end_message();
    return std::move(transcript_);
  }

 private:
  void end_message() {
    if (!message_.empty()) transcript_.steps.push_back({message_line_, Send{std::exchange(message_, {})}});
  }

  Result<void> expect(std::string_view text) {
    end_message();
    auto pattern = parse_json(text);
    if (!pattern.ok()) return bad("The expected message is not JSON.");
    auto& steps = transcript_.steps;
    if (steps.empty() || !std::holds_alternative<Expect>(steps.back().what)) steps.push_back({line_, Expect{}});
    std::get<Expect>(steps.back().what).patterns.push_back(std::move(pattern).value());
    return {};
  }

  Result<void> direct(std::string_view text) {
    end_message();
    const size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return bad("A directive is a word and its text.");
    const std::string_view word = text.substr(0, blank), rest = text.substr(blank + 1);
    if (word == "huge") {
      const auto bytes = to_integer(rest);
      if (!bytes || *bytes < 1) return bad("`huge` takes a number of bytes.");
      return send({std::string(static_cast<size_t>(*bytes), 'x')});
    }
    const auto unescaped = unescape(rest);
    if (!unescaped) return bad("An escape is \\xHH, \\n, \\r or \\\\.");
    if (word == "raw") return send({*unescaped});
    if (word == "unfinished") return send({*unescaped, false});
    return bad("Directives are raw, huge and unfinished.");
  }

  static std::optional<std::string> unescape(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '\\') {
        out += text[at];
        continue;
      }
      if (++at == text.size()) return std::nullopt;
      if (text[at] == 'n') {
        out += '\n';
      } else if (text[at] == 'r') {
        out += '\r';
      } else if (text[at] == '\\') {
        out += '\\';
      } else if (text[at] == 'x' && at + 2 < text.size()) {
        const std::string digits(text.substr(at + 1, 2));
        if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
        out += static_cast<char>(std::stoi(digits, nullptr, 16));
        at += 2;
      } else {
        return std::nullopt;
      }
    }
    return out;
  }

  Result<void> send(Send what) {
    transcript_.steps.push_back({line_, std::move(what)});
    return {};
  }

  Error bad(std::string message) const {
    return {ErrorKind::bad_data, "transcript.syntax", std::move(message), "",
            transcript_.name + ":" + std::to_string(line_)};
  }

  Transcript transcript_;
  size_t line_ = 0, message_line_ = 0;
  std::string message_;
};

}  // namespace

Result<Transcript> parse_transcript(std::string name, std::string_view text) {
  Parser parser(std::move(name));
  while (!text.empty()) {
    const size_t end = text.find('\n');
    SW_RETURN_IF_ERROR(parser.take(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parser.finish();
}

Result<Transcript> read_transcript(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return Error{ErrorKind::io, "transcript.unreadable", "The transcript cannot be read.", "", file.string()};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_transcript(file.filename().string(), text);
}

}  // namespace stepwise::transcripts
