#!/usr/bin/env python3
"""Compares linear layouts with those of real Triton.

Usage: layouts.py LAYOUT_DUMP [CASES]. Random layouts of each kind, and shapes that fit them.
Distributed layouts are compared with gluon's to_linear_layout. Of shared ones, which it does not
take, Triton's verifier is asked whether ours is the same: the result of a memdesc_reshape must be.
Exits 77, to be skipped, where Triton cannot be imported.
"""
import ast
import random
import subprocess
import sys
import tempfile

try:
    from triton._C.libtriton import gluon_ir, ir
    import triton.experimental.gluon.language as gl
    from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout
except ImportError as error:
    print(f"skipped: no Triton in {sys.executable}: {error}")
    sys.exit(77)

rng = random.Random(6)


def split(bits, parts):
    """Powers of two, `parts` of them, with a product of 2^bits."""
    sizes = [1] * parts
    for _ in range(bits):
        sizes[rng.randrange(parts)] *= 2
    return sizes


def power(low, high):
    return 2 ** rng.randint(low, high)


def order_of(rank):
    order = list(range(rank))
    rng.shuffle(order)
    return order


def text(**fields):
    def value(v):
        return str(v).lower() if isinstance(v, bool) else str(v)
    return "<{" + ", ".join(f"{name} = {value(v)}" for name, v in fields.items()) + "}>"


def cga(rank, blocks):
    """Bases of a cluster of 2^blocks CTAs, each a doubling along one dimension or a copy."""
    sizes, bases = [1] * rank, []
    for _ in range(blocks):
        basis, dim = [0] * rank, rng.randrange(rank + 1)
        if dim < rank:
            basis[dim] = sizes[dim]
            sizes[dim] *= 2
        bases.append(basis)
    return bases, sizes


def with_cga(fields, bases):
    return dict(fields, CGALayout=bases) if bases else fields


# Each case: a gluon layout, its text here, a shape.


def blocked(rank=None, blocks=None):
    rank = rank or rng.randint(1, 3)
    size, threads, warps = split(rng.randint(0, 4), rank), split(5, rank), split(rng.randint(0, 3), rank)
    order = order_of(rank)
    bases, _ = cga(rank, rng.randint(0, 2) if blocks is None else blocks)
    layout = gl.BlockedLayout(size, threads, warps, order, bases)
    spelled = "#ttg.blocked" + text(**with_cga(
        dict(sizePerThread=size, threadsPerWarp=threads, warpsPerCTA=warps, order=order), bases))
    return layout, spelled, [power(2, 7) for _ in range(rank)]


def slice_(depth=1):
    layout, spelled, shape = blocked(rng.randint(2, 3), 0) if depth == 1 else mma2()
    dim = rng.randrange(len(shape))
    del shape[dim]
    return gl.SliceLayout(dim, layout), f"#ttg.slice<{{dim = {dim}, parent = {spelled}}}>", shape


def mma2():
    warps = split(rng.randint(0, 3), 2)
    return (gl.NVMMADistributedLayout([2, 0], warps, [16, 8]),
            "#ttg.nvidia_mma" + text(versionMajor=2, versionMinor=0, warpsPerCTA=warps, instrShape=[16, 8]),
            [power(4, 8), power(3, 8)])


def mma2_batched():
    warps = split(rng.randint(0, 3), 3)
    return (gl.NVMMADistributedLayout([2, 0], warps, [1, 16, 8]),
            "#ttg.nvidia_mma" + text(versionMajor=2, versionMinor=0, warpsPerCTA=warps, instrShape=[1, 16, 8]),
            [power(0, 3), power(4, 7), power(3, 7)])


def mma3():
    instr, warps = [16, power(3, 8), 16], [4, power(0, 1)]
    return (gl.NVMMADistributedLayout([3, 0], warps, instr),
            "#ttg.nvidia_mma" + text(versionMajor=3, versionMinor=0, warpsPerCTA=warps, instrShape=instr),
            [power(6, 8), power(3, 8)])


