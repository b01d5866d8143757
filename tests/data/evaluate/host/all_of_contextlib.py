import contextlib
from contextlib import contextmanager, suppress, nullcontext, ExitStack, closing, redirect_stdout, AbstractContextManager, ContextDecorator
import io

@contextmanager
def cm(x):
    log.append('in')
    try:
        yield (x + 1)
    finally:
        log.append('out')
log = []
with cm(1) as v, nullcontext(5) as w:
    assert v == 2
    assert w == 5
assert log == ['in', 'out']
with suppress(ZeroDivisionError, KeyError):
    1 / 0
with ExitStack() as st:
    st.enter_context(cm(3))
    st.callback(lambda: log.append('cb'))
assert log[-2:] == ['cb', 'out']
buf = io.StringIO()
with redirect_stdout(buf):
    print('hi')
assert buf.getvalue() == 'hi\n'

class Timer(ContextDecorator):

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

@Timer()
def fn():
    return 3
assert fn() == 3

class Sup:

    def __enter__(self):
        return 1

    def __exit__(self, t, v, tb):
        return t is ValueError
with Sup():
    raise ValueError('x')
with cm(1) as a, cm(2) as b:
    pass

@cm(4)
def decorated():
    return 9
assert decorated() == 9
