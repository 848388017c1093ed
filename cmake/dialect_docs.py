#!/usr/bin/env python3
"""Writes the documentation of one dialect as C++ initialisers of kernelscope::Doc.

Reads `llvm-tblgen --dump-json`, so whatever ODS knows (summary, description, operands,
attributes, results) reaches the editor without a second place to keep it.
"""
import argparse
import json
import re
import subprocess
import sys
import textwrap

from op_syntax import syntax


def literal(text):
    """A C++ string literal of `text` as UTF-8."""
    plain = {"\\": "\\\\", '"': '\\"', "?": "\\?", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(
        plain.get(c) or (c if ord(c) < 128 else "".join(f"\\{b:03o}" for b in c.encode())) for c in text) + '"'


def clean(description):
    return textwrap.dedent(description).strip()


def choices(definition, records):
    """What may be written for an attribute of few values: (word, the same as an attribute in a dictionary)."""
    while "def" in (definition.get("baseAttr") or {}):
        definition = records[definition["baseAttr"]["def"]]
    if definition["!name"] == "BoolAttr":
        return [("true", "true"), ("false", "false")]
    wrapped = definition.get("enum") if "EnumAttr" in definition["!superclasses"] else None
    info = records[wrapped["def"]] if wrapped else definition
    cases = [records[case["def"]] for case in info.get("enumerants", [])]
    if wrapped:
        dialect = records[definition["dialect"]["def"]]["name"]
        return [(c["str"], f"#{dialect}.{definition['mnemonic']}<{c['str']}>") for c in cases]
    return [(c["str"], f"{c['value']} : i{info['bitwidth']}") for c in cases]


def introducer(name, assembly):
    """What stands before `$name` in the op's own syntax: `word=`, `word<`, or `@n` behind n commas."""
    if re.search(rf"custom<\w+>\([^)]*\${name}\b", assembly):
        return ""
    keyword = re.search(rf"`(\w+)`\s*(`=`|``)\s*\${name}\b", assembly)
    if keyword:
        return keyword[1] + ("=" if keyword[2] == "`=`" else "<")
    position = re.search(rf"\${name}\b", assembly)
    return f"@{assembly[:position.start()].count('`,`')}" if position else ""


def entry(kind, name, constraint, before="", values=()):
    """One line: kind, name, constraint, and for what has few values its introducer and the values."""
    fields = [kind, name or "", constraint]
    if values:
        fields += [before, "|".join(f"{word}={spelling}" for word, spelling in values)]
    return "\t".join(fields)


def signature(record, records):
    """One line for each operand, attribute and result."""
    lines = []
    assembly = record.get("assemblyFormat") or ""

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
            values = choices(inner, records) if kind == "attribute" and "Attr" in supers else ()
            lines.append(entry(kind, name, summary, introducer(name, assembly) if values else "", values))

    walk(record["arguments"],
         lambda s: "attribute" if "AttrConstraint" in s or "Attr" in s or "Property" in s else "operand")
    walk(record["results"], lambda s: "result")
    return "\n".join(lines)


def parameters(record, records, description):
    """One line for each key in the braces of an attribute: those of its parameters that the description speaks of, and
    those that its example has."""
    kinds = {"unsigned": "integer", "bool": "true or false", "::llvm::ArrayRef<unsigned>": "list of integers"}
    lines, seen = [], set()
    for arg, name in record["parameters"]["args"]:
        kind = arg if isinstance(arg, str) else records[arg["def"]].get("cppType", "")
        if not re.search(rf"`{name}`|\b{name} =", description) and name != "CGALayout":
            continue
        seen.add(name)
        values = [("true", "true"), ("false", "false")] if kind == "bool" else ()
        said = "bases, such as [[0, 1]]" if name == "CGALayout" else kinds.get(kind, "layout")
        lines.append(entry("parameter", name, said, values=values))
    for example in re.findall(r"```mlir\n(.*?)```", description, re.S):
        for name in re.findall(r"(\w+) = ", example):
            if name not in seen:
                seen.add(name)
                lines.append(entry("parameter", name, "list of integers"))
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
            sig = (signature(record, records) if kind == "Op" else
                   parameters(record, records, description) if kind == "Attribute" else
                   "\n".join(entry("parameter", name, "") for _, name in record["parameters"]["args"]))
            typed = syntax(full, record, records, choices) if kind == "Op" else ""
            rows.append((kind, full, (record.get("summary") or "").strip(), description, sig, typed))
    if missing and args.require_descriptions:
        sys.exit(f"{args.td}: no description on: " + ", ".join(missing))

    rows.sort(key=lambda row: (row[0], row[1]))
    with open(args.output, "w") as out:
        for kind, *fields in rows:
            out.write(f"{{DocKind::{kind}, " + ", ".join(literal(f) for f in fields) + "},\n")


if __name__ == "__main__":
    main()
