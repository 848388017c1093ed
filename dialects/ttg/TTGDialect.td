//===- TTGDialect.td - The Triton GPU dialect --------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_DIALECT_TD
#define KERNELSCOPE_TTG_DIALECT_TD

include "mlir/IR/OpBase.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::kernelscope::ttg";
  let summary = "tensors distributed over the threads of a GPU, and shared memory";
  let description = [{
    `ttg` is `tt` after layouts are chosen: every tensor has a layout that says
    which register of which lane of which warp holds each element, and threads
    exchange data through shared memory, which memory descriptors refer to.

    The module has the launch configuration: `ttg.num-warps`, `ttg.num-ctas`,
    `ttg.threads-per-warp`, `ttg.target`, and, once shared memory is allocated,
    `ttg.shared` in bytes.
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
