#!/bin/sh
# Drives the page of `gluond serve` in Debian's Chromium, as a person would.
#   tests/browser/run.sh GLUOND [TEST.mjs...]       exit code 77: something it needs is not here, so ctest skips it
# UPDATE_PICTURES=1 replaces the pictures under docs/pictures/serve.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
GLUOND=$1; shift
GLUOND_CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
sh "$top/tests/support/can_browse.sh" "$GLUOND_CHROMIUM" || exit $?
command -v node >/dev/null || skip "no Node 18"
[ -f "$top/visualizer/dist/page/index.html" ] || skip "the page is not built (target visualizer)"
[ -d "$top/visualizer/node_modules/puppeteer-core" ] || skip "puppeteer-core is not installed (npm ci in visualizer/)"
export GLUOND GLUOND_CHROMIUM
[ $# -gt 0 ] || set -- "$here"/*.test.mjs
exec sh "$top/tests/support/node_tests.sh" node "$@"
