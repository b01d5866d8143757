#!/usr/bin/env python3
"""Reads Triton wheels and prints what differs between releases, against the tables of compiler/releases/.

    scripts/oracle/release_facts.py triton-4.0.0.whl            what a new release adds, drops and changes, against the newest known one
    scripts/oracle/release_facts.py triton-4.0.0.whl --goldens new/bin/python
                                                                the same, and which goldens the Triton of that Python writes otherwise
    scripts/oracle/release_facts.py --write WHEEL WHEEL ...     makes the tables again from the wheels of all releases

Wheels are read as archives: no code of theirs is imported or run, so neither a GPU nor a Python of a certain version is needed.
Only for goldens a Python is needed in which the new Triton is installed; no GPU and no torch.
docs/contributing/adding-a-release.md says what else a new release asks for.
"""
import argparse
import ast
import re
import subprocess
import sys
import zipfile
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "compiler/releases/tables"
HIDDEN = {"_semantic", "_generator", "_builder"}  # parameters that the code generator passes
# Modules whose functions and classes programs call: their signatures are compared.
CALLED = re.compile(r"triton(\.(experimental\.gluon|language)(\.(?!_)\w+)*)?$")


class Wheel:
    """The modules of one release, and the names and signatures in them, by reading."""

    def __init__(self, path):
        self.texts = {}
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.startswith("triton/") and name.endswith(".py") and "__main__" not in name:
                    parts = name[:-3].split("/")
                    package = parts[-1] == "__init__"
                    self.texts[".".join(parts[:-1] if package else parts)] = (archive.read(name).decode(), package)
                elif re.fullmatch(r"triton-[^/]*\.dist-info/METADATA", name):
                    self.version = re.search(r"^Version: (\S+)", archive.read(name).decode(), re.M)[1]
        for name in list(self.texts):  # a folder is a module as well
            while "." in name:
                name = name.rpartition(".")[0]
                self.texts.setdefault(name, ("", True))
        self.release = ".".join(self.version.split(".")[:2])
        self._bindings, self._trees = {}, {}

    def tree(self, module):
        if module not in self._trees:
            self._trees[module] = ast.parse(self.texts[module][0])
        return self._trees[module]

    def absolute(self, module, node):
        """The module that `from ... import` names."""
        if not node.level:
            return node.module
        package = module if self.texts[module][1] else module.rpartition(".")[0]
        for _ in range(node.level - 1):
            package = package.rpartition(".")[0]
        return package + ("." + node.module if node.module else "")

    def bindings(self, module):
        """Name -> what it is bound to: a definition, a value's expression, or ('import', module, name)."""
        if module in self._bindings:
            return self._bindings[module]
        found = self._bindings[module] = {}

        def look(body):
            for node in body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    found[node.name] = node
                elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if node.value else []
                    for target in targets:
                        for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                            if isinstance(each, ast.Name):
                                found[each.id] = node.value
                elif isinstance(node, ast.Import):
                    for alias in node.names:
                        found[alias.asname or alias.name.partition(".")[0]] = ("import", alias.name if alias.asname else alias.name.partition(".")[0], None)
                elif isinstance(node, ast.ImportFrom):
                    source = self.absolute(module, node)
                    for alias in node.names:
                        if alias.name == "*":
                            for name in self.exported(source):
                                found[name] = ("import", source, name)
                        else:
                            found[alias.asname or alias.name] = ("import", source, alias.name)
                elif isinstance(node, ast.If) and not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                    look(node.body), look(node.orelse)
                elif isinstance(node, ast.Try):
                    look(node.body), look(node.orelse), look(node.finalbody)
                    for handler in node.handlers:
                        look(handler.body)
                elif isinstance(node, ast.With):
                    look(node.body)
                elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                    found[node.target.id] = node.iter
                elif isinstance(node, ast.Delete):
                    for target in node.targets:
                        if isinstance(target, ast.Name):
                            found.pop(target.id, None)

        look(self.tree(module).body)
        for other in self.texts:  # submodules
            parent, _, last = other.rpartition(".")
            if parent == module:
                found.setdefault(last, ("import", other, None))
        return found

    def exported(self, module):
        if module not in self.texts:
            return []
        listed = self.bindings(module).get("__all__")
        if isinstance(listed, (ast.List, ast.Tuple)):
            return [each.value for each in listed.elts if isinstance(each, ast.Constant)]
        return [name for name in self.bindings(module) if not name.startswith("_")]

    def names(self, module):
        return {name for name in self.bindings(module) if not (name.startswith("__") and name.endswith("__"))}

    def definition(self, module, name, depth=0):
        """The (module, node) that defines a name, through imports and wrappers such as `sum = _import_from_triton(tl_standard.sum)`."""
        if depth > 12 or module not in self.texts:
            return None
        bound = self.bindings(module).get(name)
        if isinstance(bound, tuple):
            source, inner = bound[1:]
            if inner is None:
                return None
            return self.definition(source, inner, depth + 1)
        if isinstance(bound, ast.Call) and len(bound.args) == 1:
            bound = bound.args[0]
        if isinstance(bound, ast.Name):
            return self.definition(module, bound.id, depth + 1)
        if isinstance(bound, ast.Attribute) and isinstance(bound.value, ast.Name):
            holder = self.bindings(module).get(bound.value.id)
            if isinstance(holder, tuple):
                inside = holder[1] if holder[2] is None else f"{holder[1]}.{holder[2]}"
                return self.definition(inside, bound.attr, depth + 1)
            return None
        return (module, bound) if isinstance(bound, (ast.FunctionDef, ast.ClassDef)) else None

    def bases(self, module, cls):
        for base in cls.bases:
            if isinstance(base, ast.Name):
                found = self.definition(module, base.id)
            elif isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
                holder = self.bindings(module).get(base.value.id)
                found = self.definition(holder[1] if holder[2] is None else f"{holder[1]}.{holder[2]}", base.attr) if isinstance(holder, tuple) else None
            else:
                found = None
            if found and isinstance(found[1], ast.ClassDef):
                yield found

    def members(self, module, cls, depth=0):
        """The public members of a class: name -> definition or None, inherited ones included."""
        found = {}
        if depth < 6:
            for base in self.bases(module, cls):
                found.update(self.members(*base, depth + 1))
        for node in cls.body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] = None
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found[target.id] = node.value if isinstance(node.value, ast.FunctionDef) else None
        for node in ast.walk(next((each for each in cls.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), cls)):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self":
                found.setdefault(node.attr, None)
        if cls.name == "tensor":  # functions that are methods as well
            for bound in list(self.bindings(module).values()):
                if isinstance(bound, ast.FunctionDef) and any(isinstance(each, ast.Name) and each.id == "_tensor_member_fn" for each in bound.decorator_list):
                    found[bound.name] = bound
            for other in ("triton.language.standard", "triton.language.math"):
                for bound in self.bindings(other).values():
                    if isinstance(bound, ast.FunctionDef) and any("_tensor_member_fn" in ast.unparse(each) for each in bound.decorator_list):
                        found[bound.name] = bound
        return {name: node for name, node in found.items() if not name.startswith("_")}

    def signature(self, module, node):
        """The parameters as a row of the table of builtins has them, or None if they are not known."""
        if isinstance(node, ast.ClassDef):
            init = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
            if init:
                return self.written(init.args, skip=1)
            if any("dataclass" in ast.unparse(each) for each in node.decorator_list):
                fields = []
                for owner in [*(base for _, base in self.bases(module, node)), node]:
                    for each in owner.body:
                        if isinstance(each, ast.AnnAssign) and "field(init=False" not in ast.unparse(each).replace(" ", ""):
                            fields.append(each.target.id + ("" if each.value is None else "=" + default(each.value)))
                return "(" + ", ".join(dict.fromkeys(fields)) + ")"
            return None
        return self.written(node.args)

    @staticmethod
    def written(args, skip=0):
        plain = [*args.posonlyargs, *args.args]
        values = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        out = [a.arg + ("" if v is None else "=" + default(v)) for a, v in list(zip(plain, values))[skip:] if a.arg not in HIDDEN]
        keywords = [a.arg + ("" if v is None else "=" + default(v)) for a, v in zip(args.kwonlyargs, args.kw_defaults) if a.arg not in HIDDEN]
        if args.vararg:
            out.append("*" + args.vararg.arg)
        elif keywords:
            out.append("*")
        out += keywords
        if args.kwarg:
            out.append("**" + args.kwarg.arg)
        return "(" + ", ".join(out) + ")"

    @cached_property
    def signatures(self):
        """(module or class, name) -> signature, for all that programs call."""
        found = {}
        for module in self.texts:
            if not CALLED.match(module):
                continue
            for name in self.names(module):
                if name.startswith("_"):
                    continue
                defined = self.definition(module, name)
                if not defined:
                    continue
                found[module, name] = self.signature(*defined)
                if isinstance(defined[1], ast.ClassDef):
                    for member, node in self.members(*defined).items():
                        if isinstance(node, ast.FunctionDef) and not any(ast.unparse(each) in ("property", "staticmethod", "classmethod") for each in node.decorator_list):
                            found[name, member] = self.written(node.args)
        return {key: value for key, value in found.items() if value is not None}

    @cached_property
    def owners(self):
        """Module or class -> its names."""
        found = {module: self.names(module) for module in self.texts}
        for module in self.texts:
            if not CALLED.match(module):
                continue
            for name in self.names(module):
                defined = self.definition(module, name)
                if defined and isinstance(defined[1], ast.ClassDef) and not name.startswith("_"):
                    found.setdefault(name, set()).update(self.members(*defined))
        return found


