"""The access panel beside the assembly: for each line of a kernel, the instructions that access memory, their widths and
their number, as the panel counts them and as gluond compiles them.

    test_assembly.py GLUOND [PTX_PLAYER] [KERNEL...]       -v prints every line

With the player of PTX, the wavefronts that the panel states for shared memory are compared with those of the addresses
that the lanes really access. The numbers in the lints' messages are the panel's.

The panel counts one warp's instructions per access; a line of assembly is one too. What the back end's optimizer
does to them is allowed: it leaves out accesses whose values it knows, moves loads to the line that uses them, and
on AMD's chips makes one instruction of two. An atomic operation that the chip lacks is a load and a loop around a
compare-and-swap, for which the panel has to say so.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mcp"))
sys.path.insert(0, str(HERE.parent / "ptx"))
from client import Client  # noqa: E402
from launches import Launch  # noqa: E402

WIDTHS = {"8": 1, "16": 2, "16x2": 4, "32": 4, "64": 8, "96": 12, "128": 16}
NAMED = {"ubyte": 1, "sbyte": 1, "byte": 1, "ushort": 2, "sshort": 2, "short": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16, "x2": 8}
MATRIX = re.compile(r"(?:ld|st)matrix\.|_tr\d*_b")
LOOP = "compare-and-swap loop"


def width_of(part):
    """Bytes of a type in an opcode: `b32`, `f16x2`, `dwordx4`; None if it is none."""
    found = re.fullmatch(r"(?:b|u|s|i|f|bf)(\d+(?:x2)?)", part)
    return WIDTHS.get(found[1]) if found else NAMED.get(part)


def of_ptx(opcode, operands):
    """(memory, name of a matrix instruction or what the instruction does, bytes per lane) of an instruction, or None."""
    parts = opcode.replace("::", ".").split(".")
    does = {"ld": "load", "st": "store"}.get(parts[0], LOOP if "cas" in parts else "atomic")
    if parts[0] in ("ld", "st", "atom", "red") and {"global", "shared"} & set(parts):
        count = next((int(part[1:]) for part in parts if re.fullmatch(r"v[248]", part)), 1)
        width = next(width for part in reversed(parts) if (width := width_of(part)))
        return "global" if "global" in parts else "shared", does, width * count
    if parts[0] in ("ldmatrix", "stmatrix"):
        matrices = next(part for part in parts if re.fullmatch(r"x[124]", part))
        return "shared", f"{parts[0]}.{matrices}" + (".trans" if "trans" in parts else ""), 4 * int(matrices[1])
    if opcode.startswith("cp.async.c"):
        return "global", "load", int(re.search(r"\],\s*(\w+)", operands)[1], 0)
    if opcode.startswith(("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")):
        return "bulk", "", 0
    if parts[0] == "shfl":
        return "lanes", "shuffle", 4
    return None


def of_gcn(opcode, operands):
    parts = opcode.split("_")
    width = next((width for part in reversed(parts) if (width := width_of(part))), 4 if "atomic" in parts else None)
    if parts[0] in ("global", "buffer", "flat") and {"load", "store", "atomic"} & set(parts):
        does = LOOP if "cmpswap" in parts else next(part for part in ("atomic", "load", "store") if part in parts)
        return "global", does, width * (2 if "pk" in parts else 1)
    if opcode.startswith("tensor_"):
        return "bulk", "", 0
    if re.match(r"v_permlane(16|32)_swap", opcode):
        return "lanes", "swap", 4
    if "bpermute" in parts or opcode in ("v_mov_b32_dpp", "v_permlanex16_b32"):
        return "lanes", "shuffle", 4
    if parts[0] != "ds" or {"swizzle", "permute"} & set(parts):
        return None
    if MATRIX.search(opcode):
        bits = next(int(part[1:]) for part in parts if re.fullmatch(r"b(64|96|128)", part))
        return "shared", opcode, bits // 8
    isPair = any(re.match(r"(read|write|load|store)2|2addr", part) for part in parts)
    return "shared", "store" if {"write", "write2", "write2st64", "store"} & set(parts) else "load", (width or 4) * (2 if isPair else 1)


def compiled(text, isNvidia):
    """What each line of the kernel's file becomes."""
    lines, line = defaultdict(list), None
    for each in text.splitlines():
        if found := re.match(r"\s*\.loc\s+(\d+)\s+(\d+)", each):
            line = int(found[2]) if found[1] == "1" else None
        elif found := re.match(r"\s*(?:\{\s*)?(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s+(.*)", each):
            access = (of_ptx if isNvidia else of_gcn)(found[1], found[2])
            if access and line:
                lines[line].append(access)
    return lines


