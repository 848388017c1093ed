"""Start, shutdown, exit, and what a server says when the client does not keep to them."""

import re
import time
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, Client, Error, at

ROOT = Path(__file__).resolve().parents[2]


class Lifecycle(unittest.TestCase):
    def test_initialize_tells_what_the_server_can_do(self):
        for tcp in False, True:
            with self.subTest(tcp=tcp), Client(tcp=tcp, initialize=False) as client:
                result = client.initialize()
                self.assertEqual(result["serverInfo"]["name"], "kernelscope")
                self.assertEqual(result["capabilities"]["textDocumentSync"]["change"], 2)
                self.assertIn("kernelscope.preview", result["capabilities"]["executeCommandProvider"]["commands"])

    def test_position_encoding_is_the_first_of_the_clients_that_is_known(self):
        for offered, chosen in [(("utf-8", "utf-16"), "utf-8"), (("utf-32",), "utf-32"), ((), "utf-16"),
                                (("utf-7", "utf-16"), "utf-16")]:
            with self.subTest(offered=offered), Client(initialize=False) as client:
                self.assertEqual(client.initialize(offered)["capabilities"]["positionEncoding"], chosen)

    def test_an_engine_loads_before_the_client_greets(self):
        with Client(initialize=False) as client:
            client.kill("engine")
            client.initialize()
            client.open("file:///a.ttgir", BROKEN)
            self.assertTrue(client.wait_diagnostics("file:///a.ttgir", 1))
            self.assertEqual(len(client.children("engine")), 1)

    def test_no_engine_starts_for_a_client_without_the_token(self):
        with Client(tcp=True, initialize=False) as client:
            time.sleep(0.1)
            self.assertEqual(client.children("engine"), [])
            client.initialize()
            client.child("engine")

    def test_requests_before_initialize_are_refused(self):
        with Client(initialize=False) as client:
            with self.assertRaises(Error) as raised:
                client.hover("file:///a.ttgir", 0, 0)
            self.assertEqual(raised.exception.code, -32002)
            client.initialize()

    def test_a_second_initialize_is_refused(self):
        with Client() as client:
            with self.assertRaises(Error) as raised:
                client.request("initialize", {"capabilities": {}})
            self.assertEqual(raised.exception.code, -32600)

    def test_requests_after_shutdown_are_refused(self):
        with Client() as client:
            client.request("shutdown")
            with self.assertRaises(Error) as raised:
                client.request("textDocument/hover", {})
            self.assertEqual(raised.exception.code, -32600)
            client.notify("exit")
            client.closed = True
            self.assertEqual(client.process.wait(5), 0)

    def test_exit_without_shutdown_is_an_error(self):
        with Client() as client:
            client.notify("exit")
            client.closed = True
            self.assertEqual(client.process.wait(5), 1)

    def test_end_of_input_ends_the_server_and_its_children(self):
        with Client() as client:
            children = [client.child("engine"), client.child("zygote")]
            client.process.stdin.close()
            client.closed = True
            self.assertEqual(client.process.wait(5), 1)
            for pid in children:
                with self.assertRaises(OSError):
                    open(f"/proc/{pid}/cmdline").close()

    def test_the_table_of_methods_is_true(self):
        table = re.search(r"\| method \|.*?\n\n", (ROOT / "docs/server.md").read_text(), re.S)[0]
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:] if row]
        # `a/b`, `c` is a/b and a/c, or for `full`, `full/delta` the same with more parts.
        named = {row[0] for row in rows}
        listed = " ".join(named)
        for folder in "lsp", "front":
            for path in (ROOT / "server" / folder).glob("*.cpp"):
                for method in re.findall(r'"((?:textDocument|workspace|callHierarchy|kernelscope|\$)/[A-Za-z/]+)"', path.read_text()):
                    with self.subTest(method=method):
                        self.assertIn(re.sub(r".*?/(semanticTokens/)?", "", method, count=1), listed)
        for row in rows:
            for kind, name in re.findall(r"`(features|server)/([a-z-_]+)`", row[2]):
                path = f"test/unit/features/cases/{name}.txt" if kind == "features" else f"test/server/test_{name}.py"
                self.assertTrue((ROOT / path).exists(), path)
        with Client(initialize=False) as client:
            # What is announced is listed: callHierarchyProvider as `textDocument/prepareCallHierarchy`.
            methods = listed.replace("/", "").lower()
            for capability in client.initialize()["capabilities"]:
                if capability.endswith("Provider"):
                    self.assertIn(capability.removesuffix("Provider").removeprefix("document").lower(), methods)
            client.open("file:///table.ttgir", KERNEL)
            for method in ("textDocument/prepareTypeHierarchy", "textDocument/documentColor", "textDocument/moniker",
                           "textDocument/inlineValue", "textDocument/implementation", "completionItem/resolve",
                           "codeAction/resolve", "workspace/diagnostic"):
                with self.subTest(method=method), self.assertRaises(Error) as raised:
                    client.request(method, at("file:///table.ttgir", 0, 0))
                self.assertEqual(raised.exception.code, -32601)
            for method in re.findall(r"`((?:textDocument|callHierarchy)/[A-Za-z/]+)`", listed):
                if re.search("/did|/publish", method):
                    continue
                with self.subTest(method=method):
                    id = client.ask(method, {**at("file:///table.ttgir", 0, 0), "item": {"uri": "file:///table.ttgir"}})
                    try:
                        client.answer(id)
                    except Error as error:
                        self.assertNotEqual(error.code, -32601)

    def test_unknown_methods(self):
        with Client() as client:
            with self.assertRaises(Error) as raised:
                client.request("textDocument/unknown", {})
            self.assertEqual(raised.exception.code, -32601)
            client.notify("textDocument/unknown", {})
            client.notify("$/setTrace", {"value": "off"})

    def test_two_clients_of_one_server(self):
        with Client(tcp=True) as first:
            second = Client(beside=first)
            second.open("file:///a.ttgir", BROKEN)
            self.assertEqual(len(second.wait_diagnostics("file:///a.ttgir", 1)), 1)
            second.disconnect()
            first.open("file:///a.ttgir", KERNEL)
            self.assertEqual(first.wait_diagnostics("file:///a.ttgir", 1), [])


if __name__ == "__main__":
    unittest.main()
