#!/usr/bin/env bash
# The main workflow on softmax.ttgir, a dump that Triton wrote, and on broken.ttgir, a copy with two mistakes.
set -euo pipefail
program=$(realpath "${1:-build/bin/kernelscope}")
cd "$(dirname "$0")"

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
# show LINES COMMAND...: prints the command as typed, then the first lines of its output.
show() {
  local lines=$1
  shift
  say "kernelscope $*"
  ("$program" "$@" 2>&1 || true) | awk -v lines="$lines" 'NR <= lines; END { if (NR > lines) print "… " NR - lines " more lines" }'
}

show 30 check broken.ttgir
say "the hover of tt.load, as an editor asks for it"
python3 ../../test/server/hover.py "$program" softmax.ttgir tt.load
show 45 preview softmax.ttgir --arch sm_90a --emit ptx
show 45 preview softmax.ttgir --arch gfx1201 --emit amdgcn
device=cpu
[ -e /dev/nvidiactl ] && device=cuda
show 30 run softmax.ttgir --device "$device"
