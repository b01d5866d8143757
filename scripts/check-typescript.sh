#!/bin/sh
# Checks the form (Prettier) and looks for mistakes (ESLint) in the TypeScript, JavaScript and CSS of every folder.
#   scripts/check-typescript.sh     exit code 77: npm or the packages are not to be had here, so the test is skipped
# `npm run format` at the top mends the form, and of the mistakes those that it can.
set -eu
cd "$(dirname "$0")/.."
# The packages of the two folders are there for their types.
sh scripts/npm-ci.sh . visualizer vscode-extension || exit 77
npm run --silent lint
