#!/bin/sh
# Fails when a program needs more of a machine than we promise: a C library newer than glibc 2.28 (Debian 10, RHEL 8), or another shared library.
#   scripts/check-binaries.sh FILE...
# Prints for each program what it needs. Wants objdump (binutils, or llvm-objdump-22).
set -eu
newest=2.28
objdump=$(command -v objdump || command -v llvm-objdump-22) || { echo "check-binaries.sh: objdump is missing" >&2; exit 77; }
failed=0
for file in "$@"; do
  headers=$("$objdump" -p "$file") || exit 1
  libraries=$(printf '%s\n' "$headers" | awk '$1 == "NEEDED" { print $2 }')
  if [ -z "$libraries" ]; then
    echo "$file: needs no shared library"
    continue
  fi
  for library in $libraries; do
    case $library in
      libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-x86-64.so.2 | ld-linux-aarch64.so.1) ;;
      *) echo "$file: needs $library, which a machine may lack" >&2; failed=1 ;;
    esac
  done
  version=$("$objdump" -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | sed 's/GLIBC_//')
  if [ "$(printf '%s\n%s\n' "$version" "$newest" | sort -V | tail -n 1)" != "$newest" ]; then
    echo "$file: needs glibc $version, newer than $newest:" >&2
    "$objdump" -T "$file" | grep -F "GLIBC_$version" >&2
    failed=1
  else
    echo "$file: needs glibc $version and $(echo $libraries)"
  fi
done
exit $failed
