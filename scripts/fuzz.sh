#!/bin/sh
# Fuzzes a target, or each in turn, and keeps what fails: docs/contributing/fuzzing.md.
#   scripts/fuzz.sh TARGET|all [MINUTES]     a minute by default, of each; FUZZ_JOBS: how many at once
# What was found interesting stays in build-fuzz/corpus and is where the next run begins. A failure is cut down and put into
# tests/fuzz/cases/TARGET, which every test run replays. Exit code 1 when something failed.
set -eu
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || fail "usage: scripts/fuzz.sh TARGET|all [MINUTES]"
wanted=$1 seconds=$((${2:-1} * 60)) jobs=${FUZZ_JOBS:-$(nproc)}
sh scripts/setup.sh test
build release gluond
build fuzz fuzz
fuzz=build-fuzz/bin/fuzz
[ "$wanted" = all ] && wanted=$("$fuzz" 2>&1 | sed -n 's/^ *--target=\([a-z]*\) .*/\1/p')
limits="-timeout=25 -rss_limit_mb=4096 -max_len=20000"

# Where it failed, in our own code: two inputs with the same place are the same mistake.
place() { grep -o 'in gluond::[A-Za-z_:~]*' "$1" | grep -v 'in gluond::fuzz' | head -n 3 | tr '\n' ' '; }

failed=0
for target in $wanted; do
  step "Fuzzing $target"
  corpus=build-fuzz/corpus/$target crashes=build-fuzz/crashes/$target cases=tests/fuzz/cases/$target
  mkdir -p "$corpus" "$crashes" "$cases"
  rm -f "$crashes"/*
  set -- "$corpus" "$cases"
  [ -d "tests/fuzz/seeds/$target" ] && set -- "$@" "tests/fuzz/seeds/$target"
  case $target in
    parse | evaluate | check) set -- "$@" samples; [ -d ../shared/corpus ] && set -- "$@" ../shared/corpus ;;
    ttgir | lowering) set -- "$@" tests/data/ir ;;
  esac
  # shellcheck disable=SC2086  # a list of options
  "$fuzz" "--target=$target" $limits -max_total_time="$seconds" -fork="$jobs" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
    -artifact_prefix="$crashes/" "$@" 2>&1 | grep -E '^#.*(cov|oom/timeout/crash)|^ERROR|SUMMARY' | awk 'NR % 20 == 1 || !/^#/' >&2 || true
  places=$(mktemp)
  for crash in "$crashes"/*; do
    [ -f "$crash" ] || continue
    log=$(mktemp)
    # shellcheck disable=SC2086
    if "$fuzz" "--target=$target" $limits "$crash" >"$log" 2>&1; then rm -f "$log"; continue; fi # not again
    where=$(place "$log")
    summary=$(grep -m 1 -E 'SUMMARY|does not hold' "$log" || echo "no report")
    rm -f "$log"
    grep -qxF "$summary $where" "$places" && continue
    echo "$summary $where" >>"$places"
    case=$cases/$(sha1sum "$crash" | cut -c 1-10)
    cp "$crash" "$case"
    # shellcheck disable=SC2086
    "$fuzz" "--target=$target" $limits -minimize_crash=1 -max_total_time=60 -exact_artifact_path="$crashes/small" "$crash" >/dev/null 2>&1 || true
    [ -f "$crashes/small" ] && mv "$crashes/small" "$case"
    step "$case: $summary, $where"
    failed=1
  done
  rm -f "$places"
  rmdir "$cases" 2>/dev/null || true
done
exit $failed
