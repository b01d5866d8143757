#!/bin/sh
# Drives a real VS Code (code-server) in Debian's Chromium with the packaged extension, as a person would.
#   tests/editor/run.sh [--installed] [TEST.mjs...]
# Installs what is missing (install.sh); with --installed it does not, and exits with 77 where something is missing, so that ctest skips it.
# UPDATE_PICTURES=1 replaces the pictures under docs/pictures/vscode. Needs build/bin/gluond.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
skip() { printf 'skipped: %s\n' "$*"; exit 77; }

if [ "${1:-}" = --installed ]; then
  shift
  cache=$top/.cache/code-server
  ls "$cache"/done-*-node-* >/dev/null 2>&1 || skip "code-server is not installed: $(tail -n 1 "$top/.cache/code-server.log" 2>/dev/null || echo "tests/editor/install.sh")"
else
  cache=$("$here/install.sh")
fi
GLUOND_CHROMIUM=$(command -v chromium || true)
sh "$top/tests/support/can_browse.sh" "$GLUOND_CHROMIUM" || exit $?
sh "$top/scripts/npm-ci.sh" tests/editor || skip "npm or its packages are missing (scripts/setup.sh browser)"

# Every VS Code looks another way: pictures are compared with those of the pinned one only.
[ -z "${GLUOND_CODE_SERVER_VERSION:-}" ] || export GLUOND_TAKE_PICTURES=1

# The package is made once for the tests of all files.
platform=linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
GLUOND_VSIX=$(ls -t "$top/build/gluond-$platform"-*.vsix 2>/dev/null | head -n 1)
if [ -z "$GLUOND_VSIX" ] || [ -n "$(find "$top/visualizer/src" "$top/vscode-extension" "$top/docs/pictures/vscode" "$top/CHANGELOG.md" "$top/CMakeLists.txt" \
    "$top"/build/bin/gluond "$top"/build/bin/gluond-amdgpu "$top"/build/bin/gluond-runner \
    \( -name node_modules -o -path '*/vscode-extension/build' -o -path '*/vscode-extension/dist' \) -prune -o -newer "$GLUOND_VSIX" -type f -print -quit)" ]; then
  GLUOND_VSIX=$(sh "$top/vscode-extension/package.sh")
fi
GLUOND_CODE_SERVER=$cache
export GLUOND_VSIX GLUOND_CODE_SERVER GLUOND_CHROMIUM
[ $# -gt 0 ] || set -- "$here"/vscode/*.test.mjs
exec sh "$top/tests/support/node_tests.sh" "$cache/node_modules/.bin/node" "$@"
