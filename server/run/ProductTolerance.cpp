//===- ProductTolerance.cpp - What matrix units cut off -------------------===//

#include "server/run/ProductTolerance.h"
#include "dialects/target/MatrixInstructions.h"
#include "dialects/tt/TT.h"

using namespace mlir;

double kernelscope::run::toleranceOfProducts(FunctionOpInterface kernel,
                                             const Target &target,
                                             StringRef code) {
  double tolerance = 0;
  if (!target.isNvidia())
    return tolerance;
  const bool hasWgmma =
      hasMatrixUnit(target, MatrixUnit::Wgmma) &&
      (code.contains("wgmma.mma_async") || code.starts_with("\x7f"
                                                            "ELF"));
  kernel->walk([&](tt::DotOpInterface dot) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(dot.getA()));
    if (!type || type.getWidth() > 16)
      return;
    const bool is13Bits = type.getWidth() == 8 && hasWgmma;
    tolerance = std::max(tolerance, is13Bits ? toleranceOf13Bits : 5e-5);
  });
  return tolerance;
}
