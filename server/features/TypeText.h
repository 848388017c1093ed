//===- TypeText.h - types and layouts for people to read --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H
#define KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H

#include "server/analysis/Document.h"
#include "server/analysis/Unit.h"

#include "mlir/IR/Types.h"
#include "mlir/IR/ValueRange.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kernelscope {

/// Prints types as the document would write them, with its aliases.
class TypePrinter {
public:
  explicit TypePrinter(const Unit &unit);
  std::string operator()(mlir::Type type) const;
  /// A type that is printed, with the aliases.
  std::string shorten(std::string text) const;

private:
  /// Printed attribute or type, and its alias; the longest first.
  std::vector<std::pair<std::string, std::string>> aliases;
};

/// The word that defines `value` in the text that was parsed, as in `%x` or
/// `%x#1`; empty if it has none.
std::string nameOf(const Unit &unit, mlir::Value value);

/// Adds `prefix`, the name and the type of each value, a line each; a long list
/// ends early.
void listValues(std::string &text, const Unit &unit, const TypePrinter &printer,
                mlir::ValueRange values, llvm::StringRef prefix);

/// A tensor's or memory descriptor's type that stands in the text of an op.
struct TypeAt {
  Span span;
  mlir::Type type;
  mlir::Operation *op = nullptr;
};

/// The type that `offset` is in; nothing where the op could not be parsed or
/// spells it in an older way.
std::optional<TypeAt> typeAt(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_TYPETEXT_H
