"""`%%gluon` for IPython and Jupyter: checks a cell with gluond, runs it, and shows layouts and benchmarks below it.

    %load_ext gluond

    %%gluon [--check] [--run] [--target T] [--layout NAME|LAYOUT] [--shape S] [--dtype D] [--bench KERNEL] [--arg NAME=VALUE] [--grid G]

A cell is checked together with the cells that ran before it, so that it knows their imports, helpers and kernels; only findings in the cell itself
are shown. A cell with errors does not run. docs/notebooks.md describes the options.
"""
import ast
import base64
import contextlib
import difflib
import html
import inspect
import json
import re
import sys
import tempfile
import types
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from .compiler import find_gluond
from .program import UNREADABLE, Connection, Failure, Refused, run

MAGIC = "%%gluon"
MOST_CELLS = 500  # of the session, the last ones
MOST_TEXT = 1 << 20
CHECK_SECONDS = 60
BENCH_SECONDS = 600
SESSION = "notebook_session"  # a module that gluond does not find, so that it knows nothing of its names
DOCUMENT = "file:///notebook.py"
FUTURE = re.compile(r"^from __future__ import annotations *\n", re.M)
TIMED = re.compile(r"^([ \t]*)%time[ \t]+(?=\S)", re.M)  # what follows runs as if it stood alone
# Arguments that a launch in gluond's simulator takes and a launch on a GPU does not.
ON_CPU = re.compile(r"a numpy array cannot be passed to a kernel|is a tensor on the CPU")
COLORS = {"error": "#d13438", "warning": "#b8860b", "hint": "#3b78c3"}


def gluond(arguments, text="", seconds=None):
    """The exit code, the output and the messages of one run of the program. Failure when it does not end by itself."""
    try:
        return run([find_gluond(), *arguments], seconds or CHECK_SECONDS, text)
    except FileNotFoundError as error:
        raise Failure(str(error)) from None


def answer_of(done):
    """The JSON that the program wrote. UsageError with its words when it was used wrongly, Failure when it did not do its part."""
    if done.code == 2:
        raise UsageError(done.words or "gluond ended with 2")
    try:
        if done.code in (0, 1):
            return json.loads(done.output)
    except UNREADABLE:
        pass
    raise Failure(done.words or (f"gluond ended with {done.code}" if done.code else "gluond's answer cannot be read"))


@contextlib.contextmanager
def understood():
    """In here, answers are read: what is none is a Failure."""
    try:
        yield
    except UNREADABLE as error:
        raise Failure(f"gluond's answer cannot be read: {type(error).__name__}: {error}") from error


@contextlib.contextmanager
def in_words():
    """Failures of the program become one line below the cell."""
    try:
        with understood():
            yield
    except (Failure, Refused) as error:
        raise UsageError(str(error)) from error


def unchecked(reason):
    text = f"the cell was not checked: {reason}"
    return Shown(text, f'<div style="border-left:3px solid {COLORS["warning"]};padding-left:8px;margin:6px 0">{html.escape(text)}</div>')


class Shown:
    """Text in a terminal, HTML in a notebook."""

    def __init__(self, text, markup):
        self.text, self.markup = text, markup

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.markup


def units(line, end):
    """The index in `line` of the UTF-16 code unit `end`."""
    return len(line.encode("utf-16-le")[:2 * end].decode("utf-16-le", "ignore"))


def findings_shown(findings, cell, first):
    """The findings in the cell, whose first line is line `first` of the checked text."""
    lines, texts, items = cell.splitlines(), [], []
    for finding in findings:
        start, end = finding["range"]["start"], finding["range"]["end"]
        number = start["line"] - first
        line = lines[number] if number < len(lines) else ""
        at = units(line, start["character"])
        until = units(line, end["character"]) if end["line"] == start["line"] else len(line)
        titles = [fix["title"] for fix in finding["fixes"]]
        related = [each["message"] for each in finding.get("related", []) if each.get("message")]
        texts.append("\n".join([f"line {number + 1}: {finding['severity']}: {finding['message']} [{finding['code']}]", f"  {line}",
                                "  " + " " * at + "~" * max(1, until - at), *(f"  note: {each}" for each in related), *(f"  fix: {each}" for each in titles)]))
        color = COLORS.get(finding["severity"], "inherit")
        marked = (html.escape(line[:at]) + f'<span style="text-decoration:underline wavy {color}">{html.escape(line[at:until]) or " "}</span>'
                  + html.escape(line[until:]))
        notes = "".join(f"<div>note: {html.escape(each)}</div>" for each in related) + "".join(f"<div>fix: {html.escape(each)}</div>" for each in titles)
        items.append(f'<div style="border-left:3px solid {color};padding-left:8px;margin:6px 0"><b style="color:{color}">{html.escape(finding["severity"])}</b> '
                     f'line {number + 1}: {html.escape(finding["message"])} <code>{html.escape(finding["code"])}</code>'
                     f'<pre style="margin:2px 0">{marked}</pre>{notes}</div>')
    return Shown("\n".join(texts), "".join(items))


