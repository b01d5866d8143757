"""Launches of the kernels in this folder, at sizes that fill an H200: kernels that nobody tuned the compiler for when they were first measured.

bench/gpu.py --ordinary times them.
"""
import sys
from pathlib import Path

import torch
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

sys.path.insert(0, str(Path(__file__).resolve().parent))
import attention  # noqa: E402
import moves  # noqa: E402
import products  # noqa: E402
import rows  # noqa: E402
import scans  # noqa: E402

f16, bf16, f32, f64, i32, i64 = torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32, torch.int64


def R(*shape, d=f32):
    return torch.randn(*shape, device="cuda").to(d)


def E(*shape, d=f32):
    return torch.empty(*shape, device="cuda", dtype=d)


def Z(*shape, d=f32):
    return torch.zeros(*shape, device="cuda", dtype=d)


def I(bound, *shape, d=i32):
    return torch.randint(0, bound, shape, device="cuda", dtype=d)


def described(tensor, block):
    element = gl.float16 if tensor.dtype == f16 else gl.bfloat16
    return TensorDescriptor.from_tensor(tensor, block, gl.NVMMASharedLayout.get_default_for(block, element))



def of_rows():
    n = 1 << 26
    x, y = R(n, d=f16), E(n, d=f16)
    yield "softmax of columns, fp16", rows.softmax_2d_col, lambda: rows.softmax_2d_col[(16384, )](y, x, 60, 1 << 20, 1 << 20, 64, 64), [y]
    xf, yf = R(n), E(n)
    yield "softmax of columns, fp32", rows.softmax_2d_col, lambda: rows.softmax_2d_col[((1 << 19) // 32, )](yf, xf, 127, 1 << 19, 1 << 19, 128, 32, num_warps=8), [yf]
    yield "softmax of a middle axis", rows.softmax_3d, lambda: rows.softmax_3d[(n // 8192, )](yf, xf, 1024, 64, 8, 16, 64), [yf]
    out = Z(1 << 16)
    xb = R(n, d=bf16)
    yield "online lse, bf16", rows.online_lse, lambda: rows.online_lse[(16384, )](out, xb, 4096, 4000, 2048, num_warps=8), [out]
    yield "online lse, 1 warp", rows.online_lse, lambda: rows.online_lse[(16384, )](out, xf, 4096, 4096, 1024, num_warps=1), [out]
    dx, g, w, rs, dw = E(n, d=bf16), R(n, d=bf16), R(2048, d=bf16), R(1 << 17).abs(), Z(2048)
    yield "rms backward, rows", rows.rms_bwd, lambda: rows.rms_bwd[(1056, )](dx, dw, g, xb, w, rs, 65001, 1024, 1, 1024), [dx]
    weights = R(2048)
    yield "rms backward, 4 rows", rows.rms_bwd, lambda: rows.rms_bwd[(264, )](y, dw, x, x, weights, rs, 32001, 2048, 4, 2048, num_warps=8), [y]
    res, mean, rstd, w16 = R(n, d=f16), E(1 << 16), E(1 << 16), R(4096, d=f16)
    # Each launch adds to the residual: there is nothing to compare.
    yield "layer norm with residual", rows.layernorm_fused_residual, lambda: rows.layernorm_fused_residual[(16384, )](y, mean, rstd, x, res, w16, w16, 4096, 1e-5, 1024), []
    yield "instance norm", rows.instance_norm, lambda: rows.instance_norm[(128, 128)](yf, xf, 128, 4000, 1e-5, 4096, num_warps=16), [yf]
    t = I(2, n)
    yield "focal loss", rows.focal_loss, lambda: rows.focal_loss[(n // 1024, )](yf, x, t, n, 0.25, 2.0, 1024), [yf]
    lab = I(32000, 2048, d=i64)
    yield "cross entropy, smoothed", rows.ce_smoothing, lambda: rows.ce_smoothing[(2048, )](out, xb, lab, 32000, -100, 0.1, 4096, num_warps=8), [out]
    pos = xf.abs() + 0.1
    yield "entropy of rows", rows.entropy_rows, lambda: rows.entropy_rows[(1024, )](out, pos, 16384, 4096, 16, 256), [out]
    yield "log softmax of 8", rows.log_softmax_small, lambda: rows.log_softmax_small[(n // 8 // 128, )](y, x, n // 8, 8, 128), [y]
    yield "log softmax of 16", rows.log_softmax_small, lambda: rows.log_softmax_small[(n // 16 // 128, )](yf, xf, n // 16, 16, 128), [yf]
    oi = Z(1 << 16, d=i32)
    yield "gumbel argmax", rows.gumbel_argmax, lambda: rows.gumbel_argmax[(16384, )](oi, x, 4001, 77, 4096, num_warps=8), [oi]
    xi = I(1 << 30, n)
    yield "min and max", rows.min_max_all, lambda: rows.min_max_all[(n // 2048, )](oi, xi, n, 2048), [oi]
    for ax, kind, d, h in ((0, "prod", f32, xf), (1, "xor", i32, xi), (2, "sum", f16, x)):
        o = E(n, d=d)
        yield f"reduce {kind} over axis {ax}", rows.reduce_kinds, lambda: rows.reduce_kinds[(n // 8192, )](o, h, 16, 16, 32, ax, kind), [o]
    yield "l2 normalize", rows.l2_normalize, lambda: rows.l2_normalize[(32768, )](y, x, 2048, 2048), [y]
    xd, yd = R(1 << 25, d=f64), E(1 << 25, d=f64)
    yield "rows of doubles", rows.double_rows, lambda: rows.double_rows[(32768, )](yd, xd, 1001, 1024), [yd]
    lens = torch.full((64, ), 480, device="cuda", dtype=i32)
    bias = R(2048)
    yield "masked softmax", rows.masked_softmax, lambda: rows.masked_softmax[(128, 64)](y, x, lens, bias, 501, 4, 512), [y]
    yield "variance of columns", rows.variance_columns, lambda: rows.variance_columns[(256, )](mean, rstd, x, 4096, 16384, 32, 64), [mean, rstd]

def of_scans():
    n = 1 << 26
    x, y = R(n), E(n)
    yield "scan, 4 a thread", scans.scan_1d, lambda: scans.scan_1d[(65536, )](y, x, 1001, 1024, 4, False, "sum"), [y]
    yield "scan backwards, 1 a thread", scans.scan_1d, lambda: scans.scan_1d[(16384, )](y, x, 4096, 4096, 1, True, "sum", num_warps=8), [y]
    xb, yb = R(n, d=bf16), E(n, d=bf16)
    yield "running max, bf16", scans.scan_1d, lambda: scans.scan_1d[(8192, )](yb, xb, 8192, 8192, 8, False, "max", num_warps=16), [yb]
    for a in ((32, 128, 1, False, 1, 4, 1, 4), (64, 64, 0, False, 2, 4, 4, 2), (128, 32, 0, True, 1, 4, 4, 4)):
        yield f"scan 2d {a[:3]}", scans.scan_2d, lambda: scans.scan_2d[(n // 4096, )](y, x, *a), [y]
    yield "scan 3d", scans.scan_3d, lambda: scans.scan_3d[(n // 4096, )](y, x, 8, 16, 32, 0), [y]
    f = I(8, n) // 7
    yield "segmented sum", scans.segmented_sum, lambda: scans.segmented_sum[(65000, )](y, x, f, 1001, 1024, 4), [y]
    a, c = R(1 << 24).abs(), R(1 << 24, d=bf16)
    yb2 = E(1 << 24, d=bf16)
    yield "state space chunk", scans.mamba_chunk, lambda: scans.mamba_chunk[(8192 // 32, )](yb2, a, c, c, 2048, 8192, 64, 32), [yb2]
    o = Z(1 << 18)
    yield "softmax by one reduction", scans.online_softmax_reduce, lambda: scans.online_softmax_reduce[(65000, )](o, x, 1001, 1024), [o]
    o2 = Z(1 << 18)
    xh = R(n, d=f16)
    yield "welford, rows", scans.welford_rows, lambda: scans.welford_rows[(16384, )](o, o2, xh, 501, 8, 512), [o, o2]
    yield "bitonic by reshapes", scans.bitonic_reshape, lambda: scans.bitonic_reshape[(16384, )](y, x, 256, 8, 2), [y]
    yield "bitonic by gathers", scans.bitonic_gather, lambda: scans.bitonic_gather[(65536, )](y, x, 128, 7, num_warps=1), [y]
    yield "sort of rows", scans.sort_rows_xor, lambda: scans.sort_rows_xor[(16384, )](y, x, 32, 32, 5), [y]
    ids = Z(1 << 18, d=i32)
    yield "top 4", scans.topk_loop, lambda: scans.topk_loop[(8192, )](o, ids, xh, 250, 4, 4, 256), [o, ids]
    yh = E(n, d=f16)
    yield "sum with a carry", scans.cumsum_carry, lambda: scans.cumsum_carry[(8192, )](yh, xh, 8001, 1024), [yh]
    hist, keys = Z(1 << 22, d=i32), I(1 << 30, n)
    yield "radix counts", scans.radix_count, lambda: scans.radix_count[(n // 512, )](hist, keys.view(torch.uint32), n, 4, 512, 16), [hist]

def of_moves():
    n = 1 << 26
    x, y, xh, yh = R(n), E(n), R(n, d=f16), E(n, d=f16)
    e = R(n).to(torch.float8_e4m3fn)
    yield "fp8 to fp16, scaled", moves.affine_convert, lambda: moves.affine_convert[(n // 2048, )](yh, e, n, 1.5, 0.25, 2048, 16), [yh]
    xb = R(n, d=bf16)
    yb8 = E(n, d=torch.float8_e5m2)
    yield "bf16 to fp8e5", moves.affine_convert, lambda: moves.affine_convert[(n // 2048, )](yb8, xb, n, 1.5, 0.25, 2048, 8), [yb8]
    i8 = I(100, n, d=torch.int8)
    yield "int8 to fp16", moves.affine_convert, lambda: moves.affine_convert[(n // 2048, )](yh, i8, n, 1.5, 0.25, 2048, 8), [yh]
    yield "fp32 to fp16, rtz", moves.rtz_convert, lambda: moves.rtz_convert[(n // 1024, )](yh, x, n, 1024), [yh]
    yield "permute 4d", moves.permute_4d, lambda: moves.permute_4d[(n // 8192, )](yh, xh, 4, 8, 16, 16), [yh]
    yield "transpose, swizzled", moves.transpose_swizzled, lambda: moves.transpose_swizzled[(128, 128)](yh, xh, 8192, 8192, 64, 64, 8, 8), [yh]
    yield "transpose, fp32", moves.transpose_swizzled, lambda: moves.transpose_swizzled[(256, 128)](y, x, 8192, 8192, 32, 64, 4, 1), [y]
    yield "pixel shuffle", moves.pixel_shuffle, lambda: moves.pixel_shuffle[(n // 1024, )](yh, xh, 64, 512, 512, 1024), [yh]
    yield "upsample", moves.upsample_bilinear, lambda: moves.upsample_bilinear[(32, 8000)](yh, xh, 4000, 4001, 8000, 8001, 256), [yh]
    q, k = R(1 << 25, d=bf16), R(1 << 25, d=bf16)
    cs, sn, pos = R(4096, 64), R(4096, 64), I(4096, 16384)
    yield "rope, neox", moves.rope_neox, lambda: moves.rope_neox[(16384, )](q, k, cs, sn, pos, 2048, 128, 15, 128, 16), []
    yield "philox dropout", moves.philox_dropout, lambda: moves.philox_dropout[(n // 1024, )](yh, xh, n, 0.1, 1 << 40, 1024), [yh]
    q8, sc, z8 = E(n, d=torch.uint8), E(n // 64), E(n // 64, d=torch.uint8)
    yield "int8 by groups", moves.quant_int8_groups, lambda: moves.quant_int8_groups[(4096 // 1, 8)](q8, sc, z8, xb, 4096, 4, 128, 4), [q8, sc]
    p4, s4, z4 = I(1 << 30, n // 8), R(n // 128, d=f16), R(n // 128, d=f16)
    yield "int4 unpack", moves.unpack_int4_rows, lambda: moves.unpack_int4_rows[(n // 512 // 4, )](yh, p4, s4, z4, 512, 128, 4, 512), [yh]
    yield "pack bits", moves.pack_bits, lambda: moves.pack_bits[(n // 8 // 256, )](q8, x, n // 8, 256), [q8]
    idx = I(32768, 32768)
    yield "gather rows by cp.async", moves.gather_rows_async, lambda: moves.gather_rows_async[(32768 // 8, )](y, x, idx, 2048, 32767, 8, 128), [y]
    hist, u8 = Z(256, d=i32), I(256, n, d=torch.uint8)
    yield "histogram in shared memory", moves.shared_histogram, lambda: moves.shared_histogram[(1056, )](hist, u8, n, 256, 1024), []
    yield "histogram", moves.hist_builtin, lambda: moves.hist_builtin[(n // 2048, )](hist, u8, n - 1, 256, 2048), []
    yield "interleave", moves.interleave, lambda: moves.interleave[(n // 2048, )](yh, xh, xh, n // 2, 1024), [yh]
    yield "complex square", moves.deinterleave_mul, lambda: moves.deinterleave_mul[(n // 1024, )](y, y[n // 2:], x, n, 1024), [y]
    pb, gb, mm = R(n, d=bf16), R(n, d=bf16), R(n)
    yield "optimizer step", moves.muon_lerp, lambda: moves.muon_lerp[(1056, )](pb, gb, mm, n, 0.01, 0.9, 0.1, 1024), []
    for fn in ("sin", "erf", "mod", "tanh", "sqrt"):
        yield f"math {fn}", moves.maths, lambda: moves.maths[(n // 1024, )](y, x, n, 1024, fn), [y]
    ia, ib, io = I(1 << 30, n), I(1000, n) + 1, E(n, d=i32)
    for fn in ("divmod", "const"):
        yield f"integers {fn}", moves.ints, lambda: moves.ints[(n // 1024, )](io, ia, ib, n, 1024, fn), [io]
    yield "64-bit indices", moves.i64_index, lambda: moves.i64_index[(n // 1024, )](yh, xh, 1 << 20, 1, 1024, 64, 1024, 1024, 1024), [yh]
    for kind in ("row", "band", "tri", "even"):
        yield f"mask {kind}", moves.masks_kind, lambda: moves.masks_kind[(n // 64 // 32, )](yh, xh, n // 64 - 3, 64, 20, 20, 32, 64, kind), [yh]

def of_products():
    n = 4096
    a, b, c = R(n, n, d=f16), R(n, n, d=f16), E(n, n, d=f16)
    yield "mma from registers", products.mma_plain, lambda: products.mma_plain[(n // 64, n // 64)](a, b, c, n, n, n, n, n, n, 64, 64, 32, 2, 16, gl.float32), [c]
    yield "mma, fp16 accumulator", products.mma_plain, lambda: products.mma_plain[(n // 64, n // 128)](a, b, c, n, n, n, n, n, n, 64, 128, 32, 2, 16, gl.float16), []
    i8, c32 = I(20, n, n, d=torch.int8), E(n, n, d=i32)
    yield "mma int8", products.mma_plain, lambda: products.mma_plain[(n // 64, n // 64)](i8, i8, c32, n, n, n, n, n, n, 64, 64, 64, 4, 32, gl.int32), [c32]
    af, cf = R(n, n), E(n, n)
    yield "mma tf32", products.mma_plain, lambda: products.mma_plain[(n // 64, n // 64)](af, af, cf, n, n, n, n, n, n, 64, 64, 32, 1, 8, gl.float32), [cf]
    yield "mma pipelined, 3 stages", products.mma_transposed_b, lambda: products.mma_transposed_b[(n // 128, n // 128)](a, b, c, n, n, n, n, 128, 128, 32, 2, 3, 8), [c]
    ab, cb = R(n, n, d=bf16), E(n, n, d=bf16)
    yield "mma pipelined, 4 stages, 8 warps", products.mma_transposed_b, lambda: products.mma_transposed_b[(n // 64, n // 128)](ab, ab, cb, n, n, n, n, 64, 128, 64, 2, 4, 8, num_warps=8), [cb]
    a8 = R(n, n).to(torch.float8_e4m3fn)
    yield "mma fp8 pipelined", products.mma_transposed_b, lambda: products.mma_transposed_b[(n // 128, n // 64)](a8, a8, cb, n, n, n, n, 128, 64, 128, 4, 3, 16), [cb]
    yield "mma tf32 pipelined", products.mma_transposed_b, lambda: products.mma_transposed_b[(n // 64, n // 64)](af, af, cf, n, n, n, n, 64, 64, 32, 1, 3, 4), [cf]
    bias = R(n, d=f16)
    yield "product with silu", products.gemm_epilogue, lambda: products.gemm_epilogue[(n // 64, n // 64)](a, b, c, bias, a, n, n, n, n, 64, 64, 32, "silu"), [c]
    yield "split-K fp16 atomics", products.splitk_half_atomics, lambda: products.splitk_half_atomics[(16, 16, 4)](a, b, c, 1024, 1024, n, n, n, n, 64, 64, 32, 4, "mma"), []
    s16 = R(n // 64, n, d=f16)
    q4 = I(100, n // 2, n, d=torch.int8)
    yield "int4 weights", products.int4_gemm, lambda: products.int4_gemm[(2048 // 32, n // 64)](a, q4, s16, c, n, n, 32, 64, 64, 128), [c]
    yield "small products", products.batched_small, lambda: products.batched_small[(16384, )](a, b, cf.view(-1), 4, 16, 16, 8), [cf]
    yield "dot by FMA", products.fma_dot, lambda: products.fma_dot[(32, 32)](af, af, cf, 2048, n, n, n, 64, 64, 16, False), [cf]
    yield "dot by FMA, shared", products.fma_dot, lambda: products.fma_dot[(64, 32)](af, af, cf, 2048, n, n, n, 32, 64, 32, True), [cf]
    sA, sB = R(n, n // 128).abs(), R(n // 64, n // 128).abs()
    yield "fp8 by blocks", products.gemm_fp8_blockscale, lambda: products.gemm_fp8_blockscale[(n // 64, n // 64)](a8, a8, sA, sB, cb, n, n, 64, 64, 128), [cb]
    yield "wgmma from shared", products.wgmma_gemm, lambda: products.wgmma_gemm[(n // 64, n // 64)](a, b, c, n, n, n, n, 64, 64, 64, False), [c]
    yield "wgmma A in registers", products.wgmma_gemm, lambda: products.wgmma_gemm[(n // 128, n // 128)](a, b, cf, n, n, n, n, 128, 128, 64, True, num_warps=8), [cf]
    yield "wgmma fp8", products.wgmma_gemm, lambda: products.wgmma_gemm[(n // 64, n // 128)](a8, a8, cb, n, n, n, n, 64, 128, 128, False), [cb]
    yield "wgmma tf32", products.wgmma_gemm, lambda: products.wgmma_gemm[(n // 64, n // 64)](af, af, cf, n, n, n, n, 64, 64, 32, True), [cf]
    da, db = described(a, [128, 64]), described(b, [64, 128])
    yield "wgmma ring", products.wgmma_tma_pingpong, lambda: products.wgmma_tma_pingpong[(n // 128, n // 128)](da, db, c, n, n, 128, 128, 64, 4), [c]
    dab, dbb = described(ab, [64, 64]), described(ab, [64, 256])
    yield "wgmma ring, wide", products.wgmma_tma_pingpong, lambda: products.wgmma_tma_pingpong[(n // 64, n // 256)](dab, dbb, cb, n, n, 64, 256, 64, 3), [cb]

def of_attention():
    H, S_, D_ = 64, 2048, 64
    q, k, v, o = (R(H, S_, 64, d=f16) for _ in range(4))
    lse = E(H, S_)
    yield "attention, causal", attention.flash_fwd, lambda: attention.flash_fwd[(S_ // 64, H)](q, k, v, o, lse, 0.125, S_ * 64, S_ * 64, S_, 4, 64, 64, 64, True, 0), [o, lse]
    qb, kb, vb, ob = (R(H, S_, 128, d=bf16) for _ in range(4))
    yield "attention, window", attention.flash_fwd, lambda: attention.flash_fwd[(S_ // 128, H)](qb, kb, vb, ob, lse, 0.09, S_ * 128, S_ * 128, S_, 4, 128, 128, 32, True, 256, num_warps=8), [ob, lse]
    of = E(H, S_, 64)
    yield "attention, full", attention.flash_fwd, lambda: attention.flash_fwd[(S_ // 128, H)](q, k, v, of, lse, 0.125, S_ * 64, S_ * 64, S_, 4, 64, 128, 64, False, 0), [of, lse]
    dk, dv, l2, dl = E(H, S_, 64, d=f16), E(H, S_, 64, d=f16), R(H, S_).abs() + 20, R(H, S_)
    yield "attention backward", attention.flash_bwd_dkdv, lambda: attention.flash_bwd_dkdv[(S_ // 64, H)](q, k, v, o, dk, dv, l2, dl, 0.125, S_ * 64, S_, 64, 32, 64), [dk, dv]
    kk, vv = R(128, 4096, 128, d=f16), R(128, 4096, 128, d=f16)
    qq, po, pm, lens = R(128, 4, 128, d=f16), E(128 * 4 * 4, 128), E(128 * 4 * 4), torch.full((128, ), 4000, device="cuda", dtype=i32)
    yield "decode, split", attention.decode_split, lambda: attention.decode_split[(128, 4)](qq, kk, vv, po, pm, lens, 0.09, 4096 * 128, 4, 128, 32, 4), [po, pm]
    kc, vc = R(16384, 32, 128, d=f16), R(16384, 32, 128, d=f16)
    table = torch.randperm(16384, device="cuda").to(i32)
    oo, q2 = E(128, 16, 128, d=f16), R(128, 16, 128, d=f16)
    yield "paged attention", attention.paged_gqa, lambda: attention.paged_gqa[(128, )](oo, q2, kc, vc, table, lens, 0.09, 128, 32 * 128, 128, 32, 16), [oo]
    po8, pm8, o8 = R(65536 * 8, 128), R(65536 * 8), E(65536, 128, d=f16)
    yield "combine splits", attention.combine_splits, lambda: attention.combine_splits[(65536, )](o8, po8, pm8, 8, 128), [o8]
    d = [described(z.view(-1, z.shape[-1]), [64, 64]) for z in (q, k, v)]
    yield "wgmma attention, 64", attention.flash_wgmma_tma, lambda: attention.flash_wgmma_tma[(S_ // 64, H)](*d, o, 0.18, S_, 64, 64, 64), [o]
    e = [described(qb.view(-1, 128), [128, 128]), described(kb.view(-1, 128), [64, 128]), described(vb.view(-1, 128), [64, 128])]
    yield "wgmma attention, 128", attention.flash_wgmma_tma, lambda: attention.flash_wgmma_tma[(S_ // 128, H)](*e, ob, 0.12, S_, 128, 128, 64, num_warps=8), [ob]
    g = [described(z.view(-1, z.shape[-1]), [128, 64]) for z in (q, k, v)]
    yield "wgmma attention, 128 rows", attention.flash_wgmma_tma, lambda: attention.flash_wgmma_tma[(S_ // 128, H)](*g, of, 0.18, S_, 64, 128, 128), [of]
    hh = R(H).abs()
    q3, k3, v3, o3 = (R(H, S_, 64, d=bf16) for _ in range(4))
    yield "linear attention", attention.linear_attn_chunk, lambda: attention.linear_attn_chunk[(H, )](q3, k3, v3, o3, hh, S_, 64, 64, True), [o3]


def cases(scale=1):
    """(name, kernel, launch, outputs), as in bench/further.py; `scale` is ignored: they are small."""
    for part in (of_rows, of_scans, of_moves, of_products, of_attention):
        yield from part()
        torch.cuda.empty_cache()
