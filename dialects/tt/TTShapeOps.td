//===- TTShapeOps.td - making and reshaping tensors --------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure, TT_LayoutTransfer<["isRecomputable"]>]> {
  let summary = "the integers from start to end";
  let description = [{
    A tensor of rank 1 that holds `start`, `start + 1`, ... up to but not including `end`. Each thread computes its
    elements from its thread id, so this costs a few integer instructions and no memory.
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
  let description = "Sets every element of the result to the scalar `src`. Costs no instruction.";
  let arguments = (ins TT_Scalar:$src);
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, TT_InferTensorType]> {
  let summary = "the scalar in a tensor of one element";
  let description = "Broadcasts the single element of the tensor to every thread.";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_ReshapingOp<"expand_dims", [
    TT_InferTensorType,
    TT_LayoutTransfer<["getOperandLayout", "getWorkingLayoutForOperand", "isRecomputable", "worksInResultLayout"]>]> {
  let summary = "new dimension of size 1";
  let description = [{
    Inserts a dimension of size 1 before dimension `axis` (or at the end). In `ttg` the layout of the source is the
    `#ttg.slice` of the result's layout along `axis`, so each thread keeps its elements and no data moves.
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def TT_BroadcastOp : TT_ReshapingOp<"broadcast", [TT_LayoutTransfer<["isRecomputable"]>]> {
  let summary = "dimensions of size 1 repeated";
  let description = [{
    Repeats a tensor along its dimensions of size 1 to the size of the result; the other dimensions stay. Each thread
    copies registers that it already holds, and no data moves between threads. The encoding of the result must
    therefore place the source as the source's own encoding does.
  }];
  let arguments = (ins TT_Tensor:$src);
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_ReshapeOp : TT_ReshapingOp<"reshape", [
    TT_LayoutTransfer<["getResultLayout", "getWorkingLayoutForResult", "isRecomputable"]>]> {
  let summary = "same elements, another shape";
  let description = [{
    Reads the elements, in row-major order, as a tensor of another shape. `allow_reorder` lets the compiler choose any
    order; `efficient_layout` marks the layout of the result as chosen on purpose. The result's encoding keeps each
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

def TT_TransOp : TT_ReshapingOp<"trans", [
    TT_InferTensorType, TT_LayoutTransfer<["getResultLayout", "getWorkingLayoutForResult", "isRecomputable"]>]> {
  let summary = "dimensions permuted";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source. The encoding of the result is the source's
    encoding, permuted in the same way: each thread keeps its elements under new coordinates. A separate
    `ttg.convert_layout` moves data if needed.
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let hasFolder = 1;
}

// Missing in main of August 2026, and there again in 3.9.
def TT_CatOp : TT_Op<"cat", [
    Pure, SameTypeOperands, SameOperandsAndResultElementType, TT_LayoutTransfer<["getResultLayout"]>]> {
  let summary = "two tensors one after the other";
  let description = [{
    Puts the elements of two tensors into one, in any order: each thread puts its registers of `lhs` before those of
    `rhs`.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands, TT_LayoutTransfer<["getResultLayout"]>]> {
  let summary = "two tensors along a new last dimension";
  let description = [{
    Joins two tensors of the same type into one with a new last dimension of size 2: `result[..., 0]` is `lhs`,
    `result[..., 1]` is `rhs`. With a suitable encoding each thread holds both halves, and no data moves.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [
    Pure, InferTypeOpAdaptorWithIsCompatible,
    TT_LayoutTransfer<["getResultLayout", "getWorkingLayoutForOperand", "getElementsTogether"]>,
    TypesMatchWith<"outLHS matches outRHS", "outLHS", "outRHS", "$_self">]> {
  let summary = "the two halves along the last dimension";
  let description = [{
    The inverse of `tt.join`: splits a tensor whose last dimension has size 2 into `src[..., 0]` and `src[..., 1]`.
    Both halves of a pair must be in registers of the same thread.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}

def TT_GatherOp : TT_Op<"gather", [
    Pure, TT_InferTensorType,
    TT_LayoutTransfer<["getOperandLayout", "getWorkingLayoutForOperand", "worksInResultLayout"]>]> {
  let summary = "elements of a tensor, selected by index along one axis";
  let description = [{
    `result[i, j] = src[indices[i, j], j]` for `axis` 0, and so on. The result has the shape and encoding of
    `indices`. If source and indices are within a warp it uses shuffles (`shfl.sync.idx`, `ds_bpermute`), otherwise
    shared memory. `efficient_layout` marks its layout as chosen on purpose.
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure, TT_LayoutTransfer<["getResultLayout"]>,
    TT_OptionalTypeMatches<"src", "mask", "getI1SameShape($_self)", 1>]> {
  let summary = "count of each value";
  let description = [{
    `result[b]` is the number of elements of `src` that equal `b` and whose `mask` is true; the counts of values
    outside the range of the result are undefined. Warps count with ballots and add up in shared memory with atomics.
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}
