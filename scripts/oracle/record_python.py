#!/usr/bin/env python3
"""Record what CPython makes of the snippets in tests/data/evaluate, for the evaluator's tests.

    scripts/oracle/record_python.py            expressions.txt -> expressions.jsonl, programs.py -> programs.jsonl

Recorded with CPython 3.11. The tests read the .jsonl files only and need no Python.
"""
import json
import pathlib
import re
import sys
import warnings

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "evaluate"


def outcome(run):
    try:
        return {"repr": re.sub(r"0x[0-9a-f]{7,}", "0x", run())}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def write(name, rows):
    with open(DATA / name, "w", encoding="utf-8", errors="surrogateescape") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    print(f"{name}: {len(rows)}")


def expressions():
    for line in (DATA / "expressions.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        try:
            code = compile(line, "x", "eval")
        except SyntaxError:
            sys.exit(f"not an expression: {line}")
        yield {"source": line, **outcome(lambda: repr(eval(code, {})))}


def programs():
    """Programs are separated by lines of `# --- name`; each leaves its result in `out`."""
    for name, source in re.findall(r"^# --- (.*)\n((?:(?!# ---).*\n)*)", (DATA / "programs.py").read_text(), re.M):
        def run():
            scope = {"__name__": "program"}
            exec(compile(source, "program.py", "exec", dont_inherit=True), scope)
            return repr(scope["out"])
        yield {"name": name, "source": source, **outcome(run)}


warnings.simplefilter("ignore")
write("expressions.jsonl", list(expressions()))
write("programs.jsonl", list(programs()))
