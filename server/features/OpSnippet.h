//===- OpSnippet.h - what completion types for an op ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_OPSNIPPET_H
#define KERNELSCOPE_SERVER_FEATURES_OPSNIPPET_H

#include "server/analysis/Document.h"
#include "server/features/OpSyntax.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace kernelscope {

/// Snippets that parse where they are typed: with the shapes, layouts and
/// aliases of the file, in the spelling of its release.
class OpSnippets {
public:
  /// `offset`: where they are to be typed. `isStatement`: at the start of a
  /// line, where a name for the result is typed, too.
  OpSnippets(const Document &document, size_t offset, bool isStatement);

  /// A snippet of LSP, with `${1:label}` stops.
  std::string operator()(const Doc &doc) const;

private:
  std::string fit(llvm::StringRef type) const;
  std::string freshName(llvm::StringRef name) const;

  const Document &document;
  size_t offset;
  bool isStatement;
  /// By what stands in the table: `#shared`, `tensor<128x`.
  std::vector<std::pair<std::string, std::string>> aliases;
  /// Shape and layout of the nearest tensor of a rank, `256x` and `, #blocked`.
  std::vector<std::pair<std::string, std::string>> tensors;
};

/// The text that a snippet types when no stop is changed.
std::string textOfSnippet(llvm::StringRef snippet);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_OPSNIPPET_H
