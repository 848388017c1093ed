//===- NVWSAttrs.td - Attributes of nvws -------------------*- tablegen -*-===//
#ifndef KERNELSCOPE_NVWS_ATTRS_TD
#define KERNELSCOPE_NVWS_ATTRS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/nvws/NVWSDialect.td"
include "dialects/nvws/NVWSEnums.td"

def NVWS_AsyncOpAttr : EnumAttr<NVWS_Dialect, NVWS_AsyncOp, "async_op"> {
  let summary = "an asynchronous operation on a buffer";
  let description = [{
    `#nvws.async_op<tma_load>`: what may still be using the buffers when a region is
    left. It decides how the barrier is signalled: by the copied bytes (`tma_load`),
    by a commit (`tc5mma`, `tmem_copy`), or by the threads (`none`).
  }];
  let assemblyFormat = "`<` $value `>`";
}

def NVWS_AsyncOpArrayAttr
    : TypedArrayAttrBase<NVWS_AsyncOpAttr, "array of #nvws.async_op">;

#endif // KERNELSCOPE_NVWS_ATTRS_TD
