"""Run: the Run lens over the protocol, and `kernelscope run`, on the CPU."""

import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, PROGRAM, Client, Error, find

URI = "file:///kernels/copy.ttgir"
CANCELLED = -32800
# Each program takes longer than the one before it, and nothing has to be measured first.
GROWING_SPEC = {"grid": 100000, "maxSteps": 10**15, "arguments": {"arg0": {"shape": [100000]}}}
GROWING = """\
tt.func public @growing(%out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %more = arith.constant 1000 : i32
  %i = tt.get_program_id x : i32
  %rounds = arith.muli %i, %more : i32
  %sum = scf.for %round = %zero to %rounds step %one iter_args(%before = %zero) -> (i32) : i32 {
    %after = arith.xori %before, %round : i32
    scf.yield %after : i32
  }
  %to = tt.addptr %out, %i : !tt.ptr<i32>, i32
  tt.store %to, %sum : !tt.ptr<i32>
  tt.return
}
"""


def run(client, **argument):
    return client.request("workspace/executeCommand",
                          {"command": "kernelscope.run", "arguments": [{"uri": URI, "device": "cpu", **argument}]},
                          timeout=60)


class Run(unittest.TestCase):
    def test_reports_what_the_kernel_gives(self):
        with Client() as client:
            client.open(URI, KERNEL, version=4)
            answer = run(client, kernel="copy")
            self.assertEqual((answer["uri"], answer["version"]), (URI, 4))
            self.assertIn("copy on cpu", answer["report"])

    def test_takes_a_spec(self):
        with Client() as client:
            client.open(URI, KERNEL)
            answer = run(client, spec={"arguments": {"arg0": {"fill": "ones"}}})
            self.assertIn("ones", answer["report"])
            with self.assertRaises(Error) as raised:
                run(client, spec={"arguments": {"nobody": {"fill": "ones"}}})
            self.assertIn("nobody", str(raised.exception))

    def test_finds_the_pass_of_a_dump(self):
        halved = KERNEL.replace("end = 128 :", "end = 64 :").replace("tensor<128x", "tensor<64x")
        dump = "".join(f"// -----// IR Dump {title} ('builtin.module' operation) //----- //\n{text}"
                       for title, text in [("Before CSE (cse)", KERNEL), ("Before Halve (halve)", KERNEL), ("After Halve (halve)", halved)])
        with Client() as client:
            client.open(URI, dump)
            answer = client.request("workspace/executeCommand",
                                    {"command": "kernelscope.bisect", "arguments": [{"uri": URI}]}, timeout=60)
            self.assertEqual(answer["passes"], ["Halve"])
            self.assertEqual([section["outcome"] for section in answer["sections"]], ["same", "same", "differs"])
            self.assertIn("tensor<128x", answer["before"]["text"])
            self.assertIn("tensor<64x", answer["after"]["text"])

    def test_progress_and_cancel(self):
        with Client() as client:
            client.open(URI, GROWING)
            asked = client.ask("workspace/executeCommand", {
                "command": "kernelscope.run", "workDoneToken": "t",
                "arguments": [{"uri": URI, "device": "cpu", "spec": GROWING_SPEC}]})

            def values(kind):
                return [entry["value"] for entry in client.progress if entry["token"] == "t" and entry["value"]["kind"] == kind]

            def moved():
                return [value for value in values("report") if "percentage" in value]
            client.wait_until(lambda: len(moved()) > 1, "progress", 60)
            self.assertEqual([(value["percentage"], value["cancellable"]) for value in values("begin")], [(0, True)])
            self.assertRegex(moved()[0]["message"], r"running on the CPU: \d+ of 100000 programs")
            percentages = [value["percentage"] for value in moved()]
            self.assertEqual(percentages, sorted(percentages))

            client.notify("$/cancelRequest", {"id": asked})
            with self.assertRaises(Error) as raised:
                client.answer(asked)
            self.assertEqual(raised.exception.code, CANCELLED)
            self.assertEqual([value.get("message") for value in values("end")], ["cancelled"])
            # The process of the run is gone, and the next one is served.
            client.change(URI, 2, KERNEL)
            self.assertIn("copy on cpu", run(client)["report"])

    def test_a_client_without_tokens_gets_one_and_cancels_by_it(self):
        with Client(capabilities={"window": {"workDoneProgress": True}}) as client:
            client.open(URI, GROWING)
            asked = client.ask("workspace/executeCommand", {
                "command": "kernelscope.run",
                "arguments": [{"uri": URI, "device": "cpu", "spec": GROWING_SPEC}]})
            create = client.wait_until(lambda: client.own_requests, "a request for progress")[0]
            self.assertEqual(create["method"], "window/workDoneProgress/create")
            token = create["params"]["token"]
            client.wait_until(lambda: [entry for entry in client.progress if entry["token"] == token], "progress")
            client.notify("window/workDoneProgress/cancel", {"token": "another"})
            client.notify("window/workDoneProgress/cancel", {"token": token})
            with self.assertRaises(Error) as raised:
                client.answer(asked)
            self.assertEqual(raised.exception.code, CANCELLED)

    def test_findings_stay_until_the_text_changes(self):
        racy = KERNEL.replace("    tt.store %to, %value", """\
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #ttg.shared_memory, mutable>
    %copy = ttg.async_copy_global_to_local %from, %buffer : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, \
#ttg.shared_memory, mutable>
    %group = ttg.async_commit_group tokens %copy
    %read = ttg.local_load %buffer : !ttg.memdesc<128xf32, #shared, #ttg.shared_memory, mutable> -> tensor<128xf32, #blocked>
    %waited = ttg.async_wait %group {num = 0 : i32}
    tt.store %to, %value""").replace(
            "module", "#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\nmodule", 1)
        with Client(options={"allow": ["async-wait-missing"]}) as client:
            client.open(URI, racy)
            self.assertEqual(client.wait_diagnostics(URI, 1), [])
            with self.assertRaises(Error):
                run(client)

            def found(version):
                sent = [entry for entry in client.diagnostics[URI] if entry["version"] == version]
                return sent[-1]["diagnostics"] if sent else None
            client.wait_until(lambda: found(1), "findings")
            [finding] = found(1)
            self.assertIn("reads shared memory while an asynchronous write to it may be in flight", finding["message"])
            start = finding["range"]["start"]
            self.assertEqual((start["line"], start["character"]), find(racy, "ttg.local_load"))
            notes = [note["location"]["range"]["start"]["line"] for note in finding["relatedInformation"]]
            self.assertEqual(notes, [find(racy, "ttg.async_copy")[0], find(racy, "ttg.local_alloc")[0]])

            client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": start})
            self.assertEqual(found(1), [finding])  # they stay
            fine = racy.replace("tt.store %to, %value", "tt.store %to, %read")
            lines = fine.split("\n")
            at = next(i for i, line in enumerate(lines) if "ttg.local_load" in line)
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            client.change(URI, 2, "\n".join(lines))
            self.assertEqual(client.wait_diagnostics(URI, 2), [])
            self.assertIn("sanitizer on", run(client)["report"])

    def test_errors(self):
        with Client() as client:
            client.open(URI, BROKEN)
            with self.assertRaises(Error) as raised:
                run(client)
            self.assertEqual(raised.exception.data["line"], find(BROKEN, "%nope")[0])
            with self.assertRaises(Error) as raised:
                run(client, device="tpu")
            with self.assertRaises(Error) as raised:
                run(client, kernel="nobody")

    def test_a_client_that_shows_nothing_itself_gets_the_report_as_a_file(self):
        with Client(capabilities={"window": {"showDocument": {"support": True}}}) as client:
            client.open(URI, KERNEL)
            report = run(client)["report"]
            request = client.wait_until(lambda: client.own_requests, "showDocument")[0]
            self.assertEqual(Path(request["params"]["uri"].removeprefix("file://")).read_text(), report)


