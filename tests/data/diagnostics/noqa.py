# Names that a comment for linters says to be defined elsewhere.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


# gluond: launch(p="*fp32")
@gluon.jit
def stores(p):
    gl.store(p, 1.0)


tile = injected.view(3)  # noqa: F821
other = injected.view(3)  # noqa
wrong = missing.view(3)  # warning: [module-exception]
