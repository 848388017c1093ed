//===- TTDescriptorOps.td - tensors by descriptor ----------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_ReadDesc : Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>;
def TT_WrittenDesc : Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "descriptor of a tensor in global memory";
  let description = [{
    Describes the tensor at `base` with a size and a stride (in elements; the last is 1) for each dimension. The
    result type gives the shape of the block that loads and stores move. Elements outside the tensor are read as
    `padding` and never written. On NVIDIA this fills a TMA descriptor in scratch memory.
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOptionAttr, "::kernelscope::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)
  }];
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let summary = "block of a described tensor";
  let description = [{
    Loads the block whose first element is at `indices` (one index for each dimension of the descriptor). Elements
    outside the tensor get the descriptor's padding. On NVIDIA from sm_90 on, it is a TMA copy into shared memory that
    completes on an mbarrier; elsewhere, masked loads.
  }];
  let arguments = (ins TT_ReadDesc:$desc, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let summary = "store of a block of a described tensor";
  let description = [{
    Stores `src` to the block at `indices`; elements outside the tensor are dropped. On NVIDIA from sm_90 on, it goes
    through shared memory and a TMA copy.
  }];
  let arguments = (ins TT_WrittenDesc:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce"> {
  let summary = "atomic combination into a block of a described tensor";
  let description = [{
    Combines `src` into the block at `indices` with the operation `kind`, each element atomically (relaxed). On NVIDIA
    from sm_90 on, it is `cp.reduce.async.bulk.tensor`; elsewhere, masked atomics.
  }];
  let arguments = (ins TT_DescriptorReduceKindAttr:$kind, TT_WrittenDesc:$desc, TT_Tensor:$src,
    Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather"> {
  let summary = "rows of a described matrix";
  let description = [{
    For each `x_offsets[i]`, loads a block of one row that starts at column `y_offset`; these blocks are the rows of
    the result. The descriptor's block has one row. On sm_100 it is a TMA gather of four rows at a time.
  }];
  let arguments = (ins TT_ReadDesc:$desc, RankedTensorOf<[I16, I32]>:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter"> {
  let summary = "store of rows of a described matrix";
  let description = [{
    Stores row `i` of `src` to row `x_offsets[i]` from column `y_offset` on. The descriptor's block has one row. On
    sm_100 it is a TMA scatter of four rows at a time.
  }];
  let arguments = (ins TT_WrittenDesc:$desc, RankedTensorOf<[I16, I32]>:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}
