//===- TypeText.h - types and layouts for people to read --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H
#define KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H

#include "server/analysis/Unit.h"

#include "mlir/IR/Types.h"

#include <string>
#include <utility>
#include <vector>

namespace kernelscope {

/// Prints types as the document would write them, with its aliases.
class TypePrinter {
public:
  explicit TypePrinter(const Unit &unit);
  std::string operator()(mlir::Type type) const;

private:
  /// Printed attribute or type, and its alias; the longest first.
  std::vector<std::pair<std::string, std::string>> aliases;
};

/// The word that defines `value` in the text that was parsed, as in `%x` or
/// `%x#1`; empty if it has none.
std::string nameOf(const Unit &unit, mlir::Value value);

/// What the layout of a tensor or of a memory descriptor says, in a few lines
/// of Markdown; empty for other types and for a layout that does not fit.
std::string describeLayout(mlir::Type type);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H
