#!/usr/bin/env bash
# Runs the corpus's kernels for one target on this machine's GPU, compares each with the CPU
# executor and prints a table. Exits 0 when all agree or there is no GPU, which it says.
#
#   test/gpu/run.sh [--target cuda-90] [--kernelscope build/bin/kernelscope] [--corpus FOLDER] [KERNEL...]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
target=cuda-90
kernelscope=$root/build/bin/kernelscope
corpus=$root/build/corpus/triton-3.6.0
kernels=()
while (($#)); do
  case $1 in
  --target) target=$2 && shift 2 ;;
  --kernelscope) kernelscope=$2 && shift 2 ;;
  --corpus) corpus=$2 && shift 2 ;;
  -h | --help) sed -n '2,5s/^# \{0,1\}//p' "$0" && exit 0 ;;
  -*) echo "$0: unknown option '$1'; --help lists them" >&2 && exit 2 ;;
  *) kernels+=("$1") && shift ;;
  esac
done

case $target in
cuda-*) device=cuda library=libcuda.so.1 ;;
hip-*) device=hip library=libamdhip64.so ;;
*) echo "$0: '$target' is no target of the corpus: cuda-90, hip-gfx942, ..." >&2 && exit 2 ;;
esac
[[ -x $kernelscope ]] || { echo "$0: no program at '$kernelscope'; build it, or name one with --kernelscope" >&2 && exit 2; }
if ! ldconfig -p 2>/dev/null | grep -q "$library" && ! python3 -c "import ctypes; ctypes.CDLL('$library')" 2>/dev/null; then
  echo "SKIPPED: this machine has no $library, so no GPU to run on"
  exit 0
fi
if [[ ! -d $corpus ]]; then
  for archive in "$root"/../shared/corpus/triton-3.6.0.tar.xz "$root"/shared/corpus/triton-3.6.0.tar.xz; do
    if [[ -f $archive ]]; then
      mkdir -p "$(dirname "$corpus")"
      tar -C "$(dirname "$corpus")" -xf "$archive"
    fi
  done
fi
[[ -d $corpus/$target ]] || { echo "SKIPPED: the corpus of Triton's dumps is not at '$corpus/$target'" && exit 0; }

exec python3 "$root/test/gpu/table.py" --kernelscope "$kernelscope" --device "$device" "$corpus/$target" "${kernels[@]}"
