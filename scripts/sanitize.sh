#!/bin/sh
# Every test under sanitizers: address and undefined behaviour of all of gluond, or (threads) the tests that have several threads under
# ThreadSanitizer. An hour on two cores; CI does the rooms that read what strangers wrote (scripts/test.sh).
#   scripts/sanitize.sh [threads] [ctest arguments]
set -eu
. "$(dirname "$0")/lib.sh"
sh scripts/setup.sh test
if [ "${1:-}" = threads ]; then
  shift
  build tsan support_test remote_test runner_test driver_test lsp_test
  exec ctest --preset tsan -R '^(support|remote|runner|driver|lsp)$' "$@"
fi
build asan all
exec ctest --preset asan -j "$(nproc)" "$@"
