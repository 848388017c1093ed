//===- NVWSDialect.td - Warp specialisation on NVIDIA ------*- tablegen -*-===//
#ifndef KERNELSCOPE_NVWS_DIALECT_TD
#define KERNELSCOPE_NVWS_DIALECT_TD

include "mlir/IR/DialectBase.td"

def NVWS_Dialect : Dialect {
  let name = "nvws";
  let cppNamespace = "::kernelscope::nvws";
  let summary = "how groups of warps hand buffers to each other, before barriers are chosen";
  let description = [{
    While a kernel is being split into producers and consumers, a buffer that one
    group of warps fills and another reads is an asynchronous reference
    (`!nvws.aref`), or is guarded by a token. Later passes turn both into rings of
    mbarriers, and `nvws.warp_group` into `ttg.warp_specialize`.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // KERNELSCOPE_NVWS_DIALECT_TD