def default(node):
    text = ast.unparse(node).replace("'", '"')
    return re.sub(r"\b(?:ttgl|tl|core)\.constexpr\((.*)\)", r"\1", text)


def order(release):
    return [int(each) for each in release.split(".")]


def spans(present, releases):
    """The first and the last release that has something, as the table writes them; None if it came and went more than once."""
    flags = [release in present for release in releases]
    if all(flags) or not any(flags):
        return None
    first, last = flags.index(True), len(flags) - 1 - flags[::-1].index(True)
    return releases[first], "" if last == len(flags) - 1 else releases[last]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fact_rows(wheels):
    """The rows of the three tables, made from all releases."""
    releases = [wheel.release for wheel in wheels]
    modules, names, signatures = [], [], []
    everything = sorted(set().union(*(wheel.owners for wheel in wheels)))
    for owner in everything:
        having = [wheel for wheel in wheels if owner in wheel.owners]
        span = spans({wheel.release for wheel in having}, releases)
        isModule = owner.startswith("triton")
        if span and isModule:
            modules.append((owner, *span))
        for name in sorted(set().union(*(wheel.owners[owner] for wheel in having))):
            present = {wheel.release for wheel in having if name in wheel.owners[owner]}
            # A name that a module always had goes without a row: the module's row says it. The names of dropped modules are listed.
            if present == {wheel.release for wheel in having} and (not span or not span[1] or not isModule):
                continue
            inner = spans(present, releases)
            if inner:
                names.append((owner, name, *inner))
    for key in sorted(set().union(*(wheel.signatures for wheel in wheels))):
        for wheel, following in zip(wheels, wheels[1:]):
            mine, next_ = wheel.signatures.get(key), following.signatures.get(key)
            if mine is not None and mine != next_:
                signatures.append((*key, wheel.release, mine))
    return modules, names, signatures


