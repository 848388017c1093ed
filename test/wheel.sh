#!/usr/bin/env bash
# Packs a program as a wheel, installs that with pip and starts it: wheel.sh PROGRAM. `./dev package` tries all packages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(dirname "$0")/../packaging/package.py" "$1" "$folder" --only wheel --quick
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index "$folder"/*.whl
[ "$("$folder/venv/bin/kernelscope" --version)" = "$("$1" --version)" ]
[ "$("$folder/venv/bin/python" -m kernelscope --version)" = "$("$1" --version)" ]
