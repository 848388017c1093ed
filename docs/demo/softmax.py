"""The kernel behind softmax.ttgir: one program normalises one row."""

import triton
import triton.language as tl


@triton.jit
def softmax(out, inp, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    live = at < columns
    x = tl.load(inp + row * columns + at, mask=live, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=live)