def write(wheels):
    modules, names, signatures = fact_rows(wheels)
    header = "// Made by scripts/oracle/release_facts.py from the wheels of Triton " + ", ".join(wheel.version for wheel in wheels) + ".\n"
    TABLES.mkdir(exist_ok=True)

    def put(file, what, macro, rows):
        lines = [f"{macro}({', '.join(quoted(each) for each in row)})" for row in rows]
        (TABLES / file).write_text(header + what + "\n".join(lines) + f"\n#undef {macro}\n")

    put("Modules.def", "// MODULE(name, first release, last release or \"\"): modules that not every release has.\n", "MODULE", modules)
    put("Names.def", "// NAME(module or class, name, first release, last release or \"\"): names that came or went.\n", "NAME", names)
    put("EarlierSignatures.def", "// SIGNATURE(module or class, name, last release, parameters): what a call looked like up to that release, where\n"
        "// the next one changed it.\n", "SIGNATURE", signatures)
    return f"{len(modules)} modules, {len(names)} names, {len(signatures)} signatures"


def report(newer, older):
    """What one release changed against the one before."""
    out = []
    for owner in sorted(newer.owners.keys() | older.owners.keys()):
        if owner not in older.owners:
            out.append(f"+ {owner}")
        elif owner not in newer.owners:
            out.append(f"- {owner}")
        else:
            out += [f"+ {owner}.{name}" for name in sorted(newer.owners[owner] - older.owners[owner])]
            out += [f"- {owner}.{name}" for name in sorted(older.owners[owner] - newer.owners[owner])]
    for key in sorted(newer.signatures.keys() & older.signatures.keys()):
        if newer.signatures[key] != older.signatures[key]:
            out.append(f"~ {'.'.join(key)}{older.signatures[key]} -> {newer.signatures[key]}")
    return out


