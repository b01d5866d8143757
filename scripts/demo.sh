#!/bin/sh
# Installs, builds, and shows the main job on the samples: diagnostics, a layout map, the IR of one kernel.
set -eu
. "$(dirname "$0")/lib.sh"
sh scripts/setup.sh build
build release gluond visualizer
show() { printf '\n\033[1m$ gluond %s\033[0m\n' "$*"; build/bin/gluond "$@"; }

show check samples
show launches samples/copy_1d.py
show layout 'gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])' --shape 32x16
show emit samples/strided_copy.py --kernel strided_copy_kernel --stage ttgir
step "Done. build/bin/gluond --help says what else it does; docs/using.md how to use it in an editor.
       build/bin/gluond serve samples     shows it all in a browser"
