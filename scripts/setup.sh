#!/bin/sh
# Installs what gluond is built from, on Debian 12 or newer: as root, or with sudo. Does nothing where all is there.
#   scripts/setup.sh build|test|browser     what for (test: the build, and the editors and the Python that tests use; browser: Chromium,
#                                       its fonts, and what code-server is made with, for the tests of the page and of VS Code)
set -eu
. "$(dirname "$0")/lib.sh"

build="clang-22 lld-22 liblld-22-dev llvm-22-dev libmlir-22-dev mlir-22-tools libstdc++-12-dev zlib1g-dev libzstd-dev cmake ninja-build ccache git
       nlohmann-json3-dev libboost-dev libexpected-dev libcli11-dev libtomlplusplus-dev libgtest-dev libgmock-dev python3-minimal ca-certificates"
# tree-sitter is fetched with npm; a machine that has npm from elsewhere keeps its own.
npm=
command -v npm >/dev/null || npm=npm
# libclang-rt: the sanitizers' and the fuzzers' own code.
test="$build $npm clang-format-22 clang-tidy-22 libclang-rt-22-dev python3-venv neovim emacs-nox elpa-eglot elpa-lsp-mode"
case "${1:-build}" in
  build) wanted="$build $npm" ;;
  test) wanted=$test ;;
  browser) wanted="$npm chromium fonts-dejavu-core fonts-open-sans ripgrep g++ make python3" ;;
  *) fail "usage: scripts/setup.sh build|test|browser" ;;
esac

missing=
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

step "Installing$missing"
root=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "not root and no sudo: install these packages first:$missing"
  root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
quietly $root apt-get update -qq
# shellcheck disable=SC2086  # a list of words
quietly $root apt-get install -y -qq --no-install-recommends $missing