def use_of(access):
    """What an operation does to the memory that the panel counts: "load", "store" or "atomic"."""
    if "atomic" in access["op"]:
        return LOOP if access["op"].endswith("_cas") else "atomic"
    isStore = re.search(r"store|scatter|local_to_global", access["op"]) or access["op"] == "ttg.local_alloc"
    return "store" if isStore else "load"


def shown(accesses):
    """The same from the panel's answer, and the exchanges of the lines with a conversion of layouts."""
    lines, converted = defaultdict(list), defaultdict(list)
    for access in accesses:
        line = access["place"]["line"]
        if access["kind"] == "conversion":
            exchange = access.get("exchange", {})
            for does, width in (("store", exchange.get("storeBytes")), ("load", exchange.get("loadBytes"))):
                converted[line] += [("shared", does, width)] * exchange.get(does + "s", 0) * access["times"]
            for does in ("shuffle", "swap"):
                converted[line] += [("lanes", does, 4)] * exchange.get(does + "s", 0) * access["times"]
        elif access["kind"] == "bulk":
            lines[line].append(("bulk", "", 0))
        elif access["kind"] in ("global", "shared"):
            name, width = access.get("instruction", ""), access.get("bytesPerLane")
            count = access.get("instructions", 0) * access.get("times", 1)  # an unrolled loop's are one entry
            if name == LOOP:  # of a whole word
                lines[line] += [(access["kind"], does, max(4, width)) for does in ("load", LOOP)] * count
            else:
                lines[line] += [(access["kind"], name if MATRIX.search(name) else use_of(access), width)] * count
    return lines, converted


