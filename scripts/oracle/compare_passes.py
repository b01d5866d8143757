#!/usr/bin/env python3
"""Compare gluond's passes with Triton 3.9.0's on random IR.

    scripts/oracle/compare_passes.py [--cases N] [--seed S] [--target cuda:90|cuda:100|hip:gfx942] [--auto] [--pass NAME ...]
                              [--tool build/bin/gluond-passes] [--keep FOLDER]

Makes N small modules of scalars, tensors, loops, branches and calls, runs Triton's pipeline and ours on each and compares
the text. Prints how many agree and the shortest that do not, which lie in --keep with `.triton` and `.gluond` beside them
(reduced to what still differs). A difference that is understood belongs into tests/data/passes with its golden.

Needs Python 3.11 with triton==3.9.0 (see scripts/oracle/record_goldens.py) and a built gluond-passes; no GPU, no torch.
"""
import argparse
import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

INTS = "addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui minsi maxsi minui maxui".split()
FLOATS = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
COMPARISONS = "eq ne slt sle sgt sge ult ule ugt uge".split()
SCALARS = ["i32", "i32", "i32", "i64", "i8", "i1", "f32"]
ENCODINGS = {
    "#blocked": "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>",
    "#blocked1": "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>",
    "#blocked2": "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [LANES2, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
}


def integers(ty):
    return ty.startswith("i") and ty != "index"


