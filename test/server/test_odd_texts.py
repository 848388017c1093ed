"""Texts that no compiler writes: they are analysed or set aside, and requests about them and others are answered.

KS_LONG=1 takes the sizes of the long form, a line of 100 MB and 200,000 brackets inside each other, and prints times.
"""

import os
import time
import unittest

from lspclient import KERNEL, Client, Error, at, find, whole

URI = "file:///odd.ttgir"
OTHER = "file:///other.ttgir"
IS_LONG = bool(os.environ.get("KS_LONG"))
LINE = 100_000_000 if IS_LONG else 1_000_000
DEPTH = 200_000 if IS_LONG else 20_000
PLACED = ["hover", "definition", "references", "documentHighlight", "completion", "signatureHelp", "prepareRename",
          "linkedEditingRange"]
WHOLE = ["documentSymbol", "codeLens", "foldingRange", "semanticTokens/full", "formatting", "documentLink"]


class Odd(unittest.TestCase):
    def asked(self, client, uri, line, character, timeout=60):
        """Asks for everything; the answers, or the errors' codes."""
        params = {**at(uri, line, character), "context": {"includeDeclaration": True},
                  "options": {"tabSize": 2, "insertSpaces": True}}
        ids = [client.ask("textDocument/" + method, params) for method in PLACED + WHOLE]
        ids.append(client.ask("kernelscope/sourceLines", whole(uri)))
        answers = []
        for id in ids:
            try:
                answers.append(client.answer(id, timeout))
            except Error as error:
                answers.append(error.code)
        return answers

    def survive(self, texts, place, timeout=60):
        """Each text is answered, an edit leads back, and another document does not notice."""
        with Client() as client:
            client.open(OTHER, KERNEL)
            client.wait_diagnostics(OTHER, 1)
            engine = client.child("engine")
            for name, text in texts:
                with self.subTest(name):
                    start = time.monotonic()
                    client.open(URI, text)
                    client.wait_diagnostics(URI, 1, timeout)
                    opened = time.monotonic()
                    self.asked(client, URI, *place, timeout)
                    if IS_LONG:
                        print(f"{name}: {opened - start:.1f} s until its diagnostics, {time.monotonic() - opened:.1f} s for "
                              f"{len(PLACED + WHOLE) + 1} requests")
                    self.assertIn("tt.load", client.hover(OTHER, *find(KERNEL, "tt.load"))["contents"]["value"])
                    client.change(URI, 2, KERNEL)
                    self.assertEqual(client.wait_diagnostics(URI, 2, timeout), [])
                    client.close_document(URI)
                    # Of 100 MB the colours may take the watchdog's 10 s; what is asked is answered then, too.
                    if client.child("engine") != engine:
                        self.assertTrue(IS_LONG, "the engine has died")
                        print(f"{name}: the watchdog has replaced the engine")
                        engine = client.child("engine")
                    del client.diagnostics[URI]

    def test_deep_nesting(self):
        self.survive({
            "regions": "scf.if %c {\n" * DEPTH + "}\n" * DEPTH,
            "regions that stay open": "module {" * DEPTH,
            "brackets of an attribute": "#a = " + "[" * DEPTH + "]" * DEPTH,
            "locations": "tt.return loc(" + "callsite(" * DEPTH + "unknown" + ")" * DEPTH + ")",
            "types": "func.func @f(%x: " + "tensor<1x" * DEPTH + "f32" + ">" * DEPTH + ")",
            "function types": "#a = " + "() -> (" * DEPTH + ")" * DEPTH,
            "parentheses that only close": ")" * DEPTH + "\n" + "}" * DEPTH,
            "generic regions": '"a.b"() ({' * DEPTH + "}) : () -> ()\n" * DEPTH,
        }.items(), (0, 5))

    def test_a_long_line(self):
        def filled(begin, piece):
            return begin + piece * (LINE // len(piece))
        texts = [("a comment", filled("// ", "x")), ("a string", filled('#a = dense<"', "0123456789ABCDEF") + '">'),
                 ("a name", filled("%", "a"))]
        texts += [("words", filled("", "%a = tt.load ")), ("numbers", filled("#a = dense<[", "1, "))]
        self.survive(texts, (0, 1000), timeout=300)

    def test_bytes_that_are_no_text(self):
        for name, text in {
            "NUL": KERNEL.replace("tt.load", "tt.\0load"),
            "NULs": "\0" * 100_000,
            "half of a pair of surrogates": KERNEL.replace("tt.load", "tt.load \ud83d"),
            "controls": "".join(map(chr, range(32))) * 1000,
            "returns without a newline": KERNEL.replace("\n", "\r"),
            "a mark of the order of bytes": "\ufeff" + KERNEL,
            "separators of Unicode": KERNEL.replace("\n", "\u2028\n\u2029"),
            "noncharacters": "\uffff\ufffe\U0010ffff" * 1000,
        }.items():
            with self.subTest(name), Client() as client:
                # The client would not encode half a pair; JSON can.
                client.send({"method": "textDocument/didOpen", "params": {"textDocument": {
                    "uri": URI, "languageId": "triton-ir", "version": 1, "text": text}}}, ensure_ascii=True)
                # What is no Unicode is refused, with an error.
                client.wait_until(lambda: client.diagnostics.get(URI) or client.unasked, "diagnostics or an error")
                self.assertEqual(bool(client.unasked), name == "half of a pair of surrogates")
                self.asked(client, URI, 5, 12)
                client.open(OTHER, KERNEL)
                self.assertEqual(client.wait_diagnostics(OTHER, 1), [])

    def test_changes_out_of_order_and_out_of_range(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            for version, change in [
                (9, ((10**6, 0), (10**6, 5), " ")),
                (3, ((4, 10**9), (4, 10**9), " ")),
                (3, ((8, 0), (2, 0), "// upside down\n")),
                (-5, ((0, 0), (0, 0), "\n")),
                (2**31 - 1, ((2**31 - 1, 2**31 - 1), (2**31 - 1, 2**31 - 1), "\n")),
            ]:
                client.change(URI, version, change)
                self.assertTrue(self.asked(client, URI, 6, 20))
                client.wait_diagnostics(URI, version)
            for bad in [{"range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "x"},
                        {"range": {"start": {"line": 1.5, "character": "0"}, "end": None}, "text": "x"},
                        {"range": {"start": {"line": 2**70, "character": 0}, "end": {"line": 2**70, "character": 0}}, "text": "x"}]:
                client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 10}, "contentChanges": [bad]})
                self.assertTrue(self.asked(client, URI, 6, 20))
            client.change(URI, 11, KERNEL)
            self.assertEqual(client.wait_diagnostics(URI, 11), [])


if __name__ == "__main__":
    unittest.main()
