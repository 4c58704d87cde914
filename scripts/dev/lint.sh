source scripts/dev/cmake.sh
source scripts/dev/sources.sh

command_lint() {
  need_clang_tidy
  stage "build" build_preset dev
  if [[ $# -gt 0 ]]; then
    printf '%s\0' "$@"
  else
    cxx_sources | grep -z '\.cc$'
  fi | stage "clang-tidy" xargs -0 -n 1 -P "$(jobs)" clang-tidy -p build --quiet --warnings-as-errors='*'
}
