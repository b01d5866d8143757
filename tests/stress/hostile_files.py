"""Hostile files by class: what costs an interpreter, a parser or a compiler more than its author's text suggests. The same seed makes the same file.

Each function of FILES returns a program; sizes are drawn, so that each seed is a case that nobody tuned for."""
import random

HEAD = "import triton\nimport torch\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\n"
LAYOUT = "gl.BlockedLayout([1], [32], [4], [0])"
FILES = {}


def file(function):
    FILES[function.__name__] = function
    return function


def size(r, least, most):
    """A size of any magnitude between the two."""
    return int(least * (most / least) ** r.random())


def kernel(name, parameters, *lines):
    return "@gluon.jit\ndef " + name + "(" + parameters + "):\n" + "".join("    " + line + "\n" for line in lines) + "\n\n"


# Many kernels, launches and findings.
@file
def broken_kernels_of_one_name(r):
    body = r.choice(["gl.store(x + undefined_name, 1)", "y = x +", "a = gl.arange(0, 100)", "gl.nothing(x)", "return gl.load(x", "x[0] = 1", "a, b = gl.program_id(0)",
                     "gl.convert_layout(x, 3)", "for i in 5: pass", "gl.static_assert(False)"])
    return HEAD + kernel("k", "x", body) * size(r, 2000, 30000)


@file
def broken_kernels(r):
    body = r.choice(["gl.store(x + undefined_name, 1)", f"a = gl.arange(0, 100, {LAYOUT})", "gl.nothing(x)", "a, b = gl.program_id(0)", "gl.static_assert(n == 7)", "x = gl.load(n)"])
    count = size(r, 500, 20000)
    launch = r.random() < 0.5
    return HEAD + "".join(kernel(f"k{i}", "x, n: gl.constexpr", body) for i in range(count)) + ("x = torch.zeros(128, device='cuda')\n" + "".join(f"k{i}[(1,)](x, {i})\n" for i in range(count)) if launch else "")


@file
def right_kernels(r):
    count = size(r, 200, 5000)
    body = [f"i = gl.arange(0, 128, {LAYOUT})", "gl.store(x + i, gl.load(x + i) + n)"]
    return HEAD + "".join(kernel(f"k{i}", "x, n: gl.constexpr", *body) for i in range(count)) + "x = torch.zeros(128, device='cuda')\n" + "".join(f"k{i}[(1,)](x, {i})\n" for i in range(count))


@file
def many_launches(r):
    body = [f"i = gl.arange(0, 128, {LAYOUT})", *["x += gl.sum(gl.load(x + i), 0).to(gl.int32) + n"] * r.randrange(1, 30), "gl.store(x + i, n)"]
    return HEAD + kernel("k", "x, n: gl.constexpr", *body) + f"x = torch.zeros(128, device='cuda')\nfor i in range({size(r, 100, 10 ** 7)}):\n    k[(1,)](x, i)\n"


@file
def launches_written_out(r):
    return HEAD + kernel("k", "x, n: gl.constexpr", r.choice(["gl.store(x, n)", "gl.store(x, n +)", "gl.static_assert(n < 3)"])) + "x = torch.zeros(128, device='cuda')\n" + "".join(
        f"k[({i},)](x, {i})\n" for i in range(size(r, 1000, 30000)))


@file
def configurations(r):
    n = size(r, 10, 3000)
    return HEAD + f"@triton.autotune([triton.Config({{'A': a, 'B': b}}, num_warps=w) for a in range({n}) for b in range({size(r, 1, 3000)}) for w in (1, 2, 4, 8)], key=['n'])\n" + kernel(
        "k", "x, n, A: gl.constexpr, B: gl.constexpr", "gl.store(x + A * B, n)") + "k[(1,)](torch.zeros(9, device='cuda'), 5)\n"


@file
def parametrized(r):
    layers = "".join(f"@pytest.mark.parametrize('p{i}', range({size(r, 3, 3000)}))\n" for i in range(r.randrange(1, 7)))
    n = layers.count("\n")
    names = ", ".join(f"p{i}" for i in range(n))
    return HEAD + "import pytest\n" + kernel("k", "x, n: gl.constexpr", "gl.store(x, n)") + layers + f"def test_k({names}):\n    k[(1,)](torch.zeros(9, device='cuda'), {names.replace(', ', ' + ')})\n"


@file
def undefined_names(r):
    return HEAD + kernel("k", "x", *[f"gl.store(x, name_{i} + other_{i})" for i in range(size(r, 1000, 60000))])


@file
def mistakes_in_a_loop(r):
    n = size(r, 10, 10 ** 6)
    return HEAD + kernel("k", "x", f"for i in gl.static_range({n}):", "    gl.store(x, undefined_name)", f"    a = gl.arange(0, 128 + i, {LAYOUT})") + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def long_names(r):
    n = size(r, 1000, 10 ** 6)
    return HEAD + kernel("k" * n, "x" * n, "gl.store(" + "x" * n + ", " + "y" * n + ")", "gl." + "z" * n + "()") + f"{'k' * n}[(1,)]({'w' * n})\n"


