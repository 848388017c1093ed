//===- ScopeValues.h - the values that can be used at a place ---*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SCOPEVALUES_H
#define KERNELSCOPE_SERVER_FEATURES_SCOPEVALUES_H

#include "server/analysis/Document.h"

#include "mlir/IR/Types.h"

#include <string>
#include <vector>

namespace kernelscope {

struct ScopeValue {
  std::string name; ///< With its `%`.
  mlir::Type type;  ///< Null if it is not known.
  std::string typeText;
};

/// All values that dominate `offset`, judged by nesting alone, nearest first.
std::vector<ScopeValue> valuesInScope(const Document &document, size_t offset);

/// Whether a value of this type may be an operand with this constraint, as far
/// as ODS' words for it tell (`pointer to a scalar or ranked tensor of pointer
/// to a scalar values`).
bool fitsConstraint(mlir::Type type, llvm::StringRef constraint);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SCOPEVALUES_H
