#!/usr/bin/env python3
"""Compares `gluond layout` with model.py, element by element.

    check.py GLUOND [FILE...]

A FILE is one of layouts and shapes ({"layout":..,"shape":..} a line, as in tests/data/layouts/conversions.jsonl, of which a
part is taken by default) or of launch records, whose layouts are tried on several shapes. Needs nothing but Python."""
import itertools
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from math import prod
from pathlib import Path

import model


# Where the classes are that are not in gl itself.
MODULES = {"AMDMFMALayout": "amd.", "AMDWMMALayout": "amd.", "PartitionedSharedLayout": "amd.cdna5.",
           "TensorMemoryLayout": "nvidia.blackwell.", "TensorMemoryScalesLayout": "nvidia.blackwell."}


def spelled(value):
    if isinstance(value, dict):
        fields = ", ".join(f"{k}={spelled(v)}" for k, v in value.items() if not k.startswith("$"))
        return f"gl.{MODULES.get(value['$layout'], '')}{value['$layout']}({fields})"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return repr(value)


def plain(value):
    """Without the tags that launch records give tuples and constants."""
    if isinstance(value, dict):
        for tag in ("$tuple", "$constexpr"):
            if tag in value:
                return plain(value[tag])
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def layouts_in(value):
    if isinstance(value, dict):
        if "$layout" in value:
            yield value
        for inner in value.values():
            yield from layouts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from layouts_in(inner)


def rank_of(layout):
    kind = layout["$layout"]
    if kind == "SliceLayout":
        return rank_of(layout["parent"]) - 1
    if kind in ("DotOperandLayout", "PartitionedSharedLayout"):
        return rank_of(layout.get("parent") or layout["partition_layout"])
    for field in ("order", "warps_per_cta", "shape", "block"):
        if layout.get(field):
            return len(layout[field])
    return layout.get("rank") or len((layout.get("offset_bases") or [[0, 0]])[0])


def shapes_for(layout):
    """Tensors smaller and larger than a tile of the layout."""
    rank = rank_of(layout)
    if layout["$layout"] in ("SharedLinearLayout", "PaddedSharedLayout"):
        top = [0] * rank
        for basis in layout["offset_bases"] + (layout.get("cga_layout") or layout.get("block_bases") or []):
            top = [a | b for a, b in zip(top, basis)]
        return [[t + 1 for t in top]]
    if rank == 1:
        return [[32], [256], [2048]]
    tiles = [[64, 64], [128, 64], [32, 128], [256, 32], [128, 16], [16, 16]]
    return [[2] * (rank - 2) + tile for tile in tiles]


def questions(paths):
    seen = set()
    for path in paths:
        for line in Path(path).read_text().splitlines():
            if not line.strip():
                continue
            record = plain(json.loads(line))
            if "shape" in record and isinstance(record.get("layout"), dict):
                pairs = [] if record.get("rejected") else [(record["layout"], record["shape"])]
            else:
                pairs = [(layout, shape) for layout in layouts_in(record) for shape in shapes_for_known(layout)]
            for layout, shape in pairs:
                key = json.dumps([layout, shape], sort_keys=True)
                if model.knows(layout) and key not in seen:
                    seen.add(key)
                    yield layout, shape


def shapes_for_known(layout):
    return shapes_for(layout) if model.knows(layout) else []


def element(bases, at, rank):
    out = [0] * rank
    for dim, number in at.items():
        for bit, basis in enumerate(bases[dim]):
            if number >> bit & 1:
                out = [a ^ b for a, b in zip(out, basis)]
    return out


def difference(answer, layout, shape):
    """What differs, as text; empty: nothing."""
    sizes, place = model.places(layout, shape)
    bases = answer["bases"]
    for dim in set(sizes) | set(bases):
        if sizes.get(dim, 1) != 1 << len(bases.get(dim, [])):
            return f"{dim}: {1 << len(bases.get(dim, []))}, the model has {sizes.get(dim, 1)}"
    dims = list(sizes)
    for numbers in itertools.product(*map(range, sizes.values())):
        at = dict(zip(dims, numbers))
        mine, theirs = place(*numbers), element(bases, {d: n for d, n in at.items() if d in bases}, len(shape))
        if mine != theirs:
            return f"{at} holds {theirs}, the model says {mine}"
    return ""


def main():
    gluond, *files = sys.argv[1:]
    # Everything is tried that a few seconds are enough for.
    small = lambda question, most: prod(model.places(*question)[0].values()) <= most
    if files:
        asked = [q for q in questions(files) if small(q, 16384)]
    else:
        recorded = Path(__file__).parent.parent / "data/layouts/conversions.jsonl"
        asked = [q for i, q in enumerate(q for q in questions([recorded]) if small(q, 2048)) if i % 3 == 0]

    def ask(question):
        layout, shape = question
        command = [gluond, "layout", spelled(layout), "--shape", "x".join(map(str, shape)), "--format", "json"]
        return subprocess.run(command, capture_output=True, text=True)

    checked = refused = wrong = elements = 0
    with ThreadPoolExecutor(4) as pool:
        for (layout, shape), result in zip(asked, pool.map(ask, asked)):
            if result.returncode:
                refused += 1
                continue
            elements += prod(shape)
            checked += 1
            if text := difference(json.loads(result.stdout), layout, shape):
                wrong += 1
                print(f"{spelled(layout)} of {shape}: {text}")
    print(f"{checked} layouts, {elements} elements equal to the model's, {wrong} differ, {refused} not of this shape")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
