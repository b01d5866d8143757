#!/bin/sh
# What ctest runs where libFuzzer is: replays what is kept, then so many runs from it. New inputs are not kept; what fails is, in the build folder.
#   tests/fuzz/run.sh PROGRAM TARGET RUNS FILE|FOLDER...
set -eu
program=$1 target=$2 runs=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/found" "$work/kept"
for each in "$@"; do [ ! -e "$each" ] || cp -r "$each" "$work/kept"; done
"$program" "--target=$target" -seed=1 -runs="$runs" -max_total_time=20 -timeout=60 -rss_limit_mb=4096 -max_len=20000 -close_fd_mask=1 -verbosity=0 \
  -artifact_prefix="$(dirname "$program")/../fuzz-$target-" "$work/found" "$work/kept"
