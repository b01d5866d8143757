#!/usr/bin/env python3
"""From stage `source` to PTX beside Triton, per specialization, on the same records in one run.

    .cache/oracle/bin/python bench/ptx.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--repeat 3] [--verbose]

For every record for cuda:80 and cuda:90: the time Triton 3.9.0 takes for its stages ttgir, llir and ptx (in this process, warm,
best of --repeat) against the same stages in `gluond emit --stage ptx --timings` (best of --repeat processes); then the geometric
mean of the ratios. Both with line tables, both on one thread, neither with a cache, neither with ptxas.
Needs `pip install triton==3.9.0` (scripts/oracle/record_goldens.py); no GPU."""
import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from frontend import geomean, oracle, quiet  # noqa: E402

STAGES = ("ttgir", "llir", "ptx")


def triton_ms(record, folder, repeat):
    """Best time of each stage behind `source`; None where Triton rejects the record."""
    from triton.backends.compiler import Language
    target = oracle.gpu_target(record["target"])
    oracle.driver.set_active(oracle.NoDriver(target))
    best = {}
    for _ in range(repeat):
        try:
            module = oracle.load_file(folder / record["file"], record.get("module"))
            values = oracle.Values(folder, module)
            fn = oracle.kernel_of(record, module)
            signature, constants, attrs = oracle.signature_of(record, fn, values)
            backend = oracle.make_backend(target)
            options = backend.parse_options({name: values(value) for name, value in record["options"].items()})
            context = oracle.ir.context()
            oracle.ir.load_dialects(context)
            backend.load_dialects(context)
            source = oracle.GluonASTSource(fn, signature, constants, attrs)
            value = source.make_ir(target, options, backend.get_codegen_implementation(options),
                                   backend.get_module_map(), context)
            steps, metadata = {}, {"target": target, **options.__dict__}
            backend.add_stages(steps, options, Language.GLUON)
            for stage in STAGES:
                start = time.perf_counter()
                value = steps[stage](value, metadata)
                best[stage] = min(best.get(stage, math.inf), (time.perf_counter() - start) * 1e3)
        except Exception:
            return None
    return best


def gluond_ms(gluond, file, repeat):
    cases, said = {}, ""
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as out:
            run = subprocess.run([gluond, "emit", str(file), "--stage", "ptx", "-o", out, "--timings"], capture_output=True, text=True)
            said = run.stderr
            for case in json.loads(run.stdout)["cases"]:
                if not (Path(out) / f"{case['id']}.ptx").exists():
                    continue
                best = cases.setdefault(case["id"], {})
                for stage in STAGES:
                    best[stage] = min(best.get(stage, math.inf), case["ms"][stage])
    return cases, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--verbose", action="store_true", help="a line for every record")
    arguments = parser.parse_args()
    oracle.load_triton()
    pairs, missing = [], []
    for file in arguments.records:
        records = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
        records = [record for record in records if record["target"] in ("cuda:80", "cuda:90")]
        if not records:
            continue
        ours, said = gluond_ms(arguments.gluond, file, arguments.repeat)
        here = []
        for record in records:
            with quiet():
                theirs = triton_ms(record, file.parent, arguments.repeat)
            if theirs is None:
                continue
            own = ours.get(record["id"])
            if own is None:
                missing.append((record["id"], next((line for line in said.splitlines() if record["id"] in line), "")))
                continue
            here.append((sum(theirs.values()), sum(own.values()), theirs, own, record["id"]))
            if arguments.verbose:
                detail = " ".join(f"{stage} {theirs[stage]:.1f}/{own[stage]:.2f}" for stage in STAGES)
                print(f"  {record['id']:64} {here[-1][0]:9.2f} ms {here[-1][1]:8.2f} ms {here[-1][0] / here[-1][1]:6.1f}x  {detail}")
        if here:
            ratios = [theirs / own for theirs, own, *_ in here]
            print(f"{file.name:48} {len(here):4} records {geomean(ratios):6.1f}x (worst {min(ratios):.1f}x)", flush=True)
        pairs += here
    for name, why in missing:
        print(f"not compiled by gluond: {name} {why}")
    if pairs:
        worst = min(pairs, key=lambda pair: pair[0] / pair[1])
        print(f"{'all':48} {len(pairs):4} records {geomean([a / b for a, b, *_ in pairs]):6.1f}x"
              f" (worst {worst[0] / worst[1]:.1f}x: {worst[4]})")
        for stage in STAGES:
            print(f"  {stage:5} Triton {sum(pair[2][stage] for pair in pairs):9.1f} ms, gluond {sum(pair[3][stage] for pair in pairs):8.1f} ms in all")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    oracle.os._exit(0)  # Triton's bindings report leaks at an ordinary exit