@file
def long_messages(r):
    n = size(r, 10 ** 4, 10 ** 7)
    return HEAD + kernel("k", "x, s: gl.constexpr", "gl.static_assert(False, s)", "gl.static_print(s)") + f"k[(1,)](torch.zeros(9, device='cuda'), 'é\\u202e<b>' * {n})\nassert False, 'x' * {n}\nraise ValueError('%s' % ('y' * {n}))\n"


@file
def unused_values(r):
    n = size(r, 1000, 50000)
    return HEAD + kernel("k", "x", f"i = gl.arange(0, 128, {LAYOUT})", *r.choice([["v = gl.load(x + i)"], ["gl.load(x + i)", "i + 1"], ["gl.barrier()"], ["a = 1", "b = a"]]) * n) + "k[(1,)](torch.zeros(128, device='cuda'))\n"


# Kernels that are expensive to compile.
@file
def unrolled(r):
    depth = r.randrange(1, 5)
    n = size(r, 3, 10 ** (8 // depth))
    lines = ["    " * i + f"for i{i} in gl.static_range({n}):" for i in range(depth)]
    return HEAD + kernel("k", "x", "a = 0.0", *lines, "    " * depth + r.choice(["a += gl.load(x + i0)", "a = a * 1.5 + i0", "pass", "gl.store(x + i0, a)", "a = (a, i0)"]), "gl.store(x, a)") + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def helpers_that_double(r):
    n = size(r, 8, 400)
    return HEAD + kernel("h0", "x, n: gl.constexpr", "return x + n") + "".join(kernel(f"h{i}", "x, n: gl.constexpr", f"return h{i - 1}(x, n * 2) + h{i - 1}(x, n * 2 + 1)") for i in range(1, n)) + kernel(
        "k", "x", f"gl.store(x, h{n - 1}(1, 1))") + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def recursive_helpers(r):
    call = r.choice(["h(n + 1)", "h(n - 1)", "h((n, n))", "h((n, 1))", "h(h(n))", "h(n * n)", "h('a' + str(n))", "h([n, n])"])
    return HEAD + "from __future__ import annotations\n" + kernel("h", r.choice(["n: gl.constexpr", "n"]), f"return {call}") + kernel("k", "x", f"gl.store(x, h({r.randrange(9)}))") + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def tuples_that_double(r):
    return HEAD + kernel("k", "x", "a = (x, x)", *["a = (a, a)"] * size(r, 20, 3000), r.choice(["gl.store(x, a == a)", "gl.static_print(a)", "b = a + a", "for i in gl.static_range(100000):\n        a = (a, a)", "f(a)", "gl.store(a, a)"])) + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def long_kernel(r):
    n = size(r, 1000, 60000)
    line = r.choice(["a = a + gl.load(x + i)", "a = gl.where(a > i, a, i)", "a = gl.convert_layout(a, gl.BlockedLayout([2], [32], [4], [0]))", "gl.store(x + i, a)", "a = gl.sum(a, 0) + a",
                     "if n > 3:\n        a = a + 1", "for j in range(n):\n        a = a + j", "while n > 3:\n        n = n - 1", "a = a.to(gl.float32)", "a = gl.exp(a)", "n = n + 1 if n else n"])
    return HEAD + kernel("k", "x, n", f"i = gl.arange(0, 128, {LAYOUT})", "a = i.to(gl.float32)", *[line] * n, "gl.store(x + i, a)") + "k[(1,)](torch.zeros(128, device='cuda'), 7)\n"


@file
def nested_control_flow(r):
    n = size(r, 20, 3000)
    step = " " if r.random() < 0.7 else "  "
    heads = r.choice([["if n > {}:"], ["for i{} in range(n):"], ["while n > {}:"], ["if n > {}:", "for i{} in range(n):"], ["with a{}:"], ["for i{} in gl.static_range(2):"], ["try:"]])
    lines = [step * i + heads[i % len(heads)].format(i) for i in range(n)]
    return HEAD + kernel("k", "x, n", *lines, step * n + "gl.store(x, n)") + "k[(1,)](torch.zeros(9, device='cuda'), 7)\n"


@file
def huge_shapes(r):
    n = 2 ** r.randrange(5, 70)
    warps = r.choice([4, 512, 2 ** 31, -1, 0])
    spread = 2 ** r.randrange(0, 34)
    return HEAD + kernel("k", "x", f"l: gl.constexpr = gl.BlockedLayout([{spread}], [32], [4], [0])", f"i = gl.arange(0, {n}, l)", "a = gl.load(x + i)", f"s = gl.allocate_shared_memory(gl.float32, [{n}, {n}], gl.SwizzledSharedLayout({spread}, 1, 1, [1, 0]))",
                         "gl.store(x + i, gl.sum(a, 0))", f"b = gl.zeros([{n}] * {r.randrange(1, 40)}, gl.float32, l)") + f"k[({2 ** r.randrange(70)},)](torch.zeros({n}, {n}, device='cuda'), num_warps={warps})\n"


@file
def large_tensors(r):
    n = 2 ** r.randrange(10, 17)
    ops = [f"a = a {r.choice('+-*/')} gl.exp(a)", "a = gl.associative_scan(a, 0, f)", "a = gl.reshape(gl.reshape(a, [2, s // 2]), [s])", "a, _ = gl.split(gl.reshape(gl.join(a, a), [s, 2]))", "a = a + gl.histogram(a.to(gl.int32), s, l)",
           "a = gl.gather(a, i, 0)"]
    return HEAD + kernel("f", "a, b", "return a * b + a") + kernel("k", "x, s: gl.constexpr", f"l: gl.constexpr = {LAYOUT}", "i = gl.arange(0, s, l)", "a = gl.load(x + i)", *[r.choice(ops) for _ in range(size(r, 5, 300))], "gl.store(x + i, a)") + f"k[(1,)](torch.zeros({n}, device='cuda'), {n})\n"


@file
def protocols(r):
    """Barriers and partitions that the lints' machine runs."""
    n = size(r, 10, 10 ** 7)
    parts = r.randrange(2, 16)
    head = HEAD + "from triton.experimental.gluon.language.nvidia.hopper import mbarrier\n"
    text = "".join(kernel(f"p{j}", "b, n", f"for i in range({n if j % 2 else 'n'}):", "    for j in range(n):", f"        mbarrier.{r.choice(['wait(b.index(i % 4), (i // 4) & 1)', 'arrive(b.index(j % 4), count=1)', 'expect(b.index(j % 4), 128)'])}") for j in range(parts))
    return head + text + kernel("k", "x, n", "b = gl.allocate_shared_memory(gl.int64, [4, 1], mbarrier.MBarrierLayout())", "for i in gl.static_range(4):", "    mbarrier.init(b.index(i), count=1)",
                                "gl.warp_specialize([" + ", ".join(f"(p{j}, (b, n))" for j in range(parts)) + "], [" + "4, " * (parts - 1) + "], [" + "24, " * (parts - 1) + "])") + f"k[(1,)](torch.zeros(9, device='cuda'), {n})\n"


@file
def constexpr_loops(r):
    n = size(r, 100, 10 ** 9)
    body = r.choice(["    i += 1", "    i = i * 2 + 1", "    i = i", "    v = v + v\n    i += 1", "    v.append(v)\n    i += 1", "    i += 1 if i % 3 else -1", "    v = [v, v]\n    i += 1", "    v = sorted([i, i - 1, i + 1] * 1000)\n    i += 1"])
    return HEAD + f"@gluon.constexpr_function\ndef f(n):\n    i = {r.randrange(3)}\n    v = [1]\n    while i < n:\n    {body.replace(chr(10), chr(10) + '    ')}\n    return i\n\n\n" + kernel("k", "x", f"gl.store(x, f({n}))") + "k[(1,)](torch.zeros(9, device='cuda'))\n"


@file
def launches_in_helpers(r):
    return HEAD + kernel("k", "x, n: gl.constexpr", "gl.store(x, n)") + f"def run(d, n):\n    if d == 0:\n        k[(1,)](torch.zeros(9, device='cuda'), n)\n    else:\n        run(d - 1, n * 2)\n        run(d - 1, n * 2 + 1)\n\n\nrun({r.randrange(8, 60)}, 1)\n"


# Texts.
@file
def brackets(r):
    n = size(r, 10 ** 4, 4 * 10 ** 6)
    return HEAD + "x = " + r.choice(["(", "[", "{", "((a,", "f(", "a[", "lambda: (", "not (", "{1:", "f'{", "(yield ", "*(", "-(", "(a:=", "[x for x in ("]) * n + r.choice(["", ")" * n, "]" * n, "\n" * 100])


@file
def broken_lines(r):
    line = r.choice(["x = \n", "def f(\n", "class\n", "  x\n", "\tx = 1\n  y\n", "if x\n", "f(a b)\n", "'abc\n", '"""\n', "x = 1 +\n", "@\n", "for in x:\n", "x = {1: }\n", "import\n", "from . import\n", ")\n", "else:\n", "x ==== y\n", "lambda x y: 1\n",
                     "def f(a, a):\n", "return\n", "break\n", "yield\n", "x = f'{'\n", "0777\n", "1__2\n", "$\n", "\\\n", "\x0c\n", "nonlocal x\n", "*x\n", "del 1\n", "async x\n", "print 'x'\n", "case 1:\n", "except:\n", "try:\n"])
    return HEAD + line * size(r, 1000, 400000 // len(line) + 2000)


@file
def broken_kernel_lines(r):
    line = r.choice(["x = ", "f(a b)", "'abc", "if x", "y = [1, 2", "z = )", "w = x ==== y", "gl.store(x, )", "gl.load(x 1)", "for in y:", "a = f'{'", "q = lambda x y: 1"])
    return HEAD + kernel("k", "x", *[line] * size(r, 500, 40000))


@file
def broken_middle(r):
    """A right file of thousands of statements in a function, with one mistake."""
    n = size(r, 2000, 60000)
    lines = [f"    a{i} = f(b{i}, c{i}[{i}]) + {i}" for i in range(n)]
    lines[r.randrange(n)] = r.choice(["    x = (", "    '''", "  x", "    if x", "    f(a b)", "    }"])
    return HEAD + "def f(x):\n" + "\n".join(lines) + "\n"


@file
def random_bytes(r):
    n = size(r, 10 ** 4, 3 * 10 ** 6)
    letters = r.choice(["()[]{}:,\n ", "abc \n\t()'\"#", "".join(map(chr, range(1, 128))), "é\u2028\u00a0\u202e𝔘\n(", "\\\n\"'f{}", "=:\n    defclassif "])
    return "".join(r.choices(letters, k=n))


@file
def one_line(r):
    n = size(r, 10 ** 4, 10 ** 6)
    return HEAD + "x = " + r.choice(["1 + ", "a or ", "a < ", "not ", "a.b.", "f(1)(", "- ", "a if b else ", "a, ", "'x' ", "lambda a: ", "a ** ", "a @ ", "await ", "~", "a[1] = "]) * n + "1\n"


@file
def long_lists(r):
    n = size(r, 10 ** 4, 10 ** 6)
    return HEAD + "x = [" + r.choice(["1, ", "'a', ", "(1, 2), ", "[], ", "{}, ", "f(), ", "1.5e300, ", "lambda: 0, ", "x for x in x, ", "*x, ", "**x, ", "a=1, "]) * n + "]\ny = {" + "1: 2, " * n + "}\n"


@file
def long_literals(r):
    n = size(r, 10 ** 4, 4 * 10 ** 6)
    return HEAD + "x = " + r.choice(["1" * n, "0x" + "f" * n, "'" + "a" * n + "'", "1." + "0" * n, "1e" + "9" * n, "f'" + "{x}" * (n // 4) + "'", "b'" + "\\x00" * (n // 4) + "'", "0b" + "1" * n, "'" + "\\N{DIGIT ONE}" * (n // 14) + "'", "'''" + "\n" * n + "'''"]) + "\ny = x * x\nz = str(x)\n"


@file
def many_continuations(r):
    n = size(r, 10 ** 4, 5 * 10 ** 5)
    return HEAD + r.choice(["x = 1 \\\n" + "+ 1 \\\n" * n, "# gluond: num_warps=4\n" * n, "# gluond: launch k(x=*fp32)\n" * n + kernel("k", "x", "gl.store(x, 1)"), "x = (\n" + "1 +\n" * n + "1)\n", "#" * n, "\n" * n, ";" * n, "pass;" * n, "@a\n" * (n // 10) + "def f(): pass\n", "\t" * n + "x",
                            "if a: pass\n" + "elif a: pass\n" * (n // 10), "try: pass\n" + "except a: pass\n" * (n // 10), "def f(" + "a, " * n + "): pass\n", "class A(" + "B, " * n + "): pass\n", "global " + "a, " * n + "a\n", "import " + "a, " * n + "a\n", "del " + "a, " * n + "a\n", "with " + "a, " * n + "a: pass\n", "match x:\n" + "    case 1: pass\n" * (n // 10)])


@file
def deep_blocks(r):
    n = size(r, 50, 5000)
    return HEAD + "".join(" " * i + r.choice(["if 1:\n", "def f():\n", "class A:\n", "for x in y:\n", "while 1:\n", "with a:\n", "try:\n"]) for i in range(n)) + " " * n + "pass\n"


@file
def many_definitions(r):
    n = size(r, 2000, 60000)
    return HEAD + r.choice(["".join(f"def f{i}(a, b=f{i - 1 if i else 0}): return f{i}\n" for i in range(n)), "".join(f"class A{i}(A{max(0, i - 1)}): pass\n" for i in range(n)), "class A: pass\n" + "".join(f"class A{i}(A{max(0, i - 1)}):\n    x = {i}\n" for i in range(n)),
                            "".join(f"x{i} = x{i - 1}\n" for i in range(1, n)), "x0 = 1\n" + "".join(f"x{i} = (x{i - 1}, x{i - 1})\n" for i in range(1, n)), "x = {}\n" + "".join(f"x[{i}] = x\n" for i in range(n)), "".join(f"import module_{i}\n" for i in range(n)),
                            "".join(f"from package_{i} import *\n" for i in range(n)), "".join(f"from . import m{i}\n" for i in range(n)), "f = lambda: 0\n" + "".join("f = (lambda f: lambda: f())(f)\n" for i in range(n)) + "f()\n"])


# Evaluation.
@file
def loops(r):
    setup = r.choice(["x = 1", "x = []", "x = ''", "x = {}", "x = ()", "x = 3", "x = set()", "x = 2.0", "x = [1]", "x = b'a'"])
    body = r.choice(["x = x * 3", "x = x + x", "x = [x, x]", "x = (x, x)", "x.append(x)", "x = x ** 2", "x = str(x)", "x = repr(x)", "x[len(x)] = x", "x.add(len(x))", "x = 3 ** 40000", "x = sorted(range(1000))", "x = x * 2 if x else x", "hash(x)", "x == x", "x = f'{x}{x}'",
                     "x = {**x, i: x}", "x = x | {i}", "x = [*x, i]", "x = '%s%s' % (x, x)", "x = x << 1000", "x = x.upper() + 'a'", "x.insert(0, i)", "x.extend(x)", "x = list(map(str, range(1000)))", "x = type('A', (), {})", "x = lambda x=x: x", "x = max(range(10 ** 5))",
                     "x = ' '.join(map(str, range(1000)))", "def x(): pass", "class x: pass", "import os", "assert x", "x = [x for x in range(100)]", "x = sum(range(10 ** 5))", "x = 'a' * 10 ** 6", "x = 'a'.replace('a', 'aa' * 10 ** 5)", "try:\n        raise ValueError(x)\n    except ValueError as e:\n        x = e"])
    head = r.choice(["while True:", f"for i in range({size(r, 1000, 10 ** 9)}):", "for i in iter(int, 1):", "while x or not x:", "for i in __import__('itertools').count():"])
    return HEAD + f"{setup}\ni = 0\n{head}\n    {body}\n    i = i + 1\n"


@file
def shared_structure(r):
    n = size(r, 20, 5000)
    return HEAD + "import copy, dataclasses, json\n" + r.choice(["a = ()", "a = []", "a = {}", "a = 'x'", "a = 1"]) + "\n" + r.choice(["a = (a, a)\n", "a = [a, a]\n", "a = {1: a, 2: a}\n", "a = a, [a], {1: a}\n", "a = (lambda a: (a, a))(a)\n"]) * n + "b = " + r.choice(["a", "copy.copy(a)", "(a, a)"]) + "\n" + r.choice(
        ["hash(a)", "a == b", "repr(a)", "isinstance(1, a)", "copy.deepcopy(a)", "str(a)", "a < b", "a in (b, a)", "sorted([a, b])", "json.dumps(a)", "f'{a}'", "'%s' % (a,)", "print(a)", "a.__reduce__()", "max(a, b)", "{a: 1}", "set([a])", "hash((a, b))", "a + b", "sum(a, ())", "tuple(a)",
         "len(a)", "def f(x=a): pass", "k[(1,)](a)", "assert a != b, a", "raise ValueError(a)"]) + "\n"


@file
def self_containing(r):
    return HEAD + "import copy\nL = []\nL.append(L)\nD = {}\nD[1] = D\nM = [L, D]\nL.append(M)\n" + kernel("k", "x, c: gl.constexpr", "gl.static_print(c)", "gl.store(x, c == c)", "for i in gl.static_range(3):", "    gl.store(x, c[i])") + "\n".join(
        r.choice(["L == M", "repr(L)", "hash(tuple(L))", "copy.deepcopy(L)", "str(D)", "L < M", "M in L", "k[(1,)](torch.zeros(1, device='cuda'), L)", "k[(1,)](torch.zeros(1, device='cuda'), D)", "gl.BlockedLayout(L, L, L, L)", "gl.SliceLayout(0, L)", "sorted(L)", "L.index(M)", "L.count(M)", "f'{D}'", "D == dict(D)",
                  "isinstance(1, tuple(L))", "L.remove(M)", "L * 10 ** 6", "sum(L, [])", "k[L](torch.zeros(1, device='cuda'), 1)", "triton.Config(D)", "triton.cdiv(L, L)"]) for _ in range(size(r, 5, 50))) + "\n"


@file
def recursion(r):
    return HEAD + "import functools\n" + r.choice(["def f(*a): return f(*a, *a, 1)\nf()", "class A: pass\nA.__call__ = A()\nA()()", "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().x", "f = int\nfor i in range(200000): f = functools.partial(f, 1)\nf()", "class A:\n    def __eq__(self, o): return self == o\nA() == A()",
                                                   "class A:\n    def __repr__(self): return repr(self) + '%s' % self\nrepr(A())", "class A:\n    def __getitem__(self, i): return self[i + 1]\nA()[0]\nlist(A())\n1 in A()", "class A:\n    def __iter__(self): return iter(self)\nlist(A())", "def g():\n    yield from g()\nlist(g())", "def g(n):\n    yield n\n    yield from g(n + 1)\nsum(g(0))",
                                                   "class M(type):\n    def __call__(c): return c()\nclass A(metaclass=M): pass\nA()", "class A:\n    @property\n    def x(self): return self.x\nA().x", "f = lambda n: f(n - 1) + f(n - 2)\nf(100)", "x = '{' * 60000 + '}' * 60000\nx.format(*range(9))\nf'{1:{1:{1:{1}}}}'", "l = 0\nfor i in range(50000): l = gl.SliceLayout(0, l)\nrepr(l)\nl == l\nhash(l)",
                                                   "t = ()\nfor i in range(50000): t = (t,)\nrepr(t)\nhash(t)\nt == t\nt < t", "def f(a): return lambda: f(a)()\nf(1)()", "class A:\n    def __lt__(self, o): return sorted([self, o])\nsorted([A(), A()])", "class A:\n    def __hash__(self): return hash((self, self))\n{A(): 1}",
                                                   "class A:\n    def __index__(self): return [1, 2][self]\n[1, 2][A()]", "class A:\n    def __init_subclass__(c): type('B', (c,), {})\nclass B(A): pass", "class A:\n    def __set_name__(s, o, n): setattr(o, n + 'x', A()); type('C', (), {'a': A()})\nclass B:\n    a = A()", "@functools.lru_cache\ndef f(n): return f(n + 1)\nf(0)",
                                                   "def d(f): return d(d)\n@d\ndef g(): pass", "class A:\n    def __enter__(self):\n        with self: pass\nwith A(): pass", "def f():\n    try: f()\n    finally: f()\nf()"]) + "\n"


@file
def large_results(r):
    n = size(r, 10 ** 5, 10 ** 9)
    return HEAD + "import itertools, re, math, json, functools\n" + "\n".join(r.choice([f"s = 'aB' * {n}", f"s = 'a' * {n}\ns.upper().lower().title().swapcase()", f"'a' * {n} in 'b' * {n}", f"('ab' * {n}).find('ba' * {n // 2})", f"('a' * {n}).replace('a', 'b' * 100)", f"('a,' * {n}).split(',')", f"','.join(['a' * 1000] * {n})",
                                f"[0] * {n}", f"list(range({n}))", f"sorted(range({n}), key=lambda x: -x)", f"set(range({n}))", f"dict.fromkeys(range({n}))", f"max(range({n}))", f"sum(range({n}))", f"len([i for i in range({n})])", f"{n} in list(range({n}))", f"(10 ** {n}) % 7", f"2 ** {n}", f"1 << {n}", f"math.factorial({n})",
                                f"math.comb({n}, {n // 2})", f"int('1' * {n})", f"str(7 ** {n})", f"'%{n}d' % 1", f"'{{:{n}}}'.format(1)", f"f'{{1:{n}}}'", f"'a'.ljust({n})", f"'a'.center({n})", f"'\\t'.expandtabs({n})", f"bytes({n})", f"bytearray({n})", f"list(itertools.product(range(100), repeat={n % 50}))", f"list(itertools.permutations(range({n % 100})))",
                                f"list(itertools.combinations(range({n}), 3))", f"tuple(zip(*[range({n})] * 100))", f"list(map(str, range({n})))", f"functools.reduce(lambda a, b: a + b, ['a'] * {n})", f"round(7 ** 50000, -{n})", f"pow(3, {n}, 10 ** 1000)", f"range({n} ** 9)[5]", f"reversed(list(range({n})))", f"json.dumps([0] * {n})", f"hash('a' * {n})", f"('a' * {n}) * {n}",
                                f"any(x < 0 for x in range({n}))", f"all(itertools.repeat(1))", f"list(itertools.chain.from_iterable([[0] * 1000] * {n}))", f"divmod(10 ** {n % 10 ** 6}, 3 ** 1000)", f"list(enumerate('a' * {n}))", f"torch.zeros({n}, {n}).view(-1).numel()", f"torch.zeros([2] * {n % 10 ** 6})", f"triton.next_power_of_2({n} ** 99)", f"gl.BlockedLayout([1] * {n}, [1] * {n}, [1] * {n}, list(range({n})))",
                                f"math.prod(range(1, {n}))", f"math.gcd(*range({n}))", f"bin(1 << {n})", f"hex(1 << {n})", f"(1 << {n}).bit_length()", f"int.from_bytes(b'a' * {n}, 'big')", f"('a' * {n}).encode().hex()", f"''.join(reversed('a' * {n}))", f"[[0] * 1000 for i in range({n})]", f"{{i: [i] * 100 for i in range({n})}}"]) for _ in range(r.randrange(1, 6))) + "\n"


@file
def regular_expressions(r):
    n = size(r, 20, 10 ** 6)
    pattern = r.choice(["(a+)+b", "(a|a)*b", "(a*)*b", "(.*)*x", "(a|aa)+$b", "((a+)+)+b", "(?:a?){50}a{50}", "(x+x+)+y", "([a-z]+)*1", "(a|b|ab)*c", "^(([a-z])+.)+[A-Z]([a-z])+$", "(" * 1000 + ")" * 1000, "a{1000}{1000}{1000}", "[" + "a-z" * 10000 + "]", "(?P<n>a)(?P=n)*b", r"(\w+\s*)+:", r"\b(a|b)*\b{99999}"])
    return HEAD + "import re\n" + r.choice([f"re.match(r'{pattern}', 'a' * {n})", f"re.findall(r'{pattern}', 'ab' * {n})", f"re.sub(r'{pattern}', 'x' * 1000, 'a' * {n})", f"re.compile(r'{pattern}').search('a' * {n} + '!')", f"re.split(r'{pattern}', 'a ' * {n})", f"'%s' % re.fullmatch(r'{pattern}', 'a' * {n})"]) + "\n"


@file
def reentrant(r):
    """Code that is called back changes what is being walked, again and again."""
    callback = r.choice(["__eq__", "__lt__", "__hash__", "__index__", "__repr__", "__bool__", "__iter__", "__next__", "__len__", "__getattr__", "__str__", "__contains__", "__del__", "__add__", "__call__"])
    effect = r.choice(["L.clear()", "L.append(E())", "D.clear()", "D[E()] = 1", "L[:] = [E()] * 100", "L.sort()", "L.extend(L)", "del L[:]", "D.update({i: E() for i in range(50)})", "S.add(E())", "S.clear()", "L.reverse()", "E.__eq__ = None", "setattr(E, '%s', E)" % callback])
    uses = ["L.remove(5)", "L.index(5)", "L.count(5)", "L == [5] * len(L)", "L < [E()]", "sorted(L)", "L.sort(key=lambda x: L.clear() or 1)", "repr(L)", "str(D)", "D == {5: 5}", "5 in L", "E() in D", "D[E()]", "del L[E()]", "L[E():] = [1]", "S | {5}", "S == {5}", "max(L)", "min(D)", "sum(L)", "list(map(E(), L))", "list(zip(L, E()))",
            "dict.fromkeys(L, 1)", "set(L)", "tuple(E())", "L += E()", "L *= E()", "L.insert(E(), 1)", "L.pop(E())", "'%s' % L", "','.join(E())", "D.get(E())", "D.setdefault(E(), E())", "D.pop(E())", "D | D", "any(L)", "all(E())", "[x for x in L if x]", "{x: x for x in L}", "E() + L", "L.extend(E())", "L[E()] = L", "functools.reduce(E(), L)", "bisect.insort(L, E())",
            "heapq.heapify(L)", "gl.BlockedLayout(L, L, L, L)", "k[E()](E())", "k[(1,)](L)", "triton.cdiv(E(), 1)", "torch.zeros(E())", "torch.zeros(L)", "range(E())", "enumerate(L, E())", "filter(E(), L)", "isinstance(E(), E())", "getattr(E(), 'x')", "print(E())", "copy.deepcopy(L)"]
    r.shuffle(uses)
    each = "".join(f"    try:\n        {use}\n    except Exception:\n        pass\n" for use in uses[:r.randrange(3, len(uses))])
    return HEAD + kernel("k", "x", "gl.store(x, 1)") + ("import copy, functools, bisect, heapq\nL, D, S = [], {}, set()\n\n\nclass E:\n    def " + callback + f"(self, *a):\n        {effect}\n        return " + r.choice(["True", "False", "1", "0", "self", "'x'", "iter(L)", "NotImplemented", "E()"]) + "\n\n\n"
                                                        f"for i in range({size(r, 3, 10 ** 6)}):\n    L[:] = [E(), 1, E(), 2]\n    D.update({{E(): 1, 2: E()}})\n    S |= {{E(), 3}}\n" + each)


@file
def generators(r):
    return HEAD + "import itertools, functools\n" + r.choice(["def g():\n    while True: yield 1\nlist(g())", "def g():\n    i = 0\n    while True:\n        yield i\n        i += 1\nmax(g())", "x = iter(int, 1)\nlist(x)", "sum(1 for _ in itertools.count())", "dict(zip(itertools.count(), itertools.count()))", "a = iter([1])\nfor i in range(100000): a = (x for x in a)\nlist(a)", "a = iter(range(10))\nfor i in range(100000): a = map(int, a)\nlist(a)",
                                   "a = range(10)\nfor i in range(50000): a = itertools.chain(a, a)\nlist(a)", "list(itertools.cycle([1]))", "x, *y = itertools.count()", "print(*itertools.count())", "1 in itertools.cycle([0])", "for a in itertools.product(range(1000), repeat=9): pass", "def g(n):\n    for i in range(n):\n        for j in g(n - 1): yield (i, j)\nlist(g(12))", "''.join(itertools.repeat('a'))",
                                   "sorted(itertools.count())", "{x: x for x in itertools.count()}", "[x for x in iter(lambda: [0] * 1000, 1)]", "def g():\n    try:\n        while 1: yield\n    finally:\n        while 1: pass\nfor x in g(): break", "next(x for x in itertools.count() if x < 0)", "tuple(itertools.accumulate(itertools.count(1), lambda a, b: a * b))"]) + "\n"


@file
def objects(r):
    n = size(r, 1000, 10 ** 7)
    return HEAD + "import dataclasses, enum, collections, typing\n" + r.choice([f"class A:\n    def __init__(self, n):\n        self.n = n\n        self.items = [0] * 100\nx = [A(i) for i in range({n})]", f"@dataclasses.dataclass\nclass A:\n    x: object\na = A(1)\nfor i in range({n}): a = A(a)\ndataclasses.asdict(a)\na == a\nrepr(a)\ndataclasses.replace(a)", f"for i in range({n}): type(f'A{{i}}', (), {{'x': i}})",
                           f"E = enum.Enum('E', [f'a{{i}}' for i in range({n})])", f"T = collections.namedtuple('T', [f'a{{i}}' for i in range({n})])\nT(*range({n}))", f"d = collections.defaultdict(list)\nfor i in range({n}): d[i].append(d)", f"c = collections.Counter(range({n}))\nc.most_common()", f"q = collections.deque(range({n}))\nfor i in range({n}): q.rotate(1000)", f"class A: pass\na = A()\nfor i in range({n}): setattr(a, f'x{{i}}', a)\nvars(a)\ndir(a)",
                           "class M(type):\n    def __new__(m, n, b, d):\n        return type.__new__(m, n, b, dict(d, **{'x%d' % i: i for i in range(1000)}))\n" + "class A(metaclass=M): pass\n" * min(n, 3000), f"A = object\nfor i in range({n}): A = type('A', (A,), {{}})\nA().x", "class A0: pass\n" + "".join(f"class A{i}({', '.join(f'A{j}' for j in range(i - 1, max(-1, i - 60), -1))}): pass\n" for i in range(1, min(n, 400))),
                           f"globals().update({{f'v{{i}}': i for i in range({n})}})", f"x = typing.Union[tuple(typing.List[int] for i in range({n}))]"]) + "\n"


@file
def layouts(r):
    n = size(r, 10, 10 ** 6)
    return HEAD + r.choice([f"l = gl.BlockedLayout([1], [32], [4], [0])\nfor i in range({n}): l = gl.SliceLayout(0, l)", f"gl.DistributedLinearLayout([[i] for i in range({n})], [], [], [], [{n}])", f"gl.BlockedLayout([2 ** 31] * 5, [2 ** 62] * 5, [-1] * 5, [0] * 5)", f"for i in range({n}): gl.BlockedLayout([i], [32], [4], [0])",
                            f"gl.PaddedSharedLayout([[1, 1]] * {n}, [[0]] * {n}, [], [1])", f"gl.NVMMASharedLayout(swizzle_byte_width=10**{n % 300}, element_bitwidth={n}, rank={n})"]) + "\n" + kernel("k", "x, l: gl.constexpr", f"a = gl.full([{2 ** r.randrange(0, 40)}], 1.0, gl.float32, l)", "gl.store(x, gl.sum(gl.convert_layout(a, l), 0))") + "k[(1,)](torch.zeros(9, device='cuda'), l)\n"


@file
def get_warps_per_cta(r):
    """The tutorials' loop, which does not end for some numbers of warps."""
    return HEAD + f"""@gluon.constexpr_function
def get_warps_per_cta(m, n, num_warps):
    warps = [4, 1]
    while warps[0] * warps[1] != num_warps:
        if m > 16 * warps[0]:
            warps[0] *= 2
        else:
            warps[1] *= 2
    return warps


""" + kernel("k", "x, w: gl.constexpr", f"l: gl.constexpr = get_warps_per_cta({2 ** r.randrange(4, 9)}, 64, w)", "gl.store(x, l[0])") + f"for w in ({r.choice(['2', '1, 2, 3', '12', '5, 6, 7', 'range(1, 99)'])},):\n    k[(1,)](torch.zeros(9, device='cuda'), w, num_warps=4)\n"


# What is found once for each of many: comments, functions, exceptions, errors.
@file
def comments_that_silence(r):
    line = r.choice(["# gluond: ignore\n", "# gluond: ignore\n#\n", "# gluond: ignore[bank-conflicts]\nx = 1\n", "# gluond: ignore\n@f\n", "x = 1  # gluond: ignore\n"])
    return HEAD + line * size(r, 1000, 100000) + "def f(x): return x\n"


@file
def chains_of_callers(r):
    n = size(r, 1000, 20000)
    chain = [f"def f{i}(x): f{i + 1}(x)\n" for i in range(n)]
    if r.random() < 0.5:
        chain.reverse()
    return HEAD + kernel("k", "x", "gl.store(x, 1)") + "".join(chain) + f"def f{n}(x): k[({r.choice(['1.5', 'n', 'x', '1'])},)](x)\n"


@file
def exceptions_below_launches(r):
    depth, launches, errors = size(r, 10, 200), size(r, 10, 600), size(r, 10, 1000)
    functions = "".join(f"def f{i}(n):\n    if n < 0:\n" + "        k[(1,)](n)\n" * launches + f"    f{i + 1}(n)\n" for i in range(depth))
    return HEAD + kernel("k", "n", "gl.store(n, 1)") + functions + f"def f{depth}(n):\n" + "".join(f"    if n == {i}: raise ValueError({i})\n" for i in range(errors)) + "".join(f"f0({i})\n" for i in range(errors))


@file
def long_integers_as_constants(r):
    return HEAD + kernel("k", "x, t: gl.constexpr", "gl.store(x, 1)") + f"k[(1,)](torch.zeros(1, device='cuda'), tuple((1 << {size(r, 1000, 65000)}) + i * 3 for i in range({size(r, 100, 5000)})))\n"


@file
def long_names_in_errors(r):
    count, length = size(r, 20, 150), size(r, 100, 4000)
    first, second = ([("n" * length + infix + str(i)) for i in range(count)] for infix in ("", "b"))
    return HEAD + kernel("k", ", ".join(first + second), *[f"gl.arange(0, {name}, {LAYOUT})" for name in first + second])


def class_of(seed):
    """Classes take turns."""
    return list(FILES)[seed % len(FILES)]


def case(seed):
    """(class, text) of a seed."""
    name = class_of(seed)
    return name, FILES[name](random.Random(seed))
