#!/bin/sh
# Writes anew what follows from the code: the expectations in tests/data (`# error: [slug]`), the pages of diagnostics and builtins, the
# fields of layouts and the protocol of the panels. Read the difference before you commit it. Needs a build (build/).
set -eu
. "$(dirname "$0")/lib.sh"
ninja -C build driver_test lints_test syntax_test protocol_types
export GLUOND_UPDATE_EXPECTATIONS=1
build/bin/driver_test --gtest_brief=1 --gtest_filter='*Annotated*everyMistake*'
build/bin/lints_test --gtest_brief=1 --gtest_filter='*EveryMarkedLine*'
build/bin/syntax_test --gtest_brief=1 --gtest_filter='*AnnotatedFiles'
ninja -C build update-docs
build/bin/protocol_types >visualizer/src/protocol.ts
git status --short tests/data docs visualizer/src
