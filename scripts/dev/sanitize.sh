source scripts/dev/cmake.sh
source scripts/dev/node.sh
source scripts/dev/ctest.sh

# Checks of the repository itself gain nothing from a sanitizer.
command_sanitize() {
  local preset
  case "${1:-address}" in
    address) preset=asan ;;
    thread) preset=tsan ;;
    *) die "sanitize knows address (default) and thread" ;;
  esac
  need_compiler_and_node
  need_npm_parts
  stage "$preset build" build_preset "$preset"
  export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1
  export UBSAN_OPTIONS=print_stacktrace=1
  export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
  stage "tests under $preset" run_ctest "$(build_dir "$preset")" --label-exclude repository
}
