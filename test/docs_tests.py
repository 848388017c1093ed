"""Each test that the table of LSP methods and that of the first hour name exists, and the table has each method of the server:
docs_tests.py BUILD_FOLDER"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUPS = "features|unit|lit|server|editors|oracle|corpus|docs|packages"


def table(page, heading):
    """The rows of the tables below a heading, up to the next one as high."""
    text = (ROOT / "docs" / page).read_text()
    level = heading.split()[0]
    section = re.split(rf"^{level} ", text[text.index(heading) + len(heading):], maxsplit=1, flags=re.MULTILINE)[0]
    return "\n".join(line for line in section.splitlines() if line.startswith("|"))


def methods():
    """The names of all messages in the sources that talk to clients."""
    found = set()
    for folder in "front", "lsp":
        for file in (ROOT / "server" / folder).glob("*.cpp"):
            found |= set(re.findall(r'"((?:(?:textDocument|workspace|window|callHierarchy|kernelscope)/[A-Za-z/]+|\$/[A-Za-z]+))"',
                                    file.read_text()))
    return found


def is_in_table(method, words):
    """Rows shorten all names but the first: `textDocument/didOpen`, `didChange`."""
    parts = method.split("/")
    return any("/".join(parts[i:]) in words for i in range(len(parts)))


def main():
    listing = subprocess.run(["ctest", "--test-dir", sys.argv[1], "-N"], capture_output=True, text=True, check=True).stdout
    tests = set(re.findall(r"Test +#\d+: (\S+)", listing))
    assert len(tests) > 50, "ctest lists the tests"
    named = 0
    missing = []
    for page, heading in ("server.md", "## Methods"), ("measurements.md", "## The first hour"):
        for name in re.findall(rf"`((?:{GROUPS})/[\w./-]+)`", table(page, heading)):
            named += 1
            if name not in tests and not (ROOT / "test" / name).exists():
                missing.append(f"{page}: {name}")
    assert named > 60, f"the tables name tests, not only {named}"
    words = set(re.findall(r"`([\w$/]+)`", table("server.md", "## Methods")))
    assert len(methods()) > 30, "the sources name methods"
    missing += [f"server.md: {method}" for method in sorted(methods()) if not is_in_table(method, words)]
    if missing:
        sys.exit("no such test, or no row for a method:\n  " + "\n  ".join(missing))


main()
