"""How the time from TTGIR to PTX and AMDGCN grows with the work of a thread, ours and Triton's.

  scaling.py PROGRAM PYTHON      PYTHON has Triton

One warp normalises rows of 128 numbers: loads, an exponential, a reduction by shuffles, a broadcast, stores. Prints a
row for each number of elements per thread: milliseconds of processor time of each, the least of three, their ratio, and by how much
ours grows for twice the elements. Ours include the start of the program; Triton is one warm process.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile

TEMPLATE = """
#rows = #ttg.blocked<{{sizePerThread = [1, {each}], threadsPerWarp = [1, {lanes}], warpsPerCTA = [1, 1], order = [1, 0]}}>
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = {lanes} : i32{target}}} {{
  tt.func public @rows(%from: !tt.ptr<f32> {{tt.divisibility = 16 : i32}}, %to: !tt.ptr<f32> {{tt.divisibility = 16 : i32}}) {{
    %row = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32, #ttg.slice<{{dim = 1, parent = #rows}}>>
    %column = tt.make_range {{end = 128 : i32, start = 0 : i32}} : tensor<128xi32, #ttg.slice<{{dim = 0, parent = #rows}}>>
    %width = arith.constant dense<128> : tensor<{rows}x1xi32, #rows>
    %r = tt.expand_dims %row {{axis = 1 : i32}} : tensor<{rows}xi32, #ttg.slice<{{dim = 1, parent = #rows}}>> -> tensor<{rows}x1xi32, #rows>
    %c = tt.expand_dims %column {{axis = 0 : i32}} : tensor<128xi32, #ttg.slice<{{dim = 0, parent = #rows}}>> -> tensor<1x128xi32, #rows>
    %start = arith.muli %r, %width : tensor<{rows}x1xi32, #rows>
    %starts = tt.broadcast %start : tensor<{rows}x1xi32, #rows> -> tensor<{rows}x128xi32, #rows>
    %columns = tt.broadcast %c : tensor<1x128xi32, #rows> -> tensor<{rows}x128xi32, #rows>
    %offsets = arith.addi %starts, %columns : tensor<{rows}x128xi32, #rows>
    %sources = tt.splat %from : !tt.ptr<f32> -> tensor<{rows}x128x!tt.ptr<f32>, #rows>
    %source = tt.addptr %sources, %offsets : tensor<{rows}x128x!tt.ptr<f32>, #rows>, tensor<{rows}x128xi32, #rows>
    %x = tt.load %source : tensor<{rows}x128x!tt.ptr<f32>, #rows>
    %e = math.exp %x : tensor<{rows}x128xf32, #rows>
    %sum = "tt.reduce"(%e) <{{axis = 1 : i32}}> ({{
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }}) : (tensor<{rows}x128xf32, #rows>) -> tensor<{rows}xf32, #ttg.slice<{{dim = 1, parent = #rows}}>>
    %s = tt.expand_dims %sum {{axis = 1 : i32}} : tensor<{rows}xf32, #ttg.slice<{{dim = 1, parent = #rows}}>> -> tensor<{rows}x1xf32, #rows>
    %all = tt.broadcast %s : tensor<{rows}x1xf32, #rows> -> tensor<{rows}x128xf32, #rows>
    %y = arith.divf %e, %all : tensor<{rows}x128xf32, #rows>
    %targets = tt.splat %to : !tt.ptr<f32> -> tensor<{rows}x128x!tt.ptr<f32>, #rows>
    %place = tt.addptr %targets, %offsets : tensor<{rows}x128x!tt.ptr<f32>, #rows>, tensor<{rows}x128xi32, #rows>
    tt.store %place, %y : tensor<{rows}x128x!tt.ptr<f32>, #rows>
    tt.return
  }}
}}
"""


ROUNDS = 3


def processor_time():
    """Milliseconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1000


def ours(program, path, arch):
    """None if the time limit of a preview, which is not of processor time, has ended it."""
    before = processor_time()
    done = subprocess.run([program, "preview", path, "--arch", arch], stdout=subprocess.DEVNULL)
    return None if done.returncode else processor_time() - before


def theirs(triton, path):
    triton.stdin.write(path + "\n")
    triton.stdin.flush()
    return float(triton.stdout.readline())


def main():
    program, python = sys.argv[1:]
    peer = pathlib.Path(__file__).with_name("triton_preview.py")
    with tempfile.TemporaryDirectory() as folder:
        for backend, chip, arch, lanes in [("cuda", "90", "sm_90a", 32), ("hip", "gfx950", "gfx950", 64)]:
            print(f"{arch}: elements per thread, Kernelscope, Triton (ms), ratio, growth")
            triton = subprocess.Popen([python, str(peer), backend, chip, "serve"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            last = None
            for elements in (32, 64, 128, 256, 512, 1024, 2048, 4096):
                path = str(pathlib.Path(folder, f"{arch}-{elements}.ttgir"))
                target = f', ttg.target = "{backend}:{chip}"'
                pathlib.Path(path).write_text(TEMPLATE.format(
                    rows=elements * lanes // 128, each=128 // lanes, lanes=lanes, target=target))
                pairs = [(ours(program, path, arch), theirs(triton, path)) for _ in range(ROUNDS)]
                if any(own is None for own, _ in pairs):
                    print(f"{elements:6} stopped, Triton {min(other for _, other in pairs):9.1f}", flush=True)
                    break
                own, other = (min(times) for times in zip(*pairs))
                print(f"{elements:6} {own:9.1f} {other:9.1f} {own / other:6.2f} {own / last if last else 0:6.2f}", flush=True)
                last = own
            triton.stdin.close()
            triton.wait()


main()
