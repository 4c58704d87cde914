source scripts/dev/cmake.sh
source scripts/dev/node.sh
source scripts/dev/ctest.sh

command_test() {
  local -a select=()
  [[ $# -gt 0 ]] && select=(--tests-regex "$1")
  need_compiler_and_node
  need_npm_parts
  stage "build" build_preset dev
  stage "tests" run_ctest build "${select[@]}"
}
