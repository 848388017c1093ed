"""Random layouts of each kind, as text, in small modules that use them.

A case is valid by what Triton documents, or close to it; `broken` makes one of it that likely is not.
`today` says which spelling: that of Triton's main, or that of 3.6.
"""
import random
import re
from dataclasses import dataclass, replace

rng = random.Random(6)


@dataclass(frozen=True)
class Case:
    kind: str
    layout: str
    shape: tuple
    element: str
    memory: str = "tensor"  # or "shared", "tensor_memory"
    ctas: int = 1
    warps: int = 4
    threads: int = 32

    @property
    def type(self):
        sizes = "".join(f"{size}x" for size in self.shape) + self.element
        return {
            "tensor": f"tensor<{sizes}, #a>",
            "shared": f"!ttg.memdesc<{sizes}, #a, #ttg.shared_memory, mutable>",
            "tensor_memory": f"!ttg.memdesc<{sizes}, #a, #ttng.tensor_memory, mutable>",
        }[self.memory]

    @property
    def module(self):
        use = {
            "tensor": f"%y = ttg.convert_layout %x : {self.type} -> {self.type}",
            "shared": f"%y = ttg.local_alloc : () -> {self.type}",
            "tensor_memory": f"%y = ttng.tmem_alloc : () -> {self.type}",
        }[self.memory]
        argument = f"%x: {self.type}" if self.memory == "tensor" else ""
        return (f"#a = {self.layout}\n"
                f'module attributes {{"ttg.num-ctas" = {self.ctas} : i32, "ttg.num-warps" = {self.warps} : i32, '
                f'"ttg.threads-per-warp" = {self.threads} : i32}} {{\n'
                f"  tt.func public @f({argument}) {{\n    {use}\n    tt.return\n  }}\n}}\n")


def split(bits, parts):
    """Powers of two, `parts` of them, with a product of 2^bits."""
    sizes = [1] * parts
    for _ in range(bits):
        sizes[rng.randrange(parts)] *= 2
    return sizes


def power(low, high):
    return 2 ** rng.randint(low, high)


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def order_of(rank):
    order = list(range(rank))
    rng.shuffle(order)
    return order


def text(mnemonic, **fields):
    def value(v):
        return str(v).lower() if isinstance(v, bool) else str(v)

    return f"#{mnemonic}<{{" + ", ".join(f"{name} = {value(v)}" for name, v in fields.items() if v is not None) + "}>"


def cga(rank, most=2):
    """Bases of a cluster, each a doubling along one dimension or a copy; None for one CTA."""
    sizes, bases = [1] * rank, []
    for _ in range(rng.choice([0, 0] + list(range(most + 1)))):
        basis, dim = [0] * rank, rng.randrange(rank + 1)
        if dim < rank:
            basis[dim] = sizes[dim]
            sizes[dim] *= 2
        bases.append(basis)
    return bases or None


def ctas(bases):
    return 2 ** len(bases or [])


def element(*widths):
    names = {8: ["i8", "f8E5M2", "f8E4M3FN"], 16: ["i16", "f16", "bf16"], 32: ["i32", "f32"], 64: ["i64", "f64"]}
    return rng.choice(names[rng.choice(widths or (8, 16, 32, 64))])


def tensor(kind, layout, shape, bases, warps, threads=32):
    return Case(kind, layout, tuple(shape), element(), "tensor", ctas(bases), warps, threads)


# Distributed layouts.


def blocked(today, rank=None):
    rank = rank or rng.randint(1, 4)
    lanes = rng.choice([5, 5, 6])
    size, threads, warps = split(rng.randint(0, 4), rank), split(lanes, rank), split(rng.randint(0, 3), rank)
    bases = cga(rank)
    layout = text("ttg.blocked", sizePerThread=size, threadsPerWarp=threads, warpsPerCTA=warps, order=order_of(rank),
                  CGALayout=bases)
    return tensor("blocked", layout, [power(0, 7 if rank < 4 else 4) for _ in range(rank)], bases, product(warps),
                  2**lanes)


