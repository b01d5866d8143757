# Arguments of torch's factories, and tensors on two devices, as torch takes them.
import torch

torch.zeros(2, 3)
torch.zeros((2, 3))
torch.zeros(size=(2, 3), device="cuda")
torch.zeros(())
torch.empty(*(2, 3))
torch.empty(*[4])
torch.full((2, 3), 1.0)
torch.full(size=(2, 3), fill_value=1.0)
torch.randint(10, (3, ))
torch.randint(0, 10, (3, ))
torch.randint(low=0, high=10, size=(3, ))
torch.randint(10, size=(3, ))
torch.randint(0, high=10, size=[3])
torch.arange(5)
torch.arange(end=5)
torch.arange(1, 5, 2)
torch.arange(start=1, end=5)
torch.linspace(0, 1, 5)
torch.linspace(0, 1, steps=5)
torch.linspace(start=0, end=1, steps=5)
torch.eye(4)
torch.eye(n=4, m=2)
torch.randperm(4)
torch.tensor(data=[1, 2])
torch.tensor([])
torch.tensor([[], []])
torch.tensor([[1], [2]])
torch.tensor([[1, 2], (3, 4)])
torch.tensor(3)
torch.full_like(torch.zeros(2), fill_value=3)
torch.zeros_like(input=torch.zeros(2))
torch.randint_like(torch.zeros(2), 10)
torch.empty_strided((2, 3), (3, 1))


def made(*sizes, **options):
    return torch.empty(*sizes, **options)


made(2, 3, device="cuda")
made((2, 3))

x, y = torch.randn(8, device="cuda"), torch.randn(8)
x * torch.tensor(2.0)
torch.tensor(2.0) + x
x + y.cuda()
x + y.to("cuda")
x + y.to(x.device)
x + y.to(x)
x.cpu() + y
x.copy_(y)
x[torch.tensor([0, 1])]
torch.testing.assert_close(x.cpu(), y)
torch.testing.assert_close(x, x * 2)
torch.testing.assert_close(x, y, check_device=False)

c = torch.randn(8, dtype=torch.complex64, device="cuda")
assert c.dtype.is_complex and c.dtype.itemsize == 8
assert (c * 2.0).dtype == torch.complex64 and (c + x).dtype == torch.complex64
assert c.view(torch.float32).shape == (16, )
torch.view_as_real(c).contiguous()
c.abs() + x
