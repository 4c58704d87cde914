source scripts/dev/cmake.sh

# Options go to the benchmark, e.g. ./dev bench --mb 20 --runs 3 for a first look.
command_bench() {
  stage "release build" build_preset release stepwise_bench_trace
  mkdir -p out/bench
  stage "timeline reader" build-release/tests/bench/stepwise_bench_trace --out out/bench "$@"
  say "The figures as data: out/bench/"
}
