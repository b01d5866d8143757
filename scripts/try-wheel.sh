#!/bin/sh
# Tries a wheel on bare Debians (Python with venv, and nothing else), each in a chroot that is made once under .cache/. Needs root and debootstrap.
#   scripts/try-wheel.sh WHEEL SUITE...        e.g. dist/gluond-*.whl bullseye bookworm trixie sid
set -eu
wheel=$(realpath "${1:?usage: scripts/try-wheel.sh WHEEL SUITE...}"); shift
. "$(dirname "$0")/lib.sh"
command -v debootstrap >/dev/null || fail "debootstrap is missing (apt-get install debootstrap)"
mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
for suite in "$@"; do
  root=$PWD/.cache/debian-$suite
  if [ ! -f "$root/.done" ]; then
    step "Making a bare $suite"
    rm -rf --one-file-system "$root"
    quietly debootstrap --variant=minbase --include=python3-venv,python3-pip,ca-certificates "$suite" "$root" "${mirror:-http://deb.debian.org/debian}"
    touch "$root/.done"
  fi
  rm -rf --one-file-system "$root/try"; mkdir "$root/try"
  cp "$wheel" "$root/try/"
  cp -r samples "$root/try/samples"
  cat >"$root/try/try.sh" <<'INSIDE'
set -e
cd /try
echo "$(python3 --version), glibc $(ldd --version | sed -n '1s/.* //p')"
! command -v cc gcc clang
python3 -m venv venv
venv/bin/pip install -q --no-index --no-deps gluond-*.whl
venv/bin/gluond --version
venv/bin/gluond-amdgpu --version
venv/bin/gluond-runner --version
venv/bin/gluond check -q samples >found
venv/bin/gluond emit samples/copy_2d.py --kernel copy_2d --stage ptx | grep -q '^\.visible \.entry'
venv/bin/gluond emit samples/copy_2d.py --kernel copy_2d --target hip:gfx1100 --stage isa | grep -q s_endpgm
(timeout 3 venv/bin/gluond serve samples >served || true)
grep -q http://127.0.0.1 served
venv/bin/python -W error -c 'from gluond.compiler import find_gluond; assert find_gluond() == "/try/venv/bin/gluond", find_gluond()'
venv/bin/python -m gluond.record --help >/dev/null
# A user whom /etc/passwd does not know, without a home: nothing is asked of NSS.
env -u HOME setpriv --reuid 54321 --regid 54321 --clear-groups venv/bin/gluond doctor >/dev/null 2>&1
echo works
INSIDE
  step "$suite"
  mount -t proc proc "$root/proc"
  failed=0
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh /try/try.sh || failed=1
  umount "$root/proc"
  rm -rf --one-file-system "$root/try"
  [ "$failed" = 0 ] || fail "the wheel does not work on $suite"
done
step "Done"
