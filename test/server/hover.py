#!/usr/bin/env python3
"""Prints the hover of the first WORD in a FILE, as an editor asks for it: hover.py PROGRAM FILE WORD."""

import sys
from pathlib import Path

import lspclient

lspclient.PROGRAM, name, word = sys.argv[1:]
text = Path(name).read_text()
before = text[:text.index(word)]
with lspclient.Client() as client:
    uri = Path(name).resolve().as_uri()
    client.open(uri, text)
    hover = client.hover(uri, before.count("\n"), len(before) - before.rfind("\n") - 1)
    print(hover["contents"]["value"] if hover else f"no hover on {word}")
