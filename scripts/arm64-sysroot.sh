#!/bin/sh
# Unpacks into a folder what gluond is built from, for arm64, from the package sources of this Debian: for the preset `aarch64`.
#   scripts/arm64-sysroot.sh FOLDER
# Installs nothing here, and needs no root. The packages take 1.5 GB unpacked.
set -eu
folder=${1:?usage: scripts/arm64-sysroot.sh FOLDER}
. "$(dirname "$0")/lib.sh"
packages="llvm-22-dev liblld-22-dev libmlir-22-dev mlir-22-tools libc6-dev libstdc++-12-dev libgcc-12-dev zlib1g-dev libzstd-dev libncurses-dev libxml2-dev
          nlohmann-json3-dev libboost-dev libexpected-dev libcli11-dev libtomlplusplus-dev libgtest-dev libgmock-dev"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -f "$folder/.done" ] && exit 0
apt=$folder/.apt
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status" # nothing is installed
cat >"$apt/apt.conf" <<CONF
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
CONF
export APT_CONFIG="$apt/apt.conf"
step "Fetching the packages of arm64"
quietly apt-get update -qq
# shellcheck disable=SC2086  # a list of words
quietly apt-get install -y -qq --no-install-recommends --download-only $packages
step "Unpacking"
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$apt"
# Links to absolute places would lead to this machine's files.
find "$folder" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$(readlink "$link")")" "$link"
done
touch "$folder/.done"
