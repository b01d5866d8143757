#!/bin/sh
# Builds the same commit in two folders of different names and compares what comes out, byte by byte: gluond-runner, the wheel and the sdist; with
# --programs also gluond and gluond-amdgpu, which takes as long as two builds.
#   scripts/check-reproducible.sh [--programs]
# Needs what a release needs (scripts/release.sh has installed it in .cache/release), and the programs and the page of build/.
set -eu
. "$(dirname "$0")/lib.sh"
top=$PWD
programs=
[ "${1:-}" != --programs ] || programs="gluond gluond-amdgpu"
zig=$(echo "$top"/.cache/release/lib/python3*/site-packages/ziglang/zig)
[ -x "$zig" ] || fail "zig is missing: scripts/release.sh installs it"
for program in gluond gluond-amdgpu; do [ -x "build/bin/$program" ] || fail "build/bin/$program is missing: build it first"; done
[ -z "$(git status --porcelain)" ] || step "The working tree has changes that no commit has: they are left out"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# make FOLDER FROM: builds in a copy of the commit that FROM is at; the results are in FOLDER/out. What could leave a trace differs: the folder, umask, language, time zone.
make() (
  mkdir -p "$1"
  git clone -q --no-local --depth 1 "file://$2" "$1/gluond"
  cd "$1/gluond"
  mkdir -p visualizer/dist "$1/out/programs"
  cp -r "$top/visualizer/dist/page" visualizer/dist/page
  quietly cmake --preset "runner-$(uname -m)" -DGLUOND_ZIG="$zig"
  quietly ninja -C "build-runner-$(uname -m)" gluond-runner
  cp "build-runner-$(uname -m)/bin/gluond-runner" "$1/out/programs/"
  if [ -n "$programs" ]; then
    quietly cmake --preset release -DGLUOND_VISUALIZER=OFF
    quietly ninja -C build $programs
  fi
  for program in gluond gluond-amdgpu; do
    from=$top/build/bin/$program
    [ -z "$programs" ] || from=build/bin/$program
    cp "$from" "$1/out/programs/"
  done
  python3 scripts/wheel.py --programs "$1/out/programs" --out "$1/out" >/dev/null
  python3 scripts/wheel.py --sdist --out "$1/out" >/dev/null
  for program in "$1"/out/programs/*; do llvm-strip-22 "$program"; done
)
step "Building in the first folder"
(umask 022; export LC_ALL=C TZ=UTC; make "$work/a" "$top")
step "Building in the second folder"
(umask 077; export LC_ALL=C.UTF-8 TZ=Asia/Tokyo; make "$work/another-folder-of-a-longer-name" "$work/a/gluond")
step "Comparing"
differs=0
for file in "$work"/a/out/*.* "$work"/a/out/programs/*; do
  name=${file#"$work/a/out/"}
  if cmp -s "$file" "$work/another-folder-of-a-longer-name/out/$name"; then
    echo "same: $name"
  else
    echo "differs: $name" >&2
    differs=1
  fi
done
exit $differs
