#!/usr/bin/env python3
"""Compares the constants of our Blackwell code with those of real Triton's, in the order of the ops, from LLVM IR.

Usage: constants.py KERNELSCOPE [FOLDER...] [--random 300] [--seed 0] [--keep FOLDER] [--details]

Compared are of each barrier its initial count, of each expected arrival its bytes, of each product its kind, instruction
descriptor, accumulator's column, and of its matrices and scales the descriptor without its address, and how far it is from
that of the product before it; of each commit the CTAs that it tells, and of each copy its kind, and the CTAs that get it. Of the
PTX, if Triton's NAME.ptx is there, it compares with which qualifiers each instruction occurs that uses barriers, tensor memory,
clusters or bulk copies. A folder has NAME.ttgir beside real Triton's NAME.llir. --random draws products, compiles them with the Triton of this Python and
compares; a seed gives the same products each time. Exits 1 where something differs, and 77, to be skipped, where products are
asked for and Triton cannot be imported.
"""
import argparse
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from llvm_values import Values, enclosed, split

# Two ways to write the same.
SPELLINGS = [("mxf4.block_scale.block32", "mxf4.block_scale.scale_vec::2X"), ("block_scale.block32", "block_scale.scale_vec::1X"),
             ("block_scale.block16", "block_scale.scale_vec::4X"), (".shared::cta", ""), (".shared::cluster", ""),
             (".tile::gather4", ".gather4"), (".tile::scatter4", ".scatter4"), (".shared.b64", ".b64")]
ADDRESS = (1 << 14) - 1
KINDS = ("barrier count", "expected bytes", "product", "step of a matrix", "commit", "tensor memory copy", "copy", "qualifiers")


# Instructions whose qualifiers are compared, and those among them that say how much is moved at once.
QUALIFIED = re.compile(r"(?:^|[\s{;])((?:mbarrier|tcgen05|cp\.async\.bulk|cp\.reduce|st\.async|clusterlaunchcontrol"
                       r"|barrier\.cluster)\.[\w.:]+)")
AMOUNT = re.compile(r"\.x\d+\b")


def functions(text):
    body = None
    for line in text.splitlines():
        if line.startswith("define "):
            body = []
        elif line.startswith("}") and body is not None:
            yield body
            body = None
        elif body is not None:
            body.append(line)


def ctas_of(text):
    found = re.search(r'"ttg.num-ctas" = (\d+)', text)
    return int(found[1]) if found else 1


class Assembly:
    """One piece of inline assembly, with values for its operands."""

    def __init__(self, line, found, ctas):
        self.text = found[1]
        operands = split(enclosed(line, found.end() - 1))
        # Results are numbered first, operands with the same number as a result do not count.
        results = len(re.findall(r"(?:^|,)=", found[2]))
        self.operands = {f"${results + at}": operand for at, operand in enumerate(operands)}
        self.ctas = ctas

    def number(self, token, cta=0):
        """Of an operand in the text: `$3`, `[$0 + 32]`, or a number."""
        total = 0
        for term in re.findall(r"\$\d+|-?\b\d+\b", token):
            total += self.ctas[cta].of(self.operands[term]) if term[0] == "$" else int(term)
        return total

    def everywhere(self, token):
        return tuple(self.number(token, cta) for cta in range(len(self.ctas)))

    def base(self, token):
        return self.operands.get((re.findall(r"\$\d+", token) or [""])[0], "")


def arguments(instruction):
    """The operands that are written behind an instruction's name."""
    return split(instruction.split(" ", 1)[1].rstrip(";")) if " " in instruction else []


def without_address(descriptor):
    """A matrix descriptor's constant part. Without a swizzle (bits 61 on) its base offset (bits 49 on) means nothing."""
    constant = descriptor & ~ADDRESS
    return f"{constant if descriptor >> 61 else constant & ~(7 << 49):#x}"


def product(assembly, instruction, name):
    """What a tcgen05.mma is told, and where its matrices begin."""
    d, a, b, descriptor, *rest = arguments(instruction)
    scales = rest[:-1] if "block_scale" in name else []
    # Bits of the descriptor that choose a part of a column are not a matter of where scales are.
    told = [name, f"{assembly.number(descriptor):#x}"]
    starts = {"D": assembly.number(d)}
    for side, token in (("A", a), ("B", b)):
        value = assembly.number(token)
        told.append("tensor memory" if token[0] == "[" else f"{without_address(value)}")
        starts[side] = value if token[0] == "[" else value & ADDRESS
    starts.update({side: assembly.number(token) for side, token in zip(("scales of A", "scales of B"), scales)})
    return " ".join(told), starts, tuple(assembly.base(token) for token in (d,))


