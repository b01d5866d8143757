#!/usr/bin/env python3
"""From stage `source` to assembly (PTX or AMDGCN) beside Triton, per specialization, on the same records in one run.

    .cache/oracle/bin/python bench/assembly.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--repeat 3] [--cpu] [--verbose]

For every record for cuda:80, cuda:90 and AMD's chips: the time Triton 3.9.0 takes for its stages ttgir, llir and ptx or amdgcn
(in this process, warm, best of --repeat) against the same stages in `gluond emit --timings` (best of --repeat processes); then the
geometric mean of the ratios. Both with line tables, both on one thread, neither with a cache, neither with ptxas or hsaco.

On a machine that does other work at the same time, --cpu counts processor time in place of time: of this process while Triton
works, and of a gluond for each record with all that it starts, less that of a gluond that stops at `source`. The starts of
gluond-amdgpu are in it; the line of a file also says the ratio of sums for one gluond that compiles all its records.
Needs `pip install triton==3.9.0` (scripts/oracle/record_goldens.py); no GPU."""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from frontend import geomean, oracle, quiet  # noqa: E402

def assembly_of(target):
    """The name of the last stage, or None where gluond and Triton are not compared."""
    return "amdgcn" if target.startswith("hip:") else "ptx" if target in ("cuda:80", "cuda:90") else None


def stages_of(target):
    return ("ttgir", "llir", assembly_of(target))


def triton_ms(record, folder, repeat, clock):
    """Best time of each stage after `source`; None where Triton rejects the record."""
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
            for stage in stages_of(record["target"]):
                start = clock()
                value = steps[stage](value, metadata)
                best[stage] = min(best.get(stage, math.inf), (clock() - start) * 1e3)
        except Exception:
            return None
    return best


def emit(gluond, file, stage, out):
    environment = {**os.environ, "GLUOND_CACHE_DIR": "off"}
    return subprocess.run([gluond, "emit", str(file), "--stage", stage, "-o", out, "-j", "1", "--timings"], capture_output=True,
                          text=True, env=environment)


def gluond_ms(gluond, file, stage, repeat):
    """The best times of each record's stages by its name, and what gluond said."""
    cases, said = {}, ""
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as out:
            run = emit(gluond, file, stage, out)
            said = run.stderr
            for case in json.loads(run.stdout)["cases"]:
                if not (Path(out) / f"{case['id']}.{stage}").exists():
                    continue
                best = cases.setdefault(case["id"], {})
                for each, ms in case["ms"].items():
                    best[each] = min(best.get(each, math.inf), ms)
    return cases, said


def gluond_cpu_ms(gluond, file, stage, repeat):
    """Processor time from `source` to the stage."""
    def used(stage):
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        before = usage.ru_utime + usage.ru_stime
        with tempfile.TemporaryDirectory() as out:
            emit(gluond, file, stage, out)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (usage.ru_utime + usage.ru_stime - before) * 1e3

    return max(min(used(stage) for _ in range(repeat)) - min(used("source") for _ in range(repeat)), 0.01)


def cpu_of(gluond, folder, records, stage, repeat):
    """gluond_cpu_ms of these records, in one process."""
    with tempfile.NamedTemporaryFile("w", suffix=".launches.jsonl", dir=folder) as file:
        file.write("".join(json.dumps(record) + "\n" for record in records))
        file.flush()
        return gluond_cpu_ms(gluond, file.name, stage, repeat)


def own_cases(arguments, file, stage, records):
    """As gluond_ms."""
    cases, said = gluond_ms(arguments.gluond, file, stage, 1 if arguments.cpu else arguments.repeat)
    if arguments.cpu:
        for record in records:
            if record["id"] in cases:
                cases[record["id"]] = {stage: cpu_of(arguments.gluond, file.parent, [record], stage, arguments.repeat)}
    return cases, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="count processor time")
    parser.add_argument("--verbose", action="store_true", help="a line for every record")
    arguments = parser.parse_args()
    oracle.load_triton()
    pairs, missing = [], []
    for file in arguments.records:
        records = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
        stage = next((name for name in map(assembly_of, (record["target"] for record in records)) if name), None)
        records = [record for record in records if stage and assembly_of(record["target"]) == stage]
        if not records:
            continue
        ours, said = own_cases(arguments, file, stage, records)
        here, compared = [], []
        for record in records:
            with quiet():
                theirs = triton_ms(record, file.parent, arguments.repeat, time.process_time if arguments.cpu else time.perf_counter)
            if theirs is None:
                continue
            own = ours.get(record["id"])
            if own is None:
                missing.append((record["id"], next((line for line in said.splitlines() if record["id"] in line), "")))
                continue
            own = {name: own[name] for name in stages_of(record["target"]) if name in own}
            here.append((sum(theirs.values()), sum(own.values()), theirs, own, record["id"]))
            compared.append(record)
            if arguments.verbose:
                detail = " ".join(f"{name} {theirs[name]:.1f}/{own.get(name, math.nan):.2f}" for name in theirs)
                print(f"  {record['id']:64} {here[-1][0]:9.2f} ms {here[-1][1]:8.2f} ms {here[-1][0] / here[-1][1]:6.1f}x  {detail}")
        if here:
            ratios = [theirs / own for theirs, own, *_ in here]
            kept = ""
            if arguments.cpu:  # of the records that both compile
                warm = cpu_of(arguments.gluond, file.parent, compared, stage, arguments.repeat)
                kept = f", one process {sum(pair[0] for pair in here) / warm:.1f}x"
            print(f"{file.name:48} {stage} {len(here):4} records {geomean(ratios):6.1f}x (worst {min(ratios):.1f}x{kept})", flush=True)
        pairs += here
    for name, why in missing:
        print(f"not compiled by gluond: {name} {why}")
    if pairs:
        worst = min(pairs, key=lambda pair: pair[0] / pair[1])
        print(f"{'all':48} {len(pairs):4} records {geomean([a / b for a, b, *_ in pairs]):6.1f}x"
              f" (worst {worst[0] / worst[1]:.1f}x: {worst[4]})")
        for stage in dict.fromkeys(name for pair in pairs for name in pair[2] if name in pair[3] or not arguments.cpu):
            timed = [pair for pair in pairs if stage in pair[2] and stage in pair[3]]
            if arguments.cpu:
                print(f"  to {stage:6} Triton {sum(pair[0] for pair in timed):9.1f} ms, gluond {sum(pair[1] for pair in timed):8.1f} ms in all")
            else:
                print(f"  {stage:6} Triton {sum(pair[2][stage] for pair in timed):9.1f} ms, gluond {sum(pair[3][stage] for pair in timed):8.1f} ms in all")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    oracle.os._exit(0)  # Triton's bindings report leaks at an ordinary exit
