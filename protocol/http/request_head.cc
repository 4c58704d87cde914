#include "protocol/http/request_head.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "protocol/http/limits.h"

namespace stepwise::http {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
constexpr size_t kMaxLengthDigits = 15;

Refusal malformed(std::string says) { return {400, "syntax", std::move(says)}; }

bool is_token_char(char c) {
  if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char); }

/// Printable, a blank, a TAB, or a byte of some other alphabet.
bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

/// Up to CR LF, which is taken away. A CR or LF of its own stays in the line, where it is no valid character.
std::string_view next_line(std::string_view& rest) {
  const size_t end = std::min(rest.find("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 2, rest.size()));
  return line;
}

std::optional<Refusal> read_request_line(std::string_view line, RequestHead& out) {
  const size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return malformed("The request line is malformed.");
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_token(method)) return malformed("The request line is malformed.");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return malformed("The version must be HTTP/1.1 or HTTP/1.0.");
  if (target.size() > kMaxTargetBytes) return Refusal{414, "headers", "The target is too long."};
  const bool is_visible = std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  const bool is_star = target == "*" && method == "OPTIONS";
  if (!is_visible || (!target.starts_with('/') && !is_star)) return malformed("The target must be a path.");
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    return Refusal{501, "syntax", "The method is not known here."};
  }
  out.is_http_1_0 = version == "HTTP/1.0";
  out.request.method = method;
  out.request.path = target.substr(0, target.find('?'));
  return std::nullopt;
}

std::optional<Refusal> read_header_line(std::string_view line, std::map<std::string, std::string>& headers) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return malformed("A header's name is malformed.");
  }
  const std::string_view value = trim(line.substr(colon + 1));
  if (!std::all_of(value.begin(), value.end(), is_value_char)) return malformed("A header has a control character.");
  std::string name = to_lower(line.substr(0, colon));
  // Which of two an upstream proxy believed cannot be known.
  const bool once = name == "host" || name == "content-length" || name == "transfer-encoding";
  if (once && headers.contains(name)) return malformed("A header that may come once comes twice.");
  const auto [place, is_new] = headers.try_emplace(std::move(name), value);
  if (!is_new) place->second.append(", ").append(value);
  return std::nullopt;
}

std::optional<Refusal> read_content_length(const std::string& value, RequestHead& out) {
  const bool is_number =
      !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return malformed("Content-Length must be one number.");
  const std::string_view digits = std::string_view(value).substr(std::min(value.find_first_not_of('0'), value.size()));
  const uint64_t length = digits.size() > kMaxLengthDigits ? UINT64_MAX : digits.empty() ? 0 : std::stoull(value);
  if (length > limits::kMaxMessageBytes) {
    return Refusal{413, "body", "The body may have " + std::to_string(limits::kMaxMessageBytes) + " bytes."};
  }
  out.content_length = length;
  return std::nullopt;
}

std::optional<Refusal> read_body_headers(RequestHead& out) {
  const std::string* encoding = out.request.header("content-encoding");
  if (encoding != nullptr && !encoding->empty() && !iequals(*encoding, "identity")) {
    return Refusal{415, "encoding", "Bodies are taken as they are: send it without Content-Encoding."};
  }
  const std::string* transfer = out.request.header("transfer-encoding");
  const std::string* length = out.request.header("content-length");
  if (transfer != nullptr) {
    if (length != nullptr || out.is_http_1_0) return malformed("The body's length is told in two ways.");
    if (!iequals(*transfer, "chunked")) return Refusal{501, "encoding", "Only chunked is known as transfer encoding."};
    out.is_chunked = true;
  }
  return length != nullptr ? read_content_length(*length, out) : std::nullopt;
}

/// The words of a header's list; empty ones count for nothing. `list` may be null, and outlives them.
std::vector<std::string_view> words_of(const std::string* list) {
  std::vector<std::string_view> words;
  for (std::string_view rest = list == nullptr ? "" : std::string_view(*list); !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    if (const std::string_view word = trim(rest.substr(0, end)); !word.empty()) words.push_back(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

bool names(const std::string* list, std::string_view word) {
  const auto words = words_of(list);
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) { return iequals(one, word); });
}

/// Whoever expects what nobody here does is told so, rather than answered as if it had been done.
std::optional<Refusal> read_expectations(RequestHead& out) {
  if (out.is_http_1_0) return std::nullopt;
  for (const std::string_view expected : words_of(out.request.header("expect"))) {
    if (!iequals(expected, "100-continue")) return Refusal{417, "expect", "Nothing but 100-continue may be expected."};
    out.expects_continue = true;
  }
  return std::nullopt;
}

}  // namespace

std::variant<RequestHead, Refusal> parse_request_head(std::string_view head) {
  RequestHead out;
  if (auto refused = read_request_line(next_line(head), out)) return std::move(*refused);
  for (size_t lines = 0; !head.empty(); ++lines) {
    if (lines == kMaxHeaderLines) return Refusal{431, "headers", "There are too many headers."};
    if (auto refused = read_header_line(next_line(head), out.request.headers)) return std::move(*refused);
  }
  if (out.request.header("host") == nullptr) return malformed("There must be a Host.");
  if (auto refused = read_body_headers(out)) return std::move(*refused);
  const std::string* connection = out.request.header("connection");
  out.keep_alive = out.is_http_1_0 ? names(connection, "keep-alive") : !names(connection, "close");
  if (auto refused = read_expectations(out)) return std::move(*refused);
  return out;
}

}  // namespace stepwise::http
