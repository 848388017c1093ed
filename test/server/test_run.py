"""Run: the Run lens over the protocol, and `kernelscope run`, on the CPU."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, PROGRAM, Client, Error, find

URI = "file:///kernels/copy.ttgir"


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
            self.assertIn("reads shared memory while an asynchronous write to it may be under way", finding["message"])
            start = finding["range"]["start"]
            self.assertEqual((start["line"], start["character"]), find(racy, "ttg.local_load"))
            notes = [note["location"]["range"]["start"]["line"] for note in finding["relatedInformation"]]
            self.assertEqual(notes, [find(racy, "ttg.async_copy")[0], find(racy, "ttg.local_alloc")[0]])

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
            self.assertTrue((Path(folder) / "results/arg1.npy").exists())


if __name__ == "__main__":
    unittest.main()