def asked(text, method, params):
    """The answer of a language server that has the text open. Refused is its own error, Failure that it does not answer."""
    document = {"uri": DOCUMENT}
    server = Connection([find_gluond(), "lsp"])
    try:
        server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, (), CHECK_SECONDS)
        server.notify("initialized", {}, CHECK_SECONDS)
        server.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "python", "version": 1, "text": text}}, CHECK_SECONDS)
        return server.ask(method, {"textDocument": document, **params}, (), CHECK_SECONDS)[0]
    finally:
        server.end()


def place_of(name, cell, first):
    """Where the cell last assigns or takes `name`, as a position of LSP; None where it does not."""
    found = None
    for node in ast.walk(ast.parse(cell)):
        names = (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name) or (isinstance(node, ast.arg) and node.arg == name)
        if names and (found is None or (node.lineno, node.col_offset) > found):
            found = (node.lineno, node.col_offset)
    if found is None:
        return None
    before = cell.splitlines()[found[0] - 1].encode()[:found[1]].decode()
    return {"line": first + found[0] - 1, "character": len(before.encode("utf-16-le")) // 2}


def layout_shown(layout, shape, dtype, target):
    options = [part for name, value in (("--shape", shape), ("--dtype", dtype), ("--target", target)) if value for part in (name, value)]
    # A layout that begins with a dash is none: it must not become an option.
    drawing = gluond(["layout", *options, "--format", "svg", "--", layout])
    if not drawing.output.startswith("<svg"):
        raise UsageError(drawing.words or "gluond's answer cannot be read")
    text = gluond(["layout", *options, "--", layout]).output
    # As a picture, its style is its own and does not reach the page.
    picture = base64.b64encode(drawing.output.encode()).decode()
    return Shown(text, f'<img alt="{html.escape(layout)}" style="max-width:100%;background:#fff" src="data:image/svg+xml;base64,{picture}">')


def number(value, pattern="{:.1f}"):
    return "-" if value is None else pattern.format(value)


COLUMNS = [
    ("launch", lambda row: row["label"]),
    ("median", lambda row: f"{row['microseconds']['median']:.2f} µs"),
    ("spread", lambda row: f"{100 * row['microseconds']['spread']:.1f}%"),
    ("GB/s", lambda row: number(row["gigabytesPerSecond"])),
    ("TFLOP/s", lambda row: number(row["teraflops"])),
    ("of peak", lambda row: number(row["percentOfPeak"], "{:.1f}%")),
    ("bound", lambda row: row["bound"] or "-"),
    ("registers", lambda row: str(row["registers"])),
    ("shared", lambda row: str(row["sharedBytes"])),
    ("occupancy", lambda row: f"{100 * row['occupancy']:.0f}%"),
    ("runs", lambda row: str(row["microseconds"]["runs"])),
]


def benchmark_shown(result):
    """The table of `gluond bench`, the fastest launch first."""
    done = sorted((row for row in result["rows"] if row["state"] == "done"), key=lambda row: row["microseconds"]["median"])
    cells = [[title for title, _ in COLUMNS]] + [[column(row) for _, column in COLUMNS] for row in done]
    widths = [max(map(len, column)) for column in zip(*cells)]
    title = f"{result['kernel']} on {result['device']['name']}"
    failures = [f"{row['label']}: {row.get('problem', {}).get('message', row['state'])}" for row in result["rows"] if row["state"] != "done"]
    text = "\n".join([title] + ["  ".join(value.ljust(width) for value, width in zip(line, widths)).rstrip() for line in cells] + failures)
    row_of = lambda line, tag: "<tr>" + "".join(f"<{tag}>{html.escape(value)}</{tag}>" for value in line) + "</tr>"
    markup = (f"<div><b>{html.escape(title)}</b><table>{row_of(cells[0], 'th')}{''.join(row_of(line, 'td') for line in cells[1:])}</table>"
              + "".join(f"<div>{html.escape(each)}</div>" for each in failures) + "</div>")
    return Shown(text, markup)


def defined(text):
    """The names that a cell defines at its top level; None if it is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def awaits(text):
    """Whether a cell awaits something outside of functions, which only IPython allows."""
    try:
        return bool(compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True).co_flags & inspect.CO_COROUTINE)
    except (SyntaxError, ValueError):
        return False


def is_simulating():
    simulation = sys.modules.get(f"{__package__}.simulation")
    return simulation is not None and simulation.Simulating.running > 0


@magics_class
class GluonMagics(Magics):
    """The magic `%%gluon`."""

    def plain(self, cell):
        """The cell as Python, line by line: what only IPython understands, such as `!command`, `%magic` and `name?`, becomes calls."""
        text = TIMED.sub(r"\1", cell)
        made = self.shell.transform_cell(text)
        if made == text:
            return text
        old, new, lines = text.splitlines(), made.splitlines(), []
        for _, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            lines += new[first:last][:end - start]
            lines += [""] * (end - len(lines))
        return "\n".join(lines) + "\n"

    def program(self, cell, plain):
        """What is checked: the text before the cell, and the text after it. `plain` is the cell as Python.

        Before it come the cells that ran before, in order; of a cell that was changed and run again, the last version. Cells that ran since an earlier
        version of this one and define nothing, such as launches of its kernels, come after it.
        """
        history = self.shell.history_manager.input_hist_raw
        last = len(history) - 1 if history and history[-1].rstrip().endswith(cell.rstrip()) else len(history)
        before, after, size, replaced, later = [], [], len(cell), False, set(defined(plain) or ())
        own = set(later)
        # From the last to the first: whether a cell ran since an earlier version of this one is known when that is met.
        for raw in reversed(history[max(0, last - MOST_CELLS):last]):
            magic, _, body = raw.lstrip().partition("\n")
            if magic.split(" ")[0] == MAGIC:
                text = self.plain(body)
            elif magic.startswith("%%"):
                continue
            else:
                text = self.plain(raw)
            names = defined(text)
            if names is None:
                continue
            if names and names <= later:
                if names & own and not replaced:
                    replaced = True
                    after = [each for each in before if not defined(each)]
                    before = [each for each in before if defined(each)]
                continue
            later |= names
            size += len(text)
            if size > MOST_TEXT:
                break
            before.append(text.rstrip("\n") + "\n")
        before, after = "".join(reversed(before)), "".join(reversed(after))
        future, given = "", self.given(before + plain + "\n" + after)
        if FUTURE.search(before + plain):  # a cell may begin with it; in a program it comes first
            future, before = "from __future__ import annotations\n", FUTURE.sub("pass\n", before)
        return future + given + before, after

    def given(self, text):
        """Definitions of the names that the text uses and that exist in this session for another reason: by a magic, or a star import."""
        used, bound = set(), set()
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return ""
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound.add(node.name)
            elif isinstance(node, ast.alias):
                bound.add((node.asname or node.name).split(".")[0])
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
        lines = []
        for name in sorted(used - bound):
            if name not in self.shell.user_ns:
                continue
            value = self.shell.user_ns[name]
            if isinstance(value, types.ModuleType):
                lines.append(f"import {value.__name__} as {name}\n")
            elif type(value) in (bool, int, str):
                lines.append(f"{name} = {value!r}\n")
            else:
                lines.append(f"from {SESSION} import {name}\n")
        return "".join(lines)

    @magic_arguments()
    @argument("--check", action="store_true", help="check the cell and do not run it")
    @argument("--run", action="store_true", help="run the cell even if it has errors")
    @argument("--target", help="the GPU of launches that do not name one: cuda:90, hip:gfx942, ...")
    @argument("--layout", action="append", default=[], metavar="NAME", help="draw the layout of this name of the cell, or this layout; may be repeated")
    @argument("--shape", help="the shape of a layout that is no tensor's: 32x64")
    @argument("--dtype", help="the element type of a layout that is no tensor's: f16")
    @argument("--bench", metavar="KERNEL", help="time each launch of this kernel on a GPU")
    @argument("--arg", action="append", default=[], help="for --bench: the value of an argument, n=4096 or x=random:f16[4096,4096]; may be repeated")
    @argument("--grid", help="for --bench: the number of programs, 128,1,1")
    @cell_magic
    def gluon(self, line, cell):
        """Checks a cell with Gluon kernels, then runs it."""
        given = parse_argstring(self.gluon, line)
        for option, values, of in (("--shape", given.shape, "--layout"), ("--dtype", given.dtype, "--layout"),
                                   ("--arg", given.arg, "--bench"), ("--grid", given.grid, "--bench")):
            if values and not getattr(given, of[2:]):
                raise UsageError(f"{option} is an option of {of}, which is not given")
        plain = self.plain(cell)
        before, after = self.program(cell, plain)
        first = before.count("\n")
        text = before + FUTURE.sub("pass\n", plain) + "\n" + after
        errors = self.check(text, plain, first, given.target)
        if not given.check:
            if errors and not given.run:
                raise UsageError(f"the cell has {errors} error{'s' if errors > 1 else ''} and was not run ({MAGIC} --run runs it)")
            if awaits(plain):
                raise UsageError(f"{MAGIC} cannot run a cell that awaits outside of functions: check it with --check, and run it without the magic")
            self.run(cell)
        for name in given.layout:
            with in_words():
                shown = self.layout(name, text, plain, first, given)
            display(shown)
        if given.bench:
            with in_words():
                shown = self.benchmark(text, given)
            display(shown)

    def check(self, text, cell, first, target):
        """Shows the findings in the cell; how many of them are errors. A cell that gluond fails to check has none, and words that say so."""
        try:
            with understood():
                shown, errors = self.findings(text, cell, first, target)
        except Failure as error:
            display(unchecked(str(error)))
            return 0
        if shown:
            display(shown)
        return errors

    def findings(self, text, cell, first, target):
        """What is shown of the findings in the cell, if anything, and how many of them are errors."""
        options = ["--target", target] if target else []
        found = answer_of(gluond(["check", "-", "--stdin-filename", "notebook.py", "--format", "json", *options], text))
        end = first + len(cell.splitlines())
        allowed = [each for each in found if not (each["code"] == "outside-function" and awaits(cell))
                   and not (each["code"] == "launch-argument" and ON_CPU.search(each["message"]) and is_simulating())]
        # The same mistake in several launches is one to the reader. A launch may be in a later cell, so that there is none is no finding.
        own = {json.dumps([each["range"], each["message"]]): each for each in allowed
               if first <= each["range"]["start"]["line"] < end and each["code"] != "typed-defaults"}
        return findings_shown(own.values(), cell, first) if own else None, sum(each["severity"] == "error" for each in own.values())

    def run(self, cell):
        """As IPython runs a cell: the value of a last expression is shown, and Triton finds the source of kernels."""
        code = self.shell.transform_cell(cell)
        name = self.shell.compile.cache(code, self.shell.execution_count, raw_code=cell)
        body = self.shell.compile.ast_parse(code, filename=name).body
        shown = [body.pop()] if body and isinstance(body[-1], ast.Expr) and not code.rstrip().endswith(";") else []
        exec(self.shell.compile(ast.Module(body, []), name, "exec"), self.shell.user_ns)
        if shown:
            exec(self.shell.compile(ast.Interactive(shown), name, "single"), self.shell.user_ns)

    def layout(self, name, text, cell, first, given):
        if not name.isidentifier():
            return layout_shown(name, given.shape, given.dtype, given.target)
        place = place_of(name, cell, first)
        if place is None:
            raise UsageError(f"--layout {name}: the cell assigns no such name")
        try:
            answer = asked(text, "gluond/layoutMap", {"position": place, **({"target": given.target} if given.target else {})})
        except Refused:
            raise UsageError(f"--layout {name}: gluond knows no layout of it. The shapes of tensors are known when a launch of the kernel is known: in this "
                             "cell, or in one that ran before") from None
        shape = "x".join(map(str, answer["shape"])) or given.shape
        return layout_shown(answer["layout"], given.shape if answer.get("source") and given.shape else shape, answer.get("dtype") or given.dtype,
                            given.target or answer.get("target"))

    def benchmark(self, text, given):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "notebook.py"
            program.write_text(text, encoding="utf-8")
            options = [part for name, values in (("--arg", given.arg), ("--grid", [given.grid]), ("--target", [given.target]))
                       for value in values if value for part in (name, value)]
            answer = answer_of(gluond(["bench", str(program), "--kernel", given.bench, "--all", "--format", "json", *options], seconds=BENCH_SECONDS))
        if problem := answer.get("problem"):
            # What the program advises is for a shell, and names a file that is gone by now.
            raise Failure(f"{problem['message']}\nfor a GPU on another machine, set GLUOND_RUNNER to the command that starts gluond-runner there before the "
                          "notebook starts; without a GPU, gluond.simulating() runs kernels on the CPU")
        return benchmark_shown(answer)


def load_ipython_extension(shell):
    shell.register_magics(GluonMagics)
