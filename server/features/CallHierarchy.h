//===- CallHierarchy.h - who calls whom -------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CALLHIERARCHY_H
#define KERNELSCOPE_SERVER_FEATURES_CALLHIERARCHY_H

#include "server/analysis/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct CalledFunction {
  std::string name;
  std::string detail; ///< Its arguments and results.
  Span span;          ///< All of it.
  Span selection;     ///< Its name.
};

/// A function, and where it calls or is called.
struct FunctionCalls {
  CalledFunction function;
  std::vector<Span> places; ///< The names in the calls.
};

/// The function whose name is at `offset`, in its definition or in a call.
std::optional<CalledFunction> functionAt(const Document &document,
                                         size_t offset);

/// The functions that call the one whose name is at `offset`.
std::vector<FunctionCalls> callersOf(const Document &document, size_t offset);
/// The functions that it calls.
std::vector<FunctionCalls> calleesOf(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CALLHIERARCHY_H
