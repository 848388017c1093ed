//===- GluonAttrs.td - open encodings ----------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_GLUON_ATTRS_TD
#define KERNELSCOPE_GLUON_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/gluon/GluonDialect.td"

def Gluon_AutoEncodingAttr : AttrDef<Gluon_Dialect, "AutoEncoding"> {
  let mnemonic = "auto_encoding";
  let attrName = "gluon.auto_encoding";
  let summary = "a layout that follows from its neighbours";
  let description = [{
    Stands for the layout that the ops around a tensor ask for. `gluon.set_auto_layout` fixes one; the rest is inferred
    from it, forward and backward. An op's result is auto when its operands are.
  }];
}

def Gluon_CoalescedEncodingAttr : AttrDef<Gluon_Dialect, "CoalescedEncoding"> {
  let mnemonic = "coalesced_encoding";
  let attrName = "gluon.coalesced_encoding";
  let summary = "a layout that makes memory accesses wide";
  let description = [{
    Stands for the blocked layout whose threads access neighbouring addresses, worked out from the contiguity and
    divisibility of the pointers, as for a `tt` kernel.
  }];
}

#endif