def constants(text, ctas):
    """For each kind of constant, what the text has of it, in order."""
    found = collections.defaultdict(list)
    for lines in functions(text):
        values = [Values(lines, cta) for cta in range(ctas)]
        before = None
        for line in lines:
            match = re.search(r'asm (?:sideeffect )?"((?:[^"\\]|\\.)*)", "([^"]*)"\(', line)
            if not match or not re.search(r"mbarrier|tcgen05|cp\.async\.bulk", match[1]):
                continue
            assembly = Assembly(line, match, values)
            where = (re.findall(r"!dbg (![0-9]+)", line) or [""])[0]
            for instruction in re.split(r";|\\0A", match[1]):
                instruction = re.sub(r"^[\s{]*(@!?\$\d+\s+)?", "", instruction).strip()
                name = instruction.split(" ", 1)[0]
                name = respelled(name)
                if name.startswith("mbarrier.init"):
                    found["barrier count"].append(assembly.number(arguments(instruction)[1]))
                elif "expect_tx" in name:
                    found["expected bytes"].append(assembly.number(arguments(instruction)[-1]))
                elif name.startswith("tcgen05.mma"):
                    told, starts, base = product(assembly, instruction, name)
                    found["product"].append(told)
                    if before and before[0] == (told.split()[0], where, base):
                        step = {side: starts[side] - before[1][side] for side in starts}
                        found["step of a matrix"].append(step)
                    before = (told.split()[0], where, base), starts
                    continue
                elif name.startswith("tcgen05.commit"):
                    before = None
                    mask = arguments(instruction)[1:]
                    found["commit"].append((name, *map(assembly.everywhere, mask)))
                elif name.startswith("tcgen05.cp"):
                    target, matrix = arguments(instruction)
                    found["tensor memory copy"].append((name, without_address(assembly.number(matrix))))
                elif "async.bulk" in name and "tensor" in name:
                    masks = [assembly.everywhere(arguments(instruction)[-1])] if "multicast" in name else []
                    found["copy"].append((name, *masks))
    return found


def respelled(name):
    for theirs, ours in SPELLINGS:
        name = name.replace(theirs, ours)
    # 3.6 has modifiers of copies in another order.
    return ".".join(sorted(name.split("."))) if name.startswith("cp.") else name


def qualified(ptx):
    """The instructions with their qualifiers, each once."""
    return {respelled(AMOUNT.sub("", name)) for name in QUALIFIED.findall(ptx)}


def arch_of(dump):
    """What real Triton compiled the dump for."""
    ptx = dump.with_suffix(".ptx")
    found = re.search(r"^\.target (sm_\w+)", ptx.read_text(), re.M) if ptx.exists() else None
    return found[1] if found else "sm_100a"


def lower(program, dump, arch, emit="llvm"):
    done = subprocess.run([program, "preview", dump, "--emit", emit, "--arch", arch], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def compare(program, dump):
    """(constants compared, differences by kind), or None where our code does not compile."""
    arch = arch_of(dump)
    ours = lower(program, dump, arch)
    if ours is None:
        return None
    ctas = ctas_of(dump.read_text())
    wheels = dump.with_suffix(".llir").read_text()
    theirs = constants(wheels, ctas)
    mine = constants(ours, ctas)
    if dump.with_suffix(".ptx").exists():
        either = qualified(dump.with_suffix(".ptx").read_text()), qualified(lower(program, dump, arch, "ptx") or "")
        for name in sorted(set.union(*either)):
            theirs["qualifiers"].append(name if name in either[0] else "no " + name)
            mine["qualifiers"].append(name if name in either[1] else "no " + name)
    compared, differing = collections.Counter(), {}
    for kind in KINDS:
        # Partitions come in any order; qualifiers are in one already.
        if kind != "qualifiers" and "ttg.warp_specialize" in dump.read_text():
            theirs[kind].sort(key=str)
            mine[kind].sort(key=str)
        # A loop whose first iteration is peeled has everything twice.
        if "llvm.loop.peeled.count" in ours + wheels and theirs[kind] != mine[kind]:
            theirs[kind], mine[kind] = ([*{str(value): value for value in side}.values()] for side in (theirs[kind], mine[kind]))
        pairs = list(itertools.zip_longest(theirs[kind], mine[kind]))
        compared[kind] = len(pairs)
        wrong = [(at, *pair) for at, pair in enumerate(pairs) if pair[0] != pair[1]]
        if wrong:
            differing[kind] = len(theirs[kind]), len(mine[kind]), wrong
    return compared, differing


def report(program, dumps, details, jobs):
    """Prints what differs; whether anything does."""
    compared, differing, failed, same = collections.Counter(), collections.Counter(), [], 0
    with ThreadPoolExecutor(jobs) as pool:
        for dump, result in zip(dumps, pool.map(lambda dump: compare(program, dump), dumps)):
            if result is None:
                failed.append(dump)
                print(f"{dump.stem}: does not compile")
                continue
            compared.update(result[0])
            same += not result[1]
            for kind, (theirs, ours, wrong) in result[1].items():
                differing[kind] += len(wrong)
                print(f"{dump.stem}: {kind}: Triton has {theirs}, ours {ours}, {len(wrong)} differ")
                for at, a, b in wrong[:len(wrong) if details else 1]:
                    print(f"    {at}: Triton {a}, ours {b}")
    print(f"{len(dumps)} kernels, {same} with the same constants, {len(failed)} do not compile")
    for kind in KINDS:
        print(f"  {kind:20}{compared[kind]:8} compared{differing[kind]:8} differ")
    return bool(failed or differing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    program, wrong = options.program.resolve(), False
    for folder in options.folders:
        print(f"{folder}:")
        dumps = [dump for dump in sorted(folder.glob("*.ttgir")) if dump.with_suffix(".llir").exists()]
        wrong |= report(program, dumps, options.details, options.jobs)
    if options.random:
        from tensor_core_kernels import compile_products  # without Triton it ends here
        with tempfile.TemporaryDirectory() as name:
            folder = options.keep or pathlib.Path(name)
            folder.mkdir(parents=True, exist_ok=True)
            dumps = compile_products(range(options.seed, options.seed + options.random), folder, options.jobs)
            wrong |= report(program, dumps, options.details, options.jobs)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
