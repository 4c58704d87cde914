source scripts/dev/cmake.sh

# Names and options go to the benchmark, e.g. ./dev bench trace --mb 20 --runs 3 for a first look, or
# ./dev bench huge --huge-mb 6144.
command_bench() {
  stage "release build" build_preset release stepwise stepwise_plugins stepwise_bench
  mkdir -p out/bench
  stage "budgets" build-release/tests/bench/stepwise_bench --program build-release/stepwise --out out/bench "$@"
  say "The figures as data: out/bench/"
}
