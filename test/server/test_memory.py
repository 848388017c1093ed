"""What documents took is given back when they are closed."""

import os
import unittest
from pathlib import Path

from lspclient import KERNEL, Client, find, large, whole
from processes import eventually, resident

URI = "file:///memory.ttgir"


class Memory(unittest.TestCase):
    def test_comes_back(self):
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
            eventually("the front's memory", lambda: resident(pid) < before + 40)
            engine = client.child("engine")
            eventually("the engine's memory", lambda: resident(engine) < 250)

    def test_of_the_front_comes_back_while_documents_are_open(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            pid = client.process.pid
            before = resident(pid)
            for version in range(2, 6, 2):
                client.change(URI, version, KERNEL + "// " + "x" * (20 << 20))
                client.wait_diagnostics(URI, version, 60)
                client.change(URI, version + 1, KERNEL)
                client.wait_diagnostics(URI, version + 1, 60)
            # Each of these lines is an object of its own in the message.
            client.change(URI, 6, *[((0, 0), (0, 0), "\n")] * 5000)
            client.wait_diagnostics(URI, 6, 60)
            self.assertGreater(resident(pid), before + 6)
            eventually("the front's memory", lambda: resident(pid) < before + 6)

    def test_of_the_engine_is_in_huge_pages(self):
        """Where the system has them, a text of a few lines costs 5 page faults instead of 150."""
        if not Path("/sys/kernel/mm/transparent_hugepage").exists():
            self.skipTest("this system has no huge pages")
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            maps = Path(f"/proc/{client.child('engine')}/smaps").read_text()
            heap = maps.partition("[heap]")[2].partition("VmFlags:")[2].partition("\n")[0]
            self.assertIn("hg", heap.split(), "the heap is advised to use huge pages")

    def test_of_a_thousand_documents_comes_back(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            engine = client.child("engine")
            before = resident(engine)
            uris = [f"file:///{number}.ttgir" for number in range(1000)]
            for uri in uris:
                client.open(uri, KERNEL)
            for uri in uris[::7]:
                self.assertEqual(client.wait_diagnostics(uri, 1, 60), [])
            self.assertLessEqual(len(list(Path(f"/proc/{engine}/task").iterdir())), max(2, os.cpu_count()) + 2,
                                 "a thread for each processor, the one that reads, and the main thread")
            for uri in uris:
                client.close_document(uri)
            eventually("its memory", lambda: resident(engine) < before + 16)


if __name__ == "__main__":
    unittest.main()
