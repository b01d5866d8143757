import torch
lib = torch.library.Library("gl", "FRAGMENT")
lib.define("add(Tensor a, Tensor b) -> Tensor")
@torch.library.custom_op("gl::mul", mutates_args=())
def mul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor: return a * b
@mul.register_fake
def _(a, b): return torch.empty_like(a)
@torch.library.register_fake("gl::mul")
def fake(a, b): return a
mul.register_autograd(lambda ctx, g: g, setup_context=None)
@torch.library.impl(lib, "add", "CUDA")
def add(a, b): return a + b
lib.impl("add", add, "CPU")
class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, eps=1e-5): ctx.save_for_backward(x, w); ctx.eps = eps; return x * w
    @staticmethod
    @torch.cuda.amp.custom_bwd
    def backward(ctx, dy): x, w = ctx.saved_tensors; return dy * w, dy * x, None
op = Fn.apply
class M(torch.nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.w = torch.nn.Parameter(torch.empty(n)); self.register_buffer("b", torch.zeros(n)); self.layers = torch.nn.ModuleList([torch.nn.Linear(n, n) for _ in range(2)])
    def forward(self, x): return self.layers[0](x) + self.w
    @torch.no_grad()
    def run(self): return self.forward(self.b)
m = M(4); y = m(torch.randn(4)); m.eval().cuda().half(); sd = m.state_dict(); n = sum(p.numel() for p in m.parameters()); m.run()
@torch.compile(fullgraph=True)
def g(x): return x + 1
@torch.inference_mode()
def h(x): return x
@torch.jit.script
def s(x: torch.Tensor) -> torch.Tensor: return x
g(torch.ones(1)); h.__name__; s(torch.ones(1)).sum()
class E(torch.nn.Module):
    training: bool
    weight: torch.Tensor
e = E(); e.foo = 1
with torch.cuda.stream(torch.cuda.Stream()) as st: torch.cuda.synchronize()
with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16): pass
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph): pass
graph.replay(); start = torch.cuda.Event(enable_timing=True); start.record(); t = start.elapsed_time(start) / 2
