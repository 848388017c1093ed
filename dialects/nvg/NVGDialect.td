//===- NVGDialect.td - the nvg dialect ---------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_NVG_DIALECT_TD
#define KERNELSCOPE_NVG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def NVG_Dialect : Dialect {
  let name = "nvg";
  let cppNamespace = "::kernelscope::nvg";
  let summary = "NVIDIA instructions on LLVM types";
  let description = [{
    Ops that the lowering of `ttng` leaves until registers are known. They appear in Triton's dumps between TTGIR and
    LLVM.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
