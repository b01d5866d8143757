#!/bin/sh
# Type-checks and unit-tests a folder with a package.json (visualizer, vscode-extension); its packages are installed once.
#   scripts/npm-test.sh FOLDER      exit code 77: npm or the packages are not to be had here, so the test is skipped
set -eu
cd "$(dirname "$0")/../$1"
command -v npm >/dev/null || { echo "npm is missing"; exit 77; }
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' || { echo "Node 18 or newer is missing"; exit 77; }
mark=node_modules/.installed
if ! cmp -s package-lock.json "$mark"; then
  npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error || { echo "npm ci failed: no network?"; exit 77; }
  cp package-lock.json "$mark"
fi
npm run --silent check
npm test --silent
