"""Throughput of what gluond compiles beside Triton 3.9.0, on the same source, the same GPU, in one run.

    python3 bench/gpu.py CORPUS [--quick] [--ordinary] [--json OUT]

CORPUS is the folder with Gluon's tutorials (../shared/corpus); --ordinary times the kernels of bench/ordinary.py, bench/further.py, bench/turns.py and bench/kernels/ instead. Needs a GPU, torch, triton 3.9.0 and gluond (GLUOND or PATH). Each kernel is
timed with both compilers in turn, several rounds; results must agree. Prints one line a kernel and the geometric mean of the ratios.
"""
import argparse
import contextlib
import importlib.util
import io
import json
import math
import re
import statistics
import sys
from pathlib import Path

import torch
import triton

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import gluond  # noqa: E402

ROUNDS = 5


def load(corpus, name):
    spec = importlib.util.spec_from_file_location(name, corpus / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with contextlib.redirect_stdout(io.StringIO()):
        spec.loader.exec_module(module)
    return module


def cases(corpus, quick):
    """(name, kernels, run, outputs, bytes, flops): run() launches once."""
    gl = importlib.import_module("triton.experimental.gluon.language")
    scale = 1 if not quick else 4
    t2 = load(corpus, "02-layouts")
    n = (1 << 28) // scale
    a, b = torch.randn(n, device="cuda"), torch.empty(n, device="cuda")
    for per_thread in (1, 4):
        layout = gl.BlockedLayout([per_thread], [32], [4], [0])
        yield (f"copy 1d, {per_thread} a thread", [t2.memcpy_1d_kernel], lambda: t2.memcpy_1d_impl(a, b, 2048, layout, num_warps=4), [b], 8 * n, 0)
    rows = 16 * 1024
    x = torch.randn((rows, (1 << 14) // scale), device="cuda")
    y = torch.empty_like(x)
    for order in ([1, 0], [0, 1]):
        layout = gl.BlockedLayout([1, 1], [1, 32] if order == [1, 0] else [32, 1], [1, 4] if order == [1, 0] else [4, 1], order)
        yield (f"copy 2d, order {order}", [t2.memcpy_2d_kernel], lambda: t2.memcpy_2d_impl(x, y, 1, 2048, layout, num_warps=4), [y], 8 * x.numel(), 0)
    xt = torch.randn(((1 << 14) // scale, rows), device="cuda").T
    yield ("copy 2d, in and out layouts", [t2.memcpy_2d_inout_kernel], lambda: t2.memcpy_2d_inout(xt, y), [y], 8 * x.numel(), 0)
    strided = torch.randn((rows, (1 << 14) // scale), device="cuda")[:, ::2]
    half = torch.empty(strided.shape, device="cuda")
    layout = gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0])
    yield ("copy strided", [t2.memcpy_2d_kernel], lambda: t2.memcpy_2d_impl(strided, half, 1, 2048, layout, num_warps=4), [half], 8 * half.numel(), 0)

    t3 = load(corpus, "03-async-copy")
    A, B = (torch.randn((rows, (1 << 14) // scale), device="cuda") for _ in range(2))
    C = torch.empty_like(A)
    for buffers in (2, 3):
        yield (f"async add, {buffers} buffers", [t3.elementwise_add_pipelined_kernel],
               lambda: t3.elementwise_add_pipelined(A, B, C, num_buffers=buffers), [C], 12 * A.numel(), 0)
    if torch.cuda.get_device_capability()[0] != 9:
        return
    t4 = load(corpus, "04-tma")
    for buffers in (2, 3):
        yield (f"TMA add, {buffers} buffers", [t4.elementwise_add_tma_kernel],
               lambda: t4.elementwise_add_tma(A, B, C, 32, 64, buffers), [C], 12 * A.numel(), 0)
    t8 = load(corpus, "08-warp-specialization")
    yield ("warp-specialized add", [t8.elementwise_add_warp_specialized_kernel],
           lambda: t8.elementwise_add_warp_specialized(A, B, C, 32, 64, 2, 2, num_warps=4), [C], 12 * A.numel(), 0)
    del A, B, C, x, y, xt, a, b

    t5 = load(corpus, "05-wgmma")
    M = N = 8192 // (2 if quick else 1)
    K = 4096
    P, Q = torch.randn((M, K), device="cuda", dtype=torch.float16), torch.randn((K, N), device="cuda", dtype=torch.float16)
    R = torch.empty((M, N), device="cuda", dtype=torch.float16)
    flops = 2 * M * N * K
    configurations = [(64, 64, 64, 4), (128, 128, 64, 4), (128, 128, 64, 8), (128, 256, 64, 8), (256, 128, 64, 8)]
    for bm, bn, bk, warps in configurations:
        yield (f"wgmma matmul {bm}x{bn}x{bk}, {warps} warps", [t5.blocked_matmul_kernel],
               lambda: t5.blocked_matmul(P, Q, R, bm, bn, bk, False, warps), [R], 0, flops)
        yield (f"pipelined wgmma matmul {bm}x{bn}x{bk}, {warps} warps", [t5.blocked_matmul_pipelined_kernel],
               lambda: t5.blocked_matmul_pipelined(P, Q, R, bm, bn, bk, warps), [R], 0, flops)
    t7 = load(corpus, "07-persistence")
    for buffers in (3, 4):
        yield (f"TMA pipelined matmul, {buffers} buffers", [t7.matmul_pipelined_kernel],
               lambda: t7.matmul_pipelined(P, Q, R, 128, 256, 64, buffers, 8), [R], 0, flops)
        yield (f"persistent matmul, {buffers} buffers", [t7.persistent_matmul_kernel],
               lambda: t7.persistent_matmul(P, Q, R, 128, 256, 64, buffers, 8, t7.PersistentTileScheduler), [R], 0, flops)
    yield ("persistent pipelined matmul", [t7.persistent_matmul_pipelined_kernel],
           lambda: t7.persistent_matmul_pipelined(P, Q, R, 128, 256, 64, 3, 8, t7.PersistentTileScheduler), [R], 0, flops)


def ordinary(quick):
    for file in ("ordinary", "further", "turns", "kernels/launches", "kernels/layers", "kernels/pipelines", "kernels/models", "kernels/sequences", "kernels/packed"):
        for name, kernel, run, outputs in load(Path(__file__).parent, file).cases(4 if quick else 1):
            yield name, [kernel], run, outputs, 0, 0


def compiled(kernels):
    """How many specializations are in the caches."""
    return sum(len(cache[0]) for kernel in kernels for cache in kernel.device_caches.values())


def measure(kernels, run, outputs):
    """Milliseconds (ours, Triton's), medians of rounds in turn; whether the results agree, and whether in every bit."""
    def clear():
        for output in outputs:
            output.view(torch.uint8).zero_()

    clear()
    run()
    torch.cuda.synchronize()
    reference = [output.clone() for output in outputs]
    theirs_caches = [dict(kernel.device_caches) for kernel in kernels]
    clear()
    with gluond.using(*kernels):
        run()
        torch.cuda.synchronize()
        ours_caches = [dict(kernel.device_caches) for kernel in kernels]
        hook = triton.knobs.runtime.add_stages_inspection_hook  # part of the keys under which Triton finds a kernel again
    agree = all(torch.allclose(output.float(), want.float(), rtol=1e-2, atol=1e-2, equal_nan=True) for output, want in zip(outputs, reference))
    same = all(torch.equal(output.view(torch.uint8), want.view(torch.uint8)) for output, want in zip(outputs, reference))
    times = {"ours": [], "triton": []}
    for _ in range(ROUNDS):
        for who, caches, each in (("ours", ours_caches, hook), ("triton", theirs_caches, None)):
            for kernel, cache in zip(kernels, caches):
                kernel.device_caches.clear()
                kernel.device_caches.update(cache)
            known = compiled(kernels)
            triton.knobs.runtime.add_stages_inspection_hook = each
            try:
                times[who].append(triton.testing.do_bench(run, warmup=20, rep=60, return_mode="median"))
            finally:
                triton.knobs.runtime.add_stages_inspection_hook = None
            if compiled(kernels) != known:
                raise RuntimeError("a kernel was compiled again while it was timed: that time is of another compiler's code")
    return statistics.median(times["ours"]), statistics.median(times["triton"]), agree, same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--quick", action="store_true", help="smaller problems")
    parser.add_argument("--ordinary", action="store_true", help="the kernels of bench/ordinary.py, bench/further.py, bench/turns.py and bench/kernels/")
    parser.add_argument("--only", default="", help="cases whose name this regular expression finds")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    sys.path.insert(0, str(options.corpus))
    gluond.uninstall(gluond.install(fallback=False))  # an error now where this Triton or gluond will not do
    print(f"{torch.cuda.get_device_name()}, triton {triton.__version__}, torch {torch.__version__}")
    rows, ratios = [], []
    chosen = ordinary(options.quick) if options.ordinary else cases(options.corpus, options.quick)
    for name, kernels, run, outputs, size, flops in chosen:
        if not re.search(options.only, name):
            continue
        try:
            ours, theirs, agree, same = measure(kernels, run, outputs)
        except Exception as error:  # one broken kernel must not hide the others
            print(f"{name:45s} failed: {type(error).__name__}: {str(error)[:300]}", flush=True)
            rows.append({"name": name, "error": str(error)})
            if "CUDA error" in str(error):
                break
            continue
        unit, amount = ("TB/s", size / 1e9) if size else ("TFLOP/s", flops / 1e9) if flops else ("/s", 1e3)
        ratios.append(theirs / ours)
        rows.append({"name": name, "ours_ms": ours, "triton_ms": theirs, "ratio": theirs / ours, "agree": agree, "same_bits": same})
        print(f"{name:45s} {amount / ours:8.2f} {unit:8s} Triton {amount / theirs:8.2f}  ratio {theirs / ours:.3f}" + ("  same bits" if same else "" if agree else "  RESULTS DIFFER"), flush=True)
    if ratios:
        print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.3f}, worst {min(ratios):.3f}, {len(ratios)} kernels")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
