//===- TypeAliases.h - short names for the types of a text ------*- C++ -*-===//
//
// A dump writes each type out wherever it stands, ten times or more. MLIR's
// parser sees an alias there instead, and so reads each type once.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_TYPEALIASES_H
#define KERNELSCOPE_SERVER_ANALYSIS_TYPEALIASES_H

#include "server/analysis/PatchedText.h"
#include "server/analysis/Syntax.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace kernelscope {

class TypeAliases {
public:
  explicit TypeAliases(const Syntax &syntax) : syntax(syntax) {}

  /// Finds the types that `statement` and what is in it write out. Statements
  /// are added in the order of the text.
  void add(const Statement &statement);

  /// `!0 = tensor<4xf32>` and so on, a line each. Belongs after the aliases of
  /// the text, and before its ops.
  const std::string &definitions() const { return lines; }
  /// The alias in the place of each type, and a blank in that of each location,
  /// in the order of the text; valid as long as this.
  std::vector<ShortForm> andBlanks(llvm::ArrayRef<Span> locations) const;
  /// Whether the byte at `offset` is part of a type that an alias stands for.
  bool covers(size_t offset) const;

private:
  size_t pastBrackets(size_t open, size_t end) const;

  const Syntax &syntax;
  llvm::StringMap<std::string> aliases; ///< By what they stand for.
  std::string lines;
  std::vector<ShortForm> found; ///< In the order of the text.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_TYPEALIASES_H
