//===- TTBlockPointerOps.td - block pointers ---------------*- tablegen -*-===//
// Triton had these up to 3.7.

include "dialects/tt/TTOpBase.td"

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"base matches result", "result", "base", "getBlockBaseType($_self)">]> {
  let summary = "block pointer (Triton up to 3.7)";
  let description = [{
    Describes the tensor at `base` by the size and stride (in elements) of each dimension, and points to the block
    that starts at `offsets`. `order` lists the dimensions, fastest first. It is rewritten to plain pointers before
    layouts are chosen; newer releases of Triton use `tt.make_tensor_descriptor` instead.
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
    DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, TypesMatchWith<"result matches ptr", "result", "ptr", "$_self">]> {
  let summary = "block pointer moved (Triton up to 3.7)";
  let description = "Moves a block pointer by a number of elements along each dimension.";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
}
