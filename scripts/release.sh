#!/bin/sh
# Makes every file of a release, in dist/ (or the folder given): the wheel, the sdist, the .vsix, the programs and their symbols, a list of their parts
# (CycloneDX) and checksums. On Debian 12, as root or with sudo; prints what each file weighs. The same commit gives the same bytes.
#   scripts/release.sh [--machine x86_64|aarch64] [FOLDER]
set -eu
. "$(dirname "$0")/lib.sh"
machine=$(uname -m)
if [ "${1:-}" = --machine ]; then machine=$2; shift 2; fi
out=${1:-dist}
zig_version=0.17.1
case $machine in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) fail "there is no release for $machine" ;;
esac
# The programs of another machine are cross-built.
preset=release built=build
[ "$machine" = "$(uname -m)" ] || { preset=$machine; built=build-$machine; }
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
version=$(sed -n 's/^project(gluond VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "^## $version\$" CHANGELOG.md || fail "CHANGELOG.md says nothing of $version"
[ -z "$(git status --porcelain)" ] || step "The working tree has changes that no commit has: this is no release"

sh scripts/setup.sh build
tools=.cache/release
if [ ! -f "$tools/done-$zig_version" ]; then
  step "Installing zig $zig_version into $tools"
  command -v python3 >/dev/null || fail "python3 is missing"
  quietly python3 -m venv "$tools"
  quietly "$tools/bin/pip" install -q --disable-pip-version-check --only-binary :all: "ziglang==$zig_version" auditwheel
  touch "$tools/done-$zig_version"
fi
zig=$(echo "$PWD/$tools"/lib/python3*/site-packages/ziglang/zig)

build release visualizer
[ "$preset" = release ] || sh scripts/arm64-sysroot.sh .cache/arm64
build "$preset" gluond
[ -f "build-runner-$machine/build.ninja" ] || quietly cmake --preset "runner-$machine" -DGLUOND_ZIG="$zig"
step "Building gluond-runner for glibc 2.17"
quietly ninja -C "build-runner-$machine" gluond-runner

step "Packing"
sh scripts/npm-ci.sh . visualizer vscode-extension
mkdir -p "$out"
rm -f "$out"/gluond-* "$out/SHA256SUMS"
out=$(cd "$out" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
name=gluond-$version-linux-$machine
mkdir -p "$stage/$name/bin" "$stage/$name/share/gluond" "$stage/$name/share/doc/gluond" "$stage/$name-symbols"
for program in "$built/bin/gluond" "$built/bin/gluond-amdgpu" "build-runner-$machine/bin/gluond-runner"; do
  own=$(basename "$program")
  # Debugging information, which only zig makes, names the folders of this machine.
  llvm-objcopy-22 --strip-debug "$program" "$stage/$own"
  llvm-objcopy-22 --only-keep-debug "$stage/$own" "$stage/$name-symbols/$own.debug"
  llvm-objcopy-22 --strip-all --add-gnu-debuglink="$stage/$name-symbols/$own.debug" "$stage/$own" "$stage/$name/bin/$own"
  rm "$stage/$own"
done
sh scripts/check-binaries.sh "$stage/$name/bin/gluond" "$stage/$name/bin/gluond-amdgpu" "$stage/$name/bin/gluond-runner" >&2
if emulator=$([ "$machine" = "$(uname -m)" ] || command -v "qemu-$machine-static"); then
  $emulator "$stage/$name/bin/gluond" check samples/copy_1d.py >"$stage/tried" 2>&1 || [ $? = 1 ] || fail "gluond does not run: $(cat "$stage/tried")"
else
  step "gluond for $machine is not tried: qemu-user-static is not installed"
fi
python3 scripts/sbom.py --zig "$zig" --licences "$stage/$name/THIRD-PARTY-LICENSES.txt" >"$out/gluond-$version.cdx.json"
cp -r visualizer/dist/page "$stage/$name/share/gluond/page"
find "$stage" -name '*.map' -delete
cp docs/diagnostics.md "$stage/$name/share/doc/gluond/"
cp LICENSE CHANGELOG.md "$out/gluond-$version.cdx.json" "$stage/$name/"

python3 scripts/wheel.py --programs "$stage/$name/bin" --sbom "$out/gluond-$version.cdx.json" --licences "$stage/$name/THIRD-PARTY-LICENSES.txt" --out "$out" >/dev/null
python3 scripts/wheel.py --sdist --out "$out" >/dev/null
"$tools/bin/auditwheel" show "$out"/*.whl >"$stage/audit" 2>&1 || fail "auditwheel: $(cat "$stage/audit")"
tag=$(sed -n 's/.*-\(manylinux_[0-9_]*_[a-z0-9_]*\)\..*whl/\1/p' "$stage/audit" | head -n 1)
grep -q "\"$tag\"" "$stage/audit" || fail "auditwheel does not confirm the tag: $(cat "$stage/audit")"
vsix=$(sh vscode-extension/package.sh --server "$stage/$name/bin/gluond" -o "$stage/gluond.vsix" 2>"$stage/vsix.log") || { cat "$stage/vsix.log" >&2; exit 1; }
python3 scripts/wheel.py --repack "$vsix"
mv "$vsix" "$out/gluond-$platform-$version.vsix"
for folder in "$name" "$name-symbols"; do
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go-w -C "$stage" -c "$folder" | xz -9 -T1 >"$out/$folder.tar.xz"
done
(cd "$out" && sha256sum gluond-* >SHA256SUMS)
(cd "$out" && ls -l | awk 'NF > 8 { printf "%7.1f MB  %s\n", $5 / 1e6, $9 }')
step "Done: $out"
