#!/usr/bin/env python3
"""Writes the documentation of one dialect as C++ initialisers of kernelscope::Doc.

Reads `llvm-tblgen --dump-json`, so whatever ODS knows (summary, description, operands,
attributes, results) reaches the editor without a second place to keep it.
"""
import argparse
import json
import subprocess
import sys
import textwrap


def literal(text):
    """A C++ string literal of `text` as UTF-8."""
    plain = {"\\": "\\\\", '"': '\\"', "?": "\\?", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(
        plain.get(c) or (c if ord(c) < 128 else "".join(f"\\{b:03o}" for b in c.encode())) for c in text) + '"'


def clean(description):
    return textwrap.dedent(description).strip()


def signature(record, records):
    """One line per operand, attribute and result: `kind name: constraint`."""
    lines = []

    def walk(dag, kind_of):
        for arg, name in dag["args"]:
            definition = records.get(arg.get("def", ""), {})
            supers = definition.get("!superclasses", [])
            # OpVariable wrappers (Arg<...>, Res<...>) keep the constraint inside.
            inner = definition
            while "constraint" in inner and "def" in inner["constraint"]:
                inner = records[inner["constraint"]["def"]]
                supers = supers + inner["!superclasses"]
            summary = inner.get("summary") or inner.get("!name", "")
            kind = kind_of(supers)
            lines.append(f"{kind}\t{name or ''}\t{summary}")

    walk(record["arguments"],
         lambda s: "attribute" if "AttrConstraint" in s or "Attr" in s or "Property" in s else "operand")
    walk(record["results"], lambda s: "result")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("td")
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--dialect", required=True)
    parser.add_argument("--require-descriptions", action="store_true")
    parser.add_argument("-I", dest="includes", action="append", default=[])
    parser.add_argument("-o", dest="output", required=True)
    args = parser.parse_args()

    command = [args.tblgen, "--dump-json", args.td]
    for include in args.includes:
        command += ["-I", include]
    records = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def dialect_of(record, field):
        ref = record.get(field)
        return records[ref["def"]]["name"] if ref and "def" in ref else None

    rows, missing = [], []
    for kind, cls, field, mnemonic in (("Op", "Op", "opDialect", "opName"),
                                       ("Type", "TypeDef", "dialect", "mnemonic"),
                                       ("Attribute", "AttrDef", "dialect", "mnemonic")):
        for name in records["!instanceof"].get(cls, []):
            record = records[name]
            if dialect_of(record, field) != args.dialect or not record.get(mnemonic):
                continue
            full = f"{args.dialect}.{record[mnemonic]}"
            description = clean(record.get("description") or "")
            if not description:
                missing.append(f"{kind.lower()} {full}")
            sig = signature(record, records) if kind == "Op" else ""
            rows.append((kind, full, (record.get("summary") or "").strip(), description, sig))
    if missing and args.require_descriptions:
        sys.exit(f"{args.td}: no description on: " + ", ".join(missing))

    rows.sort(key=lambda row: (row[0], row[1]))
    with open(args.output, "w") as out:
        for kind, *fields in rows:
            out.write(f"{{DocKind::{kind}, " + ", ".join(literal(f) for f in fields) + "},\n")


if __name__ == "__main__":
    main()
