#!/usr/bin/env bash
# Runs every kernel of Triton's dumps on the CPU executor, on all targets: each stage and target gives the same bytes
# (RunCorpusTest), and what NumPy gives where kernels.py has the kernel. About ten minutes on two cores. CI does it for some
# targets.
#
#   test/reference/run.sh [CORPUS...]    folders such as triton-3.6.0, unpacked; NumPy in $PYTHON, or python3
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
(($#)) || set -- "$root/build/corpus/triton-3.6.0"
failed=0
for corpus in "$@"; do
  echo "== $corpus"
  KS_CORPUS=$corpus KS_TARGETS=all "$root/build/bin/run_corpus_test" --gtest_filter='*Corpus.*' --gtest_brief=1 || failed=1
  "${PYTHON:-python3}" "$root/test/reference/check.py" --kernelscope "$root/build/bin/kernelscope" "$corpus"/*/ ||
    [[ $? = 77 ]] || failed=1
done
exit "$failed"
