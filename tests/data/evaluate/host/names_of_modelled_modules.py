import triton.experimental.gluon.language.nvidia.hopper as h
from triton.experimental.gluon import language as gl
a = {k: v for k, v in vars(h.tma).items() if not k.startswith("_")}
b = gl.__dict__; c = gl.__name__; d = gl.__doc__; e = gl.__file__; f = dir(gl); g = getattr(gl, "nosuch", None); i = hasattr(gl, "load"); j = [n for n in dir(h) if "tma" in n]
