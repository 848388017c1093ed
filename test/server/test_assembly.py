"""Files of assembly beside a dump: hover of PTX and AMDGCN, and nothing that takes them for IR."""

import unittest

from lspclient import KERNEL, Client, whole

PTX = """\
.version 8.4
.target sm_90a
\tld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
"""
URI = "file:///kernels/copy.ptx"


class Assembly(unittest.TestCase):
    def test_hover_of_ptx(self):
        with Client() as client:
            client.open(URI, PTX)
            hover = client.hover(URI, 2, 4)
            self.assertIn("**ld**: Loads from memory", hover["contents"]["value"])
            self.assertEqual(hover["range"], {"start": {"line": 2, "character": 1}, "end": {"line": 2, "character": 17}})
            client.change(URI, 2, ((2, 0), (2, 3), "\t// ld"))
            self.assertIsNone(client.hover(URI, 2, 6))

    def test_hover_of_amdgcn(self):
        with Client() as client:
            uri = "file:///kernels/copy.amdgcn"
            client.open(uri, "\tds_read_b128 v[8:11], v2 offset:512 ; 16 bytes\n")
            self.assertIn("**ds_read**: Each lane loads from LDS", client.hover(uri, 0, 4)["contents"]["value"])
            self.assertIn("vector registers", client.hover(uri, 0, 14)["contents"]["value"])
            client.open("file:///kernels/copy.sass", "\tds_read_b128 v[8:11], v2\n")
            self.assertIsNone(client.hover("file:///kernels/copy.sass", 0, 4))

    def test_no_other_answers_and_no_diagnostics(self):
        with Client() as client:
            for name in "copy.ptx", "copy.amdgcn", "copy.sass", "copy.llir":
                with self.subTest(name=name):
                    uri = f"file:///kernels/{name}"
                    client.open(uri, PTX)
                    for method in "documentSymbol", "codeLens", "foldingRange", "semanticTokens/full":
                        self.assertIsNone(client.request(f"textDocument/{method}", whole(uri)))
                    client.change(uri, 2, "nonsense")
                    client.close_document(uri)
            client.open("file:///kernels/copy.ttgir", KERNEL)
            client.wait_diagnostics("file:///kernels/copy.ttgir", 1)
            self.assertEqual([entry for uri, list in client.diagnostics.items() if not uri.endswith(".ttgir")
                              for entry in list if entry["diagnostics"]], [])
            self.assertEqual(len(client.request("workspace/symbol", {"query": ""})), 1)

    def test_pulled_diagnostics_are_empty(self):
        capabilities = {"textDocument": {"diagnostic": {}}}
        with Client(capabilities=capabilities) as client:
            client.open(URI, PTX)
            self.assertEqual(client.request("textDocument/diagnostic", whole(URI))["items"], [])


if __name__ == "__main__":
    unittest.main()
