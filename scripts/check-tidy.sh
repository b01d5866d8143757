#!/bin/sh
# Runs clang-tidy over the sources, or over those named. Fails on what it tells. Needs a build (build/) for its compile commands; does
# nothing where clang-tidy-22 is missing.
#   scripts/check-tidy.sh [FILE.cpp ...]
set -eu
cd "$(dirname "$0")/.."
command -v clang-tidy-22 >/dev/null || { echo "clang-tidy-22 is not installed" >&2; exit 0; }
[ $# -gt 0 ] || set -- $(git ls-files 'compiler/*.cpp' 'lsp/*.cpp' 'runner/*.cpp')
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 8 clang-tidy-22 -p build --quiet 2>/dev/null
