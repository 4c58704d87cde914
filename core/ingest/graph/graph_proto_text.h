// Protobuf text without its schema, piece by piece: a file may be larger than memory, so nothing is kept but where we
// are. Fields are told as they come; what they mean is the listener's business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::ingest {

/// A text without its quotes and escapes, or a number, a word.
struct ProtoScalar {
  std::string_view value;
  bool is_text = false;
  int64_t line = 0;
};

class ProtoTextListener {
 public:
  virtual ~ProtoTextListener() = default;
  /// `field {`: line is that of the field's name, from 1.
  virtual void begin(std::string_view field, int64_t line) = 0;
  virtual void end() = 0;
  /// An element of a list `[a, b]` comes as a field of its own, as repeated fields do.
  virtual void scalar(std::string_view field, const ProtoScalar& scalar) = 0;
};

class ProtoTextParser {
 public:
  static constexpr size_t kMaxDepth = 64;
  static constexpr size_t kMaxNameBytes = 1024;
  // Longer texts are weights, or broken: their beginning is told, the rest is passed over.
  static constexpr size_t kMaxValueBytes = 64 << 10;

  explicit ProtoTextParser(ProtoTextListener& listener) : listener_(listener) {}

  /// False: it does not parse; error() and line() say why and where. Nothing more is taken then.
  bool feed(std::string_view bytes);
  /// After the last piece. False: it ends inside a message or a value.
  bool finish();
  const std::string& error() const { return error_; }
  int64_t line() const { return line_; }

 private:
  enum class Lexing : uint8_t { between, word, text, escape, comment };
  enum class Expect : uint8_t { name, extension, after_name, value, element, after_text };
  struct Frame {
    char close;
    std::string field;  // whose list this is; "" in a message
  };

  bool take_mark(char c);
  bool take(char c);
  bool take_between(char c);
  bool take_word();
  bool take_bracket(char c);
  bool open_message(char close);
  bool close_frame(char c);
  void end_text();
  void unescape(char c);
  void keep(char c) {
    if (value_.size() < kMaxValueBytes) value_ += c;
  }
  bool in_list() const { return !frames_.empty() && frames_.back().close == ']'; }
  Expect next() const { return in_list() ? Expect::element : Expect::name; }
  const std::string& field() const { return in_list() ? frames_.back().field : name_; }
  bool fail(std::string why);

  ProtoTextListener& listener_;
  Lexing lexing_ = Lexing::between;
  Expect expect_ = Expect::name;
  std::vector<Frame> frames_;
  size_t mark_bytes_ = 0;  // seen of a byte order mark
  bool may_be_mark_ = true;
  std::string name_, value_, error_;
  int64_t line_ = 1, name_line_ = 1;
  char quote_ = '"';
  int octal_digits_ = 0;  // seen of an escape \123
  int octal_ = 0;
};

}  // namespace stepwise::ingest
