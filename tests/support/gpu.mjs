// A GPU for tests: gluond-runner over the fake CUDA driver of tests/unit/runner (its kernels do what their names say),
// and kernels for it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

// What is missing to run it, or nothing. `gluond`: the program that is tested.
export function gpu(gluond) {
  const runner = join(dirname(gluond), 'gluond-runner');
  const build = dirname(dirname(gluond));
  const library = ['tests/unit/runner/libfake_cuda.so', 'lib/libfake_cuda.so', 'bin/libfake_cuda.so']
    .map((name) => join(build, name))
    .find(existsSync);
  return {
    runner,
    library: library ?? '',
    missing: !existsSync(runner) ? 'gluond-runner is not built' : !library ? 'libfake_cuda.so is not built' : '',
  };
}

export const name = 'NVIDIA H100 80GB HBM3';

export const kernels = `"""Kernels for a GPU that is not there."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy_blocks(src, dst, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(dst + i, gl.load(src + i, mask=i < count), mask=i < count)


@gluon.jit
def fault_700(dst, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + i, 1.0)


def launch():
    src, dst = torch.randn(100000, device="cuda"), torch.empty(100000, device="cuda")
    copy_blocks[(triton.cdiv(100000, 1024), )](src, dst, 100000, 1024, num_warps=4)
    copy_blocks[(triton.cdiv(100000, 2048), )](src, dst, 100000, 2048, num_warps=4)
    fault_700[(1, )](dst, 128)


launch()
`;
