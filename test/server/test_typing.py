"""What an editor asks while someone types, as far as only the protocol shows it."""

import unittest

from lspclient import KERNEL, Client, Error, at, find, whole

URI = "file:///typing.ttgir"


def patched(data, edits):
    for edit in sorted(edits, key=lambda edit: -edit["start"]):
        data[edit["start"]:edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    return data


class SemanticTokens(unittest.TestCase):
    def ask(self, client, kind, **params):
        return client.request(f"textDocument/semanticTokens/{kind}", {**whole(URI), **params})

    def test_a_delta_makes_the_new_tokens_of_the_old(self):
        with Client() as client:
            client.open(URI, KERNEL)
            before = self.ask(client, "full")
            for version, word, text in (2, "tt.load", "// a note\n"), (3, "%to = tt.addptr", ""), (4, "}\n", "%x = "):
                line, _ = find(KERNEL, word)
                client.change(URI, version, ((line, 0), (line + (not text), 0), text))
                delta = self.ask(client, "full/delta", previousResultId=before["resultId"])
                after = self.ask(client, "full")
                self.assertNotIn("data", delta)
                self.assertLess(sum(len(edit["data"]) for edit in delta["edits"]), 100)
                self.assertEqual(patched(before["data"], delta["edits"]), after["data"])
                before = after

    def test_without_a_change_there_is_no_edit(self):
        with Client() as client:
            client.open(URI, KERNEL)
            before = self.ask(client, "full")
            self.assertEqual(self.ask(client, "full/delta", previousResultId=before["resultId"])["edits"], [])

    def test_of_tokens_that_nobody_knows_all_are_sent(self):
        with Client() as client:
            client.open(URI, KERNEL)
            data = self.ask(client, "full")["data"]
            self.assertEqual(self.ask(client, "full/delta", previousResultId="other")["data"], data)

    def test_of_a_range(self):
        with Client() as client:
            client.open(URI, KERNEL)
            line, _ = find(KERNEL, "tt.load")
            part = self.ask(client, "range", range={"start": {"line": line, "character": 0},
                                                    "end": {"line": line + 1, "character": 0}})["data"]
            self.assertEqual(part[0], line)
            self.assertEqual(sum(part[5::5]), 0, "all on that line")


class Rename(unittest.TestCase):
    def test_what_cannot_be_is_an_error_that_says_why(self):
        with Client() as client:
            client.open(URI, KERNEL)
            place = at(URI, *find(KERNEL, "%value"))
            edit = client.request("textDocument/rename", {**place, "newName": "loaded"})
            self.assertEqual([change["newText"] for change in edit["changes"][URI]], ["%loaded"] * 2)
            with self.assertRaises(Error) as raised:
                client.request("textDocument/rename", {**place, "newName": "range"})
            self.assertIn("'%range' is taken: line 4", str(raised.exception))

    def test_only_who_prepares_is_told_of_it(self):
        for able in False, True:
            with Client(initialize=False) as client:
                result = client.initialize(capabilities={"textDocument": {"rename": {"prepareSupport": able}}})
                self.assertEqual(result["capabilities"]["renameProvider"], {"prepareProvider": True} if able else True)


if __name__ == "__main__":
    unittest.main()
