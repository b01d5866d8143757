# A module that is taken for Gluon and was not found.
import gluon  # warning: [unlikely-module]
import gluon.language as gl  # warning: [unlikely-module]
from mxnet import gluon as other


@gluon.jit
def k(p, N: gl.constexpr):  # information: [not-analyzed]
    gl.store(p, N)


class Broken:
    size = 1 // 0  # warning: [module-exception]
