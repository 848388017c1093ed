#!/usr/bin/env bash
# Installs each package of a folder into an empty Debian 12 and works with it there: try.sh FOLDER [CACHE]
# try.sh --program PROGRAM CACHE packs a program first, and tries it without Triton, which is a large download.
# Needs root, mmdebstrap and the network; exits 77, saying what is missing, without them. The empty system is kept in CACHE.
set -euo pipefail
shopt -s nullglob
root=$(cd "$(dirname "$0")/.." && pwd)
program= system=
[ "$1" != --program ] || { program=$(realpath "$2"); shift 2; set -- "$1/packages" "$1"; }
packages=$(realpath -m "$1") cache=$(realpath -m "${2:-$1/debian-12}")

skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can enter another system"
command -v mmdebstrap >/dev/null || skip "no mmdebstrap, which makes an empty Debian; apt-get install mmdebstrap"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine does not let a process have mounts of its own"

# empty_system NAME [PACKAGES]: an archive with Debian 12 and no more than PACKAGES, made once.
empty_system() {
  local archive=$cache/$1.tar
  mkdir -p "$cache"
  [ -f "$archive" ] || {
    mmdebstrap --quiet --format=tar --variant=minbase ${2:+--include="$2"} bookworm "$archive.new" http://deb.debian.org/debian ||
      skip "Debian's mirror cannot be reached"
    mv "$archive.new" "$archive"
  }
  system=$(mktemp -d)
  tar -xf "$archive" -C "$system"
  cp /etc/resolv.conf "$system/etc/"
  mkdir -p "$system/etc/ssl/certs" "$system/packages" "$system/dumps"
  cp -L /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/" 2>/dev/null || true
  cp "$root"/docs/demo/*.ttgir "$root"/docs/demo/*.json "$system/dumps/" 2>/dev/null || true
}

# inside COMMAND: runs a line of shell in that system.
inside() {
  unshare --mount --pid --fork --kill-child env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" sh -c "$2"' - "$system" "$1"
}

# expect WHAT PATTERN COMMAND: the command's output must have a line like PATTERN.
expect() {
  local output
  output=$(inside "$3" 2>&1) || true
  grep -q -- "$2" <<<"$output" || {
    echo "FAILED: $1: \`$3\` says nothing like '$2':"
    sed 's/^/  /' <<<"$output" | tail -20
    exit 1
  }
  echo "  ok: $1"
}

# What anybody does first with the program.
try_program() {
  expect "the version" "^kernelscope [0-9]" "$1 --version"
  expect "errors of a broken dump" "error: 'tt.make_range' op needs" "$1 check /dumps/broken.ttgir"
  expect "no errors in a good one" "^exit 0" "$1 check /dumps/softmax.ttgir; echo exit \$?"
  expect "PTX" "^\.target sm_90a" "$1 preview /dumps/softmax.ttgir --arch sm_90a --emit ptx"
  expect "a run on the CPU" "softmax" "$1 run /dumps/softmax.ttgir --device cpu"
  expect "a language server" '"capabilities"' \
    "printf 'Content-Length: 107\r\n\r\n%-107s' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"processId\":null,\"rootUri\":null,\"capabilities\":{}}}' | $1 lsp"
}

finish() { rm -rf --one-file-system "$system"; }
trap finish EXIT

[ -z "$program" ] || {
  # What skips does so before the work of packing.
  empty_system empty
  finish
  rm -rf "$packages"
  "$root/packaging/package.py" "$program" "$packages" --quick
}

for package in "$packages"/*.deb; do
  echo "$(basename "$package") in an empty Debian 12"
  empty_system empty
  cp "$package" "$system/packages/"
  expect "dpkg installs it" "^Setting up kernelscope" "dpkg -i /packages/*.deb"
  try_program kernelscope
  expect "dpkg removes it" "^gone" "dpkg -r kernelscope >/dev/null 2>&1; command -v kernelscope || echo gone"
  finish
done
for package in "$packages"/*.tar.gz; do
  echo "$(basename "$package") in an empty Debian 12"
  empty_system empty
  tar -xzf "$package" -C "$system/opt"
  try_program "/opt/$(basename "$package" .tar.gz)/bin/kernelscope"
  finish
done
for package in "$packages"/*.vsix; do
  echo "$(basename "$package") in an empty Debian 12: the program inside"
  empty_system empty
  python3 -m zipfile -e "$package" "$system/opt"
  # Editors keep the mode of what they unpack; this module does not.
  unzip_mode=$(python3 -c "import sys, zipfile; print(oct(zipfile.ZipFile(sys.argv[1]).getinfo('extension/bin/kernelscope').external_attr >> 16 & 0o777))" "$package")
  [ "$unzip_mode" = 0o755 ] || { echo "FAILED: the program's mode in the archive is $unzip_mode, not 0o755"; exit 1; }
  chmod 755 "$system/opt/extension/bin/kernelscope"
  try_program /opt/extension/bin/kernelscope
  finish
done
for package in "$packages"/*.whl; do
  echo "$(basename "$package") in a Debian 12 with Python"
  empty_system python python3-venv
  cp "$package" "$system/packages/"
  expect "pip installs it" "^Successfully installed kernelscope" \
    "python3 -m venv /venv && /venv/bin/pip install --no-index /packages/*.whl"
  try_program /venv/bin/kernelscope
  expect "python -m kernelscope" "^kernelscope [0-9]" "/venv/bin/python -m kernelscope --version"
  if [ -n "$program" ]; then
    finish
    continue
  elif inside "/venv/bin/pip install -q triton==3.6.0" >/dev/null 2>&1; then
    for tool in ptxas nvdisasm libdevice; do
      expect "$tool of the Triton beside it" "^ok  $tool  *.*/triton/backends/nvidia/" "/venv/bin/kernelscope doctor"
    done
    expect "SASS" "EXIT" "/venv/bin/kernelscope preview /dumps/softmax.ttgir --arch sm_90a --emit sass"
  else
    echo "  not tried: the tools of a Triton beside it, which cannot be installed here"
  fi
  finish
done
