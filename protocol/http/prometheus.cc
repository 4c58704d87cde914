#include "protocol/http/prometheus.h"

#include <charconv>

namespace stepwise::http {
namespace {

std::string number(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

std::string escaped(std::string_view label_value) {
  std::string out;
  for (const char c : label_value) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

}  // namespace

void PrometheusText::begin(std::string_view name, std::string_view help, std::string_view type) {
  name_ = name;
  text_ += "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ + " " + std::string(type) + "\n";
}

void PrometheusText::counter(std::string_view name, std::string_view help, double value) {
  begin(name, help, "counter");
  text_ += name_ + " " + number(value) + "\n";
}

void PrometheusText::gauge(std::string_view name, std::string_view help, double value) {
  begin(name, help, "gauge");
  text_ += name_ + " " + number(value) + "\n";
}

void PrometheusText::begin_counters(std::string_view name, std::string_view help) { begin(name, help, "counter"); }

void PrometheusText::sample(std::string_view label, std::string_view value, uint64_t count) {
  text_ += name_ + "{" + std::string(label) + "=\"" + escaped(value) + "\"} " + std::to_string(count) + "\n";
}

}  // namespace stepwise::http
