"""A file of 15,000 lines."""

import unittest

from lspclient import Client, find, large, whole

URI = "file:///large.ttgir"


class Large(unittest.TestCase):
    def test_edits_in_a_large_file(self):
        text = large(15000)
        with Client() as client:
            client.open(URI, text)
            self.assertEqual(client.wait_diagnostics(URI, 1), [])
            line, character = find(text, "%value", nth=901)
            client.change(URI, 2, ((line, character), (line, character + 6), "%nope"))
            found = client.wait_diagnostics(URI, 2)
            self.assertEqual(found[0]["range"]["start"]["line"], line)
            self.assertIn("%nope", found[0]["message"])
            self.assertGreater(len(client.request("textDocument/documentSymbol", whole(URI))[0]["children"]), 1000)
            client.change(URI, 3, ((line, character), (line, character + 5), "%value"))
            self.assertEqual(client.wait_diagnostics(URI, 3), [])


if __name__ == "__main__":
    unittest.main()
