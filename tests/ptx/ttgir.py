"""Pieces of ttgir for kernels of tiles of 64x64 elements in row-major order."""


def blocked(size, threads, warps, order, cga=None):
    """`cga`: where each bit of the CTA's number moves, [[1, 0]] for two CTAs with half of the rows each."""
    spread = f", CGALayout = {cga}" if cga else ""
    return f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {threads}, warpsPerCTA = {warps}, order = {order}{spread}}}>"


def pointers(name, pointer, element, layout):
    def tensor(rows, columns, of="i32", within=layout):
        return f"tensor<{rows}x{columns}x{of}, {within}>"
    lines = []
    for axis, shape in (("r", (64, 1)), ("c", (1, 64))):
        removed = 1 if axis == "r" else 0
        line = f"tensor<64xi32, #ttg.slice<{{dim = {removed}, parent = {layout}}}>>"
        lines += [f"%{name}{axis}0 = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {line}",
                  f"%{name}{axis}1 = tt.expand_dims %{name}{axis}0 {{axis = {removed} : i32}} : {line} -> {tensor(*shape)}"]
    lines += [f"%{name}k = arith.constant dense<64> : {tensor(64, 1)}",
              f"%{name}m = arith.muli %{name}r1, %{name}k : {tensor(64, 1)}",
              f"%{name}r = tt.broadcast %{name}m : {tensor(64, 1)} -> {tensor(64, 64)}",
              f"%{name}c = tt.broadcast %{name}c1 : {tensor(1, 64)} -> {tensor(64, 64)}",
              f"%{name}o = arith.addi %{name}r, %{name}c : {tensor(64, 64)}",
              f"%{name}s = tt.splat %{pointer} : !tt.ptr<{element}> -> {tensor(64, 64, f'!tt.ptr<{element}>')}",
              f"%{name} = tt.addptr %{name}s, %{name}o : {tensor(64, 64, f'!tt.ptr<{element}>')}, {tensor(64, 64)}"]
    return "\n".join(lines)


def module(body, element, chip=90, ctas=1):
    """A kernel `k` of four warps with two pointers, %p and %q."""
    return f"""module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:{chip}", "ttg.threads-per-warp" = 32 : i32}} {{
tt.func public @k(%p: !tt.ptr<{element}>, %q: !tt.ptr<{element}>) {{
{body}
tt.return
}}
}}
"""