def mma2(today):
    rank = rng.choice([2, 2, 3])
    warps, bases = split(rng.randint(0, 3), rank), cga(rank)
    instr = [1] * (rank - 2) + [16, 8]
    layout = text("ttg.nvidia_mma", versionMajor=2, versionMinor=rng.choice([0, 0, 1]), warpsPerCTA=warps,
                  CGALayout=bases, instrShape=instr)
    return tensor("nvidia_mma 2", layout, [power(0, 3)] * (rank - 2) + [power(3, 8), power(2, 8)], bases,
                  product(warps))


def mma3(today):
    instr, warps, bases = [16, power(3, 8), 16], [4, power(0, 1)], cga(2)
    layout = text("ttg.nvidia_mma", versionMajor=3, versionMinor=0, warpsPerCTA=warps, CGALayout=bases,
                  instrShape=instr)
    return tensor("nvidia_mma 3", layout, [power(5, 8), power(3, 8)], bases, product(warps))


def mfma(today, operand=False):
    version = rng.randint(1, 4)
    rank = rng.choice([2, 2, 3])
    instr = rng.choice([[32, 32, 8], [16, 16, 16], [4, 64, 4], [64, 4, 4]])
    transposed = instr[:2] == [64, 4] or rng.random() < 0.5
    warps, tiles = split(rng.randint(0, 3), rank), [1] * (rank - 2) + split(rng.choice([0, 0, 1, 2]), 2)
    bits = 64 if not operand and instr[0] == 16 and rng.random() < 0.3 else None
    bases = cga(rank)
    layout = text("ttg.amd_mfma", version=version, warpsPerCTA=warps, instrShape=instr, isTransposed=transposed,
                  CGALayout=bases, tilesPerWarp=tiles if product(tiles) > 1 else None, elementBitWidth=bits)
    return tensor(f"amd_mfma {version}", layout, [power(0, 3)] * (rank - 2) + [power(4, 8), power(4, 8)], bases,
                  product(warps), 64)


def wmma(today, clusters=True):
    version = rng.randint(1, 3)
    rank = rng.choice([2, 2, 3])
    instr = [16, 16, 16] if version < 3 else rng.choice([[16, 16, 4], [16, 16, 32], [16, 16, 64], [16, 16, 128]] +
                                                        [[32, 16, 128]] * today)
    transposed, bases = rng.random() < 0.5, cga(rank) if clusters else None
    warps = split(rng.randint(0, 3), rank)
    tiles = [1] * (rank - 2) + split(rng.choice([0, 0, 1, 2]), 2)
    shape = [power(0, 3)] * (rank - 2) + [power(4, 8), power(4, 8)]
    if not today:
        layout = text("ttg.amd_wmma", version=version, isTranspose=transposed, warpsPerCTA=warps,
                      tilesPerWarp=tiles if product(tiles) > 1 else None, CGALayout=bases, instrShape=instr)
        return tensor(f"amd_wmma {version}", layout, shape, bases, product(warps))
    # Bits of registers and warps, dealt out at random.
    sizes, registers, warp = [1] * rank, [], []
    steps = [registers] * rng.randint(0, 2) + [warp] * rng.randint(0, 3)
    rng.shuffle(steps)
    for bits in steps:
        dim = rng.randrange(rank if bits is warp else 2) if rank == 2 else rng.randrange(1, rank)
        basis = [0] * rank
        basis[dim] = sizes[dim]
        sizes[dim] *= 2
        bits.append(basis)
    parts = [f"register = {registers}"] * bool(registers) + [f"warp = {warp}"]
    layout = text("ttg.amd_wmma", version=version, isTranspose=transposed, ctaLayout="{" + ", ".join(parts) + "}",
                  rank=rank if rank != 2 else None, CGALayout=bases, instrShape=instr)
    return tensor(f"amd_wmma {version}", layout, shape, bases, 2**len(warp))


