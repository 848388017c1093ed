"""What the compiler does, beside the ops: asked for, right, renewed after an edit, hidden."""

import collections
import re
import unittest
from pathlib import Path

from lspclient import BROKEN, KERNEL, Client, Error, find, whole

SOFTMAX = (Path(__file__).parents[2] / "docs/demo/softmax.ttgir").read_text()
URI = "file:///kernels/kernel.ttgir"
REFRESHES = {"workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}}

# A product whose operands are transposed in shared memory, and a conversion through it.
PRODUCT = """\
#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [LANES], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#mma = MMA
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "TARGET", "ttg.threads-per-warp" = WARP : i32} {
  tt.func public @product(%src: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %dst: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>>
    %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<64x1xi32, #a>
    %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x64xi32, #a>
    %pitch = arith.constant dense<64> : tensor<64x1xi32, #a>
    %starts = arith.muli %rows, %pitch : tensor<64x1xi32, #a>
    %down = tt.broadcast %starts : tensor<64x1xi32, #a> -> tensor<64x64xi32, #a>
    %across = tt.broadcast %columns : tensor<1x64xi32, #a> -> tensor<64x64xi32, #a>
    %at = arith.addi %down, %across : tensor<64x64xi32, #a>
    %base = tt.splat %src : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #a>
    %from = tt.addptr %base, %at : tensor<64x64x!tt.ptr<f16>, #a>, tensor<64x64xi32, #a>
    %x = tt.load %from : tensor<64x64x!tt.ptr<f16>, #a>
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #rows, #smem>
    %l = ttg.local_load %m : !ttg.memdesc<64x64xf16, #rows, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = WIDTH}>>
    %r = ttg.local_load %m : !ttg.memdesc<64x64xf16, #rows, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = WIDTH}>>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %product = tt.dot %l, %r, %zero : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = WIDTH}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = WIDTH}>> -> tensor<64x64xf32, #mma>
    %half = arith.truncf %product : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %y = ttg.convert_layout %half : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %to = tt.splat %dst : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #a>
    %places = tt.addptr %to, %at : tensor<64x64x!tt.ptr<f16>, #a>, tensor<64x64xi32, #a>
    tt.store %places, %y : tensor<64x64x!tt.ptr<f16>, #a>
    tt.return
  }
}
"""


def product(lanes, mma, target, warp, width):
    text = PRODUCT.replace("LANES", lanes).replace("MMA", mma).replace("TARGET", target)
    return text.replace("WARP", str(warp)).replace("WIDTH", str(width))


AMPERE = product("4, 8", "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
                 "cuda:80", 32, 2)
CDNA3 = product("8, 8", "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>",
                "hip:gfx942", 64, 4)


# Lanes of a column, each of which is in one bank.
COLUMNS = """\
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @columns(%value: f16) {
    %x = tt.splat %value : f16 -> tensor<64x64xf16, #mma>
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #rows, #ttg.shared_memory>
    tt.return
  }
}
"""


def toggle(client, **argument):
    return client.request("workspace/executeCommand",
                          {"command": "kernelscope.emitted", "arguments": [{"uri": URI, **argument}]}, timeout=60)


def hints(client):
    """By line, what is said of it: hints of other kinds name no architecture."""
    whole_text = {"start": {"line": 0, "character": 0}, "end": {"line": 10000, "character": 0}}
    answer = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": whole_text})
    return {hint["position"]["line"]: hint["label"] for hint in answer
            if str(hint.get("tooltip", {}).get("value")).startswith("On ")}


def lens(client):
    return client.request("textDocument/codeLens", whole(URI))[3]["command"]["title"]


def emitted(client, text, arch):
    """By line of the IR, how many of each instruction the preview has: read without our reader."""
    answer = client.request("workspace/executeCommand",
                            {"command": "kernelscope.preview", "arguments": [{"uri": URI, "arch": arch}]}, timeout=60)
    output, counts = answer["text"].splitlines(), collections.defaultdict(collections.Counter)
    for line, to in answer["lines"]:
        for opcode in re.findall(r"(?:^|; *)\s*(?:@!?%p\d+ )?([a-z_][a-z0-9_.:]*)", output[to].split(" ; ")[0].split("//")[0]):
            counts[line][opcode] += 1
    return counts


class Emitted(unittest.TestCase):
    def test_nothing_is_compiled_unasked(self):
        with Client(capabilities=REFRESHES) as client:
            client.open(URI, SOFTMAX)
            self.assertEqual((hints(client), lens(client)), ({}, "What the compiler does"))

    def test_softmax(self):
        with Client(capabilities=REFRESHES) as client:
            client.open(URI, SOFTMAX)
            answer = toggle(client)
            self.assertEqual((answer["shown"], answer["arch"]), (True, "sm_90a"))
            methods = {request["method"] for request in client.own_requests}
            self.assertLessEqual({"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}, methods)
            line = lambda word, nth=0: find(SOFTMAX, word, nth=nth)[0]
            self.assertEqual(hints(client), {
                line("tt.load"): "2 x ld.global.v4.b32, coalesced, 8 elements predicated",
                line('"tt.reduce"'): "5 x shfl.bfly.b32, st.shared.b32, barrier, ld.shared.v4.b32, "
                                     "16 bytes through shared memory",
                line('"tt.reduce"', 1): "2 x barrier, 5 x shfl.bfly.b32, st.shared.b32, ld.shared.v4.b32, "
                                        "16 bytes through shared memory",
                line("tt.store"): "2 x st.global.v4.b32, coalesced, 8 elements predicated",
            })
            self.assertRegex(lens(client), "^sm_90a: 16 bytes shared")
            hover = client.hover(URI, *find(SOFTMAX, "math.exp"))["contents"]["value"]
            self.assertIn("Compiles to, on `sm_90a`:\n- 8 x `mul.f32`\n- 8 x `ex2.approx.f32`", hover)
            self.assertNotIn("Becomes", hover)
            self.assertEqual(toggle(client), {"shown": False})
            self.assertEqual((hints(client), lens(client)), ({}, "What the compiler does"))

    def test_it_says_what_is_in_the_assembly(self):
        cases = [
            (AMPERE, "sm_80", {
                "%x = tt.load": "4 x ld.global.v4.b32, coalesced",
                "%m = ttg.local_alloc": "4 x st.shared.v4.b32, no bank conflict",
                "%l = ttg.local_load": "barrier, 8 x ldmatrix.x4",
                "%r = ttg.local_load": "8 x ldmatrix.x4.trans",
                "tt.dot": "32 x mma.m16n8k16.f32.f16.f16.f32",
            }),
            (CDNA3, "gfx942", {
                "%x = tt.load": "2 x global_load_dwordx4, coalesced",
                "%m = ttg.local_alloc": "2 x ds_write_b128, no bank conflict",
                "tt.dot": "8 x v_mfma_f32_32x32x8_f16",
            }),
        ]
        for text, arch, expected in cases:
            with self.subTest(arch=arch), Client() as client:
                client.open(URI, text)
                if arch == "gfx942":
                    hover = client.hover(URI, *find(text, "tt.dot "))["contents"]["value"]
                    self.assertIn("Becomes on `hip:gfx942`:\n- 8 x `v_mfma_f32_32x32x8_f16` in each warp", hover)
                self.assertEqual(toggle(client)["arch"], arch)
                said, counts = hints(client), emitted(client, text, arch)
                for word, label in expected.items():
                    self.assertEqual(said.get(find(text, word)[0]), label)
                # What a hint counts is there, as often, on its own line.
                for line, label in said.items():
                    for count, name in re.findall(r"(\d+) x ([a-z_0-9.:]+)", label):
                        if name != "barrier":
                            parts = name.split(".")
                            matching = sum(n for opcode, n in counts[line].items()
                                           if set(parts) <= set(opcode.split(".")) and opcode.startswith(parts[0])
                                           and ("trans" in opcode) == ("trans" in name))
                            self.assertEqual(matching, int(count), f"{name} on line {line + 1}")
                conversion = said[find(text, "ttg.convert_layout")[0]]
                # LLVM joins AMD's loads into one of two places, of which the cost says nothing.
                self.assertTrue(conversion.endswith("8 KiB through shared memory" +
                                                    (", no bank conflict" if arch.startswith("sm_") else "")), conversion)

    def test_lanes_that_are_far_apart(self):
        far = KERNEL.replace("sizePerThread = [1]", "sizePerThread = [8]")
        with Client() as client:
            client.open(URI, far)
            toggle(client)
            self.assertEqual(hints(client)[find(far, "tt.load")[0]],
                             "8 x ld.global.b32, not coalesced: up to 16 segments of 32 bytes instead of 2")

    def test_lanes_that_meet_in_a_bank(self):
        with Client() as client:
            client.open(URI, COLUMNS)
            toggle(client)
            label = hints(client)[find(COLUMNS, "ttg.local_alloc")[0]]
            self.assertRegex(label, r"^\d+ x st\.shared\.(v2\.)?b\d+, 8-way bank conflict$")

    def test_registers_of_amd(self):
        with Client() as client:
            client.open(URI, CDNA3)
            toggle(client)
            answer = client.request("workspace/executeCommand", {"command": "kernelscope.preview",
                                                                 "arguments": [{"uri": URI}]}, timeout=60)
            registers = re.search(r"\.vgpr_count: +(\d+)", answer["text"]).group(1)
            self.assertRegex(lens(client), rf"^gfx942: 8 KiB shared, {registers} registers, nothing spilled, "
                                           r"\d+ of 32 warps \(limited by (registers|shared memory|warps)")

    def test_an_edit_hides_it_until_the_text_rests(self):
        with Client(capabilities=REFRESHES) as client:
            client.open(URI, KERNEL)
            toggle(client)
            store = find(KERNEL, "tt.store")[0]
            self.assertEqual(hints(client)[store], "st.global.b32, coalesced")
            seen = len(client.own_requests)
            client.change(URI, 2, "\n" + KERNEL)
            self.assertNotIn(store, hints(client))
            client.wait_until(lambda: len(client.own_requests) > seen, "refresh")
            self.assertEqual(hints(client)[store + 1], "st.global.b32, coalesced")

    def test_what_cannot_be_compiled(self):
        with Client() as client:
            client.open(URI, BROKEN)
            with self.assertRaises(Error) as raised:
                toggle(client)
            self.assertIn("%nope", str(raised.exception))
            self.assertEqual(lens(client), "What the compiler does")

    def test_it_survives_the_engine(self):
        with Client() as client:
            client.open(URI, KERNEL)
            toggle(client)
            before = hints(client)
            client.kill("engine")
            self.assertEqual(hints(client), before)


if __name__ == "__main__":
    unittest.main()
