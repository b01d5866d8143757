"""What triton.language.extra has for one vendor's GPUs."""
import triton.language as tl
import triton.language.extra.cuda as cuda
import triton.language.extra.hip as hip
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def nvidia(p, q):
    begin = cuda.globaltimer()
    tl.extra.cuda.gdc_wait()
    threads: gl.constexpr = cuda.num_threads()
    i = gl.arange(0, threads, gl.BlockedLayout([1], [32], [cuda.num_warps()], [0]))
    gl.store(q + i, cuda.smid())
    cuda.gdc_launch_dependents()
    gl.store(p, cuda.globaltimer() - begin)


@gluon.jit
def amd(p, q):
    begin = hip.memrealtime()
    gl.store(q, hip.smid() + hip.num_threads() + hip.num_warps())
    gl.store(p, tl.extra.hip.memrealtime() - begin)


@gluon.jit
def without_processor(q):
    gl.store(q, hip.smid())
