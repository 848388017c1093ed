//===- ProductTolerance.h - What matrix units cut off -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_PRODUCTTOLERANCE_H
#define KERNELSCOPE_SERVER_RUN_PRODUCTTOLERANCE_H

#include "dialects/target/Target.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::run {

/// Of sums in 13 bits: a twentieth of the root mean square.
constexpr double toleranceOf13Bits = 0.05;

/// The least absolute tolerance for a kernel whose products NVIDIA's matrix
/// units sum up, 0 for others: they cut off bits where the executor rounds,
/// which adds up over thousands of products (Fasi et al., Numerical Behavior of
/// NVIDIA Tensor Cores, 2021), and `wgmma` keeps 13 bits of the fraction in
/// sums of 8-bit products (Khattak and Mikaitis, Accurate Models of NVIDIA
/// Tensor Cores, 2025). Whether it computes them `code` says, the kernel's PTX;
/// a cubin, which does not, is taken to.
double toleranceOfProducts(mlir::FunctionOpInterface kernel,
                           const Target &target, llvm::StringRef code);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_PRODUCTTOLERANCE_H