def mma_operand():
    layout, spelled, _ = rng.choice([mma2, mma2, mma3])()
    index = rng.randint(0, 1) if "versionMajor = 2" in spelled else 0
    width = rng.choice([1, 2, 4, 8])
    return (gl.DotOperandLayout(index, layout, width),
            f"#ttg.dot_op<{{opIdx = {index}, parent = {spelled}, kWidth = {width}}}>", [power(4, 8), power(4, 8)])


def fma_operand():
    layout, spelled, _ = blocked(2, 0)
    index = rng.randint(0, 1)
    return (gl.DotOperandLayout(index, layout, 0), f"#ttg.dot_op<{{opIdx = {index}, parent = {spelled}}}>",
            [power(2, 7), power(2, 6)])


def mfma(operand=False):
    version = rng.choice([3, 4])
    instr = rng.choice([[32, 32, 8], [16, 16, 16], [4, 64, 4], [64, 4, 4]])
    transposed = instr[:2] == [64, 4] or rng.random() < 0.5
    warps, tiles = split(rng.randint(0, 3), 2), split(rng.randint(0, 2), 2)
    if operand:
        tiles = [1, 1]
    bits = 32 if operand or instr[0] != 16 else rng.choice([32, 64])
    layout = AMDMFMALayout(version=version, instr_shape=instr, transposed=transposed, warps_per_cta=warps,
                           element_bitwidth=bits, tiles_per_warp=tiles)
    fields = dict(version=version, warpsPerCTA=warps)
    if tiles != [1, 1]:
        fields["tilesPerWarp"] = tiles
    fields.update(instrShape=instr, isTransposed=transposed)
    if bits == 64:
        fields["elementBitWidth"] = bits
    return layout, "#ttg.amd_mfma" + text(**fields), [power(6, 8), power(6, 8)]


def wmma():
    version = rng.choice([1, 2, 3])
    instr = [16, 16, 16] if version < 3 else rng.choice([[16, 16, 32], [16, 16, 64]])
    warps, transposed = split(rng.randint(0, 3), 2), rng.random() < 0.5
    layout = AMDWMMALayout(version=version, transposed=transposed, warps_per_cta=warps, instr_shape=instr)
    # As Triton 3.6 spells it.
    return layout, "#ttg.amd_wmma" + text(version=version, isTranspose=transposed, warpsPerCTA=warps,
                                          instrShape=instr), [power(4, 8), power(4, 8)]


def amd_operand():
    layout, spelled, shape = rng.choice([lambda: mfma(True), wmma])()
    widths = [4, 8]
    if "wmma" in spelled:
        widths = {"1": [16], "2": [4, 8], "3": [2, 8, 16]}[spelled.split("version = ")[1][0]]
    index, width = rng.randint(0, 1), rng.choice(widths)
    return (gl.DotOperandLayout(index, layout, width),
            f"#ttg.dot_op<{{opIdx = {index}, parent = {spelled}, kWidth = {width}}}>", shape)


def linear():
    rank = rng.randint(1, 3)
    shape, bases = [1] * rank, []
    for _ in range(rng.randint(6, 11)):
        basis, dim = [0] * rank, rng.randrange(rank)
        basis[dim] = shape[dim]
        shape[dim] *= 2
        bases.append(basis)
    rng.shuffle(bases)
    for _ in range(rng.randint(0, 2)):
        bases.insert(rng.randrange(len(bases)), [0] * rank)
    lanes, warps, registers = bases[:5], bases[5:7], bases[7:]
    layout = gl.DistributedLinearLayout(registers, lanes, warps, [], shape)
    spelled = "#ttg.linear" + text(register=registers, lane=lanes, warp=warps, block=[])
    return layout, spelled, [max(1, size * rng.choice([1, 1, 2, 4])) for size in shape]


def swizzled():
    rank = rng.randint(1, 3)
    vec, phase, most, order = power(0, 3), power(0, 2), power(0, 3), order_of(rank)
    bases, _ = cga(rank, rng.randint(0, 1))
    return (gl.SwizzledSharedLayout(vec, phase, most, order, bases),
            "#ttg.swizzled_shared" + text(**with_cga(dict(vec=vec, perPhase=phase, maxPhase=most, order=order), bases)),
            [power(4, 7) for _ in range(rank)])


