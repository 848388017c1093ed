//===- TTGDialect.td - The Triton GPU dialect --------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_DIALECT_TD
#define KERNELSCOPE_TTG_DIALECT_TD

include "mlir/IR/OpBase.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::kernelscope::ttg";
  let summary = "Tensors laid out over the threads of a GPU, and shared memory";
  let description = [{
    `ttg` is `tt` after placement: every tensor carries a layout that says which
    register of which lane of which warp holds each element, and data that
    threads exchange lives in shared memory, named by memory descriptors.

    The module says what the kernel is launched with: `ttg.num-warps`,
    `ttg.num-ctas`, `ttg.threads-per-warp`, `ttg.target`, and, once shared
    memory is placed, `ttg.shared` in bytes.
  }];

  let dependentDialects = ["::kernelscope::tt::TTDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;

  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // KERNELSCOPE_TTG_DIALECT_TD
