#!/bin/sh
# Whether the tests in a browser can run here: a Chromium that starts, and the fonts of the pictures (fonts.conf).
#   tests/support/can_browse.sh CHROMIUM       exit code 77 where not, with the reason, so that ctest skips them by name
set -eu
skip() { printf 'skipped: %s (scripts/setup.sh browser)\n' "$*"; exit 77; }
[ -n "$1" ] || skip "no Chromium"
"$1" --version >/dev/null 2>&1 || skip "$1 does not start"
for font in dejavu/DejaVuSansMono.ttf open-sans/OpenSans-Regular.ttf; do
  [ -f "/usr/share/fonts/truetype/$font" ] || skip "no font $font"
done
