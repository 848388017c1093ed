//===- TTIFPSanOps.td - the floating point sanitizer -------*- tablegen -*-===//

include "dialects/tti/TTIOpBase.td"

class TTI_RingOp<string mnemonic> : TTI_Op<mnemonic, [
    Pure, Elementwise, SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding]> {
  let assemblyFormat = "$val attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
}

def TTI_ExperimentalFPSanEmbedOp : TTI_RingOp<"experimental_fpsan_embed"> {
  let summary = "float to its number in the ring";
  let description = [{
    Maps each float to an integer of its width such that sums and products of the integers are exact: two orders of one
    computation then agree to the bit, and a difference is a bug.
  }];
  let arguments = (ins TT_FloatLike:$val);
  let results = (outs TT_IntLike:$result);
}

def TTI_ExperimentalFPSanUnembedOp : TTI_RingOp<"experimental_fpsan_unembed"> {
  let summary = "number in the ring to its float";
  let description = "The inverse of `tti.experimental_fpsan_embed`.";
  let arguments = (ins TT_IntLike:$val);
  let results = (outs TT_FloatLike:$result);
}

def TTI_DotI8Op : TTI_Op<"dot_i8", [
    Pure, DeclareOpInterfaceMethods<TT_DotOpInterface>, TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "8-bit matrix product that wraps around";
  let description = [{
    `d = a * b + c` in i32 without saturation, by `mma.sync` of s8 or u8 operands as `aSigned` and `bSigned` say. The
    ring's product of wide numbers is made of these.
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$a, RankedTensorOf<[I8]>:$b, RankedTensorOf<[I32]>:$c, BoolAttr:$aSigned,
    BoolAttr:$bSigned);
  let results = (outs RankedTensorOf<[I32]>:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c `,` `aSigned` `=` $aSigned `,` `bSigned` `=` $bSigned attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}
