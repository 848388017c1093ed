#!/usr/bin/env bash
# The latency harness and the micro benchmarks: test/bench/run.sh [PROGRAM [latency.py's arguments...]]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$root/build/bin/kernelscope}
[ $# = 0 ] || shift
bin=$(dirname "$program")
stock=()
[ ! -x "$bin/stock_lsp" ] || stock=(--stock "$bin/stock_lsp")
KERNELSCOPE=$(realpath "$program") python3 "$root/test/bench/latency.py" "${stock[@]}" "$@"
corpus=$root/build/corpus/triton-3.6.0
if [ -x "$bin/analysis_bench" ] && [ -d "$corpus" ]; then
  "$bin/analysis_bench" "$corpus/cuda-100/flash_fwd_causal.ttgir" "$corpus/cuda-90/softmax_row.ttgir"
fi
# How compile times grow; the executor against Triton's interpreter, with the Python of --triton if it has NumPy, too.
while (($# > 1)); do
  if [[ $1 = --triton ]]; then
    python3 "$root/test/bench/scaling.py" "$program" "$2"
  fi
  if [[ $1 = --triton ]] && "$2" -c 'import numpy, triton' 2>/dev/null; then
    "$2" "$root/test/bench/interpreter.py" "$program"
  fi
  shift
done
