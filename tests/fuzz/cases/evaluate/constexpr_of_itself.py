from triton.experimental.gluon import language as gl
L=[1
L.append(L
gl.constexpr(L