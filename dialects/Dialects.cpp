//===- Dialects.cpp - all dialects that Kernelscope knows -----------------===//
//
// Registers them. Docs.cpp has their documentation.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/gluon/Gluon.h"
#include "dialects/nvg/NVG.h"
#include "dialects/nvws/NVWS.h"
#include "dialects/proton/Proton.h"
#include "dialects/proton_gpu/ProtonGPU.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

void kernelscope::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<amdg::AMDGDialect, gluon::GluonDialect, nvg::NVGDialect,
                  nvws::NVWSDialect, proton::ProtonDialect,
                  proton_gpu::ProtonGPUDialect, tt::TTDialect, ttg::TTGDialect,
                  tti::TTIDialect, ttng::TTNGDialect>();
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::NVVM::NVVMDialect, mlir::ROCDL::ROCDLDialect,
                  mlir::scf::SCFDialect, mlir::ub::UBDialect>();
}
