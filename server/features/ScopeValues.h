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

/// Whether a value of this type can be an operand with this constraint, judged
/// by its ODS description (`pointer to a scalar or ranked tensor of pointer to
/// a scalar values`).
bool fitsConstraint(mlir::Type type, llvm::StringRef constraint);

/// ODS's `constraint` without the tensors in it, "ranked tensor of ... values":
/// what is left names types that are no tensors.
std::string withoutTensors(llvm::StringRef constraint);

/// How well a value of `type` goes with the operand `before` it: 3 if the types
/// are equal, or it is what that points to; 2 if they have the same shape and
/// layout; 1 if the same shape; else 0.
constexpr unsigned mostLikeness = 3;
unsigned likeness(mlir::Type type, mlir::Type before);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SCOPEVALUES_H
