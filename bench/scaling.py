#!/usr/bin/env python3
"""How the cost of a file grows with its size, whatever it holds.

    bench/scaling.py [--gluond build/bin/gluond] [--size 25000] [--only WORD ...] [--how check,launches,emit,lsp]
                     [--limit SECONDS] [--all] [--list]

Each case is a text of one kind (a hundred thousand lines that go on, directives, operators, brackets, decorators, bytes
that are no UTF-8, records, a project's settings ...), generated twice: `--size` items and four times as many. For each it
prints the seconds of CPU time of both, the exponent of the growth between them (1: linear), less what an empty file
takes, and the memory of the larger one. `lsp` opens the file in a server and asks for everything that editors ask for, at
rest and after keys at the start, in the middle and at the end. Marked with `!` is what grows faster than n^1.2, passes
the limit or ends by a signal; without --all only that is printed, and a summary. The exit status is 1 when anything is
marked. Needs Python only."""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from keystroke import ROOT, Client  # noqa: E402

HEAD = """\
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

"""
KERNEL = """\
@gluon.jit
def kernel(src, n, B: gl.constexpr):
    x = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(src + x, gl.load(src + x))

"""
RECORD = ('{"id": "r%s", "file": "case.py", "kernel": "kernel", "target": "cuda:90", "options": {"num_warps": 4}, "args": '
          '[{"name": "src", "type": "*fp32"}, {"name": "n", "type": "i32"}, '
          '{"name": "B", "type": "constexpr", "value": %s}]}\n')


def body(text):
    """The text in the body of a kernel."""
    return HEAD + "@gluon.jit\ndef kernel(a, b):\n" + "".join(f"    {line}\n" for line in text.splitlines()) + "\n"


def joined(separator, make, n):
    return separator.join(make(i) for i in range(n))


def record(n, value="1"):
    return {"case.py": HEAD + KERNEL, "case.launches.jsonl": "".join(RECORD % (i, value) for i in range(n))}


def one_record(value, extra=""):
    line = RECORD % (0, value)
    return {"case.py": HEAD + KERNEL, "case.launches.jsonl": line.rstrip("}\n") + extra + "}\n"}


def project(text):
    return {"case.py": HEAD + KERNEL, "pyproject.toml": text}


def ladder(n, header, indent=" "):
    """Blocks in blocks: as deep as n characters in all allow."""
    depth = int((2 * n) ** 0.5)
    return "".join(indent * i + header + "\n" for i in range(depth)) + indent * depth + "pass\n"


