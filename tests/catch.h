// Catch2 v2 (Debian 12) or v3: tests keep to what both have.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// How a failed comparison shows a JSON value. Without it each test file would compile the serializer for operator<<.
template <>
struct Catch::StringMaker<nlohmann::json> {
  static std::string convert(const nlohmann::json& value);
};
