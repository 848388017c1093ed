"""Warnings about the program: their codes, and the ways to turn them off."""

import re
import unittest
from pathlib import Path

from lspclient import Client

URI = "file:///warnings.ttgir"
TEXT = """
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @f() {
    %a = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %a, 1 : !barrier
    ttng.arrive_barrier %a, 2 : !barrier
    tt.return
  }
}
"""

# What the examples of docs/rules.md name.
EXAMPLE = """
#shared = #ttg.nvmma_shared<{{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}}>
#swizzled = #ttg.swizzled_shared<{{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}}>
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
#blocked = #ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [4, {columns}], warpsPerCTA = [4, 1], order = [1, 0]}}>
#mma = #ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #ttg.shared_memory, mutable>
!buffer = !ttg.memdesc<64x64xf16, #swizzled, #ttg.shared_memory, mutable>
!lds = !ttg.memdesc<64x64xf16, #swizzled, #ttg.shared_memory, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
!sum = tensor<64x64xf32, #mma>
!half = tensor<64x64xf16, #mma>
!aref = !nvws.aref<[!ring]>
!token = !ttg.async.token
{aliases}
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "{target}", "ttg.threads-per-warp" = {lanes} : i32}} {{
{functions}
}}
"""
FUNCTION = """tt.func @f(%desc: !desc, %p: !pointers, %x: !tensor, %c: !sum, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %a = ttg.local_alloc : () -> !tile
  %b = ttg.local_alloc : () -> !tile
  %m = ttg.local_alloc : () -> !buffer
  %bar = ttg.local_alloc : () -> !barrier
  ttng.init_barrier %bar, 1 : !barrier
  %other = ttg.local_alloc : () -> !barrier
  ttng.init_barrier %other, 1 : !barrier
  %buffers = ttg.local_alloc : () -> !ring
  %ref = nvws.aref.create %buffers : !aref
EXAMPLE
  tt.return
}"""