# A case: what makes its text (or its files) of n items. A text of bytes has 100 n of them.
CASES = {
    # lines and bytes
    "backslashes": lambda n: "x = 1" + " \\\n + 1" * n + "\n",
    "backslashes, empty": lambda n: "x = 1 \\\n" + "\\\n" * n + "\n",
    "lines in brackets": lambda n: "x = [\n" + "  1,\n" * n + "]\n",
    "lines in brackets, open": lambda n: "x = [\n" + "  1,\n" * n,
    "lines in brackets, open in a kernel": lambda n: body("x = f(\n" + "a,\n" * n) + "def g(): pass\n",
    "brackets open again and again": lambda n: "x = (\n" * n,
    "calls open again and again": lambda n: "def f(a,\n" * n,
    "brackets that do not match": lambda n: "x = (]" * n + "\n",
    "brackets of other kinds": lambda n: "x = " + "(" * (50 * n) + "]" * (50 * n) + "\n",
    "brackets closed": lambda n: ")" * (100 * n),
    "brackets opened": lambda n: "(" * (100 * n),
    "brackets opened, a line each": lambda n: "(\n" * n,
    "quotes": lambda n: "'" * (100 * n),
    "double quotes, odd": lambda n: '"' * (100 * n + 1),
    "quotes of three, a line each": lambda n: "'''\n" * (2 * n + 1),
    "quotes of three with definitions, endless": lambda n: "x = '''\ndef f(): pass\n'''\n" * n + "'''",
    "quotes of one, a line each": lambda n: "x = '\n" * n,
    "one long line": lambda n: "x = 1; " * (14 * n) + "\n",
    "comment, long": lambda n: "# " + "a" * (100 * n) + "\n",
    "comments": lambda n: "# a comment\n" * (8 * n),
    "comments in a body": lambda n: "def f():\n" + "    # a comment\n" * (6 * n) + "    pass\n",
    "blank lines": lambda n: "\n" * (100 * n),
    "blank lines in brackets": lambda n: "x = [" + "\n" * (100 * n) + "]\n",
    "carriage returns": lambda n: "\r" * (100 * n),
    "carriage returns between statements": lambda n: "x = 1\r" * (16 * n),
    "null bytes": lambda n: b"\0" * (100 * n),
    "null bytes in lines": lambda n: b"x = \0 1\n" * n,
    "null bytes in comments": lambda n: b"# \0\n" * n,
    "bytes that are no UTF-8": lambda n: b"\xff" * (100 * n),
    "bytes that are no UTF-8, in lines": lambda n: b"x = \xff\n" * n,
    "bytes that are no UTF-8, in a string": lambda n: b"x = '" + b"\xff" * (100 * n) + b"'\n",
    "combining characters": lambda n: "x" + "\u0301" * (50 * n) + " = 1\n",
    "characters of four bytes": lambda n: "x = '" + "\U0001f600" * (25 * n) + "'\n",
    "characters of four bytes, then names": lambda n: "x = '" + "\U0001f600" * (12 * n) + "'; " + "y; " * (12 * n) + "\n",
    "characters of four bytes, unknown names": lambda n: body("x = '\U0001f600'; " + "; ".join(f"y{i}" for i in range(n))),
    "names between characters of four bytes": lambda n: "x = [" + "'\U0001f600', y, " * n + "]\n",
    "spaces of other scripts in a line": lambda n: "x = " + "a\u00a0" * (30 * n) + "\n",
    "spaces of other scripts": lambda n: "x = 1\u00a0+ 1\n" * n,
    "form feeds": lambda n: "\f" * (100 * n),
    "spaces": lambda n: "x = 1" + " " * (100 * n) + "\n",
    "backspaces and controls": lambda n: "\x01\x02\x7f" * n,
    "tabs and spaces": lambda n: "".join("if x:\n" + ("\t" if i % 2 else " ") + "pass\n" for i in range(n)),
    "unexpected indents": lambda n: "".join(" " * (i % 40) + "x\n" for i in range(n)),
    "steps in": lambda n: ladder(100 * n, "if x:"),
    "steps in, functions": lambda n: ladder(100 * n, "def f():"),
    "steps in, classes": lambda n: ladder(100 * n, "class f:"),
    "steps in, loops": lambda n: ladder(100 * n, "for x in y:"),
    "steps in and out again": lambda n: joined("", lambda i: " " * (i % 90) + "if x:\n", n) + " " * 91 + "pass\n",
    # numbers and strings
    "digits": lambda n: "x = " + "7" * (10 * n) + "\n",
    "digits, hexadecimal": lambda n: "x = 0x" + "f" * (10 * n) + "\n",
    "digits, of a float": lambda n: "x = 1." + "7" * (10 * n) + "e-5\n",
    "digits, underscores": lambda n: "x = 1" + "_0" * (5 * n) + "\n",
    "numbers of 4300 digits": lambda n: ("x = " + "7" * 4300 + "\n") * (n // 40),
    "string": lambda n: "x = '" + "a" * (100 * n) + "'\n",
    "string of three quotes": lambda n: "x = '''" + "a\n" * (50 * n) + "'''\n",
    "docstring": lambda n: "def f():\n  '''" + "\n   a" * (25 * n) + "'''\n",
    "docstring of tabs": lambda n: "def f():\n  '''" + "\t" * (100 * n) + "'''\n",
    "string of escapes": lambda n: "x = '" + "\\n" * (50 * n) + "'\n",
    "string of wrong escapes": lambda n: "x = '" + "\\x" * (50 * n) + "'\n",
    "string of names of characters": lambda n: "x = '" + "\\N{DASH}" * (12 * n) + "'\n",
    "string of open names of characters": lambda n: "x = '" + "\\N{" * (33 * n) + "'\n",
    "string of names without braces": lambda n: "x = '" + "\\N" * (33 * n) + "'\n",
    "bytes": lambda n: "x = b'" + "a" * (100 * n) + "'\n",
    "bytes beyond ASCII": lambda n: "x = b'" + "\u00e9" * (50 * n) + "'\n",
    "strings side by side": lambda n: "x = (" + "'a' " * n + ")\n",
    "strings side by side, formatted": lambda n: "x = (" + "f'{a}' " * n + ")\n",
    "strings mixed with bytes": lambda n: "x = (" + "'a' b'a' " * n + ")\n",
    "holes": lambda n: "x = f'" + "{a}" * n + "'\n",
    "holes with a specification": lambda n: "x = f'" + "{a:>{b}}" * n + "'\n",
    "holes open": lambda n: "x = f'" + "{" * n + "'\n",
    "holes open, a line each": lambda n: "x = f'{\n" * n,
    "holes with comments": lambda n: "x = f'{a #\n" * n,
    "holes over blank lines": lambda n: "x = f'{a" + "\n" * (100 * n) + "}'\n",
    "holes over blank lines, of three quotes": lambda n: "x = f'''{a" + "\n" * (100 * n) + "}'''\n",
    "holes with hashes": lambda n: "x = f'{a " + "# " * (50 * n) + "'\n",
    "holes closed": lambda n: "x = f'" + "}" * n + "'\n",
    "f-strings in f-strings": lambda n: "x = " + "f'{" * n + "1" + "}'" * n + "\n",
    "f-strings in f-strings, of three quotes": lambda n: "x = " + "f'''{" * n + "1" + "}'''" * n + "\n",
    "specifications in specifications": lambda n: "x = f'" + "{x:" * n + "}" * n + "'\n",
    "specifications open": lambda n: "x = f'" + "{x:" * n + "'\n",
    "prefixes": lambda n: "x = rb'a' Rb'a' bR'a'\n" * n + "y = ur'a' fb'a' " * n + "\n",
    "raw strings": lambda n: "x = r'" + "\\'" * (50 * n) + "'\n",
    # expressions: wide
    "or": lambda n: "x = " + "a or " * n + "a\n",
    "and": lambda n: "x = " + "a and " * n + "a\n",
    "or and and": lambda n: "x = " + "a or a and " * n + "a\n",
    "sum": lambda n: "x = " + "1 + " * n + "1\n",
    "sum in a kernel": lambda n: body("x = " + "a + " * n + "1\n"),
    "power": lambda n: "x = " + "1 ** " * n + "1\n",
    "operators of all kinds": lambda n: "x = " + "a | b ^ c & d << e + f * g ** " * n + "1\n",
    "comparisons": lambda n: "x = " + "a < " * n + "a\n",
    "comparisons of other kinds": lambda n: "x = " + "a not in " * n + "a\n",
    "arguments": lambda n: "f(" + "a, " * n + ")\n",
    "keyword arguments": lambda n: "f(" + joined("", lambda i: f"k{i}=1, ", n) + ")\n",
    "keyword arguments, empty": lambda n: "f(" + "k=, " * n + ")\n",
    "keyword arguments, the same": lambda n: "f(" + "k=1, " * n + ")\n",
    "keyword arguments in a kernel": lambda n: body("gl.store(" + joined("", lambda i: f"k{i}=1, ", n) + ")\n"),
    "keyword arguments of a class": lambda n: "class C(" + joined("", lambda i: f"k{i}=1, ", n) + "): pass\n",
    "unpacked arguments": lambda n: "f(" + "*a, **b, " * n + ")\n",
    "parameters": lambda n: "def f(" + joined("", lambda i: f"p{i}, ", n) + "): pass\n",
    "parameters, the same": lambda n: "def f(" + "p, " * n + "): pass\n",
    "parameters of a kernel": lambda n: HEAD + "@gluon.jit\ndef f(" + joined("", lambda i: f"p{i}: gl.constexpr = {i}, ", n)
                                        + "): pass\n",
    "parameters, slashes": lambda n: "def f(a, " + "/, " * n + "): pass\n",
    "parameters, stars": lambda n: "def f(a, " + "*, " * n + "): pass\n",
    "parameters of a lambda": lambda n: "f = lambda " + joined(", ", lambda i: f"p{i}", n) + ": 1\n",
    "elements": lambda n: "x = [" + "1, " * n + "]\n",
    "elements of a tuple": lambda n: "x = " + "1, " * n + "\n",
    "elements of a set": lambda n: "x = {" + joined("", lambda i: f"{i}, ", n) + "}\n",
    "elements of a dictionary": lambda n: "x = {" + joined("", lambda i: f"'k{i}': {i}, ", n) + "}\n",
    "elements of a dictionary, the same": lambda n: "x = {" + "1: 1, " * n + "}\n",
    "subscripts": lambda n: "x = a[" + "1:2, " * n + "]\n",
    "clauses of a comprehension": lambda n: "x = [a " + "for a in b " * n + "]\n",
    "conditions of a comprehension": lambda n: "x = [a for a in b " + "if a " * n + "]\n",
    "targets": lambda n: "a = " * n + "1\n",
    "targets of a tuple": lambda n: "a, " * n + "= 1\n",
    "targets with stars": lambda n: "*a, " * n + "= 1\n",
    "targets that are none": lambda n: "1 = " * n + "1\n",
    "targets that are none, a line each": lambda n: "1 = 1\n" * n,
    "deleted": lambda n: "del " + ", ".join(["a"] * n) + "\n",
    # expressions: deep
    "deep: parentheses": lambda n: "x = " + "(" * n + "1" + ")" * n + "\n",
    "deep: lists": lambda n: "x = " + "[" * n + "]" * n + "\n",
    "deep: lists of 199, again and again": lambda n: ("x = " + "[" * 199 + "]" * 199 + "\n") * (n // 100),
    "deep: calls": lambda n: "x = " + "f(" * n + ")" * n + "\n",
    "deep: minus": lambda n: "x = " + "- " * n + "1\n",
    "deep: not": lambda n: "x = " + "not " * n + "1\n",
    "deep: await": lambda n: "x = " + "await " * n + "1\n",
    "deep: stars": lambda n: "f(" + "* " * n + "a)\n",
    "deep: attributes": lambda n: "x = a" + ".b" * n + "\n",
    "deep: attributes in a kernel": lambda n: body("x = a" + ".b" * n + "\n"),
    "deep: attributes, the last open": lambda n: "x = a" + ".b" * n + ".\n",
    "deep: calls of calls": lambda n: "x = f" + "()" * n + "\n",
    "deep: subscripts of subscripts": lambda n: "x = a" + "[0]" * n + "\n",
    "deep: lambdas": lambda n: "x = " + "lambda: " * n + "1\n",
    "deep: lambdas with defaults": lambda n: "x = " + "lambda a=" * n + "1" + ": 1" * n + "\n",
    "deep: conditional": lambda n: "x = " + "a if b else " * n + "1\n",
    "deep: conditional, left": lambda n: "x = " + "(" * 150 + "a if b else " * n + "1" + ")" * 150 + "\n",
    "deep: yield": lambda n: "def f():\n x = " + "(yield " * n + ")" * n + "\n",
    "deep: walrus": lambda n: "x = " + "(a := " * n + "1" + ")" * n + "\n",
    "deep: targets": lambda n: "(" * n + "a" + ",)" * n + " = 1\n",
    "deep: targets of 199": lambda n: ("(" * 199 + "a" + ",)" * 199 + " = 1\n") * (n // 100),
    "deep: dictionaries": lambda n: "x = " + "{1: " * n + "1" + "}" * n + "\n",
    "deep: comprehensions": lambda n: "x = " + "[a for a in " * n + "b" + "]" * n + "\n",
    "deep: subscripts": lambda n: "x = " + "a[" * n + "1" + "]" * n + "\n",
    "deep: annotations": lambda n: "x: " + "a[" * n + "1" + "]" * n + "\n",
    "deep: annotations with or": lambda n: "x: " + "int | " * n + "int\n",
    "deep: type parameters": lambda n: "def f[" + "A: (" * n + "int" + ")" * n + "](): pass\n",
    "deep: decorators": lambda n: "@" + "f(" * n + "1" + ")" * n + "\ndef f(): pass\n",
    "deep: dots of an import": lambda n: "from " + "." * n + " import a\n",
    "deep: patterns": lambda n: "match a:\n  case " + "[" * n + "b" + "]" * n + ":\n    pass\n",
    "deep: patterns, of 199 brackets": lambda n: "match a:\n" + ("  case " + "[" * 190 + "b" + "]" * 190 + ":\n    pass\n")
                                                 * (n // 100),
    "deep: patterns with or": lambda n: "match a:\n  case " + "1 | " * n + "1:\n    pass\n",
    # statements
    "statements in a line": lambda n: "x = 1; " * n + "\n",
    "statements in a line of a kernel": lambda n: body("x = a; " * n + "\n"),
    "statements of a kernel": lambda n: body("x = a\n" * n),
    "statements that are expressions": lambda n: "x\n" * n,
    "functions": lambda n: joined("", lambda i: f"def f{i}(): pass\n", n),
    "functions, the same": lambda n: "def f(): pass\n" * n,
    "functions, indented bodies": lambda n: joined("", lambda i: f"def f{i}():\n    pass\n\n", n),
    "functions in a class": lambda n: "class C:\n" + joined("", lambda i: f"    def f{i}(self): pass\n", n),
    "functions in a function": lambda n: "def f():\n" + joined("", lambda i: f"    def f{i}(self): pass\n", n),
    "functions, calls of the one before": lambda n: joined("", lambda i: f"def f{i}(): return f{max(0, i - 1)}()\n", n),
    "kernels": lambda n: HEAD + joined("", lambda i: f"@gluon.jit\ndef k{i}(a): pass\n", n // 20),
    "kernels, each calls the one before": lambda n: HEAD + joined(
        "", lambda i: f"@gluon.jit\ndef k{i}(a):\n  k{max(0, i - 1)}(a)\n", n // 20),
    "launches": lambda n: HEAD + KERNEL + joined("", lambda i: f"kernel[(1,)](x, 1, {i})\n", n // 20),
    "launches, the same": lambda n: HEAD + KERNEL + "kernel[(1,)](x, 1, 1)\n" * n,
    "classes": lambda n: joined("", lambda i: f"class C{i}: pass\n", n),
    "classes, each derived": lambda n: "class C0: pass\n" + joined("", lambda i: f"class C{i + 1}(C{i}): pass\n", n),
    "bases": lambda n: "class A: pass\nclass C(" + "A, " * n + "): pass\n",
    "elif": lambda n: "if a: pass\n" + "elif b: pass\n" * n,
    "elif, unknown": lambda n: "if a: x = 1\n" + joined("", lambda i: f"elif b: x = {i}\n", n),
    "elif in a kernel": lambda n: body("if a: pass\n" + "elif b: pass\n" * n),
    "elif, a mistake": lambda n: "if a: pass\n" + "elif b: pass\n" * n + "elif (: pass\n",
    "else if": lambda n: "".join(" " * i + "if a: pass\n" + " " * i + "else:\n" for i in range(min(90, n))) + " " * 90 + "b\n",
    "except": lambda n: "try: pass\n" + joined("", lambda i: f"except E{i}: pass\n", n),
    "except, a mistake": lambda n: "try: pass\n" + "except E: pass\n" * n + "except (: pass\n",
    "tries": lambda n: "try: pass\nexcept: pass\n" * n,
    "with": lambda n: "with " + "a as b, " * n + "a: pass\n",
    "withs": lambda n: "with a: pass\n" * n,
    "decorators": lambda n: "@f\n" * n + "def g(): pass\n",
    "decorators of a kernel": lambda n: HEAD + "@gluon.jit\n" * n + "def g(): pass\n",
    "decorators of nothing": lambda n: "@f\n" * n,
    "decorators, a mistake": lambda n: "@f\n" * n + "def g(: pass\n",
    "imports": lambda n: joined("", lambda i: f"import m{i}\n", n),
    "imports in a line": lambda n: "import " + joined(", ", lambda i: f"m{i}", n) + "\n",
    "imports from": lambda n: "from m import " + joined(", ", lambda i: f"m{i}", n) + "\n",
    "imports from, stars": lambda n: "from m import *\n" * n,
    "imports, the same": lambda n: "import math\n" * n,
    "imports, dotted": lambda n: "import " + ".".join(["a"] * n) + "\n",
    "imports of itself": lambda n: "from case import x\n" * n,
    "global": lambda n: "def f():\n global " + joined(", ", lambda i: f"a{i}", n) + "\n",
    "globals": lambda n: "def f():\n" + joined("", lambda i: f" global a{i}\n", n),
    "nonlocals": lambda n: "def f():\n a = 1\n def g():\n" + "  nonlocal a\n" * n,
    "names": lambda n: joined("", lambda i: f"name_{i} = {i}\n", n),
    "names of a hundred letters": lambda n: joined("", lambda i: f"{'n' * 90}{i}\n", n),
    "one name, long": lambda n: "a" * (100 * n) + " = 1\n",
    "cases": lambda n: "match a:\n" + "  case 1: pass\n" * n,
    "cases, a mistake": lambda n: "match a:\n" + "  case 1: pass\n" * n + "  case (: pass\n",
    "matches": lambda n: "match a:\n  case 1: pass\n" * n,
    "assertions": lambda n: "assert a, b\n" * n,
    "returns outside": lambda n: "return 1\n" * n,
    "breaks outside": lambda n: "break\n" * n,
    "futures": lambda n: "from __future__ import annotations\n" * n,
    "colons": lambda n: ":" * n + "\n",
    "dots": lambda n: "." * n + "\n",
    "commas": lambda n: "," * n + "\n",
    "semicolons": lambda n: ";" * n + "\n",
    "operators": lambda n: "+" * n + "\n",
    "equals": lambda n: "=" * n + "\n",
    "at": lambda n: "@" * n + "\n",
    "at, a line each": lambda n: "@\n" * n,
    "question marks": lambda n: "?" * (100 * n) + "\n",
    "question marks, a line each": lambda n: "x = ?\n" * n,
    "mistakes": lambda n: "x = = 1\n" * n,
    "mistakes in one function": lambda n: "def f():\n" + "    x = = 1\n" * n,
    "mistakes in functions": lambda n: "def f():\n    x = = 1\n" * n,
    "mistakes in one line": lambda n: "x = = 1;" * n + "\n",
    "print": lambda n: "print 'a'\n" * n,
    "print as a name": lambda n: "print(print, type, exec)\n" * n,
    "words": lambda n: "lorem ipsum dolor sit amet\n" * n,
    "unknown names": lambda n: joined("", lambda i: f"x = unknown_{i}\n", n),
    "unknown names in a kernel": lambda n: body(joined("", lambda i: f"x = unknown_{i}\n", n)),
    "type aliases": lambda n: "type X = int\n" * n,
    # what gluond reads
    "directives": lambda n: HEAD + "# gluond: launch(src='*fp32', n=1, B=1)\n" * n + KERNEL,
    "directives, all different": lambda n: HEAD + joined(
        "", lambda i: f"# gluond: launch(src='*fp32', n=1, B={i})\n", n // 20) + KERNEL,
    "directives, wrong": lambda n: HEAD + "# gluond: launch(src='*fp32', n=, B=1)\n" * n + KERNEL,
    "directives, open": lambda n: HEAD + "# gluond: launch(src='*fp32',\n" * n + KERNEL,
    "directives, of many lines": lambda n: HEAD + "# gluond: launch(src='*fp32',\n" + "#\n" * n + "# n=1, B=1)\n" + KERNEL,
    "directives, of many arguments": lambda n: HEAD + "# gluond: launch(" + joined(", ", lambda i: f"k{i}=1", n) + ")\n" + KERNEL,
    "directives between decorators": lambda n: HEAD + "@gluon.jit\n" + "# gluond: launch()\n" * n + "def k(): pass\n",
    "directives to ignore": lambda n: HEAD + "x = unknown  # gluond: ignore\n" * n,
    "comments above kernels": lambda n: HEAD + "# comment\n" * n + KERNEL,
    "markers of cells": lambda n: "# %%\nx = 1\n" * n,
    "records": lambda n: record(n),
    "records, all different": lambda n: {"case.py": HEAD + KERNEL,
                                         "case.launches.jsonl": "".join(RECORD % (i, i) for i in range(n // 20))},
    "records with the same id": lambda n: {"case.py": HEAD + KERNEL, "case.launches.jsonl": RECORD % (0, 1) * n},
    "records of another file": lambda n: {"case.py": HEAD + KERNEL,
                                          "case.launches.jsonl": (RECORD % (0, 1)).replace("case.py", "other.py") * n},
    "records of no kernel": lambda n: {"case.py": HEAD + KERNEL + "x = 1\n" * n,
                                       "case.launches.jsonl": (RECORD % (0, 1)).replace('"kernel", "t', '"other", "t') * n},
    "records that are none": lambda n: {"case.py": HEAD + KERNEL, "case.launches.jsonl": "{\n" * n},
    "record lines, blank": lambda n: {"case.py": HEAD + KERNEL, "case.launches.jsonl": "\n" * (100 * n)},
    "record with keys": lambda n: one_record("1", "," + joined(",", lambda i: f'"k{i}": 1', n)),
    "record with keys, the same": lambda n: one_record("1", "," + '"k": 1,' * n + '"k": 1'),
    "record with arguments": lambda n: one_record("1", ', "args": [' + '{"name": "src", "type": "i32"},' * n + "1]"),
    "record with elements": lambda n: one_record("[" + "1," * n + "1]"),
    "record with a deep list": lambda n: one_record("[" * n + "]" * n),
    "record with a deep list, open": lambda n: one_record("[" * n),
    "record with deep tuples": lambda n: one_record('{"$tuple": [' * n + "1" + "]}" * n),
    "record with a dictionary": lambda n: one_record('{"$dict": [' + joined(",", lambda i: f"[{i}, {i}]", n) + "]}"),
    "record with a string": lambda n: one_record('"' + "a" * (100 * n) + '"'),
    "record with escapes": lambda n: one_record('"' + "\\n" * (50 * n) + '"'),
    "record with digits": lambda n: one_record("7" * (10 * n)),
    "record with globals": lambda n: one_record("1", ', "globals": {' + joined(",", lambda i: f'"case:k{i}": 1', n) + "}"),
    "record with a closure": lambda n: one_record("1", ', "line": 5, "closure": {' + joined(",", lambda i: f'"k{i}": 1', n) + "}"),
    "record with defaults": lambda n: one_record("1", ', "line": 5, "defaults": {' + joined(",", lambda i: f'"k{i}": 1', n) + "}"),
    "record and parameters": lambda n: {
        "case.py": HEAD + "@gluon.jit\ndef kernel(" + joined(", ", lambda i: f"p{i}", n) + "): pass\n",
        "case.launches.jsonl": '{"id": "r", "file": "case.py", "kernel": "kernel", "target": "cuda:90", "options": '
                               '{"num_warps": 4}, "args": [' + joined(", ", lambda i: f'{{"name": "p{i}", "type": "i32"}}', n)
                               + "]}\n"},
    "settings": lambda n: project("[tool.gluond]\n" + joined("", lambda i: f"k{i} = 1\n", n)),
    "settings, the same": lambda n: project("[tool.gluond]\n" + "target = 'cuda:90'\n" * n),
    "settings, tables": lambda n: project(joined("", lambda i: f"[tool.gluond.t{i}]\nx = 1\n", n)),
    "settings of others": lambda n: project(joined("", lambda i: f"k{i} = 1\n", n) + "[tool.gluond]\ntarget = 'cuda:90'\n"),
    "settings, a deep list": lambda n: project("[tool.gluond]\nx = " + "[" * n + "]" * n + "\n"),
    "settings, deep lists": lambda n: project("[tool.gluond]\n" + ("x = " + "[" * 64 + "]" * 64 + "\n") * (n // 64)),
    "settings, a long list": lambda n: project("[tool.gluond]\nrecords = [" + "'a', " * n + "]\n"),
    "settings, a long string": lambda n: project("[tool.gluond]\ntarget = '" + "a" * (100 * n) + "'\n"),
    "settings, a long key": lambda n: project("[tool.gluond]\n" + "a." * (50 * n) + "a = 1\n"),
    "settings, open strings": lambda n: project("[tool.gluond]\n" + 'x = """\n' * (2 * n + 1)),
    "settings, digits": lambda n: project("[tool.gluond]\nx = " + "7" * (100 * n) + "\n"),
}


def write(folder, made):
    files = made if isinstance(made, dict) else {"case.py": made}
    for name, text in files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / "case.py"


class Cost:
    """Of one run: seconds of CPU time, megabytes at most, and how it ended."""

    def __init__(self, seconds, megabytes, ended):
        self.seconds, self.megabytes, self.ended = seconds, megabytes, ended


def limited(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    return limit


def run(options, command):
    process = subprocess.Popen([options.gluond, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=limited(options.limit))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = f"ended by signal {-process.returncode}" if process.returncode < 0 else ""
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, ended)


class Server:
    """One session; costs() are those of its parts."""
    AT = ("hover", "completion", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename")
    OVER = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens")

    def __init__(self, options, path):
        self.options, self.uri = options, path.resolve().as_uri()
        self.text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
        self.lines = self.text.replace("\r", "\n").split("\n")
        self.parts, self.ended = {}, ""
        self.client = Client.__new__(Client)
        self.client.ids = 0
        self.client.process = subprocess.Popen([options.gluond, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                               stderr=subprocess.DEVNULL, preexec_fn=limited(10 * options.limit))
        self.proc = Path(f"/proc/{self.client.process.pid}")

    def spent(self):
        fields = (self.proc / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        return int((self.proc / "status").read_text().split("VmHWM:")[1].split()[0]) / 1024

    def request(self, part, method, params):
        before = self.spent()
        watch = threading.Timer(3 * self.options.limit, self.client.process.kill)
        watch.start()
        try:
            self.client.request(method, params)
        except SystemExit:
            self.ended = f"the server ended in {part}"
            raise
        finally:
            watch.cancel()
        self.parts[part] = self.parts.get(part, 0) + self.spent() - before

    def ask(self, what, extra):
        self.request(what, "textDocument/" + what, {"textDocument": {"uri": self.uri}, **extra})

    def session(self):
        self.request("start", "initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        self.client.send("initialized", {})
        self.client.send("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "python", "version": 1,
                                                                   "text": self.text}})
        self.request("open", "textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        last = max(0, len(self.lines) - 2)
        middle = last // 2
        spots = [(0, 0), (middle, len(self.lines[middle]) // 2), (last, max(0, len(self.lines[last]) - 1))]
        for line, column in spots:
            at = {"line": line, "character": column}
            for what in self.AT:
                self.ask(what, {"position": at, "context": {"includeDeclaration": True}})
            self.ask("selectionRange", {"positions": [at]})
            self.ask("codeAction", {"range": {"start": at, "end": at}, "context": {"diagnostics": []}})
        everything = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": len(self.lines), "character": 0}}}
        self.ask("inlayHint", everything)
        for what in self.OVER:
            self.ask(what, {})
        for version, (name, (line, column)) in enumerate(zip(("start", "middle", "end"), spots), 2):
            at = {"line": line, "character": column}
            self.client.send("textDocument/didChange", {
                "textDocument": {"uri": self.uri, "version": version},
                "contentChanges": [{"range": {"start": at, "end": at}, "text": "a"}]})
            self.request(f"key at the {name}", "textDocument/diagnostic", {"textDocument": {"uri": self.uri}})

    def costs(self):
        try:
            self.session()
            memory = self.megabytes()
        except (SystemExit, OSError, IndexError, BrokenPipeError):
            self.ended = self.ended or "the server ended"
            memory = 0
        self.client.process.kill()
        self.client.process.wait()
        return {f"lsp {part}": Cost(seconds, memory, "") for part, seconds in self.parts.items()} | (
            {"lsp": Cost(0, 0, self.ended)} if self.ended else {})


def costs(options, folder, made):
    path = write(folder, made)
    found = {}
    if "check" in options.how:
        found["check"] = run(options, ["check", str(path)])
    if "launches" in options.how:
        found["launches"] = run(options, ["launches", str(path)])
    if "emit" in options.how:
        records = folder / "case.launches.jsonl"
        what = [str(records)] if records.exists() else [str(path), "--kernel", "kernel"]
        found["emit"] = run(options, ["emit", *what, "--stage", "source", "-o", str(folder / "out")])
    if "lsp" in options.how:
        found |= Server(options, path).costs()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    parser.add_argument("--size", type=int, default=25_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--how", default="check,launches,emit,lsp")
    parser.add_argument("--limit", type=int, default=20, help="seconds of CPU time for one run")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.how = options.how.split(",")
    names = [name for name in CASES if not options.only or any(word in name for word in options.only)]
    if options.list:
        print("\n".join(names))
        return
    marked, rows = 0, 0
    with tempfile.TemporaryDirectory() as root:
        empty = Path(root) / "empty"
        empty.mkdir()
        base = costs(options, empty, HEAD + KERNEL)
        for number, name in enumerate(names):
            sizes = []
            for factor in (1, 4):
                folder = Path(root) / f"{number}-{factor}"
                folder.mkdir()
                sizes.append(costs(options, folder, CASES[name](options.size * factor)))
                subprocess.run(["rm", "-rf", str(folder)], check=False)
            for how in sizes[1]:
                large, small = sizes[1][how], sizes[0].get(how, Cost(0, 0, ""))
                start = base[how].seconds if how in base and how.count(" ") == 0 else 0
                few, many = (max(0.01, cost.seconds - start) for cost in (small, large))
                exponent = math.log(many / few, 4)
                wrong = bool(large.ended or small.ended) or many > options.limit or (exponent > 1.2 and many > 0.4)
                marked += wrong
                rows += 1
                if wrong or options.all:
                    print(f"{'!' if wrong else ' '} {name:42} {how:26} {small.seconds:7.2f} {large.seconds:7.2f} s  "
                          f"n^{exponent:4.2f}  {large.megabytes:6.0f} MB  {large.ended or small.ended}", flush=True)
    print(f"{len(names)} cases, {rows} costs, {marked} marked")
    sys.exit(1 if marked else 0)


if __name__ == "__main__":
    main()
