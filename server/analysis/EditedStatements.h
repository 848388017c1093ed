//===- EditedStatements.h - the ops that an edit can have changed -*- C++
//-*-===//
//
// Compares what MLIR's parser saw of a function with what it would see of it
// now. If all that differs is a few statements of one region, the rest need not
// be parsed again.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_EDITEDSTATEMENTS_H
#define KERNELSCOPE_SERVER_ANALYSIS_EDITEDSTATEMENTS_H

#include "server/analysis/Syntax.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace kernelscope {

/// A version of a function, and what the parser sees of it.
struct SeenFunction {
  const Syntax &syntax;
  SyntaxId statement;
  llvm::StringRef buffer; ///< Holds more than the function.
  /// Where the buffer has a byte of the text, if it has.
  llvm::function_ref<std::optional<size_t>(size_t)> toBuffer;
  /// Where a byte of the buffer is in the text.
  llvm::function_ref<size_t(size_t)> toText;
};

/// The part of a function that is not the same in both of its versions.
struct EditedStatements {
  struct Side {
    /// The function, up to the `}` that ends its body, in the buffer.
    Span function;
    size_t bodyBegin; ///< In the buffer.
    /// From where the versions may differ to the next statement, or to the `}`
    /// that ends the region, in the buffer. Outside it they are the same.
    Span slice;
    size_t opsBegin; ///< Where the first statement of the slice begins in it.
    SyntaxId region;
    size_t first, end; ///< Which of the region's statements are in the slice.

    llvm::ArrayRef<SyntaxId> statements(const Syntax &syntax) const {
      return llvm::ArrayRef(syntax.region(region).statements)
          .slice(first, end - first);
    }
  };
  Side before, after;
};

/// Nothing if the versions differ in more than statements of one region.
std::optional<EditedStatements> findEditedStatements(const SeenFunction &before,
                                                     const SeenFunction &after);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_EDITEDSTATEMENTS_H
