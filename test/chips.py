#!/usr/bin/env python3
"""Only dialects/target/ knows chips by name or number: the rest asks its table what a chip has.

Names every line of C++ outside that folder where a string or an identifier is a chip's name, or where a chip's
version is compared. Comments, and names within a longer text (messages, help), are fine.
"""

import re
import subprocess
import sys

FOLDERS = ("dialects", "passes", "executor", "server")
EXEMPT = "dialects/target/"

STRING = re.compile(r'R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"//[^\n]*|/\*(?:.|\n)*?\*/")
TOKENS = re.compile(f"{COMMENT.pattern}|{STRING.pattern}|'(?:[^'\\\\\n]|\\\\.)+'")

NAME = re.compile(r'"((sm_|compute_|cuda:|hip:)\w*|gfx(\d\w*)?)"')
IDENTIFIER = re.compile(r"(?<!Family::)\b\w*([Gg]fx|GFX|sm_)\d\w*")
VERSION = re.compile(
    r"(computeCapability|isaVersion|[cC]apability)(\(\w*\))?\s*([<>]=?|[=!]=)"
    r"|([<>]=?|[=!]=)\s*\w+(\.|->)isaVersion\b"
    r"|\barch\s*[=!]=|[=!]=\s*\w+(\.|->)arch\b"
)


def faults(text):
    """The lines (from 1) of `text` at fault, with what is wrong there."""

    def outside_of_strings(match):
        token = match.group()
        kept = token if token.startswith('"') and NAME.fullmatch(token) else ""
        return kept + "\n" * token.count("\n")

    for number, line in enumerate(TOKENS.sub(outside_of_strings, text).split("\n"), 1):
        if NAME.search(line) or IDENTIFIER.search(STRING.sub("", line)):
            yield number, "a chip's name; ask dialects/target/Target.h what the chip has"
        elif VERSION.search(line):
            yield number, "compares chips; ask dialects/target/Target.h what the chip has"


def self_test():
    bad = [
        'if (target == "hip:gfx942") {}',
        'text.starts_with("hip:");',
        'return lanes == 32 ? "gfx1201" : other;',
        'name = "sm_" + number;',
        "bool isGfx950 = false;",
        "if (target.isaVersion >= 90) {}",
        "if (90 <= target->isaVersion) {}",
        "if (lookupComputeCapability(op) == 107) {}",
        'if (target.arch == other.arch) {} // "gfx950"',
    ]
    good = [
        'properties["gfx_target_version"]',
        "// gfx950 has 64 banks",
        '/* "hip:gfx942" */ int x;',
        'error << "needs sm_90 or later; the module\'s target is " << target.arch;',
        'device == "cuda" || device == "hip"',
        "target.family == Family::GFX1250",
        'emit({"__oclc_ISA_version", target.isaVersion});',
        "if (mma.getVersionMajor() >= 3) {}",
        "char quote = '\"'; // gfx950",
        'hip.load(getErrorString, "hipGetErrorString");',
    ]
    for line in bad:
        assert list(faults(line)), f"not found: {line}"
    for line in good:
        assert not list(faults(line)), f"false alarm: {line}"
    assert [number for number, _ in faults('/* a\n b */\nint x;\ncall("gfx950");')] == [4]


def main():
    self_test()
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *FOLDERS],
        check=True, capture_output=True, text=True,
    ).stdout.split()
    found = False
    for path in listed:
        if path.endswith((".cpp", ".h")) and not path.startswith(EXEMPT):
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            except FileNotFoundError:  # deleted, but not yet in the index
                continue
            for number, what in faults(text):
                found = True
                print(f"{path}:{number}: {what}")
    return found


if __name__ == "__main__":
    sys.exit(main())
