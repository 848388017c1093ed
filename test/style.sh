#!/usr/bin/env bash
# The style checks of all languages: clang-format, clang-tidy, TypeScript, Lua. --fix rewrites instead of complaining.
set -euo pipefail
cd "$(dirname "$0")/.."
fix=${1:-}

sources() { git ls-files --cached --others --exclude-standard -- "$@"; }

npm_install() { # only when the lock file is newer than what is installed
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || npm --prefix "$1" ci --no-audit --no-fund --loglevel=error
}

failed=0
check() {
  local what=$1
  shift
  if "$@"; then echo "style: $what: ok"; else
    echo "style: $what: FAILED"
    failed=1
  fi
}

clang_format() {
  if [ "$fix" = --fix ]; then sources '*.cpp' '*.h' | xargs -r clang-format-22 -i
  else sources '*.cpp' '*.h' | xargs -r clang-format-22 --dry-run -Werror; fi
}
typescript() {
  npm_install editors/vscode
  if [ "$fix" = --fix ]; then (cd editors/vscode && npx prettier --write --log-level warn src pages)
  else npm --prefix editors/vscode run --silent check; fi
}
lua() {
  npm_install test/editors
  sources '*.lua' | xargs -r node test/editors/stylua.cjs $fix
}

check clang-format clang_format
check TypeScript typescript
check Lua lua
check "chips' names" python3 test/chips.py
[ "$fix" = --fix ] || check clang-tidy python3 test/tidy.py
exit $failed
