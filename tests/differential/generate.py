"""Random Gluon kernels: well-formed ones, and ones with a slight mistake.

A kernel is made statement by statement from a small grammar. Every value in scope has a kind (a scalar or a tensor of some
dtype, shape and layout), so that what is written is usually accepted; `wrong` is the chance that one statement is replaced by
a near miss. The same seed gives the same kernel.
"""
import random

import features

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "bfloat16", "float32", "float64"]
POINTERS = {"int32": "*i32", "float32": "*fp32", "float16": "*fp16", "int8": "*i8", "int64": "*i64", "bfloat16": "*bf16"}
INTS = {"int8", "int16", "int32", "int64", "uint8", "uint32"}
FLOATS = {"float16", "bfloat16", "float32", "float64"}


class Value:
    """A name in scope. `shape` is () for a scalar; `layout` the text of a layout's name, None for a scalar."""

    def __init__(self, name, dtype, shape=(), layout=None):
        self.name, self.dtype, self.shape, self.layout = name, dtype, shape, layout

    def like(self, other):
        return self.shape == other.shape and self.layout == other.layout


class Generator:

    value = Value

    def __init__(self, seed, wrong=0.0, target="cuda:90"):
        self.random = random.Random(seed)
        self.wrong, self.target, self.warp_size = wrong, target, 64 if target.startswith("hip:gfx9") else 32
        self.features, self.specialized = features.choices(target), False
        self.lines, self.values, self.count, self.depth = [], [], 0, 1
        self.helpers, self.mistake = [], None

    # ------------------------------------------------------------ small things

    def pick(self, items):
        return self.random.choice(list(items))

    def chance(self, p):
        return self.random.random() < p

    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def define(self, text, dtype, shape=(), layout=None, prefix="v"):
        name = self.fresh(prefix)
        self.emit(f"{name} = {text}")
        value = Value(name, dtype, shape, layout)
        self.values.append(value)
        return value

    def scalars(self, dtypes=None):
        return [v for v in self.values if v.shape == () and (dtypes is None or v.dtype in dtypes)]

    def tensors(self, dtypes=None, rank=None):
        return [v for v in self.values if v.shape and (dtypes is None or v.dtype in dtypes)
                and (rank is None or len(v.shape) == rank)]

    # ------------------------------------------------------------ the kernel

    def kernel(self):
        self.threads = 4 * self.warp_size
        rows = self.warp_size // 4
        self.layouts_1d = ["L1", "L1b"]
        self.layouts_2d = ["L2", "L2b"]
        self.emit(f"L1: gl.constexpr = gl.BlockedLayout([{self.pick([1, 2, 4])}], [{self.warp_size}], [4], [0])")
        self.emit(f"L1b: gl.constexpr = gl.BlockedLayout([{self.pick([1, 2, 8])}], [{self.warp_size}], [4], [0])")
        self.emit(f"L2: gl.constexpr = gl.BlockedLayout([1, {self.pick([1, 2, 4])}], [{rows}, 4], [4, 1], [1, 0])")
        self.emit(f"L2b: gl.constexpr = gl.BlockedLayout([{self.pick([1, 2])}, 1], [4, {rows}], [1, 4], [0, 1])")
        self.values = [Value("n", "int32"), Value("m", "int64"), Value("s", "float32")]
        self.define("gl.program_id(0)", "int32", prefix="pid")
        self.size = self.pick([128, 256, 512])
        self.shape_2d = self.pick([(16, 32), (32, 64), (64, 16)])
        start = self.define(f"gl.arange(0, {self.size}, layout=L1)", "int32", (self.size, ), "L1", prefix="i")
        self.define(f"{start.name} + {self.values[3].name} * {self.size}", "int32", (self.size, ), "L1", prefix="off")
        for _ in range(self.random.randint(3, 12)):
            self.statement()
        self.finish()
        return self.text()

    def text(self):
        head = ["from triton.experimental import gluon", "from triton.experimental.gluon import language as gl",
                *features.HEAD[self.target.split(":")[0]], ""]
        body = ["", "@gluon.jit", "def kernel(p, q, n, m, s, BLOCK: gl.constexpr, FLAG: gl.constexpr):"]
        return "\n".join(head + self.helpers + body + self.lines) + "\n"

    def statement(self):
        if self.mistake is None and self.chance(self.wrong):
            self.make_mistake()
            return
        choices = [self.arithmetic] * 6 + [self.compare, self.cast, self.full, self.where, self.minmax, self.math,
                                          self.load, self.store, self.two_d, self.convert, self.shared, self.reduce,
                                          self.helper, self.static_if, self.reshape]
        if self.depth < 3:
            choices += [self.loop, self.dynamic_if, self.while_loop]
        if self.chance(0.35):
            self.pick(self.features)(self)
        else:
            self.pick(choices)()

    # ------------------------------------------------------------ expressions

    def operand(self, other):
        """Something that combines with `other`: like it, a scalar, or a literal."""
        alike = [v for v in self.values if v.like(other) or v.shape == ()]
        if self.chance(0.25) or not alike:
            return Value(self.pick(["1", "2", "7", "-3", "BLOCK", "0.5", "True"]), "literal")
        return self.pick(alike)

    def arithmetic(self):
        a = self.pick(self.values)
        b = self.operand(a)
        if self.chance(0.3):
            a, b = (b, a) if b.dtype != "literal" else (a, b)
        big = a if a.shape else b
        floats = a.dtype in FLOATS or b.dtype in FLOATS or b.name == "0.5"
        op = self.pick(["+", "-", "*", "/"] if floats else ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"])
        if b.dtype == "literal" and b.name == "True" and op in ("//", "%", "<<", ">>", "/"):
            op = "+"
        if b.dtype == "literal" and op in ("<<", ">>") and b.name in ("-3", "BLOCK"):
            b = Value("2", "literal")
        self.define(f"{a.name} {op} {b.name}", self.result(a, b, op), big.shape, big.layout)

    def result(self, a, b, op):
        """Good enough a guess at the promoted type: it only steers what is generated next."""
        kinds = {a.dtype, b.dtype} - {"literal"}
        if op == "/" and not kinds & FLOATS:
            return "float32"
        for dtype in ["float64", "float32", "bfloat16", "float16", "int64", "uint32", "int32"]:
            if dtype in kinds:
                return dtype
        return "float32" if b.name == "0.5" else (kinds.pop() if kinds else "int32")

    def compare(self):
        a = self.pick(self.values)
        b = self.operand(a)
        big = a if a.shape else b
        self.define(f"{a.name} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {b.name}", "int1", big.shape, big.layout,
                    prefix="c")

    def cast(self):
        a = self.pick(self.values)
        dtype = self.pick(DTYPES)
        if a.dtype == "int1" and dtype in FLOATS:
            dtype = "int32"
        self.define(f"{a.name}.to(gl.{dtype})", dtype, a.shape, a.layout)

    def full(self):
        dtype = self.pick(["int32", "float32", "float16", "int64"])
        if self.chance(0.5):
            self.define(f"gl.full([{self.size}], {self.pick(['0', '1', '2.5', '-1'])}, gl.{dtype}, L1)", dtype, (self.size, ), "L1")
        else:
            self.define(f"gl.zeros({list(self.shape_2d)}, gl.{dtype}, L2)", dtype, self.shape_2d, "L2")

    def where(self):
        conditions = [v for v in self.values if v.dtype == "int1" and v.shape]
        if not conditions:
            return self.compare()
        c = self.pick(conditions)
        alike = [v for v in self.values if v.like(c) and v.dtype != "int1"]
        if not alike:
            return self.compare()
        a = self.pick(alike)
        b = self.pick([v for v in alike if v.dtype == a.dtype])
        self.define(f"gl.where({c.name}, {a.name}, {self.pick([b.name, '0'])})", a.dtype, c.shape, c.layout)

    def minmax(self):
        a = self.pick(self.values)
        if a.dtype == "int1":
            return self.arithmetic()
        alike = [v for v in self.values if v.like(a) and v.dtype == a.dtype]
        self.define(f"gl.{self.pick(['minimum', 'maximum'])}({a.name}, {self.pick(alike).name})", a.dtype, a.shape, a.layout)

    def math(self):
        floats = [v for v in self.values if v.dtype in ("float32", "float64")]
        if not floats:
            return self.cast()
        a = self.pick(floats)
        self.define(f"gl.{self.pick(['exp', 'log', 'sqrt', 'abs', 'cos', 'exp2', 'floor', 'rsqrt'])}({a.name})", a.dtype, a.shape, a.layout)

    # ------------------------------------------------------------ memory

    def load(self):
        offsets = [v for v in self.tensors(INTS) if v.dtype in ("int32", "int64")]
        if not offsets:
            return self.full()
        at = self.pick(offsets)
        pointer, dtype = self.pick([("p", self.p_dtype), ("q", self.q_dtype)])
        masks = [v for v in self.values if v.dtype == "int1" and v.like(at)]
        extra = f", mask={self.pick(masks).name}" if masks and self.chance(0.6) else ""
        if extra and self.chance(0.5):
            extra += ", other=0"
        self.define(f"gl.load({pointer} + {at.name}{extra})", dtype, at.shape, at.layout)

    def store(self):
        offsets = [v for v in self.tensors(INTS) if v.dtype in ("int32", "int64")]
        if not offsets:
            return self.full()
        at = self.pick(offsets)
        alike = [v for v in self.values if v.like(at)]
        masks = [v for v in self.values if v.dtype == "int1" and v.like(at)]
        extra = f", mask={self.pick(masks).name}" if masks and self.chance(0.5) else ""
        self.emit(f"gl.store({self.pick('pq')} + {at.name}, {self.pick(alike).name}{extra})")

    def two_d(self):
        layout = self.pick(self.layouts_2d)
        rows, cols = self.shape_2d
        i = self.define(f"gl.arange(0, {rows}, layout=gl.SliceLayout(1, {layout}))", "int32", (rows, ), f"S1{layout}", prefix="r")
        j = self.define(f"gl.arange(0, {cols}, layout=gl.SliceLayout(0, {layout}))", "int32", (cols, ), f"S0{layout}", prefix="k")
        self.define(f"{i.name}[:, None] * {self.pick(['n', '64', str(cols)])} + {j.name}[None, :]", "int32", self.shape_2d, layout)

    def convert(self):
        tensors = [v for v in self.tensors() if v.layout in ("L1", "L1b", "L2", "L2b")]
        a = self.pick(tensors)
        to = {"L1": "L1b", "L1b": "L1", "L2": "L2b", "L2b": "L2"}[a.layout]
        self.define(f"gl.convert_layout({a.name}, {to})", a.dtype, a.shape, to)

    def shared(self):
        tensors = [v for v in self.tensors() if v.layout in ("L1", "L1b", "L2", "L2b") and v.dtype not in ("int1", )]
        a = self.pick(tensors)
        order = "[0]" if len(a.shape) == 1 else "[1, 0]"
        name = self.fresh("smem")
        layout = f"gl.SwizzledSharedLayout({self.pick([1, 2])}, 1, {self.pick([1, 4])}, order={order})"
        if self.chance(0.5):
            self.emit(f"{name} = gl.allocate_shared_memory(gl.{a.dtype}, {list(a.shape)}, {layout}, {a.name})")
        else:
            self.emit(f"{name} = gl.allocate_shared_memory(gl.{a.dtype}, {list(a.shape)}, {layout})")
            self.emit(f"{name}.store({a.name})")
        self.define(f"{name}.load({a.layout})", a.dtype, a.shape, a.layout)

    def reduce(self):
        tensors = [v for v in self.tensors() if v.layout in ("L1", "L1b", "L2", "L2b") and v.dtype not in ("int1", "int8", "uint8")]
        a = self.pick(tensors)
        fn = self.pick(["sum", "max", "min"])
        if len(a.shape) == 1:
            self.define(f"gl.{fn}({a.name}, axis=0)", a.dtype)
        else:
            axis = self.pick([0, 1])
            self.define(f"gl.{fn}({a.name}, axis={axis})", a.dtype, (a.shape[1 - axis], ), f"S{axis}{a.layout}")

    def reshape(self):
        flat = [v for v in self.tensors(rank=2) if v.layout in ("L2", "L2b")]
        if not flat:
            return self.two_d()
        a = self.pick(flat)
        rows, cols = a.shape
        name = self.fresh("t")
        self.emit(f"{name} = {self.pick([f'gl.permute({a.name}, [1, 0])', f'{a.name}.T', f'gl.reshape({a.name}, [{rows * cols}])'])}")

    # ------------------------------------------------------------ structure

    def block(self, statements):
        """Statements in a nested scope: names defined there are forgotten after it."""
        before = list(self.values)
        self.depth += 1
        for _ in range(statements):
            self.statement()
        self.depth -= 1
        self.values = before

    def carried(self):
        """A reassignment of a value in scope that keeps its type."""
        candidates = [v for v in self.values if v.dtype in ("int32", "float32", "int64") and not v.name.startswith(("pid", "i", "n", "m"))]
        if candidates:
            a = self.pick(candidates)
            self.emit("    " + f"{a.name} = {a.name} + {self.pick(['1', a.name])}")

    def loop(self):
        i = self.fresh("j")
        bounds = self.pick(["n", "0, n", "0, n, 2", "4", "0, BLOCK, 16", "n, 0, -1"])
        head = self.pick([f"for {i} in range({bounds}):", f"for {i} in range({bounds}):", f"for {i} in gl.static_range({self.pick([1, 2, 3])}):"])
        self.emit(head)
        mark = len(self.lines)
        self.values.append(Value(i, "int32"))
        self.carried()
        self.block(self.random.randint(1, 3))
        self.values.pop()
        if len(self.lines) == mark:
            self.emit("    pass")

    def while_loop(self):
        name = self.fresh("w")
        self.emit(f"{name} = n")
        self.emit(f"while {name} > 0:")
        self.emit(f"    {name} = {name} {self.pick(['- 1', '// 2', '>> 1'])}")
        self.block(1)

    def dynamic_if(self):
        conditions = [v.name for v in self.values if v.dtype == "int1" and v.shape == ()] + ["n > 4", "m == 0"]
        self.emit(f"if {self.pick(conditions)}:")
        mark = len(self.lines)
        self.carried()
        self.block(self.random.randint(1, 2))
        if len(self.lines) == mark:
            self.emit("    pass")
        if self.chance(0.5):
            self.emit("else:")
            mark = len(self.lines)
            self.carried()
            self.block(1)
            if len(self.lines) == mark:
                self.emit("    pass")

    def static_if(self):
        self.emit(f"if {self.pick(['FLAG', 'BLOCK > 64', 'not FLAG', 'FLAG and BLOCK == 128'])}:")
        mark = len(self.lines)
        self.block(1)
        if len(self.lines) == mark:
            self.emit("    pass")

    def helper(self):
        name = f"helper{len(self.helpers)}"
        a = self.pick([v for v in self.values if v.dtype != "int1"])
        body = self.pick([["return x + y"], ["if K > 4:", "    return x * 2", "else:", "    return x"], ["z = x", "for i in range(K):", "    z = z + y", "return z"],
                          ["return x, y"], ["return K"]])
        alike = [v for v in self.values if v.like(a) and v.dtype == a.dtype]
        b = self.pick(alike)
        self.helpers += ["", "@gluon.jit", f"def {name}(x, y, K: gl.constexpr = 3):"] + ["    " + line for line in body] + [""]
        call = f"{name}({a.name}, {b.name}{self.pick(['', ', 5', ', K=2'])})"
        if body == ["return x, y"]:
            first, second = self.fresh(), self.fresh()
            self.emit(f"{first}, {second} = {call}")
            self.values += [Value(first, a.dtype, a.shape, a.layout), Value(second, b.dtype, b.shape, b.layout)]
        elif body == ["return K"]:
            self.emit(f"{self.fresh('k')} = {call}")
        else:
            self.define(call, a.dtype, a.shape, a.layout)

    def finish(self):
        offsets = [v for v in self.tensors() if v.layout == "L1" and v.dtype == "int32"]
        at = self.pick(offsets)
        self.emit(f"gl.store(p + {at.name}, {self.pick([v for v in self.values if v.like(at)]).name})")

    # ------------------------------------------------------------ mistakes

    def make_mistake(self):
        ones, twos = self.tensors(rank=1), self.tensors(rank=2)
        options = {
            "undefined name": "bad = nowhere + 1",
            "unknown attribute": "bad = gl.lode(p)",
            "layout mismatch": f"bad = gl.arange(0, {self.size}, layout=L1) + gl.arange(0, {self.size}, layout=gl.SliceLayout(0, L2))",
            "not a power of two": "bad = gl.arange(0, 100, layout=L1)",
            "rank mismatch": f"bad = gl.full([{self.size}], 0, gl.int32, L2)",
            "not constexpr": "bad = gl.arange(0, n, layout=L1)",
            "no slice layout": f"bad = {self.pick(ones).name}[:, None]",
            "bad keyword": f"bad = gl.load(p, musk=None)",
            "too few arguments": "bad = gl.store(p)",
            "float shift": "bad = s << 1",
            "wrong axis": f"bad = gl.sum({self.pick(ones).name}, axis=3)",
            "break": "for b in range(n):\n" + "    " * (self.depth + 1) + "break",
            "bad cast": "bad = n.to(gl.int33)",
            "store a tuple": "gl.store(p, (n, n))",
            "call a number": "bad = n(1)",
            "warps": f"bad = gl.arange(0, {self.size}, layout=gl.BlockedLayout([1], [{self.warp_size}], [8], [0]))",
            "constructor": "bad = gl.BlockedLayout([1, 1], [32], [4], [0])",
        }
        if twos:
            options["shapes"] = f"bad = {self.pick(twos).name} + gl.zeros([8, 8], gl.int32, {self.pick(twos).layout if self.pick(twos).layout in ('L2', 'L2b') else 'L2'})"
        self.mistake = self.pick(sorted(options))
        self.emit(options[self.mistake])

    # ------------------------------------------------------------ the launch

    def record(self, name, target):
        args = [{"name": "p", "type": POINTERS[self.p_dtype], "divisible_by": 16}, {"name": "q", "type": POINTERS[self.q_dtype]},
                {"name": "n", "type": "i32"}, {"name": "m", "type": "i64", "divisible_by": 16}, {"name": "s", "type": "fp32"},
                {"name": "BLOCK", "type": "constexpr", "value": 128}, {"name": "FLAG", "type": "constexpr", "value": bool(self.random.getrandbits(1))}]
        return {"id": name, "file": f"{name}.py", "kernel": "kernel", "line": 0, "target": target, "options": {"num_warps": 4},
                "args": args}


def make(seed, wrong, target):
    """(source text, launch record, the mistake put in or None)"""
    generator = Generator(seed, wrong, target)
    generator.p_dtype = generator.pick(sorted(POINTERS))
    generator.q_dtype = generator.pick(sorted(POINTERS))
    text = generator.kernel()
    name = f"random{seed}"
    record = generator.record(name, target)
    record["line"] = next(i for i, line in enumerate(text.splitlines(), 1) if line.startswith("def kernel"))
    return text, record, generator.mistake
