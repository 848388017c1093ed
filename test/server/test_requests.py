"""Every request gets exactly one answer: cancelled, overtaken, repeated, malformed."""

import unittest

from lspclient import KERNEL, Client, Error, at, find, large, whole

URI = "file:///requests.ttgir"


class Requests(unittest.TestCase):
    def one_answer(self, client, id):
        client.wait_until(lambda: client.answers.get(id), f"answer to {id}")
        client.request("workspace/executeCommand", {"command": "kernelscope.archs"})  # what was sent before is here
        self.assertEqual(len(client.answers[id]), 1)
        return client.answers[id][0]

    def test_cancel(self):
        with Client() as client:
            client.open(URI, large(15000))
            id = client.ask("textDocument/hover", at(URI, *find(KERNEL, "tt.load")))
            client.notify("$/cancelRequest", {"id": id})
            self.assertEqual(self.one_answer(client, id)["error"]["code"], -32800)
            client.wait_diagnostics(URI, 1)
            self.assertEqual(len(client.answers[id]), 1, "the answer that came too late is dropped")

    def test_cancelling_what_is_done_or_unknown_is_nothing(self):
        with Client() as client:
            client.open(URI, KERNEL)
            id = client.ask("textDocument/hover", at(URI, *find(KERNEL, "tt.load")))
            client.answer(id)
            client.notify("$/cancelRequest", {"id": id})
            client.notify("$/cancelRequest", {"id": "nobody"})
            client.notify("$/cancelRequest", {})
            self.assertIn("result", self.one_answer(client, id))

    def test_an_edit_overtakes_requests(self):
        with Client() as client:
            client.open(URI, large(15000))
            id = client.ask("textDocument/documentSymbol", whole(URI))
            client.change(URI, 2, ((0, 0), (0, 0), "\n"))
            self.assertEqual(self.one_answer(client, id)["error"]["code"], -32801)

    def test_a_completion_outlives_typing_on(self):
        text = large(15000)
        body = text.index("    tt.return")
        line = text.count("\n", 0, body)
        with Client() as client:
            client.open(URI, text)
            client.change(URI, 2, ((line, 0), (line, 0), "    tt.\n"))
            id = client.ask("textDocument/completion", at(URI, line, 7))
            client.change(URI, 3, ((line, 7), (line, 7), "l"))
            client.change(URI, 4, ((line, 8), (line, 8), "o"))
            items = self.one_answer(client, id)["result"]["items"]
            load = next(item for item in items if item["label"] == "tt.load")
            self.assertEqual(load["textEdit"]["range"]["end"], {"line": line, "character": 7})

    def test_a_completion_does_not_outlive_a_change_before_it(self):
        text = large(15000)
        with Client() as client:
            client.open(URI, text)
            id = client.ask("textDocument/completion", at(URI, 5, 3))
            client.change(URI, 2, ((2, 0), (2, 0), "\n"))
            self.assertEqual(self.one_answer(client, id)["error"]["code"], -32801)

    def test_an_id_in_use(self):
        with Client() as client:
            client.open(URI, large(15000))
            client.ask("textDocument/documentSymbol", whole(URI), id="twice")
            client.ask("textDocument/documentSymbol", whole(URI), id="twice")
            client.wait_until(lambda: len(client.answers.get("twice", [])) == 2, "both answers")
            errors = [answer["error"]["code"] for answer in client.answers["twice"] if "error" in answer]
            self.assertEqual(errors, [-32600])

    def test_requests_about_nothing(self):
        with Client() as client:
            for params in at("file:///not-open.ttgir", 0, 0), {}, None, [], "text":
                with self.subTest(params=params), self.assertRaises(Error) as raised:
                    client.request("textDocument/hover", params)
                self.assertEqual(raised.exception.code, -32602)
            with self.assertRaises(Error) as raised:
                client.request("workspace/executeCommand", {"command": "rm"})
            self.assertEqual(raised.exception.code, -32602)

    def test_every_feature_answers_at_odd_places(self):
        ranged = {"range": {"start": {"line": 3, "character": 99}, "end": {"line": 1, "character": 0}}}
        with Client() as client:
            client.open(URI, KERNEL)
            for method in ("hover", "definition", "references", "documentHighlight", "documentSymbol", "completion",
                           "codeLens", "codeAction", "foldingRange", "inlayHint", "semanticTokens/full",
                           "semanticTokens/full/delta", "semanticTokens/range", "signatureHelp", "prepareRename",
                           "linkedEditingRange", "formatting", "rangeFormatting", "onTypeFormatting", "documentLink",
                           "selectionRange", "prepareCallHierarchy", "diagnostic"):
                for line, character in (0, 0), (-5, -5), (99999, 99999), (4, 10**18):
                    with self.subTest(method=method, line=line):
                        client.request("textDocument/" + method, {**at(URI, line, character), **ranged, "context": {}})


if __name__ == "__main__":
    unittest.main()
