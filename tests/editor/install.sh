#!/bin/sh
# Installs what the tests in a real VS Code need: code-server from npm and Debian's Chromium. Everything but the packages of apt lies in
# .cache/; a second run does nothing. About two minutes and 400 MB.
#   tests/editor/install.sh        prints the folder that holds node and code-server
set -eu
cd "$(dirname "$0")/../.."
version=4.100.3 # VS Code 1.100.3
node_version=20.19.0
cache=$PWD/.cache/code-server
say() { printf 'tests/editor: %s\n' "$*" >&2; }

packages="chromium fonts-dejavu-core ripgrep pngquant g++ make python3-minimal pkg-config libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev ca-certificates"
command -v npm >/dev/null || packages="$packages npm"
missing=
for package in $packages; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
  say "installing$missing"
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  export DEBIAN_FRONTEND=noninteractive
  $root apt-get update -qq >&2
  # shellcheck disable=SC2086  # a list of words
  $root apt-get install -y -qq --no-install-recommends $missing >&2
fi

# npm that must not fail silently, and must not talk.
quietly() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then rm -f "$log"; else cat "$log" >&2; rm -f "$log"; return 1; fi
}

if [ ! -f "$cache/done-$version" ]; then
  say "installing code-server $version into .cache/"
  rm -rf "$cache"
  mkdir -p "$cache"
  cd "$cache"
  echo '{"private": true, "allowScripts": {"*": true}}' >package.json
  export npm_config_nodedir=/usr npm_config_unsafe_perm=true npm_config_audit=false npm_config_fund=false
  quietly npm install "code-server@$version" --ignore-scripts
  # Debian's own Node is too old on Debian 12; the package `node` carries a newer one.
  if node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'; then
    mkdir -p node_modules/.bin
    ln -sf "$(command -v node)" node_modules/.bin/node
  else
    quietly npm install "node@$node_version" --ignore-scripts
    quietly node node_modules/node/installArchSpecificPackage.js || (cd node_modules/node && quietly npm rebuild node)
  fi
  vscode=node_modules/code-server/lib/vscode
  (
    cd "$vscode"
    quietly npm install --omit=dev --ignore-scripts
    # node-pty's step after its build fails without harm.
    npm rebuild @vscode/spdlog node-pty native-watchdog @parcel/watcher kerberos >"$cache/rebuild.log" 2>&1 || true
    ln -sfn node_modules node_modules.asar
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
    cd extensions
    quietly npm install --omit=dev --ignore-scripts
  )
  quietly npm rebuild argon2
  touch "$cache/done-$version"
fi
printf '%s\n' "$cache"
