#!/bin/sh
# Fails where C++ is not as .clang-format says. `sh scripts/check-format.sh --fix` writes it so. Exits with 77 where clang-format-22 is missing.
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-22 >/dev/null || exit 77
case "${1:-}" in
  --fix) options=-i ;;
  *) options="--dry-run -Werror" ;;
esac
# shellcheck disable=SC2086  # two words
git ls-files '*.cpp' '*.h' | xargs clang-format-22 $options
