#!/usr/bin/env bash
# run.sh PROGRAM SECONDS [OPTIONS...]: runs the fuzzer from seeds made of the tests' IR and, if KS_CORPUS names them, real dumps.
# For less than a minute it takes a quarter of them, since to read them all takes longer, and tests read each one anyway.
# A text that fails is left in the working directory as crash-*, timeout-* or oom-*.
set -euo pipefail
program=$1 seconds=$2
shift 2
tests=$(cd "$(dirname "$0")/.." && pwd)
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
python3 - "$seeds" "$tests" "${KS_CORPUS:-}" "$seconds" <<'PYTHON'
import hashlib, pathlib, re, sys
seeds, tests, corpus = (pathlib.Path(name) for name in sys.argv[1:4])
texts = []
for path in [*tests.glob("lit/**/*.mlir"), *tests.glob("lit/**/*.ttir")]:
    texts += re.split(r"^// -----.*\n", path.read_text(), flags=re.M)
for path in tests.glob("unit/features/cases/*.txt"):
    cases = re.split(r"^==== .*\n", path.read_text(), flags=re.M)[1:]
    texts += [re.split(r"^----\n", case, flags=re.M)[0] for case in cases]
if sys.argv[3]:
    for path in corpus.glob("*/*.tt*ir"):
        text = path.read_text()
        # Locations are half of a dump and say nothing to a verifier.
        text = re.sub(r"^#loc.*\n", "", re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text), flags=re.M)
        if len(text) < 8000:
            texts.append(text)
named = sorted((hashlib.sha1(text.encode()).hexdigest(), text) for text in texts)
if int(sys.argv[4]) < 60:
    named = named[::4]
for name, text in named:
    (seeds / name).write_text(text)
print(f"{len(named)} seeds", flush=True)
PYTHON

"$program" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -max_len=20000 -print_final_stats=1 "$@" "$seeds"
