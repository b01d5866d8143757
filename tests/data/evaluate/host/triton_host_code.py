import torch, triton
import triton.language as tl
from triton.testing import do_bench, perf_report, Benchmark
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.testing.perf_report(triton.testing.Benchmark(x_names=['N'], x_vals=[2 ** i for i in range(4, 6)], line_arg='p', line_vals=['a', 'b'], line_names=['A', 'B'], styles=[('blue', '-')], ylabel='GB/s', plot_name='p', args={}))
def bench(N, p):
    ms, lo, hi = triton.testing.do_bench(lambda: None, quantiles=[0.5, 0.2, 0.8])
    return (ms, lo, hi)
if __name__ == '__main__':
    bench.run(print_data=True, show_plots=False, save_path='.')
cfgs = [triton.Config({'B': b}, num_warps=w, num_stages=s) for b in (64, 128) for w in (4, 8) for s in (2,)]
assert len(cfgs) == 4
assert cfgs[0].kwargs['B'] == 64
assert cfgs[0].num_warps == 4
assert triton.cdiv(7, 2) == 4
assert triton.next_power_of_2(5) == 8

@triton.autotune(configs=cfgs, key=['n'], prune_configs_by={'early_config_prune': lambda c, a, **k: c})
@triton.heuristics({'EVEN': lambda a: a['n'] % 2 == 0})
@triton.jit
def k(x, n, B: tl.constexpr, EVEN: tl.constexpr):
    pass

@triton.jit(do_not_specialize=['n'], debug=False)
def k2(x, n):
    tl.store(x, n)

def alloc(size, align, stream):
    return torch.empty(size, dtype=torch.int8, device='cuda')
triton.set_allocator(alloc)
drv = triton.runtime.driver.active
dev = drv.get_current_device()
tgt = drv.get_current_target()
props = drv.utils.get_device_properties(dev)
nsm = props['multiprocessor_count']
smem = props['max_shared_mem']
is_cuda = tgt.backend == 'cuda'
arch = tgt.arch

def is_hopper():
    t = triton.runtime.driver.active.get_current_target()
    return t.backend == 'cuda' and torch.cuda.get_device_capability()[0] == 9
if is_hopper():
    pass

def grid(meta):
    return (triton.cdiv(100, meta['B']), 1)
ver = triton.__version__
maj = int(ver.split('.')[0])
assert maj >= 3
desc = TensorDescriptor.from_tensor(torch.empty(64, 64, device='cuda', dtype=torch.float16), [32, 32])
d2 = TensorDescriptor(torch.empty(64, 64, device='cuda'), shape=[64, 64], strides=[64, 1], block_shape=[32, 32])
d2.block_shape = [16, 16]
triton.knobs.runtime.debug = False
triton.knobs.autotuning.print = True
h = triton.runtime.cache
dt = tl.float16
assert dt.primitive_bitwidth == 16
assert tl.dtype('fp16') == tl.float16
assert {tl.float16: 1}[tl.float16] == 1
assert str(tl.float32) == 'fp32'
assert tl.pointer_type(tl.float32) is not None
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
src = ASTSource(fn=k2, signature={'x': '*fp32', 'n': 'i32'}, constexprs={})
t = GPUTarget('cuda', 90, 32)
assert t.arch == 90
