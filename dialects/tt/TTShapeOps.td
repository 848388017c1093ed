//===- TTShapeOps.td - making and reshaping tensors --------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "the integers from start to end";
  let description = [{
    A tensor of rank 1 that holds `start`, `start + 1`, ... up to, not including, `end`. Each thread computes its
    elements from its index, so it costs a few integer instructions and no memory.
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class TT_ReshapingOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultElementType], traits)> {
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_SplatOp : TT_ReshapingOp<"splat", [TT_SameOperandsAndResultEncoding]> {
  let summary = "tensor of one scalar";
  let description = "Gives every element of the result the scalar `src`. Costs no instruction.";
  let arguments = (ins TT_Value:$src);
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, TT_InferTensorType]> {
  let summary = "the scalar in a tensor of one element";
  let description = "Gives the element of a tensor that has only one, to every thread.";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_ReshapingOp<"expand_dims", [TT_InferTensorType]> {
  let summary = "new dimension of size 1";
  let description = [{
    Inserts a dimension of size 1 before dimension `axis` (or at the end). In `ttg` the source has the slice of the
    result's layout along `axis`, so each thread keeps its elements and no data moves.
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def TT_BroadcastOp : TT_ReshapingOp<"broadcast"> {
  let summary = "dimensions of size 1 repeated";
  let description = [{
    Repeats a tensor along its dimensions of size 1 to the result's size; the other dimensions stay. A thread copies
    registers that it holds: no data moves between threads. So the result's encoding places the source as its own does.
  }];
  let arguments = (ins TT_Tensor:$src);
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_ReshapingOp<"reshape"> {
  let summary = "same elements, another shape";
  let description = [{
    Reads the elements, in row-major order, as a tensor of another shape. `allow_reorder` lets the compiler choose any
    order; `efficient_layout` says that the result's layout was chosen on purpose. The result's encoding keeps each
    element on its thread, so no data moves.
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_TransOp : TT_ReshapingOp<"trans", [TT_InferTensorType]> {
  let summary = "dimensions permuted";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source. The result's encoding is the source's, permuted
    alike: each thread keeps its elements under new coordinates. Data moves in the `ttg.convert_layout` beside it.
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let hasFolder = 1;
}

// Missing in main of August 2026, and there again in 3.9.
def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "two tensors one after the other";
  let description = [{
    Makes one tensor of the elements of two, in any order: each thread puts its registers of `lhs` before those of
    `rhs`.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands]> {
  let summary = "two tensors along a new last dimension";
  let description = [{
    From two tensors of one type makes one with a last dimension of size 2: `result[..., 0]` is `lhs`, `result[..., 1]`
    is `rhs`. With the right encoding a thread holds both halves, and no data moves.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [
    Pure, InferTypeOpAdaptorWithIsCompatible,
    TypesMatchWith<"outLHS matches outRHS", "outLHS", "outRHS", "$_self">]> {
  let summary = "the two halves along the last dimension";
  let description = [{
    The inverse of `tt.join`: from a tensor whose last dimension has size 2 gives `src[..., 0]` and `src[..., 1]`.
    Both halves of an element must be in one thread's registers.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}

def TT_GatherOp : TT_Op<"gather", [Pure, TT_InferTensorType]> {
  let summary = "elements of a tensor, chosen by index along one axis";
  let description = [{
    `result[i, j] = src[indices[i, j], j]` for `axis` 0, and so on. The result has the shape and encoding of `indices`.
    When source and indices lie within a warp it is done by shuffles (`shfl.sync.idx`, `ds_bpermute`), else through
    shared memory. `efficient_layout` says that its layout was chosen on purpose.
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure, TT_OptionalTypeMatches<"src", "mask", "getI1SameShape($_self)", 1>]> {
  let summary = "count of each value";
  let description = [{
    `result[b]` is the number of elements of `src` that equal `b` and whose `mask` is true; values outside the result's
    size are undefined. Warps count with ballots, and add up in shared memory with atomics.
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}
