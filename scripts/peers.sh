#!/bin/sh
# Installs what the tests run gluond beside: under .cache/ Triton 3.9.0, an LSP client, IPython and the MCP SDK from PyPI and VS Code (code-server) from npm, and
# Debian's Chromium. What cannot be had is said, and its tests are skipped by name. Does nothing where all is there.
#   scripts/peers.sh
set -eu
. "$(dirname "$0")/lib.sh"

oracle() {
  log=.cache/oracle.log
  python3 -m venv .cache/oracle >$log 2>&1 &&
    .cache/oracle/bin/pip install -q --disable-pip-version-check triton==3.9.0 numpy pytest pygls lsprotocol >>$log 2>&1 &&
    touch .cache/oracle/done
}

# VS Code and the browser that shows it and the page of `gluond serve`.
browser() {
  log=.cache/code-server.log
  step "Installing Chromium, and code-server into .cache/code-server"
  sh tests/editor/install.sh >$log 2>&1 && step "VS Code is there" || step "not installed: $(tail -n 1 $log)"
}

mkdir -p .cache
browser &
if [ ! -f .cache/oracle/done ]; then
  step "Installing Triton 3.9.0 and pygls into .cache/oracle"
  oracle || step "not installed: $(tail -n 1 .cache/oracle.log)"
fi
if [ -f .cache/oracle/done ] && [ ! -f .cache/oracle/notebook ]; then
  if .cache/oracle/bin/pip install -q --disable-pip-version-check ipython >>.cache/oracle.log 2>&1; then touch .cache/oracle/notebook
  else step "IPython is not installed: $(tail -n 1 .cache/oracle.log)"; fi
fi
if [ -f .cache/oracle/done ] && [ ! -f .cache/oracle/mcp ]; then
  if .cache/oracle/bin/pip install -q --disable-pip-version-check mcp==2.3.0 >>.cache/oracle.log 2>&1; then touch .cache/oracle/mcp
  else step "the MCP SDK is not installed: $(tail -n 1 .cache/oracle.log)"; fi
fi
wait
