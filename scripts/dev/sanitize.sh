source scripts/dev/cmake.sh
source scripts/dev/node.sh
source scripts/dev/ctest.sh

# Checks of the repository itself gain nothing from a sanitizer, and code that one thread enters nothing from TSan.
command_sanitize() {
  local preset
  local -a targets=() select=(--label-exclude repository)
  case "${1:-address}" in
    address) preset=asan ;;
    thread) preset=tsan targets=(stepwise_thread_tests) select=(--label-regex threads) ;;
    *) die "sanitize knows address (default) and thread" ;;
  esac
  need_compiler_and_node
  need_npm_parts
  stage "$preset build" build_preset "$preset" "${targets[@]}"
  # A bus error is the program's own to handle (core/store/mapping.h).
  export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:handle_sigbus=0
  export UBSAN_OPTIONS=print_stacktrace=1
  export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:handle_sigbus=0
  stage "tests under $preset" run_ctest "$(build_dir "$preset")" "${select[@]}"
}
