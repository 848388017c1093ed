"""Asks real Triton about cases, in children that may die: it aborts on much that it does not expect."""
import ast
import json
import os
import re
import select
import signal
import sys
import tempfile
from dataclasses import replace

try:
    import triton
    from triton._C.libtriton import gluon_ir, ir, passes
except ImportError as error:
    print(f"skipped: no Triton in {sys.executable}: {error}")
    sys.exit(77)

VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])
#: Whether it writes layouts as Triton's main does.
TODAY = VERSION >= (3, 7)
#: Seconds without an answer after which it is taken for dead.
PATIENCE = 5


class Triton:
    """One context; `ask` gives ("accepted" or "rejected", layout or None)."""

    def __init__(self):
        self.context = ir.context()
        ir.load_dialects(self.context)
        self.builder = gluon_ir.GluonOpBuilder(self.context)

    def parse(self, module):
        with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
            file.write(module)
            file.flush()
            try:
                return ir.parse_mlir_module(file.name, self.context)
            except RuntimeError:
                return None

    def layout_of(self, module, case):
        """The layout as Triton's own parser understood it, in Gluon's words."""
        found = []

        def visit(op):
            if op.get_num_results() and op.get_name() != "tt.func":
                found.append(op.get_result(0))

        module.walk(visit)
        if case.memory == "tensor":
            return self.builder.get_gluon_layout_from_tensor(found[0])
        return self.builder.get_gluon_layout_from_memdesc(found[0])

    def linear(self, module, case):
        """The linear map, as layout_dump prints it; None if this Triton does not tell."""
        if "rotating" in case.kind or case.memory != "tensor" and VERSION < (3, 9) and "padded" not in case.kind:
            return None
        layout = self.layout_of(module, case)
        if "padded" in case.kind:
            shape = case.shape[-len(layout.shape):]  # without the dimension of a ring of buffers
            blocks = in_elements(layout.cga_layout, shape) if TODAY else layout.block_bases
            return spelled({"offset": layout.offset_bases, "block": blocks}, shape)
        if "kThenMn" in case.layout:  # which Gluon's own class leaves out
            attribute = self.builder.get_tensor_memory_scales_layout(layout.cga_layout, "kThenMn")
        else:
            attribute = layout._to_ir(self.builder)
        linear = self.builder.to_linear_layout(attribute, list(case.shape))
        if case.memory == "tensor":
            return spelled({"register": linear.reg_bases, "lane": linear.lane_bases, "warp": linear.warp_bases,
                            "block": linear.block_bases}, case.shape)
        if case.memory == "shared":
            return spelled({"offset": linear.offset_bases, "block": linear.block_bases}, case.shape)
        return spelled({"row": linear.rows, "col": linear.cols}, case.shape)

    def conflicts(self, text, memory):
        """Extra wavefronts for each one of the text's local_store."""
        found = {}

        def visit(op):
            if op.get_name() == "ttg.local_store":
                found["registers"], found["memory"] = op.get_operand(0), op.get_operand(1)

        module = self.parse(text)
        module.walk(visit)
        bits = {"i": 8, "f": 8}.get(memory.element, 0) or int(re.search(r"\d+", memory.element)[0])
        return self.builder.get_shared_bank_conflicts(
            self.builder.get_gluon_layout_from_tensor(found["registers"])._to_ir(self.builder),
            self.builder.get_gluon_layout_from_memdesc(found["memory"])._to_ir(self.builder), list(memory.shape), bits)

    def takes_for_same(self, case, ours):
        """Whether its verifier lets a memdesc_reshape turn the layout into ours, written bit by bit; None if ours
        cannot be written so: it holds an element twice."""
        bases = {name: ast.literal_eval(value) for name, value in re.findall(r"(\w+): (\[.*?\])(?=,? \w+:| ->)", ours)}
        parts = f"offset = {bases['offset']}" + (f", block = {bases['block']}" if bases["block"] else "")
        result = case.type.replace("#a", "#b")
        module = case.module.replace("\nmodule", f"\n#b = #ttg.shared_linear<{{{parts}}}, alignment = 16>\nmodule", 1)
        module = module.replace("    tt.return", f"    %z = ttg.memdesc_reshape %y : {case.type} -> {result}\n    tt.return")
        if self.parse(module):
            return True
        written = replace(case, layout=f"#ttg.shared_linear<{{{parts}}}, alignment = 16>")
        return False if self.parse(written.module) else None


def passes_to_allocate(triton, text):
    """The bytes of shared memory that Triton's own pass allocates."""
    module = triton.parse(text)
    manager = ir.pass_manager(triton.context)
    passes.ttgpuir.add_allocate_shared_memory(manager)
    manager.run(*([module, "allocate"] if VERSION >= (3, 6) else [module]))
    return module.get_int_attr("ttg.shared")


def in_elements(cluster, shape):
    """Bases that count CTAs, as bases that count elements."""
    parts = [2 ** sum(1 for basis in cluster if basis[dim]) for dim in range(len(shape))]
    return [[value * size // part for value, size, part in zip(basis, shape, parts)] for basis in cluster]


def spelled(bases, shape):
    left = ", ".join(f"{name}: {[list(basis) for basis in value]}" for name, value in bases.items())
    return left + " -> " + ", ".join(f"dim{i}: {size}" for i, size in enumerate(shape))


def isolated(work, items):
    """`work(triton, item, say)` for each item in children; what each said, in order. A list that ends with None
    is of an item whose child died or hung."""
    said, at = [], 0
    while at < len(items):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            with os.fdopen(write, "w", buffering=1) as out:
                asked = Triton()
                for index in range(at, len(items)):
                    work(asked, items[index], lambda value, index=index: out.write(json.dumps([index, value]) + "\n"))
                    out.write(json.dumps([index, "done"]) + "\n")
            os._exit(0)
        os.close(write)
        answers = {}
        with os.fdopen(read, "rb", buffering=0) as pipe:
            text = b""
            # Triton hangs on some texts.
            while select.select([pipe], [], [], PATIENCE)[0] and (more := pipe.read(1 << 16)):
                text += more
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for line in text.splitlines(keepends=True):
            if line.endswith(b"\n"):
                index, value = json.loads(line)
                answers.setdefault(index, []).append(value)
        while at < len(items) and answers.get(at, [])[-1:] == ["done"]:
            said.append(answers[at][:-1])
            at += 1
        if at < len(items):
            said.append(answers.get(at, []) + [None])
            at += 1
    return said
