//===- FragmentBuilder.h - parse with recovery, then verify -----*- C++ -*-===//
//
// A syntax error costs its own statement: the statement is taken out, a hole
// takes its place, and the rest is parsed again.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H

#include "server/analysis/Unit.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace kernelscope {

/// What to parse, in coordinates of the document.
struct FragmentRequest {
  /// A part of the document, or text that is nowhere in it.
  struct Part {
    Span span;
    std::string literal;           ///< Used if `span` is empty.
    SyntaxId statement = noSyntax; ///< What `span` belongs to.
  };
  std::shared_ptr<Workspace> workspace;
  /// The op that the unit is about; none for the skeleton of a chunk, which
  /// holds its aliases and the headers of its modules.
  SyntaxId statement = noSyntax;
  std::vector<Part> parts;
  /// Known repairs of what is not the unit's own.
  std::vector<Patch> patches;
  /// False if a rule of an op could fail due to an error elsewhere.
  bool verify = true;
  std::function<void(size_t offset)> progress;

  /// Where the parts of the document end up in the unit's text.
  std::vector<Unit::Piece> pieces() const;
  /// Equal if and only if the fragments that would be built are.
  std::string key(const Syntax &syntax) const;
};

/// What stands for the value of an alias that is broken or not there, from its
/// `=` on.
std::string placeholderFor(llvm::StringRef alias, bool isLocation);

struct BuiltFragment {
  std::shared_ptr<const Fragment> fragment;
  /// The repairs that were made, and the statements that they repair.
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;
};

BuiltFragment buildFragment(const Syntax &syntax,
                            const FragmentRequest &request);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