class Module:
    """One random module. Types are written as `i32` or (tensors) `8x16xi32`; the encoding follows from the mode."""

    def __init__(self, seed, auto, lanes):
        self.random, self.auto, self.lanes = random.Random(seed), auto, lanes
        self.count, self.lines, self.depth = 0, [], 2
        self.helpers = []

    def text(self, ty):
        if "x" not in ty:
            return ty
        shape, element = ty.rsplit("x", 1)
        if element == "p":
            element = "!tt.ptr<i32>"
        if self.auto:
            encoding = "#gluon.auto_encoding"
        elif shape == "64":
            encoding = "#blocked"
        elif shape == "8":
            encoding = "#ttg.slice<{dim = 1, parent = #blocked2}>"
        elif shape == "16":
            encoding = "#ttg.slice<{dim = 0, parent = #blocked2}>"
        else:
            encoding = "#blocked2"
        return f"tensor<{shape}x{element}, {encoding}>"

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def define(self, env, ty, line):
        result = self.name()
        self.emit(f"{result} = {line}")
        env.append((result, ty))
        return result

    def constant(self, env, ty, value=None):
        scalar = ty.rsplit("x", 1)[-1]
        if value is None:
            if scalar == "i1":
                value = self.random.choice(["true", "false"])
            elif scalar == "f32":
                value = self.random.choice(["0.0", "1.0", "2.5", "-0.0", "2.0", "-3.0"])
            else:
                value = str(self.random.choice([0, 0, 1, 1, 2, -1, 3, 4, 8, 16, 127, -128, 100]))
        if "x" in ty:
            return self.define(env, ty, f"arith.constant dense<{value}> : {self.text(ty)}")
        return self.define(env, ty, f"arith.constant {value}" + ("" if scalar == "i1" else f" : {ty}"))

    def pick(self, env, ty):
        found = [name for name, of in env if of == ty]
        if not found or self.random.random() < 0.12:
            return self.constant(env, ty)
        return found[-1 - min(int(self.random.expovariate(0.25)), len(found) - 1)]

    def pair(self, env, ty):
        a = self.pick(env, ty)
        return a, a if self.random.random() < 0.1 else self.pick(env, ty)

    def shape(self):
        return self.random.choice(["", "", "", "", "64x", "64x", "8x16x", "8x", "16x"])

    def op(self, env, depth):
        chance, choose = self.random.random(), self.random.choice
        shape = self.shape()
        integer, text = shape + choose([t for t in SCALARS if integers(t)]), self.text
        if chance < 0.38:
            a, b = self.pair(env, integer)
            self.define(env, integer, f"arith.{choose(INTS)} {a}, {b} : {text(integer)}")
        elif chance < 0.44:
            ty = shape + "f32"
            a, b = self.pair(env, ty)
            self.define(env, ty, f"arith.{choose(FLOATS)} {a}, {b} : {text(ty)}")
        elif chance < 0.51:
            a, b = self.pair(env, integer)
            self.define(env, shape + "i1", f"arith.cmpi {choose(COMPARISONS)}, {a}, {b} : {text(integer)}")
        elif chance < 0.57:
            op = choose(["extsi", "extui", "trunci"])
            a, b = choose([("i8", "i32"), ("i32", "i64"), ("i1", "i32"), ("i8", "i64"), ("i1", "i8")])
            a, b = (shape + b, shape + a) if op == "trunci" else (shape + a, shape + b)
            self.define(env, b, f"arith.{op} {self.pick(env, a)} : {text(a)} to {text(b)}")
        elif chance < 0.59:
            op, a, b = choose([("sitofp", "i32", "f32"), ("fptosi", "f32", "i32"), ("uitofp", "i32", "f32")])
            self.define(env, shape + b, f"arith.{op} {self.pick(env, shape + a)} : {text(shape + a)} to {text(shape + b)}")
        elif chance < 0.66:
            ty = choose([integer, shape + "f32"])
            a, b = self.pair(env, ty)
            if shape and choose([True, False]):
                condition = self.pick(env, shape + "i1")
                self.define(env, ty, f"arith.select {condition}, {a}, {b} : {text(shape + 'i1')}, {text(ty)}")
            else:
                self.define(env, ty, f"arith.select {self.pick(env, 'i1')}, {a}, {b} : {text(ty)}")
        elif chance < 0.76:
            self.shape_op(env)
        elif chance < 0.82:
            self.sink(env, choose(["i32", "i32", "f32", "i1", "64xi32", "8x16xi32"]))
        elif chance < 0.85:
            if choose([True, False]):
                self.define(env, "i32", "tt.load %p : !tt.ptr<i32>")
            else:
                pointers = self.pointers(env, "64x")
                mask = self.pick(env, "64xi1")
                self.define(env, "64xi32", choose([f"tt.load {pointers} : {text('64xp')}",
                                                  f"tt.load {pointers}, {mask} : {text('64xp')}"]))
        elif chance < 0.87 and depth == 0:
            self.call(env)
        elif depth < 3:
            self.region(env, depth)

    def pointers(self, env, shape):
        splat = self.define([], "", f"tt.splat %p : !tt.ptr<i32> -> {self.text(shape + 'p')}")
        if self.random.random() < 0.5:
            return splat
        offsets = self.pick(env, shape + "i32")
        return self.define([], "", f"tt.addptr {splat}, {offsets} : {self.text(shape + 'p')}, {self.text(shape + 'i32')}")

    def sink(self, env, ty):
        value = self.pick(env, ty)
        if ty == "i32":
            self.emit(f"tt.store %p, {value} : !tt.ptr<i32>")
        elif ty in ("64xi32", "8x16xi32"):
            shape = ty[:-3]
            mask = self.random.random() < 0.5 and self.pick(env, shape + "i1")
            self.emit(f"tt.store {self.pointers(env, shape)}, {value}{', ' + mask if mask else ''} : {self.text(shape + 'p')}")
        else:
            self.emit(f'tt.print " " {{hex = false, isSigned = array<i32: 0>}} : {value} : {self.text(ty)}')

    def shape_op(self, env):
        choose, text = self.random.choice, self.text
        kind = choose(["splat", "expand", "broadcast", "range", "reduce", "auto", "trans"])
        if kind == "splat":
            scalar, shape = choose(["i32", "i1", "f32"]), choose(["64x", "8x16x", "8x"])
            self.define(env, shape + scalar, f"tt.splat {self.pick(env, scalar)} : {scalar} -> {text(shape + scalar)}")
        elif kind == "expand":
            axis = choose([0, 1])
            a, b = ("16xi32", "1x16xi32") if axis == 0 else ("8xi32", "8x1xi32")
            self.define(env, b, f"tt.expand_dims {self.pick(env, a)} {{axis = {axis} : i32}} : {text(a)} -> {text(b)}")
        elif kind == "broadcast":
            a = choose(["1x16xi32", "8x1xi32"])
            self.define(env, "8x16xi32", f"tt.broadcast {self.pick(env, a)} : {text(a)} -> {text('8x16xi32')}")
        elif kind == "range":
            size = choose([64, 8, 16])
            self.define(env, f"{size}xi32", f"tt.make_range {{end = {size} : i32, start = 0 : i32}} : {text(f'{size}xi32')}")
        elif kind == "reduce":
            source = self.pick(env, "8x16xi32")
            result = self.name()
            self.emit(f'{result} = "tt.reduce"({source}) <{{axis = 1 : i32}}> ({{')
            self.emit("^bb0(%ra: i32, %rb: i32):")
            self.emit(f"  %rc = arith.{choose(['addi', 'maxsi'])} %ra, %rb : i32")
            self.emit("  tt.reduce.return %rc : i32")
            self.emit(f"}}) : ({text('8x16xi32')}) -> {text('8xi32')}")
            env.append((result, "8xi32"))
        elif kind == "auto" and self.auto:
            ty, encoding = choose([("64xi32", "#blocked"), ("64xi32", "#blocked1"), ("8x16xi32", "#blocked2"),
                                   ("8xi32", "#ttg.slice<{dim = 1, parent = #blocked2}>")])
            known = text(ty).replace("#gluon.auto_encoding", encoding)
            value = self.define([], "", f"gluon.set_auto_layout {self.pick(env, ty)} : {text(ty)} -> {known}")
            self.emit(f'tt.print " " {{hex = false, isSigned = array<i32: 0>}} : {value} : {known}')

    def call(self, env):
        """A private function of two scalars: straight, with a branch, or returning early."""
        name, choose = f"helper{len(self.helpers)}", self.random.choice
        lines, self.lines = self.lines, []
        inner, before = [("%x", "i32"), ("%y", "i32")], self.depth
        self.depth = 2
        noinline = ' attributes {noinline = true}' if choose([False] * 5 + [True]) else ""
        for _ in range(self.random.randint(1, 4)):
            self.op(inner, 2)
        if choose([False, False, True]):
            condition, early = self.pick(inner, "i1"), self.pick(inner, "i32")
            self.emit(f"cf.cond_br {condition}, ^bb1, ^bb2")
            self.lines.append("  ^bb1:")
            self.emit(f"tt.return {early} : i32")
            self.lines.append("  ^bb2:")
        self.emit(f"tt.return {self.pick(inner, 'i32')} : i32")
        self.helpers.append([f"  tt.func private @{name}(%p: !tt.ptr<i32>, %x: i32, %y: i32) -> i32{noinline} {{"] +
                            self.lines + ["  }"])
        self.lines, self.depth = lines, before
        for _ in range(choose([1, 1, 2])):
            a, b = self.pair(env, "i32")
            self.define(env, "i32", f"tt.call @{name}(%p, {a}, {b}) : (!tt.ptr<i32>, i32, i32) -> i32")

    def values(self, env, types, keep=()):
        return [old if keep and self.random.random() < 0.3 else self.pick(env, ty)
                for ty, old in zip(types, keep or types)]

    def finish(self, word, names, types):
        self.emit(word + (f" {', '.join(names)} : {', '.join(map(self.text, types))}" if types else ""))

    def body(self, env, depth, most):
        self.depth += 1
        for _ in range(self.random.randint(0, most)):
            self.op(env, depth + 1)

    def region(self, env, depth):
        choose = self.random.choice
        types = [choose(["i32", "i32", "i64", "f32", "i1", "64xi32", "8x16xi32"]) for _ in range(choose([0, 0, 1, 1, 2, 3]))]
        results = [self.name() for _ in types]
        left, arrow = (", ".join(results) + " = ", f" -> ({', '.join(map(self.text, types))})") if types else ("", "")
        kind = self.random.random()
        if kind < 0.4:
            self.emit(f"{left}scf.if {self.pick(env, 'i1')}{arrow} {{")
            for branch in range(2 if types or choose([True, False]) else 1):
                if branch:
                    self.emit("} else {")
                inner = list(env)
                self.body(inner, depth, 4)
                self.finish("scf.yield", self.values(inner, types), types)
                self.depth -= 1
        elif kind < 0.85:
            if choose([True, False]):
                low, high = self.constant(env, "i32", choose([0, 0, 0, 1, 4])), self.constant(env, "i32", choose([0, 1, 2, 4, -1]))
            else:
                low, high = self.pick(env, "i32"), self.pick(env, "i32")
            step = self.pick(env, "i32") if self.random.random() < 0.1 else self.constant(env, "i32", choose([1, 1, 2]))
            inits, variable, arguments = self.values(env, types), self.name(), [self.name() for _ in types]
            carried = f" iter_args({', '.join(f'{a} = {i}' for a, i in zip(arguments, inits))}){arrow}" if types else ""
            self.emit(f"{left}scf.for {variable} = {low} to {high} step {step}{carried} : i32 {{")
            inner = env + [(variable, "i32")] + list(zip(arguments, types))
            self.body(inner, depth, 5)
            self.finish("scf.yield", self.values(inner, types, arguments), types)
            self.depth -= 1
        else:
            inits, before, after = self.values(env, types), [self.name() for _ in types], [self.name() for _ in types]
            signature = f"({', '.join(map(self.text, types))})"
            pairs = f" ({', '.join(f'{a} = {i}' for a, i in zip(before, inits))})" if types else ""
            self.emit(f"{left}scf.while{pairs} : {signature} -> {signature} {{")
            inner = env + list(zip(before, types))
            self.body(inner, depth, 3)
            condition = self.pick(inner, "i1")
            self.finish(f"scf.condition({condition})", self.values(inner, types, before), types)
            self.depth -= 1
            self.emit("} do {")
            if types:
                self.emit(f"^bb0({', '.join(f'{a}: {self.text(t)}' for a, t in zip(after, types))}):")
            inner = env + list(zip(after, types))
            self.body(inner, depth, 3)
            self.finish("scf.yield", self.values(inner, types), types)
            self.depth -= 1
        self.emit("}")
        env.extend(zip(results, types))

    def build(self, target):
        env = [("%a", "i32"), ("%b", "i32"), ("%c", "i64"), ("%d", "i1"), ("%e", "f32"), ("%f", "i8")]
        for _ in range(self.random.randint(3, 25)):
            self.op(env, 0)
        for ty in ("i32", "f32", "64xi32"):
            self.sink(env, ty)
        encodings = [f"{name} = {text}".replace("LANES2", str(self.lanes // 4)).replace("LANES", str(self.lanes))
                     for name, text in ENCODINGS.items()]
        head = f'module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "{target}", ' \
               f'"ttg.threads-per-warp" = {self.lanes} : i32}} {{'
        return "\n".join(encodings + [head] + [line for helper in self.helpers for line in helper] + [
            "  tt.func public @kernel(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %a: i32 {tt.divisibility = 16 : i32}, "
            "%b: i32, %c: i64, %d: i1, %e: f32, %f: i8) {"] + self.lines + ["    tt.return", "  }", "}", ""])


class Triton:
    """Triton's passes by name, and its whole pipeline for a target."""

    def __init__(self, target, passes):
        from triton._C.libtriton import amd, ir, nvidia
        from triton._C.libtriton import passes as lib
        self.ir, self.context = ir, ir.context()
        ir.load_dialects(self.context)
        nvidia.load_dialects(self.context)
        amd.load_dialects(self.context)
        canonicalize, cse = lib.gluon.add_canonicalizer, lib.ttir.add_loop_aware_cse
        named = {
            "gluon-inline": lib.gluon.add_inliner, "gluon-infer-coalesced-encodings": lib.gluon.add_infer_coalesced_encodings,
            "gluon-resolve-auto-encodings": lib.gluon.add_resolve_auto_encodings, "gluon-canonicalize": canonicalize,
            "triton-nvidia-tma-lowering": nvidia.passes.ttnvgpuir.add_tma_lowering, "sccp": lib.common.add_sccp,
            "triton-loop-aware-cse": cse, "tritongpu-combine-tensor-select-and-if": lib.ttgpuir.add_combine_tensor_select_and_if,
            "symbol-dce": lib.common.add_symbol_dce, "triton-loop-unroll": lib.ttir.add_loop_unroll,
            "triton-nvidia-check-matmul-two-cta": nvidia.passes.ttnvgpuir.add_check_matmul_two_cta,
            "tritonamdgpu-warp-pipeline": amd.passes.ttgpuir.add_warp_pipeline,
            "tritongpu-allocate-warp-groups": lib.ttgpuir.add_allocate_warp_groups,
        }
        start = ["gluon-inline", "gluon-infer-coalesced-encodings", "gluon-resolve-auto-encodings"]
        pipelines = {
            "cuda": start + ["triton-nvidia-tma-lowering", "gluon-canonicalize", "sccp", "triton-loop-aware-cse",
                             "gluon-canonicalize", "tritongpu-combine-tensor-select-and-if", "symbol-dce",
                             "triton-nvidia-check-matmul-two-cta"],
            "hip": start + ["sccp", "triton-loop-aware-cse", "gluon-canonicalize", "triton-loop-unroll",
                            "tritongpu-combine-tensor-select-and-if", "tritonamdgpu-warp-pipeline",
                            "tritongpu-allocate-warp-groups"],
        }
        self.steps = [named[name] for name in passes or pipelines[target.split(":")[0]]]

    def run(self, path):
        """The text after the passes; None where it does not parse or Triton crashes, "failed: why" where a pass rejects it."""
        with captured_stderr() as reports:
            try:
                module = self.ir.parse_mlir_module(str(path), self.context)
            except RuntimeError:
                return None
            manager = self.ir.pass_manager(self.context)
            for add in self.steps:
                add(manager)
            try:
                manager.run(module, "compare")
                return module.str_nodebug()
            except RuntimeError:
                pass
        why = first_error(reports[0])
        return None if why.startswith("Failures have been detected") else "failed: " + why  # (Triton crashed)


@contextlib.contextmanager
def captured_stderr():
    """What Triton reports on stderr, from C++."""
    text, saved = [""], os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield text
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            file.seek(0)
            text[0] = file.read().decode()


def first_error(reports):
    """The words of the first error: without its location, the op's name, and the line of IR with its caret."""
    lines = reports.split("error: ", 1)[-1].split("\n")
    caret = next((i for i, line in enumerate(lines) if i and line.strip() == "^"), len(lines))
    return re.sub(r"^'[\w.]+' op ", "", "\n".join(lines[:max(1, caret - 1)]))


class Compare:

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.triton = Triton(options.target, options.passes)

    def gluond(self, paths):
        command = [self.options.tool, "--target", self.options.target, "-o", str(self.folder)]
        for name in self.options.passes or []:
            command += ["--pass", name]
        for at in range(0, len(paths), 200):
            subprocess.run(command + [str(path) for path in paths[at:at + 200]], stderr=subprocess.DEVNULL, check=False)
        out = {}
        for path in paths:
            result = self.folder / (path.name + ".out")
            text = result.read_text() if result.exists() else "crashed"
            out[path] = re.sub(r"^failed: [\w-]+: ", "failed: ", text)
        return out

    def differs(self, path):
        theirs = self.triton.run(path)
        (self.folder / (path.name + ".out")).unlink(missing_ok=True)
        return theirs is not None and theirs.strip() != self.gluond([path])[path].strip()

    def reduce(self, path):
        """Drops whole regions, then single lines, while the two still differ."""
        lines, trial = path.read_text().splitlines(), self.folder / "trial.mlir"

        def still(candidate):
            trial.write_text("\n".join(candidate) + "\n")
            return self.differs(trial)

        progress = True
        while progress:
            progress, opened, regions = False, [], []
            for index, line in enumerate(lines):
                if line.strip().startswith("}") and line.strip().endswith("{"):
                    continue
                if line.strip().endswith("{"):
                    opened.append(index)
                elif line.strip().startswith("}") and opened:
                    regions.append((opened.pop(), index))
            cuts = sorted(regions, key=lambda r: r[0] - r[1]) + [(i, i) for i in reversed(range(len(lines)))]
            for first, last in cuts:
                candidate = lines[:first] + lines[last + 1:]
                if last < len(lines) and first > 3 and still(candidate):
                    lines, progress = candidate, True
                    if first != last:
                        break
        path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--auto", action="store_true", help="auto layouts on tensors")
    parser.add_argument("--pass", dest="passes", action="append", help="only this pass (repeatable)")
    parser.add_argument("--tool", default="build/bin/gluond-passes")
    parser.add_argument("--keep", type=Path, help="folder for what differs")
    parser.add_argument("--reduce", type=int, default=3, help="how many differences to reduce")
    options = parser.parse_args()
    lanes = 64 if "gfx9" in options.target else 32
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        compare, theirs = Compare(options, folder), {}
        for seed in range(options.seed, options.seed + options.cases):
            path = folder / f"{seed}.mlir"
            path.write_text(Module(seed, options.auto, lanes).build(options.target))
            (folder / f"{seed}.mlir.out").unlink(missing_ok=True)
            text = compare.triton.run(path)
            if text is not None:
                theirs[path] = text
        ours = compare.gluond(list(theirs))
        bad = sorted((p for p in theirs if theirs[p].strip() != ours[p].strip()), key=lambda p: len(p.read_text()))
        rejected = sum(text.startswith("failed") for text in theirs.values())
        print(f"{len(theirs) - len(bad)} of {len(theirs)} agree ({rejected} rejected by Triton)")
        for path in bad:
            path.with_suffix(".triton").write_text(theirs[path])
            path.with_suffix(".gluond").write_text(ours[path])
        for path in bad[:options.reduce]:
            compare.reduce(path)
            print(f"--- {path}\n{path.read_text()}")
        for path in theirs:
            (folder / f"{path.name}.out").unlink(missing_ok=True)
            if path not in bad:
                path.unlink()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