def dot(case, index, width):
    width = "" if width is None else f", kWidth = {width}"
    return replace(case, kind=f"dot_op of {case.kind}", layout=f"#ttg.dot_op<{{opIdx = {index}, parent = {case.layout}{width}}}>")


def dot_operand(today):
    index = rng.randint(0, 1)
    which = rng.randrange(5)
    if which == 0:
        return dot(blocked(today, rng.choice([2, 3])), index, None)
    if which == 1:
        return dot(mma2(today), index, rng.choice([1, 2, 4, 8]))
    if which == 2:
        return dot(mma3(today), 0, rng.choice([1, 2, 4]))
    if which == 3:
        return dot(mfma(today, operand=True), index, rng.choice([1, 2, 4, 8, 16, 32]))
    # Triton 3.6 splits K where these CTAs split the result.
    case = wmma(today, clusters=today)
    return dot(case, index, rng.choice({"1": [8, 16], "2": [4, 8, 16], "3": [2, 8, 16]}[case.kind[-1]]))


def linear(today):
    rank = rng.randint(1, 4)
    shape, bases = [1] * rank, []
    blocks = rng.choice([0, 0, 1, 2])
    for _ in range(rng.randint(8, 12)):
        basis, dim = [0] * rank, rng.randrange(rank)
        basis[dim] = shape[dim]
        shape[dim] *= 2
        bases.append(basis)
    rng.shuffle(bases)
    for _ in range(rng.randint(0, 2)):
        bases.insert(rng.randrange(len(bases)), [0] * rank)
    lanes, warps, block, registers = bases[:5], bases[5:7], bases[7:7 + blocks], bases[7 + blocks:]
    layout = text("ttg.linear", register=registers, lane=lanes, warp=warps, block=block)
    grown = [max(1, int(size * rng.choice([1, 1, 1, 2, 4, 0.5]))) for size in shape]
    return tensor("linear", layout, grown if not blocks else shape, block, 4)


def slice_(today):
    case = rng.choice([
        lambda: blocked(today, rng.randint(2, 4)), lambda: mma2(today), lambda: mma3(today), lambda: mfma(today),
        lambda: wmma(today), lambda: linear(today), lambda: dot_operand(today)
    ])()
    for _ in range(rng.choice([1, 1, 2])):
        if len(case.shape) < 2:
            break
        dim = rng.randrange(len(case.shape))
        case = replace(case, kind=case.kind if case.kind.startswith("slice") else f"slice of {case.kind.split(' of ')[0]}",
                       layout=f"#ttg.slice<{{dim = {dim}, parent = {case.layout}}}>",
                       shape=case.shape[:dim] + case.shape[dim + 1:])
    return case


# Layouts of shared memory.


def shared(kind, layout, shape, bases, bits=()):
    return Case(kind, layout, tuple(shape), element(*bits), "shared", ctas(bases))


def phased(mnemonic, kind):

    def make(today):
        rank = rng.randint(1, 4) if kind == "swizzled_shared" else rng.choice([2, 2, 3])
        bases = cga(rank)
        layout = text(mnemonic, vec=power(0, 3), perPhase=power(0, 2), maxPhase=power(0, 3), order=order_of(rank),
                      CGALayout=bases)
        return shared(kind, layout, [power(3, 7 if rank < 4 else 5) for _ in range(rank)], bases)

    return make


