#!/usr/bin/env python3
"""Thousands of mutants of real programs through `gluond check`: none may crash it, take long, or make it say what is not JSON.

    python3 tests/stress/mutate.py [--count 100000] [--seed 0] [--jobs 2] [--gluond build/bin/gluond] [--keep build/stress]
    python3 tests/stress/mutate.py --seed 4711 --count 1 --print      # what that mutant is

A mutant is made from its seed, tests/data, samples and, where it is there, Triton's corpus (--programs: others). Of each must hold: exit code 0 or 1, valid
UTF-8 and JSON whose places lie in the file, at most --cpu seconds and --megabytes, no report of a sanitizer. They are checked many to a process; of a process that
fails, the files that make it fail are searched for. What fails is kept, with what was said, under --keep; --shrink cuts it down first.
Every tenth process checks its files in another order as well: what is said of a file must not depend on the others.
Exit code 1 when something failed."""
import argparse
import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
from grammar import ROOT  # noqa: E402
from mutators import Mutator, name_of  # noqa: E402

REPORT = re.compile(rb"(AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|Assertion .* failed|UNREACHABLE executed|LLVM ERROR).*")
SUSPICIOUS = 0.3  # of a limit, in a process of many files: which of them takes it is worth knowing


def programs(folders):
    found = []
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            text = path.read_text()
            lines = [line for records in sorted(path.parent.glob(path.stem + ".*launches.jsonl")) for line in records.read_text().splitlines()]
            if text.strip():
                found.append((path.name, text, [line for line in lines if json.loads(line).get("file") == path.name][:6]))
    return found


class Outcome:
    def __init__(self, problem, cpu, megabytes, wall, findings, said):
        self.problem, self.cpu, self.megabytes, self.wall, self.findings, self.said = problem, cpu, megabytes, wall, findings, said


def lines_of(data):
    # As gluond counts them.
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n") + 1


class Checker:
    def __init__(self, arguments):
        self.gluond, self.cpu, self.megabytes = str(Path(arguments.gluond).resolve()), arguments.cpu, arguments.megabytes
        self.environment = {**os.environ, "GLUOND_CACHE_DIR": "off", "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
                            "ASAN_OPTIONS": "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:allocator_may_return_null=1"}

    def run(self, folder, files):
        """One process. Its problem in words, or None."""
        def limit():
            seconds = int(self.cpu * 1.5) + 2
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([self.gluond, "check", "--format", "json", *files], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=errors, env=self.environment, preexec_fn=limit)
            stuck = threading.Timer(self.cpu * 6 + 30, process.kill)
            stuck.start()
            _, status, usage = os.wait4(process.pid, 0)
            stuck.cancel()
            process.returncode = code = os.waitstatus_to_exitcode(status)
            out.seek(0), errors.seek(0)
            said, complaints = out.read(), errors.read()
        cpu, megabytes, wall = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - start
        problem, findings = None, {}
        if report := REPORT.search(complaints):
            problem = report[0].decode("utf-8", "replace")
        elif code in (-signal.SIGXCPU, -signal.SIGKILL):
            problem = f"takes more than {cpu:.1f} s of CPU" if cpu >= self.cpu else f"hangs (killed after {wall:.0f} s)"
        elif code not in (0, 1):
            problem = f"died of {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        else:
            try:
                for finding in json.loads(said.decode("utf-8")):
                    findings.setdefault(finding["file"], []).append(finding)
            except ValueError as error:
                problem = f"says what is no JSON: {error}"
        if not problem and cpu > self.cpu:
            problem = f"took {cpu:.1f} s of CPU"
        if not problem and megabytes > self.megabytes:
            problem = f"took {megabytes:.0f} MB"
        if not problem:
            problem = self.misplaced(folder, findings)
        return Outcome(problem, cpu, megabytes, wall, findings, complaints)

    def misplaced(self, folder, findings):
        for file, all in findings.items():
            path = Path(folder, file)
            if path.suffix != ".py" or not path.exists():
                continue
            last = lines_of(path.read_bytes())
            for finding in all:
                begin, end = finding["range"]["start"], finding["range"]["end"]
                if (begin["line"], begin["character"]) > (end["line"], end["character"]) or end["line"] >= last:
                    return f"a place outside the file: {finding['code']} at {finding['range']}"
        return None

    def judge(self, folder, files, failures, slow):
        """All that fails among the files, as (files, outcome)."""
        outcome = self.run(folder, files)
        if len(files) == 1:
            slow.append((outcome.cpu, outcome.megabytes, files[0]))
            if outcome.problem:
                failures.append((files, outcome))
            return outcome
        if outcome.problem or outcome.cpu > self.cpu * SUSPICIOUS or outcome.megabytes > self.megabytes * SUSPICIOUS:
            before = len(failures)
            middle = len(files) // 2
            for half in (files[:middle], files[middle:]):
                self.judge(folder, half, failures, slow)
            # Only together? (Time and memory add up, and mean nothing then.)
            if outcome.problem and len(failures) == before and not re.match("takes|took|hangs", outcome.problem):
                failures.append((files, outcome))
        return outcome


