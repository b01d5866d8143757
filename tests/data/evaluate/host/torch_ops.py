import torch, math
a = torch.randn((4, 8), device="cuda", dtype=torch.float16); b = torch.empty_like(a).normal_(std=0.1); M, K = a.shape; (N,) = torch.zeros(3).shape
c = (a @ b.T).relu() + 1 - a.sum(dim=-1, keepdim=True); d = a[:, :2].contiguous().view(-1).reshape(2, -1).transpose(0, 1); e = torch.where(a > 0, a, torch.zeros_like(a)); f = a.to(torch.float32).abs().max().item() / 448.0
a[0] = 1; a[:, 1:] += b[:, 1:]; a *= 2; a.copy_(b); g = ~(a > 0) & (a < 1) | (a == 0); h = -a ** 2 // 1 % 3; i = 1 / a; j = 2 ** a; k = a << 1; k ^= 3
assert a.shape == b.shape and a.is_cuda and a.dtype in (torch.float16,) and a.dim() == 2 and a.stride(0) == 8 and a.is_contiguous() and a.numel() == 32 and a.size(0) == M and len(a) == 4 and a.data_ptr() % 16 == 0 and a.device.type == "cuda" and a.ndim == 2 and a.element_size() * 8 == 16
torch.testing.assert_close(a, a, atol=1e-2, rtol=1e-2); assert torch.allclose(a, a) and torch.equal(a, a)
for row in a: float(row[0])
for p, q in zip(a.unbind(0), b.split(2)): p + q.sum()
x, y, z = torch.chunk(torch.randn(3, 4), 3); vals, idx = torch.topk(a, 2, dim=-1); s, ind = a.sort(); u = torch.cat([a, b], dim=0); st = torch.stack((a, b)); w = a.int().tolist()[0][0] + 1; ar = torch.arange(0, 8, device=a.device)[None, :]; ex = a.unsqueeze(0).expand(2, -1, -1); pe = a.permute(1, 0); r = torch.randint(0, 5, (3,)); fl = a.flatten()[0]; n = int(fl); nn_ = float(fl); l = [v for v in r.tolist() if v]; nb = a.nelement() * 2; big = max(a.shape); fm = f"{a.mean():.3f} {a}"; v8 = a.view(torch.int8); sc = torch.full((1,), 1.0 / math.sqrt(64)); q8 = a.to(torch.float8_e4m3fn); ms = torch.cuda.memory_allocated() / 1e9
fl2 = 2 * M * N * K * 1e-12 / (ms + 1); t = torch.tensor(1.0); t.requires_grad_(); t.backward(); gr = t.grad.data; tt = torch.einsum("ij,jk->ik", a, b.T); lse = torch.logsumexp(a.float(), -1)
