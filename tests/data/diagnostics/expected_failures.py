"""Launches that the program expects to fail: what is wrong with them is no mistake."""
import unittest

import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def add_one(p, n, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    gl.store(p + i, gl.load(p + i, mask=i < n) + 1, mask=i < n)


def make():
    return torch.zeros(1000, device="cuda")


def test_right():
    add_one[(1, )](make(), 100, 128)


def test_raises():
    with pytest.raises(triton.CompilationError):
        add_one[(1, )](make(), 100, 100)
    with pytest.raises(Exception, match="power of 2"):
        add_one[(1, )](make(), 100, BLOCK=101)


@pytest.mark.xfail(strict=True)
def test_fails():
    add_one[(1, )](make(), 100, 102)


@pytest.mark.parametrize("block", [128, pytest.param(103, marks=pytest.mark.xfail), pytest.param(104, marks=[pytest.mark.xfail(reason="later")])])
def test_some_fail(block):
    add_one[(1, )](make(), 100, block)


def test_caught():
    try:
        add_one[(1, )](make(), 100, 105)
    except (ValueError, triton.compiler.errors.CompilationError):
        return
    assert False


class Refusals(unittest.TestCase):
    def test_raises(self):
        with self.assertRaises(Exception):
            add_one[(1, )](make(), 100, 106)
        self.assertRaises(Exception, lambda: add_one[(1, )](make(), 100, 107))
        self.assertRaisesRegex(Exception, "power", add_one[(1, )], make(), 100, 108)
        pytest.raises(Exception, add_one[(1, )], make(), 100, BLOCK=109)

    @unittest.expectedFailure
    def test_fails(self):
        add_one[(1, )](make(), 100, 110)


# A mark whose condition is false, and a handler of everything, expect nothing.
@gluon.jit
def subtract_one(p, n, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))  # error: [not-power-of-two]
    gl.store(p + i, gl.load(p + i, mask=i < n) - 1, mask=i < n)


@pytest.mark.xfail(False, reason="on other machines")
def test_does_not_fail():
    subtract_one[(1, )](make(), 100, 107)


@gluon.jit
def double(p, n, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))  # error: [not-power-of-two]
    gl.store(p + i, gl.load(p + i, mask=i < n) * 2, mask=i < n)


def test_reports_everything():
    try:
        double[(1, )](make(), 100, 108)
    except Exception as error:
        print(error)


class Mistakes(unittest.TestCase):
    def test_a_name(self):
        with self.assertRaises(NameError):
            print(not_defined)
        add_one[(1, )](make(), 100, 128)
