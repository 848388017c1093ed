//===- TTRegionOps.td - ops that apply a region ------------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

// The values that a region returns to its op.
class TT_RegionReturnOp<string mnemonic, string parent> : TT_Op<mnemonic, [
    HasParent<parent>, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

// Input types of a reduction or scan, and its accumulated element types.
defvar combiningOpDeclaration = [{
  ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
  ::llvm::SmallVector<::mlir::Type> getElementTypes();
}];

def TT_ReduceOp : TT_Op<"reduce", [
    Pure, SameOperandsShape, TT_SameOperandsEncoding, SingleBlock, TT_InferTensorType,
    TT_LayoutTransfer<["getResultLayout"]>]> {
  let summary = "reduction along an axis with a given combination";
  let description = [{
    Combines the elements along `axis` with the region, which takes two accumulators (one value per source, twice) and
    returns one. The order is unspecified, so the combination must be associative and commutative. The result lacks
    `axis`; a tensor of rank 1 becomes a scalar. The reduction runs within each thread, then with shuffles within a
    warp, then through shared memory.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Value>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = combiningOpDeclaration # [{
    /// The op that the region consists of, applied to both accumulators; null when there is more to it.
    ::mlir::Operation *getSingleCombiner();
  }];
}

def TT_ReduceReturnOp : TT_RegionReturnOp<"reduce.return", "ReduceOp"> {
  let summary = "end of a reduction's region";
  let description = "Returns the combination of the two accumulators, one value per source of the reduction.";
}

def TT_ScanOp : TT_Op<"scan", [
    Pure, TT_SameOperandsAndResultEncoding, SameOperandsAndResultShape, SingleBlock, TT_InferTensorType]> {
  let summary = "prefix combination along an axis";
  let description = [{
    Element `i` along `axis` of the result is the combination of elements 0 to `i` (from the end with `reverse`). The
    region is as in `tt.reduce` and must be associative. The scan runs within each thread, then with shuffles within a
    warp, then through shared memory between warps.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = combiningOpDeclaration;
}

def TT_ScanReturnOp : TT_RegionReturnOp<"scan.return", "ScanOp"> {
  let summary = "end of a scan's region";
  let description = "Returns the combination of the two accumulators, one value per source of the scan.";
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    TT_SameOperandsAndResultEncoding, SameOperandsAndResultShape, RecursiveMemoryEffects]> {
  let summary = "scalar region applied to each element";
  let description = [{
    Runs the region on `pack` elements at a time: its arguments are `pack` scalars of each source in turn, and it
    returns `pack` scalars of each result. The region may branch, as a single thread would; it must not store.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp : TT_RegionReturnOp<"map_elementwise.return", "MapElementwiseOp"> {
  let summary = "end of a map's region";
  let description = "Returns the scalars of the results, `pack` of each in turn.";
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}
