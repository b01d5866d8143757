#!/usr/bin/env python3
"""Compares gluond's syntax tree with CPython's own `ast`, node by node, ranges included.

    compare_ast.py AST_DUMP PATH...        files or folders of .py files

Prints, for each file that differs, the first statement that does. Files that this Python refuses are counted apart:
for these gluond must report an error. Exit code 1 when anything differs.
"""
import ast
import inspect
import pathlib
import re
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)


class Dumper:
    def __init__(self, data: bytes):
        self.starts = [0]
        i = 0
        while i < len(data):
            if data[i] == 10 or (data[i] == 13 and data[i + 1:i + 2] != b"\n"):
                self.starts.append(i + 1)
            i += 1
        self.bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0

    def at(self, line, col):
        return self.starts[line - 1] + col + (self.bom if line == 1 else 0)

    def open(self, kind, n):
        return f"({kind}@{self.at(n.lineno, n.col_offset)}-{self.at(n.end_lineno, n.end_col_offset)}"

    def text(self, s):
        if isinstance(s, str):
            s = s.encode("utf-8", "surrogatepass")
        return ' "' + "".join(chr(c) if 0x20 <= c < 0x7F and c not in b'"\\' else f"\\{c:02x}" for c in s) + '"'

    def sub(self, n):
        return " " + ("-" if n is None else self.expr(n))

    def list(self, ns):
        return " [" + "".join(self.sub(n) for n in ns) + "]"

    def keywords(self, ks):
        return " {" + "".join(f" {k.arg or '-'}={self.expr(k.value)}" for k in ks) + "}"

    def parameters(self, a):
        out = []

        def one(kind, arg, default=None):
            s = f" {kind}: {arg.arg}"
            if arg.annotation:
                s += ":" + self.expr(arg.annotation)
            if default is not None:
                s += "=" + self.expr(default)
            out.append(s)

        plain = a.posonlyargs + a.args
        defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
        for i, arg in enumerate(plain):
            one("p" if i < len(a.posonlyargs) else "a", arg, defaults[i])
        if a.vararg:
            one("v", a.vararg)
        for arg, default in zip(a.kwonlyargs, a.kw_defaults):
            one("k", arg, default)
        if a.kwarg:
            one("w", a.kwarg)
        return " <" + "".join(out) + ">"

    def joined(self, n):
        # gluond keeps {x=} as text beside the value; CPython writes it into the text before.
        parts = []
        for v in n.values:
            if isinstance(v, ast.Constant):
                parts.append(self.text(v.value))
            elif isinstance(v, ast.JoinedStr):
                parts.append(self.joined(v))
            else:
                conversion = chr(v.conversion) if v.conversion > 0 else "-"
                parts.append(f" (FormattedValue{self.sub(v.value)} {conversion}{' -' if v.format_spec is None else self.joined(v.format_spec)})")
        return " (JoinedStr [" + "".join(parts) + "])"

    def expr(self, n):
        k = type(n).__name__
        o = lambda name=k: self.open(name, n)  # noqa: E731
        if k == "Name":
            return f"{o()} {n.id})"
        if k == "Constant":
            v = n.value
            if v is None or v is True or v is False:
                return f"{o()} {v})"
            if v is Ellipsis:
                return f"{o()} Ellipsis)"
            if isinstance(v, int):
                return f"{o()} int {v})"
            if isinstance(v, float):
                return f"{o()} float {v:.17g})"
            if isinstance(v, complex):
                return f"{o()} complex {v.imag:.17g})"
            return f"{o()} {'str' if isinstance(v, str) else 'bytes'}{self.text(v)})"
        if k == "JoinedStr":
            return self.joined(n)[1:]
        if k in ("Tuple", "List", "Set"):
            return o() + self.list(n.elts) + ")"
        if k == "Dict":
            return o() + "".join(self.sub(a) + self.sub(b) for a, b in zip(n.keys, n.values)) + ")"
        if k in ("ListComp", "SetComp", "GeneratorExp", "DictComp"):
            s = o() + (self.sub(n.key) + self.sub(n.value) if k == "DictComp" else self.sub(n.elt) + " -")
            for g in n.generators:
                s += (" async-for" if g.is_async else " for") + self.sub(g.target) + self.sub(g.iter) + self.list(g.ifs)
            return s + ")"
        if k == "Attribute":
            return f"{o()}{self.sub(n.value)} {n.attr})"
        if k == "Subscript":
            return f"{o()}{self.sub(n.value)}{self.sub(n.slice)})"
        if k == "Slice":
            return f"{o()}{self.sub(n.lower)}{self.sub(n.upper)}{self.sub(n.step)})"
        if k == "Starred":
            return f"{o()}{self.sub(n.value)})"
        if k == "Call":
            return f"{o()}{self.sub(n.func)}{self.list(n.args)}{self.keywords(n.keywords)})"
        if k == "BinOp":
            return f"{o(type(n.op).__name__)}{self.sub(n.left)}{self.sub(n.right)})"
        if k == "UnaryOp":
            return f"{o(type(n.op).__name__)}{self.sub(n.operand)})"
        if k == "BoolOp":
            return f"{o(type(n.op).__name__)}{self.list(n.values)})"
        if k == "Compare":
            return o() + self.sub(n.left) + "".join(f" {type(op).__name__}{self.sub(c)}" for op, c in zip(n.ops, n.comparators)) + ")"
        if k == "IfExp":
            return f"{o()}{self.sub(n.test)}{self.sub(n.body)}{self.sub(n.orelse)})"
        if k == "Lambda":
            return f"{o()}{self.parameters(n.args)}{self.sub(n.body)})"
        if k == "NamedExpr":
            return f"{o()}{self.sub(n.target)}{self.sub(n.value)})"
        if k in ("Await", "Yield", "YieldFrom"):
            return f"{o()}{self.sub(n.value)})"
        raise NotImplementedError(k)

    def body(self, ns, depth):
        return " [" + "".join("\n" + "  " * (depth + 1) + self.stmt(n, depth + 1) for n in ns) + "]"

    def docstring(self, n):
        doc = ast.get_docstring(n, clean=False)
        return self.text(inspect.cleandoc(doc) if doc else "")

    def stmt(self, n, d=0):
        k = type(n).__name__
        o = lambda name=k: self.open(name, n)  # noqa: E731
        if k in ("FunctionDef", "AsyncFunctionDef"):
            return f"{o()} {n.name}{self.list(n.decorator_list)}{self.parameters(n.args)}{self.sub(n.returns)}{self.docstring(n)}{self.body(n.body, d)})"
        if k == "ClassDef":
            return f"{o()} {n.name}{self.list(n.decorator_list)}{self.list(n.bases)}{self.keywords(n.keywords)}{self.docstring(n)}{self.body(n.body, d)})"
        if k == "Return":
            return f"{o()}{self.sub(n.value)})"
        if k == "Delete":
            return f"{o()}{self.list(n.targets)})"
        if k == "Assign":
            return f"{o()}{self.list(n.targets)}{self.sub(n.value)})"
        if k == "AugAssign":
            return f"{o()}{self.sub(n.target)} {type(n.op).__name__}{self.sub(n.value)})"
        if k == "AnnAssign":
            return f"{o()}{self.sub(n.target)}{self.sub(n.annotation)}{self.sub(n.value)})"
        if k in ("For", "AsyncFor"):
            return f"{o()}{self.sub(n.target)}{self.sub(n.iter)}{self.body(n.body, d)}{self.body(n.orelse, d)})"
        if k in ("While", "If"):
            return f"{o()}{self.sub(n.test)}{self.body(n.body, d)}{self.body(n.orelse, d)})"
        if k in ("With", "AsyncWith"):
            return o() + "".join(self.sub(i.context_expr) + self.sub(i.optional_vars) for i in n.items) + self.body(n.body, d) + ")"
        if k == "Raise":
            return f"{o()}{self.sub(n.exc)}{self.sub(n.cause)})"
        if k in ("Try", "TryStar"):
            s = o("Try") + self.body(n.body, d)
            for h in n.handlers:
                s += (" except*" if k == "TryStar" else " except") + self.sub(h.type) + f" {h.name or '-'}" + self.body(h.body, d)
            return s + self.body(n.orelse, d) + self.body(n.finalbody, d) + ")"
        if k == "Assert":
            return f"{o()}{self.sub(n.test)}{self.sub(n.msg)})"
        if k in ("Import", "ImportFrom"):
            names = "".join(f" {a.name}" + (f"={a.asname}" if a.asname else "") for a in n.names)
            return o() + (f" {n.level} {n.module or ''}" if k == "ImportFrom" else "") + names + ")"
        if k in ("Global", "Nonlocal"):
            return o() + "".join(" " + name for name in n.names) + ")"
        if k == "Expr":
            return f"{o()}{self.sub(n.value)})"
        if k in ("Pass", "Break", "Continue"):
            return o() + ")"
        if k == "Match":
            s = o() + self.sub(n.subject)
            for c in n.cases:
                s += " case" + self.sub(c.guard) + self.body(c.body, d)
            return s + ")"
        if k == "TypeAlias":
            return f"{o()}{self.sub(n.name)}{self.sub(n.value)})"
        raise NotImplementedError(k)


