#!/usr/bin/env bash
# The headers under every compiler at hand: plugin.h as C11 and C++20, each SDK header on its own, and code that must
# not compile because it reads a column as another type than declared.
set -eu
include=$1
here=$(cd "$(dirname "$0")" && pwd)
failures=0

expect() {  # expect ok|error WHAT COMMAND...
  local want=$1 what=$2 got=ok
  shift 2
  "$@" >/dev/null 2>"$log" || got=error
  if [ "$got" != "$want" ]; then
    echo "FAIL: $what: expected $want, got $got"
    cat "$log"
    failures=$((failures + 1))
  fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
tried=0
for pair in gcc:g++ clang:clang++; do
  cc=${pair%%:*} cxx=${pair##*:}
  command -v "$cc" >/dev/null && command -v "$cxx" >/dev/null || continue
  tried=$((tried + 1))
  c=("$cc" -std=c11 -pedantic-errors -Wall -Wextra -Werror -I "$include" -fsyntax-only)
  cpp=("$cxx" -std=c++20 -pedantic-errors -Wall -Wextra -Werror -I "$include" -fsyntax-only)
  expect ok "$cc: plugin.h as C11" "${c[@]}" "$here/layout.c"
  expect ok "$cxx: plugin.h as C++20" "${cpp[@]}" -x c++ "$include/stepwise/plugin.h" -Wno-pragma-once-outside-header
  for header in "$include"/stepwise/*.hpp; do
    [ "$tried" -eq 1 ] || break  # what a header includes does not depend on the compiler
    name=stepwise/$(basename "$header")
    expect ok "$cxx: $name alone" "${cpp[@]}" -x c++ - <<<"#include \"$name\""
  done
  use='#include "stepwise/sdk.hpp"
    using namespace stepwise; double f(const sdk::TableView& v) {'
  expect ok "$cxx: f64 read as double" "${cpp[@]}" -x c++ - \
    <<<"$use sdk::Column<table::Type::f64> c = v[table::kernel::aic_mac_ratio]; return c[0]; }"
  expect error "$cxx: i64 column as f64" "${cpp[@]}" -x c++ - \
    <<<"$use sdk::Column<table::Type::f64> c = v[table::kernel::dur_ns]; return c[0]; }"
  expect error "$cxx: text as a number" "${cpp[@]}" -x c++ - <<<"$use return v[table::kernel::name][0]; }"
  expect error "$cxx: a column that no table has" "${cpp[@]}" -x c++ - \
    <<<"$use return static_cast<double>(v[table::kernel::no_such_column][0]); }"
done
[ "$tried" -gt 0 ] || { echo "no compiler found"; exit 77; }
[ "$failures" -eq 0 ]
