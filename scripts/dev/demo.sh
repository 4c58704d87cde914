source scripts/dev/cmake.sh

command_demo() {
  [[ $# -eq 0 ]] || die "demo takes no arguments"
  stage "build" build_preset dev stepwise stepwise_plugins
  rm -rf out/example out/report
  mkdir -p out
  stage "example profile" build/stepwise example out/example
  stage "analyze" build/stepwise analyze out/example -o out/report
  say ""
  say "${ui_bold}The report: out/report/report.md${ui_off} (the same as data: out/report/report.json)"
  say "Ask it more:  build/stepwise call top_operators --profile out/example"
}
