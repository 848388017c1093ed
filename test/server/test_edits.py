"""Incremental edits in each encoding, and versions of diagnostics."""

import random
import unittest

from lspclient import BROKEN, KERNEL, Client, find, place, position, whole

URI = "file:///edits.ttgir"


class Edits(unittest.TestCase):
    def test_positions_count_in_the_clients_units(self):
        text = BROKEN.replace("tt.store", '%one = arith.constant {note = "é𝛼"} 1 : i32 tt.store')
        for encoding in "utf-8", "utf-16", "utf-32":
            with self.subTest(encoding=encoding), Client(encodings=(encoding,)) as client:
                client.open(URI, text)
                found = client.wait_diagnostics(URI, 1)
                self.assertEqual([d["range"]["start"] for d in found], [place(*find(text, "%nope", encoding))])

    def test_an_edit_mends_the_error(self):
        with Client() as client:
            client.open(URI, BROKEN)
            self.assertIn("%nope", client.wait_diagnostics(URI, 1)[0]["message"])
            start = find(BROKEN, "%nope")
            client.change(URI, 2, (start, (start[0], start[1] + 5), "%value"))
            self.assertEqual(client.wait_diagnostics(URI, 2), [])

    def test_changes_of_one_message_build_on_each_other(self):
        with Client() as client:
            client.open(URI, "")
            client.change(URI, 2, BROKEN[:40], ((0, 40), (0, 40), BROKEN[40:]),
                          (find(BROKEN, "nope"), (find(BROKEN, "nope")[0], find(BROKEN, "nope")[1] + 4), "value"))
            self.assertEqual(client.wait_diagnostics(URI, 2), [])

    def test_positions_outside_the_text_are_clamped(self):
        with Client() as client:
            client.open(URI, "nonsense")
            client.change(URI, 2, ((0, 0), (9999, 9999), KERNEL))
            self.assertEqual(client.wait_diagnostics(URI, 2), [])
            client.change(URI, 3, ((9999, 0), (9999, 5), "// the end"))
            self.assertEqual(client.wait_diagnostics(URI, 3), [])

    def test_random_edits_end_as_the_text_opened_afresh(self):
        pieces = ["\n", "\r\n", "// é𝛼ß\n", "%nope", " ", "", "𝛼", '"']
        for encoding in "utf-8", "utf-16", "utf-32":
            with self.subTest(encoding=encoding), Client(encodings=(encoding,)) as client:
                source = random.Random(encoding)
                text = KERNEL
                client.open(URI, text)
                for version in range(2, 60):
                    begin = source.randrange(len(text))
                    end = min(len(text), begin + source.choice([0, 0, 1, 3]))
                    piece = source.choice(pieces)
                    client.change(URI, version, (position(text, begin, encoding), position(text, end, encoding), piece))
                    text = text[:begin] + piece + text[end:]
                    if "\r" in text.replace("\r\n", ""):  # the client's arithmetic knows no lone "\r"
                        text = KERNEL
                        client.change(URI, version, text)
                edited = client.wait_diagnostics(URI, 59)
                fresh = "file:///fresh.ttgir"
                client.open(fresh, text)
                strip = lambda found: [(d["range"], d["message"]) for d in found]
                self.assertEqual(strip(edited), strip(client.wait_diagnostics(fresh, 1)))
                self.assertEqual(client.request("textDocument/semanticTokens/full", whole(URI)),
                                 client.request("textDocument/semanticTokens/full", whole(fresh)))

    def test_a_burst_ends_with_the_newest_diagnostics_only(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            at = find(KERNEL, "tt.return")
            for version in range(2, 102):
                client.change(URI, version, (at, at, " "))
            client.change(URI, 102, (find(KERNEL, "%value", nth=1), find(KERNEL, " : tensor<128x!tt.ptr", nth=1), "%nope"))
            hover = client.hover(URI, *find(KERNEL, "tt.load"))
            self.assertIn("tt.load", hover["contents"]["value"])
            client.wait_diagnostics(URI, 102)
            versions = [entry["version"] for entry in client.diagnostics[URI]]
            self.assertEqual(versions, sorted(versions))
            self.assertLess(len(versions), 30, "stale texts are skipped")

    def test_changes_and_closings_of_documents_that_are_not_open(self):
        with Client() as client:
            client.change(URI, 2, "text")
            client.close_document(URI)
            client.open(URI, BROKEN)
            self.assertTrue(client.wait_diagnostics(URI, 1))
            client.open(URI, KERNEL, version=5)  # opened twice: the newer counts
            self.assertEqual(client.wait_diagnostics(URI, 5), [])

    def test_closing_clears_the_diagnostics(self):
        with Client() as client:
            client.open(URI, BROKEN)
            client.wait_diagnostics(URI, 1)
            client.close_document(URI)
            client.wait_until(lambda: not client.diagnostics[URI][-1]["diagnostics"], "empty diagnostics")

    def test_malformed_parameters_cost_nothing_else(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI}})
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2},
                                                     "contentChanges": [{"range": {"start": place(0, 0)}, "text": "x"}]})
            client.notify("textDocument/didOpen", {"textDocument": {"uri": 7}})
            client.notify("textDocument/didOpen", [])
            client.notify("textDocument/didChange")
            self.assertTrue(client.hover(URI, *find(KERNEL, "tt.load")))


if __name__ == "__main__":
    unittest.main()
