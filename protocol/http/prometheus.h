// Figures in Prometheus' text format, version 0.0.4. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stepwise::http {

class PrometheusText {
 public:
  static constexpr const char* kContentType = "text/plain; version=0.0.4; charset=utf-8";

  /// A figure that only grows; its name ends in _total.
  void counter(std::string_view name, std::string_view help, double value);
  /// A figure of now.
  void gauge(std::string_view name, std::string_view help, double value);
  /// One figure for each value of a label: begin_counters, then any number of samples.
  void begin_counters(std::string_view name, std::string_view help);
  void sample(std::string_view label, std::string_view value, uint64_t count);

  std::string take() { return std::move(text_); }

 private:
  void begin(std::string_view name, std::string_view help, std::string_view type);

  std::string name_, text_;
};

}  // namespace stepwise::http
