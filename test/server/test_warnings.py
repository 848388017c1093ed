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
        self.assertEqual(len(codes), len(list((root / "passes" / "lint").glob("*.cpp"))) - 2)  # the table, and what lints share
        rules = (root / "docs" / "rules.md").read_text()
        for code in codes:
            # What goes wrong, and an example; the code links here.
            section = re.search(rf"\n### {code}\n(.*?)(?=\n##)", rules, re.DOTALL)
            self.assertIsNotNone(section, code)
            self.assertIn("```mlir", section[1], code)
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


if __name__ == "__main__":
    unittest.main()
