//===- NVWSTypes.td - Types of nvws ------------------------*- tablegen -*-===//
#ifndef KERNELSCOPE_NVWS_TYPES_TD
#define KERNELSCOPE_NVWS_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/nvws/NVWSDialect.td"

def NVWS_ArefType : TypeDef<NVWS_Dialect, "Aref"> {
  let mnemonic = "aref";
  let summary = "buffers that one group of warps fills and another reads";
  let description = [{
    `!nvws.aref<[!ttg.memdesc<3x64x64xf16, ...>, ...]>`: rings of buffers that are
    handed over together. All have the same depth, which is their first dimension. A
    writer enters a put and a reader enters a get; each waits until the other has
    exited.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$baseType);
  let assemblyFormat = "`<` `[` $baseType `]` `>`";
}

def NVWS_TokenType : TypeDef<NVWS_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "the right to fill, or to read, a buffer";
  let description = [{
    A tensor of tokens, `tensor<3x!nvws.token>`, has one for each buffer of a ring.
  }];
}

#endif // KERNELSCOPE_NVWS_TYPES_TD
