# Shapes that fit, in every way that torch accepts.
import torch

x = torch.randn(1000)
m = torch.randn(32, 64)
c = torch.randn(4, 8, 16)

x.view(10, 100), x.view(-1, 8), x.reshape(1000, 1), x.view(size=(10, 100)), x.reshape(shape=(5, 200))
x.view((2, 500)), x.view([2, -1]), x.view(torch.Size((4, 250))), x.view(torch.int32), x.view(torch.int16)
m.t().reshape(-1), m.t().view(64, 32), m.t().contiguous().view(-1), m.T.unsqueeze(0).view(1, 64, 32)
c.permute(1, 0, 2).view(8, 4, 4, 4), c.permute(2, 0, 1).reshape(64, 8), c[:, 0].view(4, 16), c[:, :, :4].view(32, 4)
c.transpose(0, 1).flatten(), c.expand(2, 4, 8, 16), c.expand(-1, -1, 16), m.expand_as(torch.randn(3, 32, 64))
torch.randn(1, 64).expand(32, 64), torch.randn(64).expand(32, -1), torch.zeros(()).expand(3), m.repeat(2, 1), m.repeat(1, 1, 1)
torch.zeros(()).sum(0), torch.zeros(()).view(1, 1), torch.zeros(0, 4).view(0, -1, 4) if False else 0, torch.zeros(0, 3).view(3, 0)
m.sum(1), m.sum(-2), m.sum((0, 1)), m.mean(dim=-1, keepdim=True), m.max(1, True).values.view(32, 1), m.sum(1, True) + m
m.norm(2), m.norm(2, 1).view(32), m.norm(2, -1, True) * m, m.std(), m.std(1).view(32), m.std(1, False, True) + m, m.var(False)
m.size(-1), m.stride(-2), m.squeeze(0), torch.randn(1, 3).squeeze(0).view(3), m.unsqueeze(-1).view(32, 64), m.unsqueeze(2)
x.split(300), x.split([400, 600]), x.chunk(7), x.narrow(0, 990, 10), m.unflatten(1, (8, 8)), m.unflatten(1, (-1, 4))
torch.cat([m, torch.randn(1, 64)]), torch.cat([m, torch.randn(32, 1)], dim=1), torch.cat([torch.empty(0), m]), torch.stack([m, m])
m @ m.t(), m @ torch.randn(64), torch.randn(32) @ m, torch.bmm(c, c.transpose(1, 2)), c @ torch.randn(16, 5), torch.matmul(c, c.mT)
m + 1, m + torch.randn(64), m * torch.randn(32, 1), c + torch.randn(1, 16), m == torch.randn(1), torch.where(m > 0, m, 0.0)
torch.where(m > 0, m, torch.randn(64)), torch.einsum("mk,nk->mn", m, m), torch.einsum("bhd,hd->b", c, torch.randn(1, 16))
torch.nn.functional.linear(m, torch.randn(8, 64)), torch.addmm(torch.randn(8), m, torch.randn(64, 8)), torch.baddbmm(c, c, torch.randn(4, 16, 16))
m.copy_(torch.randn(64)), m.copy_(torch.zeros(())), x.zero_().view(10, 100), m.scatter_(1, torch.zeros(32, 8, dtype=torch.int64), 1.0)
x.resize_(8).view(8), x.as_strided((2, 2), (1, 1), 3), m.to("cpu"), m.to(torch.float16), m.half().mean(), m.type("torch.HalfTensor")
m.index_add(0, torch.zeros(4, dtype=torch.int64), torch.randn(4, 64)), m.masked_fill(m > 0, 0), m.roll(1, 0), m.flip(0), m.topk(3).values.view(32, 3)
g = torch.zeros(6, 4)
g.t_()
g.view(4, 6) if g.is_contiguous() else g.reshape(-1)
h = torch.zeros(4)
h.unsqueeze_(0)
h.expand(3, 4)
n = torch.zeros(8).numel
if callable(n) and n() > 4 and n == n and n is not None:
    n = n()
