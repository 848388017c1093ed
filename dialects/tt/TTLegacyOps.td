//===- TTLegacyOps.td - ops of older Tritons ---------------*- tablegen -*-===//
// Today's Triton has none of these; dumps of 3.4 to 3.6 do.

include "dialects/tt/TTOpBase.td"

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"base matches result", "result", "base", "getBlockBaseType($_self)">]> {
  let summary = "block pointer (Triton up to 3.6)";
  let description = [{
    Describes the tensor at `base` by the size and stride (in elements) of each dimension, and points at the block that
    begins at `offsets`. `order` lists the dimensions from the fastest. It is rewritten to plain pointers before
    layouts are chosen; today's Triton has `tt.make_tensor_descriptor` instead.
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
    DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
}

def TT_AdvanceOp : TT_Op<"advance", [Pure, TypesMatchWith<"result matches ptr", "result", "ptr", "$_self">]> {
  let summary = "block pointer moved (Triton up to 3.6)";
  let description = "Moves a block pointer by a number of elements along each dimension.";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
}

def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "two tensors one after the other (Triton up to 3.6)";
  let description = [{
    Makes one tensor of the elements of two, in any order: each thread puts its registers of `lhs` before those of
    `rhs`.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}