def nvmma():
    rank, width, bits = rng.choice([2, 2, 3]), rng.choice([0, 32, 64, 128]), rng.choice([8, 16, 32])
    # Triton 3.6 does not transpose without a swizzle, nor in three dimensions; later ones do.
    transposed = width != 0 and rank == 2 and rng.random() < 0.3
    padded = bits == 8 and width == 128 and rng.random() < 0.3
    layout = gl.NVMMASharedLayout(width, bits, rank, transposed, padded)
    fields = dict(swizzlingByteWidth=width, transposed=transposed, elementBitWidth=bits)
    if padded:
        fields["fp4Padded"] = True
    if rank != 2:
        fields["rank"] = rank
    shape = [power(3, 9) for _ in range(rank)]
    fastest = 0 if transposed else rank - 1
    shape[fastest] = max(shape[fastest], 8 * max(width, 16) // bits)
    return layout, "#ttg.nvmma_shared" + text(**fields), shape


def rotating():
    vec, phase, most, order = power(0, 3), power(0, 2), power(0, 3), order_of(2)
    return (None, "#ttg.amd_rotating_shared" + text(vec=vec, perPhase=phase, maxPhase=most, order=order),
            [power(4, 7) for _ in range(2)])


KINDS = [blocked, slice_, lambda: slice_(2), mma2, mma2_batched, mma3, mma_operand, fma_operand, mfma, wmma,
         amd_operand, linear, swizzled, rotating, nvmma]


def of_triton(builder, layout, shape):
    """What layout_dump prints of the same distributed layout."""
    linear = builder.to_linear_layout(layout._to_ir(builder), shape)
    ins = {"register": linear.reg_bases, "lane": linear.lane_bases, "warp": linear.warp_bases,
           "block": linear.block_bases}
    left = ", ".join(f"{name}: {[list(basis) for basis in bases]}" for name, bases in ins.items())
    return left + " -> " + ", ".join(f"dim{i}: {size}" for i, size in enumerate(shape))


def accepts(context, spelled, shape, ours):
    """Whether Triton takes the printed layout for the same as the shared layout `spelled`."""
    bases = {name: ast.literal_eval(ours.split(name + ": ")[1].split("]]")[0].split("[]")[0].strip(", ") + "]]")
             if f"{name}: [[" in ours else [] for name in ["offset", "block"]}
    parts = ", ".join(f"{name} = {value}" for name, value in bases.items() if value or name == "offset")
    sizes = "x".join(map(str, shape))
    ctas = 2 ** len(bases["block"])
    module = f"""
#a = {spelled}
#b = #ttg.shared_linear<{{{parts}}}, alignment = 16>
#smem = #ttg.shared_memory
module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f(%x: !ttg.memdesc<{sizes}xi8, #a, #smem, mutable>) {{
    %y = ttg.memdesc_reshape %x : !ttg.memdesc<{sizes}xi8, #a, #smem, mutable>
       -> !ttg.memdesc<{sizes}xi8, #b, #smem, mutable>
    tt.return
  }}
}}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
        file.write(module)
        file.flush()
        try:
            ir.parse_mlir_module(file.name, context)
            return True
        except RuntimeError:
            return False


def main():
    dump, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    cases = [kind() for kind in KINDS for _ in range(count)]
    lines = ["x".join(map(str, shape)) + " " + spelled for _, spelled, shape in cases]
    result = subprocess.run([dump], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    agreed, wrong = {}, 0
    for (layout, spelled, shape), line, ours in zip(cases, lines, result.stdout.splitlines(), strict=True):
        name = spelled.split("<")[0]
        if "shared" in name:
            want = "the verifier says they differ"
            good = ours.startswith("offset") and accepts(context, spelled, shape, ours)
        else:
            want = of_triton(builder, layout, shape)
            good = ours == want
        agreed.setdefault(name, [0, 0])[0 if good else 1] += 1
        if not good:
            wrong += 1
            if wrong <= 5:
                print(f"{line}\n  Triton {want}\n  here   {ours}")
    for name, (good, bad) in sorted(agreed.items()):
        print(f"{name}: {good} agree, {bad} differ")
    sys.exit(1 if wrong else 0)


main()
