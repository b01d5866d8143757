#!/bin/sh
# Installs, builds and runs every test; then those of the rooms that read what strangers wrote again, under sanitizers, and their fuzzers for
# a moment. What needs Triton, VS Code, a GPU or ../shared is skipped by name where that is missing.
#   scripts/test.sh [ctest arguments]
set -eu
. "$(dirname "$0")/lib.sh"
sh scripts/setup.sh test
sh scripts/peers.sh &
build release all
wait
step "Testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
build fuzz sanitized
step "Testing under sanitizers"
ctest --preset fuzz -j "$(nproc)" "$@"
step "Done"
