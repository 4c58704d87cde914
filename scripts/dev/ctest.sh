# Runs ctest and counts test cases, not only ctest's entries.

# run_ctest BUILD-DIR [CTEST-OPTION...]
run_ctest() {
  local dir="$1" code=0
  shift
  local console="$dir/Testing/console.log"
  mkdir -p "$dir/Testing"
  ctest --test-dir "$dir" --output-on-failure --no-tests=error --parallel "$(jobs)" "$@" | tee "$console" || code=$?
  count_cases "$console" "$dir/Testing/Temporary/LastTest.log"
  return "$code"
}

# Reads what ctest printed (which entry passed) and its log (what each entry said). One entry is a binary or a script
# with many cases: Catch2 and Node's test runner say how many. An entry that does not say (a crash, a skip, a plain
# script) counts as one.
count_cases() {
  awk '
    FNR == NR {
      if (match($0, /Test +#[0-9]+: [^ ]+/)) {
        split(substr($0, RSTART, RLENGTH), word, ": ")
        verdict[word[2]] = /   Passed /  ? "passed" : /\*\*\*Skipped / ? "skipped" : "failed"
      }
      next
    }
    /^[0-9]+\/[0-9]+ Testing: / { entry = $3 }
    /^All tests passed \(/ { match($0, /in [0-9]+ test/); add("passed", substr($0, RSTART + 3) + 0) }
    /^test cases: / {
      for (i = 3; i < NF; i++) if ($(i + 1) == "passed" || $(i + 1) == "failed") add($(i + 1), $i)
    }
    /^# pass [0-9]+$/ { add("passed", $3) }
    /^# (fail|cancelled) [0-9]+$/ { add("failed", $3) }
    /^# skipped [0-9]+$/ { add("skipped", $3) }
    function add(what, n) { total[what] += n; counted[entry, what] += n }
    END {
      for (entry in verdict) {
        said = counted[entry, "passed"] + counted[entry, "failed"] + counted[entry, "skipped"]
        if (said == 0 || (verdict[entry] == "failed" && counted[entry, "failed"] == 0)) total[verdict[entry]]++
      }
      printf "%d passed, %d failed, %d skipped\n", total["passed"], total["failed"], total["skipped"]
    }
  ' "$1" "$2"
}