def nvmma(today):
    rank, width, bits = rng.choice([1, 2, 2, 2, 3, 4, 5]), rng.choice([0, 32, 64, 128]), rng.choice([8, 16, 32])
    if rank == 1:
        width = 0
    # What Triton 3.6 makes of a transposed layout without a swizzle, or of higher rank, later ones do not.
    transposed = rng.random() < 0.4 and rank > 1 and (today or width and rank == 2)
    padded = bits == 8 and width == 128 and rng.random() < 0.3
    bases = cga(rank)
    layout = text("ttg.nvmma_shared", swizzlingByteWidth=width, transposed=transposed, elementBitWidth=bits,
                  fp4Padded=padded or None, rank=rank if rank != 2 else None, CGALayout=bases)
    shape = [power(2, 9 if rank < 4 else 3) for _ in range(rank)]
    fastest = 0 if transposed else rank - 1
    shape[fastest] = max(shape[fastest], 8 * max(width, 16) // bits)
    kind = "nvmma_shared" + (" transposed" if transposed else "") + (f" rank {rank}" if rank > 2 else "")
    return shared(kind, layout, shape, bases, (bits,))


def padded(today):
    rank = rng.choice([1, 2, 2, 3])
    shape = [power(2, 6) for _ in range(rank)]
    intervals = rng.sample([8, 16, 32, 64, 128], rng.randint(1, 2))
    pads = "[" + ", ".join(f"{interval}:+{power(0, 3)}" for interval in intervals) + "]"
    if rng.random() < 0.4:
        layout = f"#ttg.padded_shared<{pads} {{order = {order_of(rank)}, shape = {shape}}}>"
        return shared("padded_shared in order", layout, shape, None)
    offsets, block = written(shape, rng.choice([0, 1, 2]))
    layout = f"#ttg.padded_shared<{pads} {{offset = {offsets}, block = {block}}}>"
    return shared("padded_shared by bits", layout, shape, block)


def written(shape, blocks):
    """All bits of a shape, in any order; the highest of some dimensions are the CTAs'."""
    bases = [[(1 << bit) * (i == dim) for i in range(len(shape))] for dim, size in enumerate(shape)
             for bit in range(size.bit_length() - 1)]
    rng.shuffle(bases)
    block = []
    for _ in range(min(blocks, len(bases))):
        dim = rng.randrange(len(shape))
        block += [basis for basis in sorted(bases) if basis[dim] and basis not in block][-1:]
    # CTAs count upwards along a dimension.
    block.sort()
    return [basis for basis in bases if basis not in block], block


def shared_linear(today):
    rank = rng.randint(1, 4)
    shape = [power(2, 5) for _ in range(rank)]
    offsets, block = written(shape, rng.choice([0, 0, 1, 2]))
    # Rows that are added to each other keep the map one to one.
    for _ in range(rng.randint(0, 4)):
        a, b = rng.sample(range(len(offsets)), 2) if len(offsets) > 1 else (0, 0)
        if a != b:
            offsets[a] = [x ^ y for x, y in zip(offsets[a], offsets[b])]
    parts = f"offset = {offsets}" + (f", block = {block}" if block else "")
    return shared("shared_linear", f"#ttg.shared_linear<{{{parts}}}, alignment = {power(3, 7)}>", shape, block)


def partitioned(today):
    partitions, groups = power(1, 2), power(0, 2)
    if rng.random() < 0.5:
        case = phased("ttg.swizzled_shared", "swizzled_shared")(today)
    else:
        shape = [power(3, 6) for _ in range(2)]
        case = shared("", f"#ttg.padded_shared<[{power(3, 5)}:+4] {{order = {order_of(2)}, shape = {shape}}}>", shape,
                      None)
    dim = rng.randrange(len(case.shape))
    shape = list(case.shape)
    shape[dim] *= partitions * groups
    layout = text("ttg.partitioned_shared", numPartitions=partitions, numGroups=groups, partitionDim=dim,
                  partitionLayout=case.layout)
    return replace(case, kind="partitioned_shared", layout=layout, shape=tuple(shape))


# Layouts of tensor memory.


def cluster_words(today, bases, rank=2):
    """How a cluster is written in a layout of tensor memory."""
    if not bases:
        return ""
    if today:
        return f", CGALayout = {bases}"
    sizes = [product(2 for basis in bases if basis[dim]) for dim in range(rank)]
    return "".join(f", CTASplit{name} = {size}" for name, size in zip("MN", sizes) if size > 1)


def tensor_memory(today):
    two = rng.random() < 0.4
    bases = [basis for basis in cga(2) or [] if today or any(basis)]
    if two:
        bases = [[1, 0]] + [[2 * a, b] for a, b in (bases or [])]
    bits = rng.choice([8, 16, 32])
    block_m, block_n, stride = rng.choice([64, 128]), power(3, 8), rng.choice([1, 1, 32 // bits])
    padded4 = today and bits == 8 and stride == 1 and rng.random() < 0.2
    sizes = [product(2 for basis in bases or [] if basis[dim]) for dim in range(2)]
    # Triton 3.6 minds that there are but 512 columns.
    blocks_n = power(0, 2) if today or block_n < 128 else 1
    shape = [block_m * power(0, 1) * sizes[0], block_n * blocks_n * sizes[1]]
    layout = (f"#ttng.tensor_memory_encoding<blockM = {block_m}, blockN = {block_n}, colStride = {stride}"
              f"{cluster_words(today, bases)}{', twoCTAs = true' if two else ''}{', fp4Padded = true' if padded4 else ''}>")
    case = Case("tensor_memory" + (" two CTAs" if two else ""), layout, tuple(shape), element(bits), "tensor_memory",
                ctas(bases))
    return case


def scales(today):
    # Triton 3.6 has no words for CTAs that hold copies.
    bases = [basis for basis in cga(2) or [] if today or any(basis)]
    sizes = [product(2 for basis in bases or [] if basis[dim]) for dim in range(2)]
    order = ", blockRepOrder = kThenMn" if today and rng.random() < 0.3 else ""
    words = (cluster_words(today, bases) + order).removeprefix(", ")
    shape = [power(5, 9) * sizes[0], power(2, 5) * sizes[1]]
    return Case("tensor_memory_scales", f"#ttng.tensor_memory_scales_encoding<{words}>", tuple(shape), "i8",
                "tensor_memory", ctas(bases))


#: Kinds of layouts, with how many cases each is worth beside a plain one.
KINDS = [(blocked, 1), (mma2, 1), (mma3, 1), (mfma, 4), (wmma, 3), (dot_operand, 9), (linear, 1), (slice_, 7),
         (phased("ttg.swizzled_shared", "swizzled_shared"), 1),
         (phased("ttg.amd_rotating_shared", "amd_rotating_shared"), 1), (nvmma, 5), (padded, 2), (shared_linear, 1),
         (tensor_memory, 2), (scales, 1)]
#: Kinds that Triton 3.6 does not have.
NEW_KINDS = [(partitioned, 1)]


def broken(case):
    """A case with one thing changed: a number, an entry, the shape, the element or the module."""
    what = rng.randrange(6)
    if what < 3:
        numbers = list(re.finditer(r"(?<![\w#])\d+\b", case.layout))
        if numbers:
            at = rng.choice(numbers)
            old = int(at.group())
            value = rng.choice([0, 1, 2, 3, 5, 7, old + 1, 2 * old, old // 2, 4096])
            return replace(case, layout=case.layout[:at.start()] + str(value) + case.layout[at.end():])
    if what == 3:
        # Without a colStride a layout is of Triton 3.4 or 3.5, and is read as such.
        entries = list(re.finditer(r"(?!colStride)\b\w+ = (\[[^=]*\]|\w+), ", case.layout))
        if entries:
            at = rng.choice(entries)
            return replace(case, layout=case.layout[:at.start()] + case.layout[at.end():])
    if what == 4:
        shape = list(case.shape)
        dim = rng.randrange(len(shape))
        change = rng.randrange(4)
        if change == 0 and len(shape) > 1:
            del shape[dim]
        elif change == 1:
            shape.insert(dim, power(0, 3))
        else:
            shape[dim] = rng.choice([1, 2, 3, 2 * shape[dim], max(1, shape[dim] // 4), 24])
        return replace(case, shape=tuple(shape))
    name = rng.choice(["ctas", "warps", "threads", "element"])
    if name == "element":
        return replace(case, element=rng.choice(["i1", "i8", "i64", "f16", "!tt.ptr<f32>", "index", "i4"]))
    return replace(case, **{name: max(1, int(getattr(case, name) * rng.choice([2, 0.5])))})
