#!/bin/sh
# Installs, builds, and shows the main job on the samples: diagnostics, a layout map, the IR of one kernel, a kernel on the GPU
# where there is one.
set -eu
. "$(dirname "$0")/lib.sh"
sh scripts/setup.sh build
build release gluond gluond-runner visualizer
show() { printf '\n\033[1m$ gluond %s\033[0m\n' "$*"; build/bin/gluond "$@"; }

show check samples
show launches samples/copy_1d.py
show layout 'gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])' --shape 32x16
show emit samples/strided_copy.py --kernel strided_copy_kernel --stage ttgir
if build/bin/gluond-runner --devices > /dev/null 2>&1; then
  show run samples/copy_2d.py --kernel copy_2d
  show bench samples/copy_1d.py --kernel copy_1d_tuned --all
else
  step "No GPU here: $(build/bin/gluond-runner --devices 2>&1 | head -1). What would run (docs/runner.md names GPUs elsewhere):"
  show emit samples/copy_2d.py --kernel copy_2d --stage ptx | head -60
fi
step "Done. build/bin/gluond --help says what else it does; docs/using.md how to use it in an editor.
       build/bin/gluond serve samples     shows it all in a browser"