def normalise_ours(text):
    return re.sub(r" case \d+-\d+", " case", text)  # gluond keeps patterns as ranges, CPython as trees


def main():
    tool, *paths = sys.argv[1:]
    files = []
    for p in map(pathlib.Path, paths):
        files += sorted(p.rglob("*.py")) if p.is_dir() else [p]
    same = refused = wrong = 0
    for start in range(0, len(files), 200):
        batch = files[start:start + 200]
        out = subprocess.run([tool, *map(str, batch)], capture_output=True)
        sections = re.split(rb"^== (.*)\n", out.stdout, flags=re.M)[1:]
        if out.returncode != 0 or len(sections) != 2 * len(batch):
            print("the tool failed near", batch[len(sections) // 2 - 1] if sections else batch[0], out.stderr.decode()[-500:])
            sys.exit(1)
        for file, ours in zip(batch, sections[1::2]):
            data = file.read_bytes()
            ours = ours.decode("utf-8", "replace")
            errors = [line for line in ours.split("\n") if line.startswith("!! ")]
            serious = [e for e in errors if ": error: " in e]
            try:
                tree = ast.parse(data)
                compile(data, str(file), "exec", dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
                refused += 1
                if not serious:
                    wrong += 1
                    print(f"NOT REPORTED {file}: {type(e).__name__}: {e}")
                continue
            if serious:
                wrong += 1
                print(f"FALSE ERROR {file}: {errors[0]}")
                continue
            if errors:
                continue
            dumper = Dumper(data)
            theirs = "".join(dumper.stmt(n) + "\n" for n in tree.body)
            mine = normalise_ours(ours)
            mine, theirs = strip_ranges_in_fstrings(mine), strip_ranges_in_fstrings(theirs)
            if mine == theirs:
                same += 1
                continue
            wrong += 1
            a, b = mine.split("\n"), theirs.split("\n")
            for x, y in zip(a + [""], b + [""]):
                if x != y:
                    i = next((i for i in range(min(len(x), len(y))) if x[i] != y[i]), 0)
                    print(f"DIFFERS {file}\n  ours   ...{x[max(0, i - 80):i + 160]}\n  theirs ...{y[max(0, i - 80):i + 160]}")
                    break
    print(f"{same} same, {refused} refused by Python, {wrong} wrong, of {len(files)}")
    sys.exit(1 if wrong else 0)


def strip_ranges_in_fstrings(text):
    """Ranges within (JoinedStr ...) mean something only since Python 3.12."""
    out = []
    i = 0
    while (j := text.find("(JoinedStr", i)) >= 0:
        out.append(text[i:j])
        depth, k, quoted = 0, j, False
        while True:
            c = text[k]
            if c == '"':
                quoted = not quoted
            elif not quoted and c in "()":
                depth += 1 if c == "(" else -1
                if depth == 0:
                    break
            k += 1
        out.append(re.sub(r"@\d+-\d+", "", text[j:k + 1]))
        i = k + 1
    return "".join(out) + text[i:]


if __name__ == "__main__":
    main()
