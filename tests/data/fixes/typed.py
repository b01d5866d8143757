# What is typed as in other languages, on other keyboards, or without its import.
import os
from pathlib import Path

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

WARPS = int(os.environ.get("WARPS", "4"))
TITLE = "copy" + Path(__file__).stem


@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(y + at, gl.load(x + at, mask=at < n), mask=at < n)


def main():
    x = torch.empty(1024, device="cuda")
    copy[(8, )](x, torch.empty_like(x), 1024, 128, num_warps=4)


main()
