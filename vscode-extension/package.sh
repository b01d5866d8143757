#!/bin/sh
# Makes build/gluond-<platform>-<version>.vsix: the extension, the panels and the server, in one file that needs nothing else.
#   vscode-extension/package.sh [-o FILE] [--server build/bin/gluond] [--runner FILE]    gluond-amdgpu and gluond-runner are taken from beside the server
# Needs a built server and Node 18 with npm; the packages of the three lock files are installed once (npm ci) and found again offline.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
out= server=$top/build/bin/gluond runner=
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2; shift 2 ;;
    --server) server=$2; shift 2 ;;
    --runner) runner=$2; shift 2 ;;
    *) echo "usage: package.sh [-o FILE] [--server FILE] [--runner FILE]" >&2; exit 2 ;;
  esac
done
fail() { printf 'package.sh: %s\n' "$*" >&2; exit 1; }

# What the server runs on, which need not be this machine.
case $(uname -s)-$(od -An -tu1 -j18 -N1 "$server" 2>/dev/null | tr -d ' ' | sed 's/^62$/x86_64/; s/^183$/aarch64/') in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64) platform=linux-arm64 ;;
  *) fail "$server is missing (ninja -C build gluond gluond-runner), or is for no platform of VS Code's" ;;
esac
version=$(sed -n 's/^project(gluond VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
out=${out:-$top/build/gluond-$platform-$version.vsix}
case $out in /*) ;; *) out=$PWD/$out ;; esac

sh "$top/scripts/npm-ci.sh" visualizer vscode-extension vscode-extension/packaging || fail "the packages are missing"
(cd "$top/visualizer" && npm run --silent build >&2)
(cd "$here" && npm run --silent build >&2)

# What goes in, put together in one folder. Pictures lie where the documentation keeps them; the package has its own copies.
stage=$here/build/package
rm -rf "$stage"
mkdir -p "$stage/server" "$stage/dist" "$stage/media/pictures" "$(dirname "$out")"
sed "s/^  \"version\": \"0.0.0\",/  \"version\": \"$version\",/" "$here/package.json" >"$stage/package.json"
cp "$top/CHANGELOG.md" "$here/LICENSE" "$stage/"
cp "$here/dist/extension.js" "$here/dist/panels.js" "$here/dist/panels.css" "$stage/dist/"
cp "$here"/media/*.* "$stage/media/"
cp "$top"/docs/pictures/vscode/*.png "$stage/media/pictures/"
node "$here/packaging/readme.mjs" "$here/README.md" "$stage/README.md"
for program in "$server" "$(dirname "$server")/gluond-amdgpu" "${runner:-$(dirname "$server")/gluond-runner}"; do # the server, and what compiles and runs kernels for it
  [ -x "$program" ] || fail "$program is missing: build it first (ninja -C build gluond gluond-runner)"
  "$(command -v llvm-strip-22 || echo strip)" -o "$stage/server/$(basename "$program")" "$program" 2>/dev/null || cp "$program" "$stage/server/"
  chmod 755 "$stage/server/$(basename "$program")"
done
: >"$stage/.vscodeignore" # all of it

cd "$stage"
node "$here/packaging/node_modules/@vscode/vsce/vsce" package --target "$platform" --no-dependencies --allow-missing-repository \
  --no-rewrite-relative-links --out "$out" >&2
printf '%s\n' "$out"
