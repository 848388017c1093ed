"""Clients that stop reading, vanish or have no token: nothing is left of them."""

import os
import socket
import threading
import time
import unittest
from pathlib import Path

from lspclient import KERNEL, Client, Error, find, large, whole

URI = "file:///odd.ttgir"


def resident(pid):
    """The MiB in memory of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def has_ended(pid):
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True


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
    def eventually(self, what, true, timeout=10):
        deadline = time.monotonic() + timeout
        while not true():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.02)

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
                self.eventually(f"process {pid} ends", lambda: has_ended(pid))
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
                self.eventually("both engines", lambda: len(stays.children("engine")) == len(stays.children("zygote")) == 2)
                before = [*stays.children("engine"), *stays.children("zygote")]
                if how == 2:  # the connection is reset
                    goes.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                goes.disconnect()
                self.eventually("its processes end", lambda: len([p for p in before if not has_ended(p)]) == 2)
            stays.open(URI, KERNEL)
            self.assertEqual(stays.wait_diagnostics(URI, 1), [])

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
                    self.eventually("the connection is closed", lambda: other.closed)
            self.assertEqual(len(client.children("engine")), 1)

    def test_a_token_of_ones_own_is_not_printed(self):
        with Client(tcp=True, token="of-my-own") as client:
            self.assertIsNone(client.printed_token)
            client.open(URI, KERNEL)
            self.assertEqual(client.wait_diagnostics(URI, 1), [])

    @unittest.skipIf(os.environ.get("KS_SANITIZED") == "1", "AddressSanitizer keeps what is freed")
    def test_memory_comes_back(self):
        text = large(10000)
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            pid = client.process.pid
            before = resident(pid)
            for _ in range(2):
                for i in range(3):
                    client.open(f"{URI}{i}", text)
                for i in range(3):
                    client.wait_diagnostics(f"{URI}{i}", 1, 60)
                    client.request("textDocument/semanticTokens/full", whole(f"{URI}{i}"), 60)
                for i in range(3):
                    client.close_document(f"{URI}{i}")
            client.hover(URI, *find(KERNEL, "tt.load"))
            self.eventually("the front's memory", lambda: resident(pid) < before + 40)
            engine = client.child("engine")
            self.eventually("the engine's memory", lambda: resident(engine) < 250)


if __name__ == "__main__":
    unittest.main()
