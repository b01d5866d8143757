#!/bin/sh
# Installs, builds and runs every test. What needs Triton, VS Code, a GPU or ../shared is skipped by name where that is missing.
#   scripts/test.sh [ctest arguments]
set -eu
. "$(dirname "$0")/lib.sh"
sh scripts/setup.sh test
sh scripts/peers.sh &
build release all
wait
step "Testing"
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
step "Done"