def module_of(example, is_amd):
    """A module in which `example` is a function, or a function's body."""
    aliases = re.findall(r"^#.*$", example, re.MULTILINE)
    example = re.sub(r"^#.*\n", "", example, flags=re.MULTILINE)
    functions = example if "tt.func" in example else FUNCTION.replace("EXAMPLE", example)
    target, lanes = ("hip:gfx950", 64) if is_amd else ("cuda:100" if "ttng.tmem" in example else "cuda:90", 32)
    return EXAMPLE.format(aliases="\n".join(aliases), functions=functions, target=target, lanes=lanes, columns=lanes // 4)


class Warnings(unittest.TestCase):
    def codes(self, client, count):
        """The codes of the warnings that were told last, once they were told `count` times."""
        client.wait_until(lambda: len(client.diagnostics.get(URI, [])) >= count, f"{count} times diagnostics")
        return [found["code"] for found in client.diagnostics[URI][-1]["diagnostics"] if found["severity"] == 2]

    def test_a_setting_turns_them_off_and_on(self):
        with Client() as client:
            client.open(URI, TEXT)
            self.assertEqual(self.codes(client, 1), ["barrier-arrivals"])
            client.notify("workspace/didChangeConfiguration",
                          {"settings": {"kernelscope": {"allow": ["barrier-arrivals"]}}})
            self.assertEqual(self.codes(client, 2), [])
            client.notify("workspace/didChangeConfiguration", {"settings": {"kernelscope": {}}})
            self.assertEqual(self.codes(client, 3), ["barrier-arrivals"])

    def test_the_code_links_to_its_section(self):
        rules = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
        with Client() as client:
            client.open(URI, TEXT)
            self.codes(client, 1)
            for found in client.diagnostics[URI][-1]["diagnostics"]:
                page, _, section = found["codeDescription"]["href"].partition("#")
                self.assertTrue(page.endswith("docs/rules.md"))
                self.assertEqual(section, found["code"])
                self.assertIn(f"\n### {section}\n", rules)

    def test_each_rule_has_a_section(self):
        root = Path(__file__).parents[2]
        table = (root / "passes" / "lint" / "Lint.h").read_text().split("constexpr Lint lints[]")[1]
        codes = re.findall(r'\{"([a-z-]+)", ', table)
        self.assertTrue(codes)
        rules = (root / "docs" / "rules.md").read_text()
        for code in codes:
            self.assertTrue((root / "passes" / "lint" / (code.title().replace("-", "") + ".cpp")).exists(), code)
            # What goes wrong, an example, and the mended one; the code links here.
            section = re.search(rf"\n### {code}\n(.*?)(?=\n##)", rules, re.DOTALL)
            self.assertIsNotNone(section, code)
            examples = re.findall(r"```mlir\n(.*?)```", section[1], re.DOTALL)
            self.assertEqual(len(examples), 2, code)
            for example, expected in zip(examples, [{code}, set()]):
                with self.subTest(code, expected=expected), Client() as client:
                    client.open(URI, module_of(example, is_amd=code == "lds-width"))
                    client.wait_until(lambda: client.diagnostics.get(URI), "diagnostics")
                    self.assertEqual({found["code"] for found in client.diagnostics[URI][-1]["diagnostics"]}, expected)
            self.assertRegex(rules, rf"\n\| `{code}` \|")

    def test_an_option_at_the_start(self):
        with Client(options={"allow": ["barrier-arrivals", 7]}) as client:
            client.open(URI, TEXT)
            self.assertEqual(self.codes(client, 1), [])

    def test_a_comment(self):
        with Client() as client:
            client.open(URI, TEXT.replace("    ttng.init", "    // kernelscope: allow(barrier-arrivals)\n    ttng.init"))
            self.assertEqual(self.codes(client, 1), [])

    def test_an_engine_that_is_started_anew_knows(self):
        with Client() as client:
            client.open(URI, TEXT)
            self.codes(client, 1)
            client.notify("workspace/didChangeConfiguration", {"settings": {"allow": ["barrier-arrivals"]}})
            self.assertEqual(self.codes(client, 2), [])
            client.kill("engine")
            self.assertEqual(self.codes(client, 3), [])

    def test_the_inlay(self):
        with Client() as client:
            client.open(URI, TEXT)
            everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
            hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": everything})
            self.assertEqual([(hint["position"]["line"], hint["label"]) for hint in hints],
                             [(6, "arrivals: 2 by arrive_barrier")])


RELEASES = """module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%d: !tt.tensordesc<tensor<64x32xf16>>) {
    ttg.local_barrier
    tt.return
  }
}
"""


class Releases(unittest.TestCase):
    def hints(self, client, count):
        client.wait_until(lambda: len(client.diagnostics.get(URI, [])) >= count, f"{count} times diagnostics")
        return [found["code"] for found in client.diagnostics[URI][-1]["diagnostics"]]

    def test_a_setting_names_the_release_that_files_are_for(self):
        with Client() as client:
            client.open(URI, RELEASES)
            self.assertEqual(self.hints(client, 1), [])  # all of it is Triton 3.6's
            client.notify("workspace/didChangeConfiguration", {"settings": {"kernelscope": {"release": "3.8"}}})
            self.assertEqual(self.hints(client, 2), ["older-spelling", "older-spelling"])

    def test_a_file_is_rewritten_for_a_release(self):
        with Client() as client:
            client.open(URI, RELEASES)
            params = {"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
                      "context": {"diagnostics": [], "only": ["source.rewriteFor.kernelscope.3.8"]}}
            [action] = client.request("textDocument/codeAction", params)
            self.assertEqual(action["title"], "Rewrite for Triton 3.8")
            self.assertEqual(sorted(edit["newText"] for edit in action["edit"]["changes"][URI]), ["", "", "barrier local"])
            params["context"].pop("only")
            self.assertEqual(client.request("textDocument/codeAction", params), [])


if __name__ == "__main__":
    unittest.main()