def against_tables(wheel):
    """Where the tables say something else about this release than its wheel."""
    def rows(file, macro):
        for row in re.findall(rf"^{macro}\((.*)\)$", (TABLES / file).read_text(), re.M):
            yield ast.literal_eval("(" + row + ",)")

    out = []
    holds = lambda first, last: order(first) <= order(wheel.release) and (not last or order(wheel.release) <= order(last))
    for module, first, last in rows("Modules.def", "MODULE"):
        if holds(first, last) != (module in wheel.texts):
            out.append(f"{'-' if holds(first, last) else '+'} {module}")
    for owner, name, first, last in rows("Names.def", "NAME"):
        if owner in wheel.owners and holds(first, last) != (name in wheel.owners[owner]):
            out.append(f"{'-' if holds(first, last) else '+'} {owner}.{name}")
    expected = {}  # what a call looks like in this release, where a later one changed it
    for owner, name, last, text in sorted(rows("EarlierSignatures.def", "SIGNATURE"), key=lambda row: order(row[2])):
        if order(wheel.release) <= order(last):
            expected.setdefault((owner, name), text)
    for (owner, name), text in expected.items():
        now = wheel.signatures.get((owner, name))
        if now is not None and now != text:
            out.append(f"~ {owner}.{name}{text} -> {now}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", nargs="+", metavar="WHEEL")
    parser.add_argument("--write", action="store_true", help="write compiler/releases/tables/*.def")
    parser.add_argument("--goldens", metavar="PYTHON", help="compare the goldens with the Triton that this Python has")
    options = parser.parse_args()
    wheels = sorted((Wheel(path) for path in options.wheels), key=lambda wheel: order(wheel.release))
    if options.write:
        print(write(wheels))
        return 0
    changed = 0
    for wheel in wheels:
        for line in against_tables(wheel):
            print(f"{wheel.release}  {line}")
            changed += 1
    for older, newer in zip(wheels, wheels[1:]):
        print(f"== {newer.release} after {older.release}")
        print("\n".join(report(newer, older)))
    print(f"{changed} differences from the tables", flush=True)
    if options.goldens:
        print("== goldens", flush=True)
        subprocess.run([options.goldens, ROOT / "scripts/oracle/record_goldens.py", "--new-release", ROOT / "tests/data"])
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
