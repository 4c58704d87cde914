source scripts/dev/cmake.sh

command_build() {
  local times=no
  case "${1:-}" in
    '') ;;
    --times) times=yes ;;
    *) die "build knows only --times" ;;
  esac
  stage "build" build_preset dev
  [[ "$times" == no ]] || slowest_files build/.ninja_log
}

# Files past the budget of 8 s (wall time, so run it on an idle machine and without ccache).
slowest_files() {
  say "Seconds of the slowest of all files built so far; over 8 s is marked:"
  awk -F '\t' 'NF == 5 && $4 ~ /\.o$/ { took[$4] = $2 - $1 }
    END { for (f in took) printf "%8.1f %s %s\n", took[f] / 1000, (took[f] > 8000 ? "!" : " "), f }' "$1" |
    sort -rn | head -n 20
}
