import torch, triton, triton.language as tl, triton.testing, pytest, itertools, os, math
from triton.runtime import driver
from triton.tools.tensor_descriptor import TensorDescriptor
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier
DEVICE = triton.runtime.driver.active.get_active_torch_device()
def is_cuda(): return triton.runtime.driver.active.get_current_target().backend == "cuda"
def configs(): return [triton.Config({"BM": m, "BN": n}, num_warps=w, num_stages=s, pre_hook=hook) for m, n, w, s in itertools.product([64, 128], [64], [4], [2, 3])]
def hook(args): args["x"].zero_()
def prune(cfgs, named, **kw): return [c for c in cfgs if c.kwargs["BM"] <= named["M"]]
@triton.autotune(configs=configs(), key=["M", "N"], prune_configs_by={"early_config_prune": prune}, reset_to_zero=["x"])
@triton.heuristics({"EVEN": lambda a: a["M"] % a["BM"] == 0})
@gluon.jit
def kern(x, M, N, BM: gl.constexpr, BN: gl.constexpr, EVEN: gl.constexpr):
    gl.store(x, 1)
@triton.testing.perf_report(triton.testing.Benchmark(x_names=["N"], x_vals=[2 ** i for i in range(10, 12)], line_arg="p", line_vals=["a", "b"], line_names=["A", "B"], styles=[("blue", "-")], ylabel="GB/s", plot_name="p", args={"M": 4}))
def bench(N, p, M):
    q = [0.5, 0.2, 0.8]
    if p == "a": ms, lo, hi = triton.testing.do_bench(lambda: None, quantiles=q)
    else: ms = triton.testing.do_bench(lambda: None); lo = hi = ms
    gbps = lambda t: N * 1e-9 / (t * 1e-3)
    return gbps(ms), gbps(hi), gbps(lo)
bench.run(print_data=True, show_plots=False, save_path=".")
@pytest.mark.parametrize("M, N", [(1, 2), pytest.param(3, 4, marks=pytest.mark.slow, id="x")])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.skipif(not is_cuda(), reason="x")
def test_k(M, N, dtype, tmp_path, monkeypatch):
    monkeypatch.setenv("A", "1")
    with pytest.raises(ValueError, match="x") as e: raise ValueError("x")
    assert "x" in str(e.value)
@pytest.fixture(scope="module", params=[1, 2])
def fx(request): yield request.param
pytestmark = [pytest.mark.gpu]; skip = pytest.mark.skipif(False, reason=""); 
@skip
def test_s(fx): pass
class TestC:
    @pytest.mark.parametrize("a", range(2))
    def test_m(self, a): assert a < 2
props = driver.active.utils.get_device_properties(torch.cuda.current_device()); NUM_SM = props["multiprocessor_count"]; tgt = triton.runtime.driver.active.get_current_target(); arch = tgt.arch // 10 if is_cuda() else 0
grid = lambda META: (triton.cdiv(1024, META["BM"]) * triton.cdiv(1024, META["BN"]),)
x = torch.empty(1024, device=DEVICE); kern[grid](x, 1024, 1024); best = kern.best_config.kwargs["BM"] if hasattr(kern, "best_config") else 0; fn = kern.fn.fn if hasattr(kern, "fn") else kern
ver = tuple(map(int, triton.__version__.split(".")[:2])) >= (3, 4); nxt = triton.next_power_of_2(1000); cd = triton.cdiv(10, 3)
def alloc(size: int, alignment: int, stream: int | None): return torch.empty(size, dtype=torch.int8)
triton.set_allocator(alloc); knob = triton.knobs.compilation.always_compile; triton.knobs.runtime.interpret = False; os.environ["TRITON_INTERPRET"] = "0"
layout = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16); td = TensorDescriptor.from_tensor(x.view(32, 32), [16, 16]); bl = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0]); tt = {torch.float16: gl.float16, torch.float32: tl.float32}[torch.float16]; nb = tt.primitive_bitwidth // 8; lays = [bl, gl.SliceLayout(0, bl)]; same = bl == lays[0]; hs = {bl: 1}[bl]; r = repr(bl); gg = gl.constexpr(4); hh = gg.value + 1
@gluon.constexpr_function
def pick(n): return max(n, 32) // 32
@gluon.aggregate
class State:
    a: gl.tensor
    n: gl.constexpr
    @gluon.jit
    def step(self): return self.a
class Op:
    def __init__(self, block: int = 64): self.block = block; self.kern = kern; self.cache = {}
    def __call__(self, x): self.cache[x.shape] = self.kern; return self.kern[(1,)](x, 1, 1, 64, 64)
    @property
    def grid(self): return (triton.cdiv(4, self.block),)
Op()(x)
opts: "dict[str, gl.constexpr] | None" = None
def typed(d: tl.dtype | None, k: triton.JITFunction | None = None, e: gl.dtype | str = "x", c: triton.Config | None = None, desc: TensorDescriptor | torch.Tensor | None = None, l: gl.BlockedLayout | gl.SliceLayout | None = None, cc: triton.compiler.CompiledKernel | None = None): pass
ck = kern.warmup if hasattr(kern, "warmup") else None
try: from triton.language.extra import libdevice
except Exception: libdevice = None
try:
    import flash_attn; HAS = flash_attn.__version__ >= "2"
except (ImportError, AttributeError): HAS = False
