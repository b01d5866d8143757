#!/bin/sh
# Installs the packages that the lock files of these folders pin, once for every state of each lock file. Runs none of their scripts.
#   scripts/npm-ci.sh FOLDER...     folders below the repository's top (. is the top); fails where npm or the network is missing
set -eu
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "npm is missing (scripts/setup.sh build)" >&2; exit 1; }
for folder in "$@"; do
  mark=$folder/node_modules/.installed
  cmp -s "$folder/package-lock.json" "$mark" && continue
  (cd "$folder" && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >&2) ||
    { echo "npm ci failed in $folder: no network?" >&2; exit 1; }
  cp "$folder/package-lock.json" "$mark"
done
