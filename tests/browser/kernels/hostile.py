"""</script><script>window.owned = 1</script><img src=x onerror="window.owned = 1">"""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# <img src=x onerror="window.owned = 1"> [click](command:evil) [click](javascript:window.owned=1)


@gluon.jit
def ohne_ärger(src, MODE: gl.constexpr):
    """[run](javascript:window.owned=1) <img src=x onerror="window.owned = 1"> ![x](http://127.0.0.1:9/pixel) ‮gnp.exe"""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    gl.store(src + gl.arange(0, 128, layout=layout), 1.0)


def run(src):
    for mode in ("<img src=x onerror='window.owned = 1'>", "</option></select><script>window.owned = 1</script>", "\u202edesrever"):
        ohne_ärger[(1, )](src, mode, num_warps=4)


def test_run():
    run(torch.empty(128, device="cuda"))
