"""Tests of a program that uses torch on "cuda", which test_simulation.py runs on the CPU."""
import io
import threading

import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def double(x, out, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i, mask=i < n) * 2, mask=i < n)


def doubled(x):
    out = torch.empty_like(x)
    double[(triton.cdiv(x.numel(), 128), )](x, out, x.numel(), 128)
    return out


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int32])
def test_dtypes(dtype):
    x = torch.arange(300, device="cuda").to(dtype)
    torch.testing.assert_close(doubled(x), x * 2)


def test_where_tensors_are():
    x = torch.randn(8, device="cuda")
    assert x.is_cuda and x.device.type == "cuda" and x.device == torch.device("cuda", 0) and x.get_device() == 0
    for other in (x + 1, x[2:], x.view(2, 4).t(), torch.cat([x, x]), torch.empty_like(x), x.new_zeros(3), x.sum(), torch.zeros(3, device=x.device),
                  x.to(torch.float16), doubled(x), torch.empty(4).cuda(), torch.tensor([1, 2], device="cuda:0"), x.clone(), x.detach(), *x.split(4)):
        assert other.is_cuda and other.device == x.device
    for other in (x.cpu(), x.to("cpu"), torch.zeros(2), x.to(device="cpu", dtype=torch.float64), torch.zeros_like(x, device="cpu")):
        assert not other.is_cuda and other.device.type == "cpu"
    assert x.to(torch.zeros(2)).device.type == "cpu" and torch.zeros(2).to(x).is_cuda
    assert x.to("cuda", torch.float16).dtype == torch.float16 and x.to("cpu", torch.int32, True, True).dtype == torch.int32


def test_copies_are_copies():
    x = torch.ones(300, device="cuda")
    host, same = x.cpu(), x.to("cuda")
    assert same is x or same.data_ptr() == x.data_ptr()
    double[(3, )](x, x, 300, 128)
    assert (host == 1).all() and (x == 2).all() and (same == 2).all()
    there = host.cuda()
    there += 1
    assert (host == 1).all()
    again = torch.as_tensor(host, device="cuda")
    again += 1
    assert (host == 1).all()


def test_default_device():
    with torch.device("cuda"):
        assert torch.ones(3).is_cuda
    assert not torch.ones(3).is_cuda
    torch.set_default_device("cuda")
    try:
        assert torch.ones(3).is_cuda and not torch.ones(3, device="cpu").is_cuda
    finally:
        torch.set_default_device(None)


def test_a_module_and_its_gradients():
    layer = torch.nn.Linear(16, 4).to("cuda")
    y = layer(torch.ones(2, 16, device="cuda"))
    assert y.is_cuda
    y.sum().backward()
    assert layer.weight.grad.shape == (4, 16)
    torch.testing.assert_close(doubled(y.detach()), y.detach() * 2)


def test_leaves_collect_gradients():
    x = torch.randn(3, device="cuda", requires_grad=True)
    assert x.is_leaf and x.is_cuda
    (x * 2).sum().backward()
    assert (x.grad == 2).all()
    layer = torch.nn.Linear(4, 2).cuda()
    optimizer = torch.optim.AdamW(layer.parameters())
    torch.nn.functional.cross_entropy(layer(torch.ones(2, 4, device="cuda")), torch.tensor([0, 1], device="cuda")).backward()
    optimizer.step()


def test_files():
    file = io.BytesIO()
    x = {"x": torch.randn(4, device="cuda"), "state": torch.nn.Linear(2, 2).state_dict()}
    torch.save(x, file)
    for where in ("cuda", "cpu"):
        file.seek(0)
        loaded = torch.load(file, map_location=where)
        assert loaded["x"].device.type == loaded["state"]["weight"].device.type == where and torch.equal(loaded["x"].cpu(), x["x"].cpu())


def test_random_numbers():
    torch.manual_seed(3)
    a = torch.rand(4, device="cuda")
    torch.cuda.manual_seed(3)
    assert torch.equal(a, torch.rand(4, device="cuda"))
    generator = torch.Generator(device="cuda")
    generator.manual_seed(5)
    assert torch.rand(4, device="cuda", generator=generator).is_cuda


def test_torch_cuda():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.get_device_capability() == (9, 0)
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(torch.cuda.Stream()):
        begin.record()
        doubled(torch.ones(10, device="cuda"))
        end.record()
    torch.cuda.synchronize()
    assert begin.elapsed_time(end) > 0
    assert triton.testing.do_bench(lambda: doubled(torch.ones(10, device="cuda"))) > 0
    assert torch.ones(3).pin_memory().is_cuda is False
    with pytest.raises(NotImplementedError):
        torch.cuda.CUDAGraph()


def test_other_threads():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(doubled(torch.ones(3, device="cuda"))))
    thread.start()
    thread.join()
    assert seen[0].is_cuda and (seen[0] == 2).all()


def test_views_reach_their_whole_allocation():
    x = torch.zeros(300, device="cuda")
    double[(1, )](x[100:], x[:100], 100, 128)
    double[(1, )](torch.ones(100, device="cuda"), x[100:], 100, 128)
    assert (x[100:200] == 2).all() and (x[200:] == 0).all()


@gluon.jit
def double_each(table, out, n, BLOCK: gl.constexpr):
    x = gl.load(table + gl.program_id(0)).to(gl.pointer_type(gl.float32), bitcast=True)
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + gl.program_id(0) * n + i, gl.load(x + i, mask=i < n) * 2, mask=i < n)


def test_pointers_in_a_table():
    rows = [torch.randn(100, device="cuda") for _ in range(3)]
    table = torch.tensor([row.data_ptr() for row in rows], device="cuda")
    out = torch.empty((3, 100), device="cuda")
    double_each[(3, )](table, out, 100, 128)
    torch.testing.assert_close(out, torch.stack(rows) * 2)
