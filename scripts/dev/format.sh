source scripts/dev/packages.sh
source scripts/dev/sources.sh

command_format() {
  need_clang_format
  case "${1:-}" in
    '') cxx_sources | xargs -0 clang-format -i ;;
    --check)
      cxx_sources | xargs -0 clang-format --dry-run -Werror || die "run ./dev format"
      say "All sources are formatted."
      ;;
    *) die "format knows only --check" ;;
  esac
}
