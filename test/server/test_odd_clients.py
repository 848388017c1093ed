"""Clients that stop reading, vanish or have no token: nothing is left of them."""

import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

from lspclient import KERNEL, Client, Error, at, find, large, whole
from processes import eventually, has_ended, resident

URI = "file:///odd.ttgir"


class Silent(Client):
    """Reads nothing until it is asked to."""

    def __init__(self, **options):
        self.may_read = threading.Event()
        self.may_read.set()
        super().__init__(**options)

    def _take(self, message):
        super()._take(message)
        self.changed.release()
        self.may_read.wait()
        self.changed.acquire()


class Clients(unittest.TestCase):
    def test_who_stops_reading_waits_and_then_gets_everything(self):
        text = large(5000)
        with Silent() as client:
            client.open(URI, text)
            client.wait_diagnostics(URI, 1)
            client.may_read.clear()
            before, ids = resident(client.process.pid), []
            # 100 MB of answers, more than the front keeps for it: then its requests wait in the pipe.
            for _ in range(250):
                ids.append(client.ask("textDocument/semanticTokens/full", whole(URI)))
                time.sleep(0.01)
            self.assertLess(resident(client.process.pid), before + 60)
            client.may_read.set()
            for id in ids:
                self.assertTrue(client.answer(id, 60)["data"])
            self.assertIn("tt.load", client.hover(URI, *find(text, "tt.load"))["contents"]["value"])

    def test_who_stops_reading_and_goes_leaves_nothing(self):
        with Silent() as client:
            client.open(URI, large(2000))
            client.wait_diagnostics(URI, 1)
            children = [client.child("engine"), client.child("zygote")]
            client.may_read.clear()
            for _ in range(20):
                client.ask("textDocument/semanticTokens/full", whole(URI))
            time.sleep(0.5)
            client.process.stdin.close()
            client.closed = True
            self.assertEqual(client.process.wait(10), 1)
            for pid in children:
                eventually(f"process {pid} ends", lambda: has_ended(pid))
            client.may_read.set()

    def test_who_vanishes_over_tcp_leaves_nothing(self):
        with Client(tcp=True) as stays:
            for how in range(3):
                goes = Client(beside=stays)
                goes.open(URI, large(2000))
                if how:
                    goes.wait_diagnostics(URI, 1)
                    for _ in range(50):
                        goes.ask("textDocument/semanticTokens/full", whole(URI))
                eventually("both engines", lambda: len(stays.children("engine")) == len(stays.children("zygote")) == 2)
                before = [*stays.children("engine"), *stays.children("zygote")]
                if how == 2:  # the connection is reset
                    goes.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                goes.disconnect()
                eventually("its processes end", lambda: len([p for p in before if not has_ended(p)]) == 2)
            stays.open(URI, KERNEL)
            self.assertEqual(stays.wait_diagnostics(URI, 1), [])

    def test_names_of_documents_that_are_no_paths(self):
        with Client() as client:
            for uri in ["file:///C%3A/a.ttgir", "file://host/share/a.ttgir", "file:///%", "file:///%zz.ttgir", "file:///a%00b.ttgir",
                        "file:///%ff.ttgir", "FILE:///a.ttgir", "file:///a b?q#f", "untitled:1", "", "file:///" + "a" * 100_000]:
                with self.subTest(uri=uri[:40]):
                    client.open(uri, KERNEL)
                    self.assertEqual(client.wait_diagnostics(uri, 1), [])
                    self.assertIn("tt.load", client.hover(uri, *find(KERNEL, "tt.load"))["contents"]["value"])
                    client.request("textDocument/documentLink", whole(uri))

    def test_a_document_that_is_gone_from_the_disk(self):
        with tempfile.TemporaryDirectory() as folder, Client(folder=folder) as client:
            file = Path(folder) / "gone.ttgir"
            file.write_text(KERNEL)
            client.open(file.as_uri(), KERNEL)
            file.unlink()
            self.assertEqual(client.wait_diagnostics(file.as_uri(), 1), [])
            for method in "documentLink", "codeLens", "definition":
                client.request(f"textDocument/{method}", at(file.as_uri(), *find(KERNEL, "tt.load")))
            client.request("workspace/symbol", {"query": ""})

    def test_versions_that_go_back(self):
        with Client() as client:
            client.open(URI, KERNEL, version=10)
            client.change(URI, 3, KERNEL + "\nfoo")
            self.assertEqual(len(client.wait_diagnostics(URI, 3)), 1)
            client.change(URI, 3, KERNEL)
            eventually("the newest text's", lambda: client.diagnostics[URI][-1]["diagnostics"] == [])

    def test_nobody_is_served_without_the_token(self):
        with Client(tcp=True) as client:
            client.child("engine")
            for token in None, "", client.token[:-1], client.token + "0", 7:
                with self.subTest(token=token):
                    other = Client(beside=client, initialize=False)
                    other.token = token
                    with self.assertRaises(Error) as raised:
                        other.request("initialize", {"capabilities": {}, "initializationOptions": {"token": token}})
                    self.assertIn("token", str(raised.exception))
                    eventually("the connection is closed", lambda: other.closed)
            self.assertEqual(len(client.children("engine")), 1)

    def test_a_token_of_ones_own_is_not_printed(self):
        with Client(tcp=True, token="of-my-own") as client:
            self.assertIsNone(client.printed_token)
            client.open(URI, KERNEL)
            self.assertEqual(client.wait_diagnostics(URI, 1), [])


if __name__ == "__main__":
    unittest.main()
