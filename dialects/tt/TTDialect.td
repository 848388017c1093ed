//===- TTDialect.td - the tt dialect -----------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_DIALECT_TD
#define KERNELSCOPE_TT_DIALECT_TD

include "mlir/IR/DialectBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::kernelscope::tt";
  let summary = "Triton's block program, without layouts";
  let description = [{
    A kernel is one `tt.func` that a whole block (a "program") executes. Values are scalars, or tensors whose elements
    the block owns as a whole; the encodings of `ttg` decide later how threads share them.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::ub::UBDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerOps();
  }];
}

#endif
