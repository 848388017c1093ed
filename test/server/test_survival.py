"""Whatever kills the engine: no document is lost, no request stays without an answer."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, Client, at, find, large, whole
from processes import eventually, has_ended, state, stop

URI = "file:///survival.ttgir"
BIG = "file:///big.ttgir"


@contextlib.contextmanager
def busy(processors):
    """A process in a session of its own that keeps these processors busy."""
    process = subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True)
    try:
        os.sched_setaffinity(process.pid, processors)
        yield
    finally:
        process.kill()
        process.wait()


class Survival(unittest.TestCase):
    def test_kill_at_many_moments(self):
        """Edits and requests go on while the engine is killed, before, between and after them."""
        with Client() as client:
            client.open(URI, KERNEL)
            client.open(BIG, large(3000))
            asked = []
            text = KERNEL
            for round in range(25):
                start = find(text, "tt.store")
                client.change(URI, round + 2, ((start[0], 0), (start[0], 0), f"    // round {round}\n"))
                text = text.replace("    tt.store", f"    // round {round}\n    tt.store")
                asked.append(client.ask("textDocument/hover", at(URI, *find(text, "tt.load"))))
                asked.append(client.ask("textDocument/documentSymbol", whole(BIG)))
                if round % 6 == 5:
                    client.wait_until(lambda: client.answers.get(asked[-1]), "an engine's answer between its deaths")
                time.sleep(0.002 * (round % 7))
                client.kill("engine")
                time.sleep(0.003 * (round % 5))
            for id in asked:
                answer = client.wait_until(lambda: client.answers.get(id), f"answer to {id}")
                self.assertEqual(len(answer), 1)
                if "error" in answer[0]:
                    self.assertEqual(answer[0]["error"]["code"], -32801, "only an edit makes a request pointless")
            start = find(text, "%value", nth=1)
            client.change(URI, 100, (start, (start[0], start[1] + 6), "%nope"))
            self.assertIn("%nope", client.wait_diagnostics(URI, 100)[0]["message"])
            self.assertIn("tt.load", client.hover(URI, *find(text, "tt.load"))["contents"]["value"])
            self.assertTrue(client.request("textDocument/documentSymbol", whole(BIG)))

    def test_a_request_outlives_many_deaths(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            for kills in range(1, 7):
                asked = [client.ask("textDocument/hover", at(URI, *find(KERNEL, "tt.load"))) for _ in range(3)]
                pid = None
                for _ in range(kills):
                    pid = client.child("engine", other_than=pid)
                    os.kill(pid, signal.SIGKILL)
                for id in asked:
                    self.assertIn("tt.load", client.answer(id)["contents"]["value"])

    def test_documents_are_replayed_as_edited(self):
        with Client() as client:
            client.open(URI, "// nothing\n")
            client.change(URI, 2, BROKEN)
            client.wait_diagnostics(URI, 2)
            pid = client.kill("engine")
            client.child("engine", other_than=pid)
            start = find(BROKEN, "%nope")
            client.change(URI, 3, (start, (start[0], start[1] + 5), "%value"))
            self.assertEqual(client.wait_diagnostics(URI, 3), [])

    def test_an_engine_that_stands_still_is_replaced(self):
        with Client("--watchdog", "1") as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            stop(client.child("engine"))
            self.assertIn("tt.load", client.hover(URI, *find(KERNEL, "tt.load"))["contents"]["value"])

    def test_an_engine_that_gets_no_processor_is_left_alone(self):
        """With a small share of a processor one step takes longer than the watchdog waits, and the engine is not to blame."""
        numbers = ", ".join(map(str, range(200_000)))
        with Client("--watchdog", "1") as client, contextlib.ExitStack() as others:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            engine = client.child("engine")
            shared = {min(os.sched_getaffinity(0))}
            for thread in Path(f"/proc/{engine}/task").iterdir():
                os.sched_setaffinity(int(thread.name), shared)
            # Not every system obeys that: others join until the engine is slow.
            for round in range(1, 8):
                for _ in range(2**round):
                    others.enter_context(busy(shared))
                start = time.monotonic()
                client.open(f"{BIG}{round}", f"#numbers = dense<[{numbers}]> : tensor<200000xi32>\n")
                self.assertEqual(client.wait_diagnostics(f"{BIG}{round}", 1, timeout=100), [])
                self.assertEqual(client.child("engine"), engine)
                if time.monotonic() - start > 1:
                    break
            else:
                self.skipTest("nothing on this system keeps a process from its processor")

    def test_an_engine_is_not_to_blame_for_a_front_that_stood_still(self):
        with Client("--watchdog", "2") as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            engine = client.child("engine")
            stop(engine)
            stop(client.process.pid)
            client.change(URI, 2, ((0, 0), (0, 0), "// an edit\n"))
            time.sleep(2.5)
            client.process.send_signal(signal.SIGCONT)
            time.sleep(0.5)
            os.kill(engine, signal.SIGCONT)
            self.assertEqual(client.wait_diagnostics(URI, 2), [])
            self.assertEqual(client.child("engine"), engine)

    def test_an_idle_engine_may_be_silent(self):
        with Client("--watchdog", "1") as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            pid = client.child("engine")
            time.sleep(2.5)
            self.assertEqual(client.child("engine"), pid)

    def test_a_text_that_kills_is_set_aside_until_it_changes(self):
        """A thread of the engine dies over one text, each time; the other document does not notice."""
        text = large(6000)
        with Client() as client:
            client.open(URI, KERNEL)
            client.wait_diagnostics(URI, 1)
            # The signal may still hit the thread before it says what it works on; then no text is blamed, and
            # another is tried. The one before is closed: the next engine would be at work on it, too.
            for attempt in range(20):
                big = f"{BIG}{attempt}"
                self.wait_until_idle(client.child("engine"))
                client.open(big, text)
                stopped = self.kill_analysis(client, big, 1)
                if stopped:
                    break
                client.close_document(big)
            self.assertEqual([d["code"] for d in stopped].count("stopped"), 1)
            self.assertIn("tt.load", client.hover(URI, *find(KERNEL, "tt.load"))["contents"]["value"])
            client.change(big, 2, ((0, 0), (0, 0), "// changed\n"))
            self.assertEqual(client.wait_diagnostics(big, 2), [])

    def busy_threads(self, engine):
        """Its threads that run or wait for a processor, without the one that takes messages."""
        busy = []
        for task in Path(f"/proc/{engine}/task").glob("*"):
            with contextlib.suppress(OSError):
                if state(task) == "R" and int(task.name) != engine:
                    busy.append(int(task.name))
        return busy

    def wait_until_idle(self, engine):
        """After its answers the engine prepares for documents to come."""
        def is_idle():
            for _ in range(20):
                if self.busy_threads(engine):
                    return False
                time.sleep(0.005)
            return True
        eventually("an idle engine", is_idle, 30)

    def kill_analysis(self, client, uri, version):
        """Sends SIGSEGV to the engine's busy thread, as a fault in the analysis would; the diagnostics that follow."""
        tgkill = ctypes.CDLL(None).syscall
        first = client.child("engine")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and client.children("engine") == [first]:
            for thread in self.busy_threads(first):
                tgkill(234, first, thread, signal.SIGSEGV)
            if any(entry.get("version") == version for entry in client.diagnostics.get(uri, [])):
                break
        return client.wait_diagnostics(uri, version)

    def test_a_text_that_recurses_without_end(self):
        bottomless = "#deep = " + "[" * 300000
        with Client("--watchdog", "1") as client:
            client.open(URI, bottomless)
            self.assertTrue(client.wait_diagnostics(URI, 1))
            client.change(URI, 2, KERNEL)
            self.assertEqual(client.wait_diagnostics(URI, 2), [])

    def test_a_dead_front_leaves_no_children(self):
        with Client() as client:
            client.open(URI, KERNEL)
            children = [client.child("engine"), client.child("zygote")]
            client.process.kill()
            client.closed = True
            client.process.wait()
            eventually("no child outlives the front", lambda: all(map(has_ended, children)), 5)


if __name__ == "__main__":
    unittest.main()
