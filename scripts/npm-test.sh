#!/bin/sh
# Type-checks and unit-tests a folder with a package.json (visualizer, vscode-extension); its packages are installed once.
#   scripts/npm-test.sh FOLDER      exit code 77: npm or the packages are not to be had here, so the test is skipped
set -eu
cd "$(dirname "$0")/.."
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' || { echo "Node 18 or newer is missing"; exit 77; }
sh scripts/npm-ci.sh . "$1" || exit 77
cd "$1"
npm run --silent check
npm test --silent