class CommandLine(unittest.TestCase):
    def test_progress_and_interrupt_in_a_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "growing.ttir").write_text(GROWING)
            (Path(folder) / "growing.ttir.launch.json").write_text(json.dumps(GROWING_SPEC))
            terminal, other_end = pty.openpty()
            running = subprocess.Popen([PROGRAM, "run", "growing.ttir", "--device", "cpu"], cwd=folder,
                                       stdout=subprocess.DEVNULL, stderr=other_end)
            os.close(other_end)
            shown = b""
            while not re.search(rb"\[#*\.*\] +\d+ % running on the CPU: \d+ of 100000 programs", shown):
                shown += os.read(terminal, 4096)
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
            running.send_signal(signal.SIGINT)
            self.assertEqual(running.wait(20), -signal.SIGINT)
            os.close(terminal)
            self.assertEqual(len(children), 1)
            deadline = time.monotonic() + 20
            while Path(f"/proc/{children[0]}").exists() and "Z" not in Path(f"/proc/{children[0]}/stat").read_text().rpartition(")")[2][:3]:
                self.assertLess(time.monotonic(), deadline, "the run goes on")
                time.sleep(0.05)

    def test_exit_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            def code(text, *arguments):
                (Path(folder) / "copy.ttgir").write_text(text)
                return subprocess.run([PROGRAM, "run", "copy.ttgir", *arguments], cwd=folder,
                                      capture_output=True).returncode
            self.assertEqual(code(KERNEL), 0)
            self.assertEqual(code(BROKEN), 1)
            self.assertEqual(code(KERNEL, "--device", "tpu"), 2)
            self.assertEqual(code(KERNEL, "--spec", "none.json"), 2)
            self.assertEqual(code(KERNEL, "--device", "cpu", "--schedule", "seed:3", "--sanitize=none"), 0)
            self.assertEqual(code(KERNEL, "--schedule", "soon"), 2)
            self.assertEqual(code(KERNEL, "--sanitize", "some"), 2)
            self.assertEqual(code(KERNEL, "--output", "/proc/none"), 2)
            self.assertEqual(code(KERNEL, "--output", "results"), 0)
            self.assertTrue((Path(folder) / "results/dst.npy").exists())


if __name__ == "__main__":
    unittest.main()
