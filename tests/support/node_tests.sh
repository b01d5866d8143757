#!/bin/sh
# Runs test files with Node one after the other, those that drive a browser: a file that fails is tried once more, since
# a browser on a busy machine may lose a key or a click that no program of ours could have seen. A mistake fails twice.
#   tests/support/node_tests.sh NODE FILE...
set -eu
node=$1; shift
failed=0
for file in "$@"; do
  "$node" --test "$file" && continue
  printf '# %s failed and is tried once more\n' "$file"
  "$node" --test "$file" || failed=1
done
exit $failed
