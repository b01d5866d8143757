# For the scripts beside this: progress, quiet commands, one build. Plain sh, sourced.
cd "$(dirname "$0")/.."

started=$(date +%s)
step() { printf '\033[1m[%3ds] %s\033[0m\n' "$(($(date +%s) - started))" "$*" >&2; }
fail() { printf 'gluond: %s\n' "$*" >&2; exit 1; }

# Runs a command; shows its output only when it fails.
quietly() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then rm -f "$log"; return 0; fi
  cat "$log" >&2; rm -f "$log"
  fail "failed: $*"
}

# build PRESET TARGET...: configures once, builds with one line of progress.
build() {
  preset=$1; shift
  folder=build
  [ "$preset" = release ] || folder=build-$preset
  export NINJA_STATUS="  [%f/%t, %es] "
  [ -f "$folder/build.ninja" ] || { step "Configuring (preset $preset)"; quietly cmake --preset "$preset"; }
  step "Building $* in $folder"
  if [ -t 2 ]; then ninja -C "$folder" "$@" >&2 || fail "the build failed"; return; fi
  # Not a terminal: every 25th line of progress, and whatever else is said.
  failed=$(mktemp)
  { ninja -C "$folder" "$@" 2>&1 || echo failed >"$failed"; } | awk '/^ *\[[0-9]+\// { if (n++ % 25 == 0) { print; fflush() } next } { print; fflush() }' >&2
  if [ -s "$failed" ]; then rm -f "$failed"; fail "the build failed"; fi
  rm -f "$failed"
}
