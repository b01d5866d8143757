launch(src="*fp16", dst="*fp16", n=1,
               SIZE=[64, 128][1], layout=gl.BlockedLayout([1], [32], [4], [0]), f=add_one)
gluond: launch(src="*kfp16", dst="*fp16", n=(1 << 62), SIZE=BLOCK, layout=gl.SliceLayout(0, gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0])),
               num_ctas=2, maxnreg=64, target="hip:gfx942")