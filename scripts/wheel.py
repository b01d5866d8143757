#!/usr/bin/env python3
"""Makes the wheel and the sdist of gluond. Needs Python 3.9 and binutils, no packages.

    scripts/wheel.py [--programs build/bin] [--sbom FILE] [--licences FILE] [--out dist]      the wheel; prints its name
    scripts/wheel.py --sdist [--out dist]                                    the sdist; prints its name

The wheel holds the Python package (python/gluond), the programs gluond, gluond-amdgpu and gluond-runner, which pip puts on PATH, and the page of `gluond serve`. Its tag
names the architecture and the oldest glibc that the programs start with. It depends on no package.

This is also the build backend of pyproject.toml: `pip install .` takes the programs of build/bin, and builds them first where they are missing.
Files carry the time of SOURCE_DATE_EPOCH, else of 1980, and are sorted: the same programs give the same bytes.
"""
import argparse
import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PROGRAMS = ("gluond", "gluond-amdgpu", "gluond-runner")
OLDEST_GLIBC = (2, 17)  # what the tags of wheels begin with
LEGACY_TAGS = {(2, 17): "manylinux2014"}  # for pip before 20.3
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF
MOST_PACKED = 20e6  # bytes of one program
MOST_UNPACKED = 60e6
EARLIEST = 315532800  # 1980, before which a zip file knows no time


def version():
    """One place has it: CMakeLists.txt."""
    return re.search(r"project\(gluond VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text()).group(1)


def epoch():
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST)), EARLIEST)


def tool(name):
    found = shutil.which(name) or shutil.which(f"llvm-{name}-22")
    if not found:
        raise SystemExit(f"wheel.py: {name} is missing (Debian: apt-get install binutils)")
    return found


def architecture(program):
    header = program.read_bytes()[:20]
    if header[:4] != b"\x7fELF":
        raise SystemExit(f"wheel.py: {program} is not a program for Linux")
    return MACHINES[int.from_bytes(header[18:20], "little")]


