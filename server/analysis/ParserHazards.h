//===- ParserHazards.h - what MLIR's parser does not survive ----*- C++ -*-===//
//
// Texts that kill the parser of MLIR 22. They are found beforehand, so that
// they become errors like any other.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PARSERHAZARDS_H
#define KERNELSCOPE_SERVER_ANALYSIS_PARSERHAZARDS_H

#include "server/analysis/Syntax.h"

#include <vector>

namespace kernelscope {

/// The `index` of each `array<index...>` in `span`, or the alias that stands
/// for it. The parser asks for its width, which it has not.
std::vector<Span> findIndexArrays(const Syntax &syntax, Span span);

/// Tokens that open a bracket inside `deepestNesting` others in `span`. The
/// parser goes into each by recursion.
std::vector<size_t> findDeepBrackets(const Syntax &syntax, Span span);

/// Numbers as in `%x:2` in `span` above `mostResults`. The parser makes an
/// entry for each result before it looks at the op.
std::vector<size_t> findLargePacks(const Syntax &syntax, Span span);

/// A value that is used before it is defined, in a region that its definition
/// is not visible in. The parser ties the two together all the same, and if it
/// then fails, or the use is in the header of the very op, it frees the value
/// before its use.
struct ForeignUse {
  size_t token;    ///< The use.
  SyntaxId region; ///< Around the use.
  Span definition;
  bool isInside; ///< Whether the definition is in a region inside `region`.
};

/// All of them inside `statement`.
std::vector<ForeignUse> findForeignUses(const Syntax &syntax,
                                        SyntaxId statement);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PARSERHAZARDS_H
