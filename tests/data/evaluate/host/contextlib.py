import contextlib
from contextlib import contextmanager, suppress, ExitStack, redirect_stdout, nullcontext, closing, AbstractContextManager, ContextDecorator
stack = []
@contextmanager
def scope(name):
    stack.append(name)
    try:
        yield len(stack)
    finally:
        stack.pop()
with scope("a") as depth:
    assert stack[-1] == "a" and depth == 1
assert not stack
@scope("dec")
def f(): return stack[-1]
assert f() == "dec"
with suppress(KeyError, ValueError): {}["x"]
with ExitStack() as es:
    v = es.enter_context(scope("b")); es.callback(print, "")
with nullcontext(5) as n: assert n == 5
class CM:
    def __enter__(self): self.on = True; return self
    def __exit__(self, t, v, tb): self.on = False; return t is ValueError
with CM() as c, CM() as d:
    assert c.on and d.on
with CM(): raise ValueError("swallowed")
assert not c.on
class Deco(ContextDecorator):
    def __enter__(self): return self
    def __exit__(self, *a): return False
@Deco()
def g(): return 1
assert g() == 1
class ACM(AbstractContextManager):
    def __exit__(self, *a): return None
with ACM() as q: assert isinstance(q, ACM)
with (CM() as a1, CM() as a2): pass

with contextlib.ExitStack() as leaving:
    steps = []
    leaving.callback(steps.append, 1)
    leaving.push(lambda kind, value, trace: steps.append(kind))
    leaving.push(lambda *details: steps.append(len(details)))
assert steps == [3, None, 1]
with contextlib.ExitStack() as swallowing:
    swallowing.push(lambda kind, value, trace: kind is KeyError)
    {}["missing"]
assert steps == [3, None, 1]