def batch(arguments, mutator, checker, first, count):
    """(mutants, failures as (name, problem, slowest...))"""
    folder = tempfile.mkdtemp(prefix="gluond-stress-")
    failures, slow = [], []
    try:
        files = []
        for seed in range(first, first + count):
            text, records = mutator.mutant(seed)
            files.append(name_of(seed))
            Path(folder, files[-1]).write_bytes(text)
            if records is not None:
                Path(folder, f"m{seed}.launches.jsonl").write_bytes(records)
        outcome = checker.judge(folder, files, failures, slow)
        if first // count % 10 == 0 and not failures and not outcome.problem:
            other = checker.run(folder, files[::-1])
            for file in files if not other.problem else ():
                # Where time ran out, another run may get further.
                both = other.findings.get(file), outcome.findings.get(file)
                if both[0] != both[1] and not any(finding["code"] == "budget-exhausted" for all in both for finding in all or ()):
                    failures.append((files, Outcome(f"what is said of {file} depends on the order of the files", 0, 0, 0, {}, b"")))
                    break
        for files, outcome in failures:
            keep(arguments, checker, folder, files, outcome)
    finally:
        shutil.rmtree(folder)
    return [(files, outcome.problem) for files, outcome in failures], slow


def keep(arguments, checker, folder, files, outcome):
    home = Path(arguments.keep)
    home.mkdir(parents=True, exist_ok=True)
    if len(files) > 1:
        home = home / f"{Path(files[0]).stem}-{Path(files[-1]).stem}"
        home.mkdir(exist_ok=True)
    for file in files:
        for path in (Path(folder, file), Path(folder, Path(file).stem + ".launches.jsonl")):
            if path.exists():
                shutil.copy(path, home)
    Path(home, Path(files[0]).stem + ".txt").write_bytes((outcome.problem + "\n").encode() + outcome.said[-20000:])
    if arguments.shrink and len(files) == 1:
        path = Path(folder, files[0])
        path.write_bytes(shrunk(path, outcome.problem, lambda: checker.run(folder, files).problem))
        shutil.copy(path, home)


def kind_of(problem):
    return re.sub(r"0x[0-9a-f]+|[0-9.]+", "#", problem or "")[:60]


def shrunk(path, problem, run):
    """The fewest lines, then characters, that fail alike."""
    data = path.read_bytes()
    ends = time.monotonic() + 300

    def fails(candidate):
        path.write_bytes(candidate)
        return kind_of(run()) == kind_of(problem)
    for split, join in ((lambda d: d.split(b"\n"), b"\n"), (lambda d: re.findall(rb"\w+|\s+|.", d, re.S), b"")):
        parts = split(data)
        size = max(1, len(parts) // 2)
        while size and time.monotonic() < ends:
            at, changed = 0, False
            while at < len(parts) and time.monotonic() < ends:
                candidate = parts[:at] + parts[at + size:]
                if fails(join.join(candidate)):
                    parts, changed = candidate, True
                else:
                    at += size
            size = size if changed and size > 1 else size // 2
        data = join.join(parts)
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, help="at most so long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=max(1, os.cpu_count() or 1))
    parser.add_argument("--batch", type=int, default=25, help="files a process")
    parser.add_argument("--programs", nargs="+", help="folders to take programs from")
    parser.add_argument("--cpu", type=float, default=10, help="seconds a file may take")
    parser.add_argument("--megabytes", type=float, default=2048)
    parser.add_argument("--keep", default=str(ROOT / "build/stress"))
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--most-failures", type=int, default=50, help="stop after so many")
    parser.add_argument("--print", action="store_true", help="print the mutants and check nothing")
    arguments = parser.parse_args()

    folders = arguments.programs or [ROOT / "tests/data", ROOT / "samples", *(p for p in [ROOT.parent / "shared/corpus"] if p.exists())]
    mutator, checker = Mutator(programs(folders)), Checker(arguments)
    if arguments.print:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text, records = mutator.mutant(seed)
            sys.stdout.buffer.write(text + b"\n" + (b"# " + records + b"\n" if records else b""))
        return 0

    start, done, told, failures, slowest = time.monotonic(), 0, 0, [], []
    pending, next_seed, end = set(), arguments.seed, arguments.seed + arguments.count
    # Threads: the processes they start are what works, and a mutant is made in a millisecond.
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        while True:
            out_of_time = arguments.seconds is not None and time.monotonic() - start > arguments.seconds
            while next_seed < end and len(pending) < 2 * arguments.jobs and len(failures) < arguments.most_failures and not out_of_time:
                count = min(arguments.batch, end - next_seed)
                pending.add(pool.submit(lambda first, n: (n, *batch(arguments, mutator, checker, first, n)), next_seed, count))
                next_seed += count
            if not pending:
                break
            finished, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for each in finished:
                count, failed, slow = each.result()
                done += count
                failures += failed
                slowest = sorted(slowest + slow, reverse=True)[:10]
                for files, problem in failed:
                    print(f"{', '.join(files[:3])}{' ...' if len(files) > 3 else ''}: {problem}", flush=True)
            if time.monotonic() - start > told + 30:
                told = time.monotonic() - start
                print(f"  {done} mutants in {told:.0f} s, {len(failures)} failures", file=sys.stderr, flush=True)
    seconds = time.monotonic() - start
    print(f"{done} mutants in {seconds:.0f} s ({done / max(seconds, 1e-9):.0f} a second), {len(failures)} failures"
          + (f", kept in {arguments.keep}" if failures else ""))
    for cpu, megabytes, name in slowest[:5]:
        print(f"  {name}: {cpu:.1f} s, {megabytes:.0f} MB")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
