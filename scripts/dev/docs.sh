source scripts/dev/cmake.sh
source scripts/dev/node.sh

command_docs() {
  [[ "${1:-}" == '' || "${1:-}" == --check ]] || die "docs knows only --check"
  need_node
  stage "build" build_preset dev
  build/stepwise tools --json | node scripts/docs/tools_page.mjs docs/tools.md "$@"
}
