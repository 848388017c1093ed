//===- TTNGDialect.td - The Triton NVIDIA GPU dialect ------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTNG_DIALECT_TD
#define KERNELSCOPE_TTNG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::kernelscope::ttng";
  let summary = "operations that only NVIDIA GPUs from sm_90 on have";
  let description = [{
    Barriers in shared memory (mbarrier), bulk copies by descriptor (TMA), the matrix
    instructions of warp groups (wgmma) and of Blackwell (tcgen05) with its tensor
    memory, clusters and cluster launch control. `ttng.two-ctas` on the module says
    whether matrix instructions and copies work on pairs of CTAs.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // KERNELSCOPE_TTNG_DIALECT_TD
