//===- AMDGTensorOps.td - tensors in registers -------------*- tablegen -*-===//

include "dialects/amdg/AMDGOpBase.td"

// An op on registers of threads that agree; how many run it is no matter.
class AMDG_RegisterOp<string mnemonic>
    : Op<AMDG_Dialect, mnemonic, [TT_SizedTensors, Pure]>;

def AMDG_ExtractSliceOp : AMDG_RegisterOp<"extract_slice"> {
  let summary = "part of a tensor, from registers that each thread already has";
  let description = [{
    The part of `source` that begins at `static_offsets` and has the result's shape. Lanes and warps hold the same places
    of both, so it only picks registers. Scheduling passes cut large tensors so.
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$static_offsets);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source $static_offsets attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def AMDG_ConcatOp : AMDG_RegisterOp<"concat"> {
  let summary = "tensor made of equal parts, without moving data";
  let description = [{
    Puts tensors of one type side by side, in row-major order, as a grid that fills the result. Lanes and warps hold the
    same places of the parts and the whole, so it only gathers registers. The inverse of several `amdg.extract_slice`.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$sources);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
}

def AMDG_InThreadTransposeOp : AMDG_Op<"in_thread_transpose", [Pure]> {
  let summary = "registers of each thread transposed";
  let description = [{
    Keeps every element on its thread, but orders the thread's box of registers (the blocked layout's `sizePerThread`)
    along the other dimension, so that a following store to LDS is wide along that one.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def AMDG_ScaledUpcastFp4Op : AMDG_Op<"scaled_upcast_fp4", [Pure]> {
  let summary = "fp4 to half precision, times a scale";
  let description = [{
    Unpacks two `e2m1` values from each i8 along `axis` and multiplies by the scale: one for each element of the result,
    or one for a run of them along `axis`. `v_cvt_scalef32_pk_*_fp4` on gfx950, `v_cvt_scale_pk8_*_fp4` on gfx1250.
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$input, RankedTensorOf<[BF16, I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[F16, BF16]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_ScaledUpcastFp8Op : AMDG_Op<"scaled_upcast_fp8", [
    Pure, Elementwise, SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding]> {
  let summary = "fp8 to half precision, times a scale";
  let description = [{
    Converts each 8-bit float and multiplies by its scale (an exponent in i8, or a bf16). `v_cvt_scalef32_pk_*` on gfx950.
  }];
  let arguments = (ins RankedTensorOf<[F8E4M3FN, F8E5M2]>:$input, RankedTensorOf<[BF16, I8]>:$scale);
  let results = (outs RankedTensorOf<[F16, BF16]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
}
