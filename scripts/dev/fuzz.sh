source scripts/dev/cmake.sh

# ./dev fuzz [TARGET] [SECONDS]: without a target, each in turn. New inputs stay in out/fuzz/TARGET; an input that breaks
# something is named: fix the fault, and keep the input in tests/fuzz/corpus/TARGET.
command_fuzz() {
  local target="${1:-}" seconds="${2:-60}"
  local -a targets=("$target")
  need_compiler
  need_clang_fuzzer
  stage "fuzz build" build_preset fuzz stepwise_fuzz
  local program=build-fuzz/tests/fuzz/stepwise_fuzz
  [[ -n "$target" ]] || mapfile -t targets < <(ls tests/fuzz/corpus)
  export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
  for target in "${targets[@]}"; do
    [[ -d "tests/fuzz/corpus/$target" ]] || die "there is no tests/fuzz/corpus/$target"
    mkdir -p "out/fuzz/$target"
    stage "fuzz $target for $seconds s" "$program" "--target=$target" "out/fuzz/$target" "tests/fuzz/corpus/$target" \
      -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
      -artifact_prefix="out/fuzz/$target-"
  done
}
