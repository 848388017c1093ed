//===- GluonOps.td - ops of gluon --------------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_GLUON_OPS_TD
#define KERNELSCOPE_GLUON_OPS_TD

include "dialects/gluon/GluonAttrs.td"
include "dialects/tt/TTOpBase.td"

def Gluon_SetAutoLayoutOp : Op<Gluon_Dialect, "set_auto_layout", [
    TT_ValidTensors, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "fixes an open layout";
  let description = [{
    Sets the layout that the source's `#gluon.auto_encoding` stands for: the result's layout. The op disappears when
    layouts are resolved, and no data moves.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif
