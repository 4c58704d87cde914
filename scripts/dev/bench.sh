source scripts/dev/cmake.sh

command_bench() {
  stage "release build" build_preset release stepwise_bench
  mkdir -p out/bench
  stage "bench" build-release/tests/bench/stepwise_bench --out out/bench "$@"
}