def agree(panel, code, isNvidia, joinsNeighbors=False, wide=0):
    """Whether a line's instructions in memory are those that the panel shows, but for the optimizer's work. A gather's may be
    fewer and wider, and a row's are of `wide` bytes where it does not end, and the panel says so."""
    if not code or Counter(panel) == Counter(code):
        return True
    if joinsNeighbors:
        return len(code) <= len(panel) and all(width >= min(w for *_, w in panel) for *_, width in code)
    if wide:  # where a row ends and elsewhere, all bytes each
        (memory, does, _), total = panel[0], sum(width for *_, width in panel)
        return Counter(code) == Counter(panel) + Counter([(memory, does, wide)] * (total // wide))
    if {name for _, name, _ in panel} != {name for _, name, _ in code}:
        return False
    widths, made = {width for *_, width in panel}, {width for *_, width in code}
    if isNvidia:  # fewer: their values are known
        return made <= widths and len(code) <= len(panel)
    # Two of the panel's in one, or neighbors that lie in order.
    return all(width >= min(widths) for width in made) and sum(w for *_, w in code) <= sum(w for *_, w in panel)


def converts_as(panel, code, isNvidia):
    """The same for a line that only converts layouts: matrices are loads and stores of their widths, and AMD's back end makes
    one instruction of two neighbors."""
    made = Counter((memory, "store" if name.startswith("stmatrix") else "load" if MATRIX.search(name) else name, width) for memory, name, width in code)
    if isNvidia:
        return Counter(panel) == made
    sizes = [Counter(), Counter()]
    for sums, all in zip(sizes, (panel, made.elements())):
        for memory, name, width in all:
            sums[memory, name] += width
    return sizes[0] == sizes[1]


def wavefronts_played(player, launch, module):
    """By line, the wavefronts of each instruction in shared memory; {} if the player cannot play the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        description = Path(folder) / "launch.json"
        description.write_text(json.dumps(Launch(launch).json()))
        done = subprocess.run([player, description, module], capture_output=True, text=True)
    lines = defaultdict(list)
    if done.returncode in (0, 1):
        for access in json.loads(done.stdout)["played"][0]["accesses"]:
            if access["memory"] == "shared":
                lines[access["line"]].append(access["wavefronts"])
    return lines


def compare_wavefronts(accesses, played, converted):
    """(line, panel, played) for lines whose instructions are all there. Places that are loaded from memory are not known
    to the panel."""
    shared = defaultdict(list)
    for access in accesses:
        if access["kind"] == "shared":
            shared[access["place"]["line"]].append(access)
    for line, ours in shared.items():
        if line in converted or any("gather" in each["op"] or "scatter" in each["op"] or "wavefronts" not in each for each in ours):
            continue
        if sum(each["instructions"] * each["times"] for each in ours) == len(played[line]):
            yield line, sum(each["wavefronts"] * each["times"] for each in ours), sum(played[line])


def compare_lints(gluond, file, accesses):
    """(launch, line, message) of lints whose numbers no access of their line has. `accesses`: by launch."""
    found = json.loads(subprocess.run([gluond, "check", file, "--format", "json"], capture_output=True, text=True, cwd=HERE / "kernels").stdout)
    for finding in found:
        here = [each for each in accesses.get(finding["launch"], ()) if each["place"]["line"] == finding["range"]["start"]["line"] + 1]
        if sectors := re.search(r"touches (\d+) sectors of 32 bytes instead of (\d+)", finding["message"]):
            stated = [int(each) for each in sectors.groups()]
            shown = [[each[key] / each["instructions"] for key in ("sectors", "leastSectors")] for each in here if "sectors" in each]
        elif wavefronts := re.search(r"needs (\d+) wavefronts instead of (\d+)", finding["message"]):
            stated = [int(each) for each in wavefronts.groups()]
            shown = [[each["wavefronts"], each["leastWavefronts"]] for each in here if "wavefronts" in each]
        else:
            continue
        if finding["launch"] in accesses:
            yield finding["launch"], finding["range"]["start"]["line"] + 1, "" if stated in shown else f"{finding['message']}\n    panel    {shown}"


def compare(gluond, player, file, only, isVerbose):
    launches = json.loads(subprocess.run([gluond, "launches", file, "--format", "json"], capture_output=True, text=True, check=True, cwd=HERE / "kernels").stdout)
    launches = [each for each in launches if not only or each["kernel"] in only]
    differences, compared = [], Counter()
    source = (HERE / "kernels" / file).read_text().splitlines()
    answers = {}
    with tempfile.TemporaryDirectory() as out:
        client = Client(gluond, HERE / "kernels")
        records = Path(out) / "all.launches.jsonl"
        records.write_text("".join(json.dumps({**each, "file": str(HERE / "kernels" / file)}) + "\n" for each in launches))
        for stage in ("ptx", "amdgcn"):
            mine = [each for each in launches if each["target"].startswith("cuda") == (stage == "ptx")]
            if not mine:
                continue
            records.write_text("".join(json.dumps({**each, "file": str(HERE / "kernels" / file)}) + "\n" for each in mine))
            done = subprocess.run([gluond, "emit", records, "--stage", stage, "-o", out], capture_output=True, text=True, env={**os.environ, "GLUOND_CACHE_DIR": "off"},
                                  cwd=HERE)  # records name files of the project only
            for launch in mine:
                path = Path(out) / f"{launch['id']}.{stage}"
                if not path.exists():
                    differences.append(f"{launch['id']} does not compile: {done.stderr.strip()}")
                    continue
                code = compiled(path.read_text(), stage == "ptx")
                answer = client.call("accesses", file=file, kernel=launch["kernel"], launch=launch["id"], limit=500)
                answers[launch["id"]] = answer["accesses"]
                panel, converted = shown(answer["accesses"])
                wide = {each["place"]["line"]: int(found[1]) for each in answer["accesses"] if (found := re.search(r"(\d+) bytes per lane elsewhere", each.get("instruction", "")))}
                picked = {each["place"]["line"] for each in answer["accesses"] if "neighbors" in each.get("instruction", "")}
                if player and stage == "ptx":
                    for line, stated, counted in compare_wavefronts(answer["accesses"], wavefronts_played(player, launch, path), converted):
                        compared["wavefronts"] += 1
                        if stated != counted:
                            differences.append(f"{launch['id']} {launch['target']} line {line}: {source[line - 1].strip()}\n    {stated} wavefronts in the panel, {counted} played")
                # Where a line's own accesses are gone, they may have moved to the line that needs their values.
                moved = {each for line in panel for each in panel[line] if not any(other[0] == each[0] for other in code[line])}
                for line, exchange in converted.items():
                    made = [each for each in code[line] if each[0] in ("shared", "lanes")]
                    if any(each[0] == "shared" for each in panel[line]):
                        continue
                    compared["conversions"] += 1
                    if not converts_as(exchange, made, stage == "ptx"):
                        differences.append(f"{launch['id']} {launch['target']} line {line}: {source[line - 1].strip()}\n    panel    {dict(Counter(exchange))}\n    assembly {dict(Counter(made))}")
                for line in sorted(set(panel) | set(code)):
                    for memory in ("global", "shared", "bulk"):
                        ours = [each for each in panel[line] if each[0] == memory]
                        theirs = [each for each in code[line] if each[0] == memory and (each in ours or each not in moved)]
                        # Scalars have no panel; results of scans, reductions and conversions go through scratch memory.
                        if not ours and (memory == "shared" or len(theirs) <= 1 or code[line] == theirs and not panel[line]):
                            continue
                        if memory == "shared" and line in converted:
                            continue
                        compared[memory] += 1
                        if memory == "bulk":
                            isRight = bool(theirs)
                        else:
                            isRight = agree(ours, theirs, stage == "ptx", line in picked, wide.get(line, 0))
                        text = f"{launch['id']} {launch['target']} line {line}: {source[line - 1].strip()}\n    panel    {dict(Counter(ours))}\n    assembly {dict(Counter(theirs))}"
                        if not isRight:
                            differences.append(text)
                        elif isVerbose:
                            print(text)
        client.close()
    for launch, line, difference in compare_lints(gluond, file, answers):
        compared["lints"] += 1
        if difference:
            differences.append(f"{launch} line {line}: {difference}")
    return differences, compared


def main():
    gluond = os.path.abspath(sys.argv[1])
    isVerbose = "-v" in sys.argv
    player = next((os.path.abspath(each) for each in sys.argv[2:] if os.path.isfile(each)), None)
    only = [each for each in sys.argv[2:] if each != "-v" and not os.path.isfile(each)]
    differences, compared = [], Counter()
    for file in sorted((HERE / "kernels").glob("*.py")):
        found, counted = compare(gluond, player, file.name, only, isVerbose)
        differences += found
        compared += counted
    for each in differences:
        print(each)
    print(f"{sum(compared.values())} lines compared ({', '.join(f'{n} {memory}' for memory, n in compared.items())}), {len(differences)} differ")
    if not only and (compared["global"] < 200 or compared["shared"] < 80 or compared["bulk"] < 10 or compared["conversions"] < 50 or compared["lints"] < 20 or player and compared["wavefronts"] < 50):
        print("too few were compared")
        return 1
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
