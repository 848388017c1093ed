"""The answer of each method about a document as the protocol has it: lines, characters, kinds, names of fields.

What a feature finds is tested in test/unit/features/cases; what only shows while someone types in test_typing.py.
"""

import unittest

from lspclient import KERNEL, Client, at, find, whole

URI = "file:///methods.ttgir"
OPTIONS = {"tabSize": 2, "insertSpaces": True}


def span(word, nth=0, text=KERNEL, length=None):
    """The range of the nth occurrence of `word`."""
    line, character = find(text, word, nth=nth)
    end = character + (len(word) if length is None else length)
    return {"start": {"line": line, "character": character}, "end": {"line": line, "character": end}}


RANGES = [span("%range", nth) for nth in range(3)]


class Methods(unittest.TestCase):
    def ask(self, method, params, text=KERNEL):
        with Client() as client:
            client.open(URI, text)
            return client.request(method, params)

    def test_definition(self):
        answer = self.ask("textDocument/definition", at(URI, *find(KERNEL, "%range", nth=1)))
        self.assertEqual(answer, {"uri": URI, "range": RANGES[0]})

    def test_references(self):
        place = at(URI, *find(KERNEL, "%range", nth=2))
        for declares in True, False:
            answer = self.ask("textDocument/references", {**place, "context": {"includeDeclaration": declares}})
            self.assertEqual(answer, [{"uri": URI, "range": one} for one in RANGES[not declares:]])

    def test_document_highlight(self):
        write, read = 3, 2
        self.assertEqual(self.ask("textDocument/documentHighlight", at(URI, *find(KERNEL, "%range"))),
                         [{"kind": kind, "range": one} for kind, one in zip((write, read, read), RANGES)])

    def test_document_symbol(self):
        module, = self.ask("textDocument/documentSymbol", whole(URI))
        function, = module["children"]
        self.assertEqual((module["name"], module["kind"], function["name"], function["kind"]), ("module", 2, "copy", 12))
        self.assertEqual(module["selectionRange"], span("module"))
        self.assertEqual(function["selectionRange"], span("@copy"))
        self.assertEqual(function["range"], {"start": span("tt.func")["start"], "end": span("  }\n", length=3)["end"]})

    def test_folding_range(self):
        self.assertEqual([(one["startLine"], one["endLine"], one["kind"]) for one in self.ask("textDocument/foldingRange", whole(URI))],
                         [(1, 11, "region"), (2, 10, "region")])

    def test_linked_editing_range(self):
        line, character = find(KERNEL, "%range", nth=1)
        answer = self.ask("textDocument/linkedEditingRange", at(URI, line, character + 2))
        self.assertEqual([{"start": {**one["start"], "character": one["start"]["character"] - 1}, "end": one["end"]}
                          for one in answer["ranges"]], RANGES, "the names without their %")
        self.assertRegex("range_2", f"^{answer['wordPattern']}$")
        self.assertNotRegex("a b", f"^{answer['wordPattern']}$")

    def test_signature_help(self):
        line, character = find(KERNEL, "tt.store %to, %")
        answer = self.ask("textDocument/signatureHelp", at(URI, line, character + len("tt.store %to, %")))
        signature, = answer["signatures"]
        begin, end = signature["parameters"][answer["activeParameter"]]["label"]
        self.assertEqual(signature["label"][begin:end], "%value")
        self.assertTrue(signature["label"].startswith("tt.store %ptr, "))

    def test_formatting(self):
        text = KERNEL.replace("    %to = ", "       %to   =  ")
        line, _ = find(text, "%to  ")
        edits = self.ask("textDocument/formatting", {**whole(URI), "options": OPTIONS}, text)
        lines = text.split("\n")
        for edit in reversed(edits):
            begin, end = edit["range"]["start"], edit["range"]["end"]
            self.assertEqual((begin["line"], end["line"]), (line, line))
            lines[line] = lines[line][:begin["character"]] + edit["newText"] + lines[line][end["character"]:]
        self.assertEqual("\n".join(lines), KERNEL)

    def test_on_type_formatting(self):
        text = KERNEL.replace("    tt.return", "tt.return")
        line, _ = find(text, "tt.return")
        edits = self.ask("textDocument/onTypeFormatting", {**at(URI, line, 0), "ch": "\n", "options": OPTIONS}, text)
        self.assertEqual(edits, [{"range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}},
                                  "newText": "    "}])

    def test_code_action(self):
        text = KERNEL.replace("tt.store", "tt.stor")
        place = span("tt.stor", text=text)
        action, = self.ask("textDocument/codeAction", {**whole(URI), "range": place, "context": {"diagnostics": []}}, text)
        self.assertEqual((action["kind"], action["title"]), ("quickfix", "Change to 'tt.store'"))
        self.assertEqual(action["edit"], {"changes": {URI: [{"range": place, "newText": "tt.store"}]}})
        diagnostic, = action["diagnostics"]
        self.assertEqual((diagnostic["code"], diagnostic["range"], diagnostic["severity"]), ("unknown-op", place, 1))

    def test_hover(self):
        answer = self.ask("textDocument/hover", at(URI, *find(KERNEL, "tt.load")))
        self.assertEqual((answer["range"], answer["contents"]["kind"]), (span("tt.load"), "markdown"))
        self.assertTrue(answer["contents"]["value"].startswith("**tt.load**: load from global memory"))

    def test_code_lens(self):
        lenses = self.ask("textDocument/codeLens", whole(URI))
        self.assertEqual([(lens["command"]["title"], lens["command"]["command"]) for lens in lenses],
                         [("PTX", "kernelscope.preview"), ("AMDGCN", "kernelscope.preview"), ("Run", "kernelscope.run"),
                          ("What the compiler does", "kernelscope.emitted")])
        for lens in lenses:
            self.assertEqual(lens["range"], span("@copy"))
            self.assertEqual(lens["command"]["arguments"][0]["kernel"], "copy")

    def test_layout(self):
        answer = self.ask("kernelscope/layout", at(URI, *find(KERNEL, "tt.make_range")))
        tensor, = answer["tensors"]
        self.assertEqual((answer["title"], answer["range"], tensor["type"], tensor["bits"]),
                         ("tt.make_range, line 4", span("tt.make_range"), "tensor<128xi32, #blocked>", 32))
        self.assertEqual([(one["name"], one["bases"]) for one in tensor["places"]],
                         [("register", []), ("lane", [[1], [2], [4], [8], [16]]), ("warp", [[32], [64]]), ("block", [])])

    def test_source_lines(self):
        text = KERNEL.replace("    tt.return", '    tt.return loc("copy.py":7:4)')
        line, _ = find(text, "tt.return")
        answer = self.ask("kernelscope/sourceLines", whole(URI), text)
        self.assertEqual([file["name"] for file in answer["files"]], ["copy.py"])
        self.assertEqual(answer["lines"], [{"line": line, "places": [[0, 6, 3]]}], "file, line, character")


if __name__ == "__main__":
    unittest.main()
