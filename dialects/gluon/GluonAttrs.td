//===- GluonAttrs.td - open encodings ----------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_GLUON_ATTRS_TD
#define KERNELSCOPE_GLUON_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/gluon/GluonDialect.td"

def Gluon_AutoEncodingAttr : AttrDef<Gluon_Dialect, "AutoEncoding"> {
  let mnemonic = "auto_encoding";
  let attrName = "gluon.auto_encoding";
  let summary = "a layout inferred from the surrounding ops";
  let description = [{
    A placeholder for the layout that the ops around a tensor need. `gluon.set_auto_layout` fixes one layout, and the
    others are inferred from it, forwards and backwards. The result of an op is auto if its operands are.
  }];
}

def Gluon_CoalescedEncodingAttr : AttrDef<Gluon_Dialect, "CoalescedEncoding"> {
  let mnemonic = "coalesced_encoding";
  let attrName = "gluon.coalesced_encoding";
  let summary = "a layout that makes memory accesses wide";
  let description = [{
    A placeholder for the blocked layout whose threads access adjacent addresses. It is derived from the contiguity
    and divisibility of the pointers, as for a `tt` kernel.
  }];
}

#endif
