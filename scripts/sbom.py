#!/usr/bin/env python3
"""Prints the parts of gluond's programs as a CycloneDX 1.6 document: what is linked or bundled, in which version, under which licence.

    scripts/sbom.py --zig FILE [--licences OUT] > gluond.cdx.json       FILE is the program zig that gluond-runner was built with

Versions are those of the packages that this machine builds with (dpkg), of npm's lock files, and of the archives that CMake fetches."""
import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import time
import uuid
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "scripts"))
from wheel import downloads, epoch, npm_archives, version  # noqa: E402

# Name, Debian package, licence (SPDX), and the program that it is part of.
DEBIAN = [
    ("LLVM", "llvm-22-dev", "Apache-2.0 WITH LLVM-exception", "gluond, gluond-amdgpu"),
    ("lld", "liblld-22-dev", "Apache-2.0 WITH LLVM-exception", "gluond-amdgpu"),
    ("MLIR", "libmlir-22-dev", "Apache-2.0 WITH LLVM-exception", "gluond"),
    ("glibc", "libc6-dev", "LGPL-2.1-or-later", "gluond, gluond-amdgpu"),
    ("libstdc++", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "gluond, gluond-amdgpu"),
    ("libgcc", "libgcc-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "gluond, gluond-amdgpu"),
    ("zlib", "zlib1g-dev", "Zlib", "gluond, gluond-amdgpu"),
    ("Zstandard", "libzstd-dev", "BSD-3-Clause", "gluond, gluond-amdgpu"),
    ("Boost", "libboost-dev", "BSL-1.0", "gluond"),
    ("CLI11", "libcli11-dev", "BSD-3-Clause", "gluond"),
    ("toml++", "libtomlplusplus-dev", "MIT", "gluond"),
    ("JSON for Modern C++", "nlohmann-json3-dev", "MIT", "gluond, gluond-runner"),
    ("tl-expected", "libexpected-dev", "CC0-1.0", "gluond, gluond-amdgpu, gluond-runner"),
]
# Name, licence, and where zig's folder has its text.
ZIG = [
    ("libc++", "Apache-2.0 WITH LLVM-exception", "lib/libcxx/LICENSE.TXT"),
    ("libunwind", "Apache-2.0 WITH LLVM-exception", "lib/libunwind/LICENSE.TXT"),
    ("compiler-rt", "MIT", "LICENSE"),
]
# Folders with a package-lock.json, the packages of it that end up in what is shipped, and where.
NPM = [("visualizer", {"monaco-editor"}, "the page of gluond serve"), ("vscode-extension", None, "the VS Code extension")]


def debian_version(package):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    if not found:
        raise SystemExit(f"sbom.py: {package} is not installed: releases are made where scripts/setup.sh installed what gluond is built from")
    return found


def text_of(part, *places):
    for place in places:
        if place.is_file():
            return place.read_text(errors="replace")
    raise SystemExit(f"sbom.py: no licence of {part} is found" + (f" in any of {', '.join(map(str, places))}" if places else ""))


def component(name, release, licence, purl, part):
    known = {"expression": licence} if " " in licence else {"license": {"id": licence}}
    return {"type": "library", "bom-ref": purl, "name": name, "version": release, "licenses": [known], "purl": purl,
            "properties": [{"name": "gluond:part-of", "value": part}]}


def parts(zig):
    """Each part, with the text of its licence."""
    for name, package, licence, part in DEBIAN:
        release = debian_version(package)
        yield component(name, release, licence, f"pkg:deb/debian/{package}@{release}", part), text_of(package, Path("/usr/share/doc") / package / "copyright")
    release = subprocess.run([zig, "version"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    for name, licence, text in ZIG:
        yield (component(name, release, licence, f"pkg:pypi/ziglang@{release}#{name}", "gluond-runner"),
               text_of(name, zig.parent / text, *zig.parent.parent.glob("ziglang-*.dist-info/licenses/LICENSE"), *zig.parent.parent.glob("ziglang-*.dist-info/LICENSE")))
    for (name, release), (_, archive) in zip(npm_archives(), downloads()):
        with tarfile.open(archive) as packed:
            member = next((each for each in packed.getnames() if each in ("package/LICENSE", "package/LICENSE.md")), "")
            text = packed.extractfile(member).read().decode() if member else ""
        yield component(name, release, "MIT", f"pkg:npm/{name}@{release}", "gluond"), text
    for folder, wanted, part in NPM:
        packages = json.loads((TOP / folder / "package-lock.json").read_text())["packages"]
        for path, package in sorted(packages.items()):
            name = path.split("node_modules/")[-1]
            if path and not package.get("dev") and not package.get("optional") and (name in wanted if wanted else name != "esbuild"):
                made = component(name, package["version"], package.get("license", "NOASSERTION"), f"pkg:npm/{name}@{package['version']}", part)
                yield made, text_of(f"{name} in {folder}", *sorted((TOP / folder / path).glob("[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zig", type=Path, required=True, help="the program zig that gluond-runner was built with")
    parser.add_argument("--licences", type=Path, help="where the texts of the licences are written")
    given = parser.parse_args()
    found = sorted(parts(given.zig.resolve()), key=lambda pair: pair[0]["bom-ref"])
    components = [each for each, _ in found]
    if given.licences:
        rule = "\n\n" + "=" * 100 + "\n"
        given.licences.write_text("The programs and pages of gluond contain these parts. gluond's own source, from which anyone can link its programs again with\n"
                                  "another version of a part, is published under the MIT license."
                                  + "".join(f"{rule}{each['name']} {each['version']} ({each['properties'][0]['value']})\n\n{text.strip()}" for each, text in found) + "\n")
    # The same parts give the same document.
    digest = hashlib.sha256(json.dumps([version(), components]).encode()).digest()[:16]
    print(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": f"urn:uuid:{uuid.UUID(bytes=digest, version=4)}",
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())),
            "component": {"type": "application", "bom-ref": "gluond", "name": "gluond", "version": version(), "licenses": [{"license": {"id": "MIT"}}]},
        },
        "components": components,
        "dependencies": [{"ref": "gluond", "dependsOn": [part["bom-ref"] for part in components]}],
    }, indent=2))


if __name__ == "__main__":
    main()
