"""Errors of verifiers: each links to a section of docs/rules.md, whose examples break the rule or keep it."""

import re
import unittest
from pathlib import Path

from lspclient import Client

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()

# What the examples name, in a cluster of some CTAs. `%one`, `%m`, ... have the layout that the example defines.
MODULE = """
#shared = #ttg.nvmma_shared<{{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16{split}}}>
#swizzled = #ttg.swizzled_shared<{{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]{split}}}>
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]{each}}}>
#blocked = #ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [{rows}, 8], warpsPerCTA = [4, 1], order = [1, 0]{split}}}>
!barrier = !ttg.memdesc<{ctas}xi64, #bar, #ttg.shared_memory, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #ttg.shared_memory, mutable>
!buffer = !ttg.memdesc<64x64xf16, #swizzled, #ttg.shared_memory, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
!tensor = tensor<64x64xf16, #blocked>
!offsets = tensor<64x64xi32, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
!aref = !nvws.aref<[!ring]>
!token = !ttg.async.token
{aliases}
module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, ttg.target = "{target}", "ttg.threads-per-warp" = {lanes} : i32{flags}}} {{
  tt.func @f({arguments}) {{
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %true = arith.constant true
{example}
    tt.return
  }}
}}
"""
ARGUMENTS = {
    "bar": "!barrier", "buffer": "!buffer", "tile": "!tile", "x": "!tensor", "desc": "!desc", "p": "!pointers",
    "base": "!tt.ptr<f16>", "offsets": "!offsets", "mask": "tensor<64x64xi1, #blocked>", "sums": "tensor<64x64xf32, #blocked>",
    "aref": "!aref", "other": "!aref", "tokens": "tensor<3x!nvws.token>",
    "constant": "!ttg.memdesc<64x64xf16, #swizzled, #ttg.shared_memory>",
}


def module_of(example):
    """A module with one function, whose body `example` is."""
    ctas, chip, flags = 1, "sm_90", ""
    if place := re.match(r"// (\d+) CTAs? of (\w+)(, .*)?\n", example):
        ctas, chip, flags = int(place[1]), place[2], place[3] or ""
    aliases = "\n".join(re.findall(r"^#.*$", example, re.MULTILINE))
    example = re.sub(r"^(#|//).*\n", "", example, flags=re.MULTILINE)
    arguments = {name: kind for name, kind in ARGUMENTS.items() if re.search(rf"%{name}\b", example)}
    # Of a layout that the example itself defines.
    for name in ("one", "two", "m"):
        if re.search(rf"%{name}\b", example) and f"%{name} =" not in example:
            arguments[name] = re.findall(r"!ttg.memdesc<.*?mutable>", example)[-1]
    bases = [1 << i for i in range(ctas.bit_length() - 1)]
    layout = lambda pattern: f", CGALayout = [{', '.join(pattern % base for base in bases)}]" if bases else ""
    return MODULE.format(
        ctas=ctas, each=layout("[%d]"), split=layout("[%d, 0]"), aliases=aliases, example=example,
        rows=4 if chip.startswith("sm") or "gfx1" in chip else 8, lanes=32 if chip.startswith("sm") or "gfx1" in chip else 64,
        target="cuda:" + chip[3:] if chip.startswith("sm") else "hip:" + chip,
        flags=re.sub(r", ([\w.-]+)", r', "\1"', flags), arguments=", ".join(f"%{name}: {kind}" for name, kind in arguments.items()))


def sections():
    """The sections about errors: their anchors, and pairs of a broken example and one that is right."""
    for title, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## )", RULES.split("\n## Errors\n")[1], re.MULTILINE | re.DOTALL):
        examples = re.findall(r"```mlir\n(.*?)```", text, re.DOTALL)
        yield re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")), list(zip(examples[::2], examples[1::2], strict=True))


class Errors(unittest.TestCase):
    def test_examples(self):
        count = 0

        def found_in(example):
            nonlocal count
            count += 1
            uri = f"file:///example{count}.mlir"
            client.open(uri, module_of(example))
            client.wait_until(lambda: client.diagnostics.get(uri), "diagnostics")
            return client.diagnostics[uri][-1]["diagnostics"]

        with Client() as client:
            for section, examples in sections():
                for broken, right in examples:
                    with self.subTest(section, example=broken):
                        found = found_in(broken)
                        self.assertEqual([error["severity"] for error in found], [1], found)
                        self.assertTrue(found[0]["code"].startswith("verify."), found)
                        self.assertTrue(found[0]["codeDescription"]["href"].endswith("docs/rules.md#" + section), found)
                        self.assertEqual([other for other in found_in(right) if other["severity"] < 4], [])
        self.assertGreater(count, 40)


if __name__ == "__main__":
    unittest.main()