def needed_glibc(program):
    """(2, 17), say; OLDEST_GLIBC for a static program."""
    symbols = subprocess.run([tool("objdump"), "-T", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", symbols)]
    return max([OLDEST_GLIBC] + [each[:2] for each in versions])


def tag_of(programs):
    architectures = {architecture(program) for program in programs}
    if len(architectures) != 1:
        raise SystemExit(f"wheel.py: the programs are for different machines: {', '.join(sorted(architectures))}")
    glibc, machine = max(needed_glibc(program) for program in programs), architectures.pop()
    platforms = [f"manylinux_{glibc[0]}_{glibc[1]}_{machine}"]
    if glibc in LEGACY_TAGS:
        platforms.append(f"{LEGACY_TAGS[glibc]}_{machine}")
    return "py3-none-" + ".".join(platforms)


def stripped(program):
    """The bytes of a program without its symbols."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "stripped"
        # Only LLVM's strip reads every architecture.
        subprocess.run([shutil.which("llvm-strip-22") or tool("strip"), "-o", out, program], check=True)
        return out.read_bytes()


def metadata():
    about = (TOP / "pyproject.toml").read_text()
    field = lambda name: re.search(rf'^{name} = "(.*)"$', about, re.M).group(1)
    return (f"Metadata-Version: 2.4\nName: gluond\nVersion: {version()}\nSummary: {field('description')}\nLicense-Expression: {field('license')}\n"
            f"License-File: LICENSE\nRequires-Python: {field('requires-python')}\nDescription-Content-Type: text/markdown\n\n"
            + (TOP / field("readme")).read_text()).encode()


def package_files():
    """The Python package: path in the wheel, file."""
    for file in sorted((TOP / "python/gluond").rglob("*.py")):
        yield file.relative_to(TOP / "python").as_posix(), file


def shared_files():
    """What gluond finds beside its folder bin/: path below the prefix, file."""
    page = TOP / "visualizer/dist/page"
    for file in sorted(page.rglob("*")) if page.is_dir() else []:
        if file.is_file() and file.suffix != ".map":
            yield f"share/gluond/page/{file.relative_to(page).as_posix()}", file
    for page in sorted((TOP / "docs").glob("*.md")):
        yield f"share/doc/gluond/{page.name}", page


def make_wheel(out, folder, sbom=None, licences=None):
    """Writes the wheel into the folder `out`; its name."""
    programs = [Path(folder) / name for name in PROGRAMS]
    for program in programs:
        if not program.is_file():
            raise SystemExit(f"wheel.py: {program} is missing: build it first (ninja -C build {' '.join(PROGRAMS)})")
    tag, info, data = tag_of(programs), f"gluond-{version()}.dist-info", f"gluond-{version()}.data"
    files = {name: (file.read_bytes(), 0o644) for name, file in package_files()}
    for program in programs:
        files[f"{data}/scripts/{program.name}"] = (stripped(program), 0o755)
    files.update({f"{data}/data/{name}": (file.read_bytes(), 0o644) for name, file in shared_files()})
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("-")[2].split("."))
    files[f"{info}/METADATA"] = (metadata(), 0o644)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: gluond\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644)
    files[f"{info}/licenses/LICENSE"] = ((TOP / "LICENSE").read_bytes(), 0o644)
    if licences:
        files[f"{info}/licenses/{licences.name}"] = (licences.read_bytes(), 0o644)
    if sbom:
        files[f"{info}/sboms/gluond.cdx.json"] = (sbom.read_bytes(), 0o644)
    digest = lambda content: base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = [f"{name},sha256={digest(content)},{len(content)}\n" for name, (content, _) in files.items()]
    files[f"{info}/RECORD"] = ("".join([*record, f"{info}/RECORD,,\n"]).encode(), 0o644)

    name = f"gluond-{version()}-{tag}.whl"
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out / name, "w") as archive:
        for path, (content, mode) in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(epoch())[:6])
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
        for entry in archive.infolist():
            if entry.filename.startswith(f"{data}/scripts/") and (entry.compress_size > MOST_PACKED or entry.file_size > MOST_UNPACKED):
                print(f"wheel.py: {entry.filename} takes {entry.file_size / 1e6:.1f} MB, {entry.compress_size / 1e6:.1f} MB packed: more than "
                      f"{MOST_UNPACKED / 1e6:.0f} and {MOST_PACKED / 1e6:.0f}", file=sys.stderr)
    return name


def repack(file):
    """Packs a zip archive again, with the time of SOURCE_DATE_EPOCH and in the order of names: what VS Code's packager does not."""
    with zipfile.ZipFile(file) as archive:
        entries = sorted((entry.filename, entry.external_attr, archive.read(entry)) for entry in archive.infolist())
    with zipfile.ZipFile(file, "w") as archive:
        for name, attributes, content in entries:
            entry = zipfile.ZipInfo(name, time.gmtime(epoch())[:6])
            entry.external_attr, entry.compress_type = attributes, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)


# Folders that nothing shipped is built or tested from.
NOT_IN_SDIST = re.compile(r"(tests|bench|docs/pictures|docs/measurements|\.ci)/")


def sources():
    """The files of the sdist: in a checkout those that git does not ignore; in an unpacked sdist all."""
    if (TOP / ".git").exists():
        listed = subprocess.run(["git", "-C", TOP, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE, check=True, text=True).stdout.split("\0")
        return sorted(name for name in listed if name and not NOT_IN_SDIST.match(name) and (TOP / name).is_file())
    skipped = ("build/", "build-", "node_modules/", "dist/")
    names = (file.relative_to(TOP).as_posix() for file in TOP.rglob("*") if file.is_file())
    return sorted(name for name in names if not name.startswith(skipped) and name != "PKG-INFO" and "/node_modules/" not in name)


def npm_archives():
    """Name and version of what CMake fetches with npm."""
    return re.findall(r"npm_archive\(([\w-]+) ([\d.]+)", (TOP / "cmake/TreeSitter.cmake").read_text())


def downloads():
    """The archives that CMake would fetch with npm, for a build without npm."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gluond"
    for name, release in npm_archives():
        file = folder / f"{name}-{release}.tgz"
        if file.is_file():
            yield f"third_party/downloads/{file.name}", file


def make_sdist(out):
    """Writes the sdist into the folder `out`; its name. The built page travels along, so that building needs no npm."""
    top = f"gluond-{version()}"
    files = {name: TOP / name for name in sources()}
    files.update((f"visualizer/dist/page/{file.relative_to(TOP / 'visualizer/dist/page').as_posix()}", file)
                 for file in sorted((TOP / "visualizer/dist/page").rglob("*")) if file.is_file() and file.suffix != ".map")
    files.update(downloads())
    out.mkdir(parents=True, exist_ok=True)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(name, content, mode):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, epoch()
            archive.addfile(entry, io.BytesIO(content))
        add("PKG-INFO", metadata(), 0o644)
        for name, file in sorted(files.items()):
            add(name, file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
    (out / f"{top}.tar.gz").write_bytes(gzip.compress(raw.getvalue(), 9, mtime=epoch()))
    return f"{top}.tar.gz"


def build_programs():
    """The folder of the programs, which are built where they are missing: wants what scripts/setup.sh installs."""
    folder = TOP / "build/bin"
    if all((folder / name).is_file() for name in PROGRAMS):
        return folder
    options = [f"-DGLUOND_DOWNLOADS={TOP / 'third_party/downloads'}"] if (TOP / "third_party/downloads").is_dir() else []
    options += ["-DGLUOND_VISUALIZER=OFF"] if (TOP / "visualizer/dist/page").is_dir() else []
    subprocess.run(["cmake", "--preset", "release", *options], cwd=TOP, check=True)
    targets = [*PROGRAMS] + ([] if (TOP / "visualizer/dist/page").is_dir() else ["visualizer"])
    subprocess.run(["ninja", "-C", "build", *targets], cwd=TOP, check=True)
    return folder


# The hooks of PEP 517.
def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return make_wheel(Path(wheel_directory), build_programs())


def build_sdist(sdist_directory, config_settings=None):
    return make_sdist(Path(sdist_directory))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, default=TOP / "build/bin", help="the folder with gluond, gluond-amdgpu and gluond-runner (build/bin)")
    parser.add_argument("--sbom", type=Path, help="a list of the parts of the programs, to be kept in the wheel")
    parser.add_argument("--licences", type=Path, help="the texts of their licences, to be kept in the wheel")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="where the file is written (dist)")
    parser.add_argument("--repack", type=Path, metavar="FILE", help="pack this zip archive again so that the same content gives the same bytes")
    parser.add_argument("--sdist", action="store_true", help="make the sdist instead")
    given = parser.parse_args()
    if given.repack:
        return repack(given.repack)
    name = make_sdist(given.out) if given.sdist else make_wheel(given.out, given.programs, given.sbom, given.licences)
    print(given.out / name)


if __name__ == "__main__":
    main()
