"""Preview: over the protocol with progress and cancel, and on the command line."""

import json
import os
import signal
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from lspclient import BROKEN, KERNEL, PROGRAM, Client, Error, find, large

URI = "file:///kernels/copy.ttgir"


def preview(client, **argument):
    return client.request("workspace/executeCommand",
                          {"command": "kernelscope.preview", "arguments": [{"uri": URI, **argument}]}, timeout=60)


class Commands(unittest.TestCase):
    def test_archs(self):
        with Client() as client:
            archs = client.request("workspace/executeCommand", {"command": "kernelscope.archs"})
            self.assertLessEqual({"sm_90a", "gfx950"}, {arch["arch"] for arch in archs})
            gfx950 = next(arch for arch in archs if arch["arch"] == "gfx950")
            self.assertEqual((gfx950["vendor"], gfx950["assembly"]), ("amd", "amdgcn"))
            self.assertEqual([emit["emit"] for emit in gfx950["emits"]], ["ttgir", "llvm", "amdgcn"])
            self.assertIn({"emit": "llvm", "title": "LLVM IR", "suffix": "ll"}, gfx950["emits"])

    def test_sass_with_lines_and_what_a_kernel_takes(self):
        # Of the Triton whose Python KS_TRITON_PYTHON names, or of the machine.
        python = os.environ.get("KS_TRITON_PYTHON", "python3")
        path = f"{Path(python).parent}:{os.environ['PATH']}" if "/" in python else os.environ["PATH"]
        with unittest.mock.patch.dict(os.environ, {"PATH": path}), Client() as client:
            client.open(URI, KERNEL)
            try:
                answer = preview(client, emit="sass", arch="sm_90a")
            except Error as error:
                self.assertIn("not found", str(error))
                self.skipTest(f"no SASS here: {error}")
            output = answer["text"].splitlines()
            store = find(KERNEL, "tt.store")[0]
            self.assertTrue(any("STG" in output[to] for of, to in answer["lines"] if of == store), answer["text"])
            self.assertRegex(answer["text"], r"copy.*\b\d+ registers")
            self.assertGreater(answer["kernels"][0]["resources"]["registers"], 0)

    def test_the_first_preferred_arch_that_suits_is_taken(self):
        both = ["gfx1201", "sm_80", "sm_90a"]
        without_target = KERNEL.replace('ttg.target = "cuda:90", ', "")
        self.assertNotEqual(without_target, KERNEL)
        with Client() as client:
            client.open(URI, KERNEL)
            for emit, archs, chosen in [("ptx", both, "sm_80"), ("amdgcn", both, "gfx1201"), ("llvm", both, "sm_80"),
                                        ("llvm", ["gfx1201"], "sm_90a")]:
                with self.subTest(emit=emit, archs=archs):
                    self.assertEqual(preview(client, emit=emit, archs=archs)["arch"], chosen)
            with self.assertRaises(Error) as raised:
                preview(client, emit="ptx", archs=["sm_1"])
            self.assertIn("sm_90a", str(raised.exception))
            client.change(URI, 2, without_target)
            self.assertEqual(preview(client, emit="llvm", archs=both)["arch"], "gfx1201")

    def test_unsaved_text_becomes_assembly_with_lines(self):
        with Client() as client:
            client.open(URI, "\n" + KERNEL, version=3)
            for arch, emit, store in ("sm_90a", "ptx", "st.global"), ("gfx1201", "amdgcn", "_store_"):
                with self.subTest(arch=arch):
                    answer = preview(client, arch=arch, emit=emit)
                    self.assertEqual((answer["uri"], answer["version"], answer["arch"], answer["emit"]),
                                     (URI, 3, arch, emit))
                    line = find("\n" + KERNEL, "tt.store")[0]
                    output = answer["text"].splitlines()
                    self.assertTrue(any(store in output[to] for of, to in answer["lines"] if of == line))
                    self.assertEqual([kernel["name"] for kernel in answer["kernels"]], ["copy"])
                    self.assertGreater(answer["milliseconds"], 0)

    def test_lenses_carry_the_commands(self):
        with Client() as client:
            client.open(URI, KERNEL)
            lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
            self.assertEqual([lens["command"]["title"] for lens in lenses], ["PTX", "AMDGCN", "Run", "What the compiler does"])
            answer = client.request("workspace/executeCommand", lenses[0]["command"], timeout=60)
            self.assertEqual(answer["emit"], "ptx")

    def test_progress(self):
        with Client() as client:
            client.open(URI, KERNEL)
            client.request("workspace/executeCommand", {"command": "kernelscope.preview", "workDoneToken": "t",
                                                        "arguments": [{"uri": URI}]}, timeout=60)
            kinds = [entry["value"]["kind"] for entry in client.progress if entry["token"] == "t"]
            self.assertEqual((kinds[0], kinds[-1]), ("begin", "end"))
            self.assertIn("report", kinds)

    def test_cancel(self):
        with Client() as client:
            client.open(URI, large(3000))
            id = client.ask("workspace/executeCommand",
                            {"command": "kernelscope.preview", "workDoneToken": 7, "arguments": [{"uri": URI}]})
            client.notify("$/cancelRequest", {"id": id})
            with self.assertRaises(Error) as raised:
                client.answer(id)
            self.assertEqual(raised.exception.code, -32800)
            client.wait_until(lambda: [p for p in client.progress if p["value"]["kind"] == "end"], "end of progress")

    def test_errors_stand_on_the_line(self):
        with Client() as client:
            client.open(URI, BROKEN)
            with self.assertRaises(Error) as raised:
                preview(client)
            self.assertEqual(raised.exception.data["line"], find(BROKEN, "%nope")[0])
            self.assertIn("%nope", str(raised.exception))

    def test_unknown_archs_and_outputs(self):
        with Client() as client:
            client.open(URI, KERNEL)
            for argument, says in ({"arch": "sm_1"}, "sm_90a"), ({"emit": "spirv"}, "ptx"):
                with self.subTest(**argument), self.assertRaises(Error) as raised:
                    preview(client, **argument)
                self.assertIn(says, str(raised.exception))

    def test_a_client_that_shows_nothing_itself_gets_a_file(self):
        capabilities = {"window": {"showDocument": {"support": True}}}
        with Client(capabilities=capabilities) as client:
            client.open(URI, KERNEL)
            answer = preview(client)
            request = client.wait_until(lambda: client.own_requests, "showDocument")[0]
            path = Path(request["params"]["uri"].removeprefix("file://"))
            self.assertEqual((request["method"], path.suffix), ("window/showDocument", ".ptx"))
            self.assertEqual(path.read_text(), answer["text"])
        self.assertFalse(path.exists(), "the session's files go with it")
        with Client(capabilities=capabilities, options={"showsResults": True}) as client:
            client.open(URI, KERNEL)
            preview(client)
            self.assertEqual(client.own_requests, [])

    def test_a_zygote_that_is_killed(self):
        with Client() as client:
            client.open(URI, KERNEL)
            for _ in range(5):
                id = client.ask("workspace/executeCommand",
                                {"command": "kernelscope.preview", "arguments": [{"uri": URI}]})
                client.kill("zygote")
                self.assertIn(".entry copy", client.answer(id, timeout=60)["text"])

    def test_a_job_that_is_killed(self):
        with Client() as client:
            client.open(URI, large(3000))
            id = client.ask("workspace/executeCommand",
                            {"command": "kernelscope.preview", "workDoneToken": 1, "arguments": [{"uri": URI}]})
            client.wait_until(lambda: [p for p in client.progress if p["value"]["kind"] == "report"], "progress", 60)
            zygote = client.child("zygote")
            jobs = Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()
            self.assertEqual(len(jobs), 1)
            os.kill(int(jobs[0]), signal.SIGKILL)
            with self.assertRaises(Error) as raised:
                client.answer(id)
            self.assertEqual(raised.exception.data["kind"], "crash")
            self.assertIn("stage", raised.exception.data)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_preview(self, text, *arguments):
        (self.folder / "copy.ttgir").write_text(text)
        return subprocess.run([PROGRAM, "preview", "copy.ttgir", *arguments], cwd=self.folder, capture_output=True)

    def test_prints_the_assembly(self):
        result = self.run_preview(KERNEL)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b".entry copy", result.stdout)

    def test_writes_output_and_map(self):
        result = self.run_preview(KERNEL, "--arch", "gfx1201", "-o", "out.s", "--map", "map.json")
        self.assertEqual((result.returncode, result.stdout), (0, b""))
        output = (self.folder / "out.s").read_text().splitlines()
        line = find(KERNEL, "tt.store")[0] + 1
        self.assertTrue(any("_store_" in output[to - 1]
                            for of, to in json.loads((self.folder / "map.json").read_text()) if of == line))

    def test_objects_are_bytes(self):
        result = self.run_preview(KERNEL, "--arch", "gfx1201", "--emit", "hsaco")
        self.assertEqual(result.stdout[:4], b"\x7fELF")

    def test_errors_show_the_line(self):
        result = self.run_preview(BROKEN)
        line, column = find(BROKEN, "%nope")
        self.assertEqual(result.returncode, 1)
        first, source, caret = result.stderr.decode().splitlines()[:3]
        self.assertTrue(first.startswith(f"copy.ttgir:{line + 1}:{column + 1}: error: "), first)
        self.assertEqual(source, "  " + BROKEN.splitlines()[line])
        self.assertEqual(caret, "  " + " " * column + "^")

    def test_a_missing_tool(self):
        result = subprocess.run([PROGRAM, "preview", "-", "--emit", "sass"], input=KERNEL.encode(), capture_output=True,
                                env={"PATH": "/nonexistent", "KERNELSCOPE_PTXAS": "/nonexistent/ptxas",
                                     "CUDA_HOME": "/nonexistent", "CUDA_PATH": "/nonexistent"})
        if result.returncode == 0:
            self.skipTest("there is a CUDA toolkit or Triton in /usr/local")
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"ptxas", result.stderr)

    def test_the_tools_of_an_installed_triton(self):
        """What ptxas says of the kernel stands above its SASS; both tools lie where pip puts Triton."""
        tools = self.folder / "lib" / "python3.11" / "site-packages" / "triton" / "backends" / "nvidia" / "bin"
        tools.mkdir(parents=True)
        (tools / "ptxas").write_text("""#!/bin/sh
echo "ptxas info    : 0 bytes gmem"
echo "ptxas info    : Compiling entry function 'copy' for 'sm_90a'"
echo "ptxas info    : Function properties for copy"
echo "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads"
echo "ptxas info    : Used 96 registers, used 0 barriers, 408 bytes cmem[0]"
""")
        (tools / "nvdisasm").write_text("#!/bin/sh\necho '        /*0000*/  EXIT ;'\n")
        for tool in tools.iterdir():
            tool.chmod(0o755)
        environment = {"PATH": "/nonexistent", "CUDA_HOME": "/nonexistent", "VIRTUAL_ENV": str(self.folder)}
        result = subprocess.run([PROGRAM, "preview", "-", "--emit", "sass"], input=KERNEL.encode(), capture_output=True,
                                env=environment)
        if Path("/usr/local/cuda/bin/ptxas").exists():
            self.skipTest("there is a CUDA toolkit in /usr/local, which comes first")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.decode().splitlines()[:3], [
            "// copy: 96 registers, 12 bytes spilled, 0 bytes of shared memory, 128 threads",
            "// Occupancy: 20 of 64 warps, in 5 CTAs on a multiprocessor; limited by registers",
            "        /*0000*/  EXIT ;"])

    def test_warps_and_stages_of_ttgir_are_its_own(self):
        self.assertEqual(self.run_preview(KERNEL, "--num-warps", "4").returncode, 0)
        other = self.run_preview(KERNEL, "--num-warps", "8")
        self.assertEqual(other.returncode, 2)
        self.assertIn('need "ttg.num-warps" = 4, not 8', other.stderr.decode())
        ctas = self.run_preview(KERNEL, "--num-ctas", "2")
        self.assertEqual(ctas.returncode, 2)
        self.assertIn('need "ttg.num-ctas" = 1, not 2', ctas.stderr.decode())
        stages = self.run_preview(KERNEL, "--num-stages", "4")
        self.assertEqual(stages.returncode, 2)
        self.assertIn("--num-stages is for TTIR", stages.stderr.decode())

    def test_options_of_a_kernel_for_amd(self):
        kernel = KERNEL.replace("cuda:90", "hip:gfx1100")
        self.assertNotEqual(kernel, KERNEL)
        llvm = ["--emit", "llvm"]

        def attributes(result):
            self.assertEqual(result.returncode, 0, result.stderr)
            return next(line for line in result.stdout.decode().splitlines() if line.startswith("attributes #0"))

        plain = attributes(self.run_preview(kernel, *llvm))
        self.assertIn('"denormal-fp-math-f32"="ieee"', plain)
        self.assertNotIn("waves-per-eu", plain)
        given = attributes(self.run_preview(
            kernel, *llvm, "--waves-per-eu", "3", "--allow-flush-denorm", "true", "--wgp-cu-mode", "cu", "--llvm-fn-attrs",
            "amdgpu-sched-strategy=iterative-ilp, noinline"))
        expected = ['"amdgpu-waves-per-eu"="3,3"', '"denormal-fp-math-f32"="preserve-sign"', '"target-features"="+cumode"',
                    '"amdgpu-sched-strategy"="iterative-ilp"', '"noinline"']
        for attribute in expected:
            self.assertIn(attribute, given)

        # The metadata that Triton's cache has beside the file say the same; an option takes precedence.
        path = self.folder / "copy.ttgir"
        path.write_text(kernel)
        path.with_suffix(".json").write_text(json.dumps(
            {"triton_version": "3.9.0", "target": {"backend": "hip", "arch": "gfx1100", "warp_size": 32}, "num_warps": 4,
             "waves_per_eu": 3, "allow_flush_denorm": True, "wgp_cu_mode": "cu",
             "llvm_fn_attrs": [["amdgpu-sched-strategy", "iterative-ilp"], ["noinline", ""]], "enable_fp_fusion": True}))
        run = [PROGRAM, "preview", str(path), *llvm]
        beside = attributes(subprocess.run(run, capture_output=True))
        for attribute in expected:
            self.assertIn(attribute, beside)
        other = attributes(subprocess.run([*run, "--waves-per-eu", "2"], capture_output=True))
        self.assertIn('"amdgpu-waves-per-eu"="2,2"', other)
        self.assertIn('"denormal-fp-math-f32"="preserve-sign"', other)

        for arguments, message in [(["--waves-per-eu", "17"], "a SIMD of gfx1100 holds at most 16 waves"),
                                   (["--arch", "sm_90a", "--waves-per-eu", "2"], "--waves-per-eu is for AMD"),
                                   (["--wgp-cu-mode", "simd"], "'simd' is not one of wgp, cu")]:
            with self.subTest(arguments=arguments):
                result = self.run_preview(kernel, *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertIn(message, result.stderr.decode())

    def test_wrong_usage(self):
        for arguments in ("--arch", "sm_1"), ("--emit", "spirv"), ("--num-warps", "-1"), ("--nonsense",), \
                ("-o", "no/such/folder/out.ptx"), ("--kernel", "nobody"):
            with self.subTest(arguments=arguments):
                result = self.run_preview(KERNEL, *arguments)
                self.assertIn(result.returncode, (1, 2))
                self.assertTrue(result.stderr)
        self.assertEqual(self.run_preview(KERNEL, "--arch", "gfx950", "--emit", "ptx").returncode, 2)
        self.assertEqual(subprocess.run([PROGRAM, "preview", "/no/such/file"], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run([PROGRAM, "preview", "/"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
