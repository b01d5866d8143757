from triton._C.libtriton import gluon_ir
from triton._C.libtriton.gluon_ir import make_cga_layout

assert make_cga_layout([1, 1], [1, 1], [0, 1]) == []
assert make_cga_layout([4, 2], [2, 2], [0, 1]) == [[1, 0], [0, 0], [0, 1]]
assert gluon_ir.make_cga_layout([2, 4], [1, 4], [1, 0]) == [[0, 1], [0, 2], [0, 0]]
assert make_cga_layout([8], [8], [0]) == [[1], [2], [4]]
