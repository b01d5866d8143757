from contextlib import contextmanager, suppress, redirect_stdout, ExitStack, closing, nullcontext, AbstractContextManager, ContextDecorator
import io, os
log = []
@contextmanager
def tag(name):
    log.append("<" + name)
    try:
        yield name
    except KeyError:
        log.append("key")
    finally:
        log.append(">" + name)
with tag("a") as a, tag("b"):
    assert a == "a"
with tag("c"):
    {}["x"]
assert log[-3:] == ["<c", "key", ">c"]
with suppress(FileNotFoundError, KeyError):
    os.remove("/nonexistent/definitely")
buf = io.StringIO()
with redirect_stdout(buf):
    print("hi", 3, sep="-", end="!")
assert buf.getvalue() == "hi-3!"
class D(ContextDecorator):
    def __enter__(self): log.append("in"); return self
    def __exit__(self, *exc): log.append("out"); return False
@D()
def fn(): log.append("fn")
fn()
assert log[-3:] == ["in", "fn", "out"]
with nullcontext(5) as five: assert five == 5
with closing(io.StringIO()) as s: s.write("x")
@tag("deco")
def g(): return 3
assert g() == 3
