//===- TTIFPSanOps.td - the floating point sanitizer -------*- tablegen -*-===//

include "dialects/tti/TTIOpBase.td"

class TTI_RingOp<string mnemonic> : TTI_Op<mnemonic, [
    Pure, Elementwise, SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding]> {
  let assemblyFormat = "$val attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
}

def TTI_ExperimentalFPSanEmbedOp : TTI_RingOp<"experimental_fpsan_embed"> {
  let summary = "float to an element of the ring";
  let description = [{
    Maps each float to an integer of the same width, such that sums and products of the integers are exact. Two orders
    of the same computation then agree bit for bit, and any difference is a bug.
  }];
  let arguments = (ins TT_FloatLike:$val);
  let results = (outs TT_IntLike:$result);
}

def TTI_ExperimentalFPSanUnembedOp : TTI_RingOp<"experimental_fpsan_unembed"> {
  let summary = "element of the ring to a float";
  let description = "The inverse of `tti.experimental_fpsan_embed`.";
  let arguments = (ins TT_IntLike:$val);
  let results = (outs TT_FloatLike:$result);
}

def TTI_DotI8Op : TTI_Op<"dot_i8", [
    Pure, DeclareOpInterfaceMethods<TT_DotOpInterface>, TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "8-bit matrix product that wraps around";
  let description = [{
    `d = a * b + c` in i32 without saturation, by `mma.sync` with s8 or u8 operands, according to `aSigned` and
    `bSigned`. Products of wider ring elements are built from these.
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
