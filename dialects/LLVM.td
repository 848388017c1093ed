//===- LLVM.td - all ops of the LLVM dialect, for their documentation -----===//

include "mlir/Dialect/LLVMIR/LLVMOps.td"
include "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td"
