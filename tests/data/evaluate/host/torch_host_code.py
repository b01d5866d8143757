import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
torch.set_default_dtype(torch.float32)
torch.backends.cuda.matmul.allow_tf32 = True
device = torch.device('cuda:0')
dev2 = 'cuda' if torch.cuda.is_available() else 'cpu'
x = torch.randn(4, 8, device=device, dtype=torch.bfloat16)
y = x @ x.T
z = (x.float() * 2 + 1).to(torch.float16).contiguous().view(-1, 4).transpose(0, 1)
assert x.shape == (4, 8)
assert x.dtype is torch.bfloat16
assert x.stride() == (8, 1)
assert x.numel() == 32
assert x.element_size() == 2
assert x.is_contiguous()
assert x.dim() == 2
assert x.size(0) == 4
assert y.shape[0] == 4
assert z.shape == (4, 8)
for dt in [torch.float8_e4m3fn, torch.int8, torch.float32]:
    w = torch.empty((2, 3), dtype=dt, device='cuda')
    b = torch.finfo(dt).bits if dt.is_floating_point else torch.iinfo(dt).bits
torch.testing.assert_close(y, y, atol=0.01, rtol=0)
assert torch.allclose(x, x)
c = torch.cat([x, x], dim=0)
s = torch.stack([x, x])
assert c.shape == (8, 8)
assert s.shape == (2, 4, 8)
st = torch.cuda.Stream()
ev = torch.cuda.Event(enable_timing=True)
ev.record()
torch.cuda.synchronize()
props = torch.cuda.get_device_properties(0)
cap = torch.cuda.get_device_capability()
n_sm = props.multi_processor_count
name = torch.cuda.get_device_name(0)
with torch.cuda.stream(st), torch.no_grad(), torch.inference_mode():
    q = F.softmax(x, dim=-1)

@torch.no_grad()
def f(a):
    return a + 1
f(x)

@torch.compile(fullgraph=True)
def g(a):
    return a

class Net(nn.Module):

    def __init__(self, d=8):
        super().__init__()
        self.l = nn.Linear(d, d, bias=False)
        self.p = nn.Parameter(torch.ones(d))
        self.register_buffer('b', torch.zeros(1))
        self.m = nn.ModuleList([nn.ReLU() for _ in range(2)])

    def forward(self, x):
        return self.l(x) * self.p
net = Net().cuda().half().eval()
out = net(x.half())
sd = net.state_dict()
n = sum((p.numel() for p in net.parameters()))
net.load_state_dict(sd)

class Fn(torch.autograd.Function):

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a)
        ctx.k = 1
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, = ctx.saved_tensors
        return (g * a, None)
o = Fn.apply(x, x)
o.sum().backward() if o.requires_grad else None
lib = torch.library.Library('my', 'DEF')
lib.define('op(Tensor x) -> Tensor')

@torch.library.custom_op('my::op2', mutates_args=())
def op2(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

@op2.register_fake
def _(x):
    return torch.empty_like(x)
T = torch.Tensor | None
D = dict[torch.dtype, str]
m = {torch.float16: 'fp16', torch.bfloat16: 'bf16'}
assert m[x.dtype] == 'bf16'
idx = torch.arange(4, device='cuda')
x[idx] = 0
x[:, 0] += 1
x[..., None]
x[None]
mask = idx < 2
x[mask]
v, i = torch.topk(x.float(), 2, dim=1)
mx = x.max().item()
lst = idx.tolist()
a, b = x.chunk(2, dim=1)
h, w = x.shape
t = x.unsqueeze(0).expand(3, -1, -1).permute(2, 0, 1)
assert t.shape == (8, 3, 4)
assert a.shape == (4, 4)
prof = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
if torch.version.hip is not None:
    arch = props.gcnArchName.split(':')[0]
ver = tuple((int(v) for v in torch.__version__.split('+')[0].split('.')[:2]))
assert ver >= (2, 0)
g = torch.cuda.CUDAGraph()
with torch.cuda.graph(g):
    y = x + 1
g.replay()
del g
torch.cuda.empty_cache()
mem = torch.cuda.max_memory_allocated() / 2 ** 20
e = torch.einsum('mk,nk->mn', x, x)
bm = torch.bmm(x[None], x.T[None])
assert e.shape == (4, 4)
gen = torch.Generator(device='cuda').manual_seed(0)
r = torch.rand((2, 2), generator=gen, device='cuda')
r.uniform_(-1, 1)
r.zero_()
r.fill_(3).clamp_(0, 1)
torch.full_like(r, 1.0).copy_(r)
