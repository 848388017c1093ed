//===- LocationAliases.h - what `#loc3 = loc(...)` stands for ---*- C++ -*-===//
//
// A quarter of a dump's lines are such aliases. All but a few are written in
// one of four ways, which are read here when someone asks for one; MLIR's
// parser does not see them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_LOCATIONALIASES_H
#define KERNELSCOPE_SERVER_ANALYSIS_LOCATIONALIASES_H

#include "server/analysis/Syntax.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace kernelscope {

/// An alias of a location that is written in one of four ways.
struct PlainLocation {
  enum Kind {
    Unknown,  ///< `loc(unknown)`
    File,     ///< `loc("file.py":9:24)`
    Name,     ///< `loc("x"(#loc1))`
    CallSite, ///< `loc(callsite(#loc2 at #loc3))`
  };
  Kind kind;
  llvm::StringRef name; ///< The file or the name, without quotes.
  unsigned line = 0, column = 0;
  llvm::SmallVector<llvm::StringRef, 2> aliases = {}; ///< With their `#`.
};

/// Nothing if `alias` is something else, or may be an error.
std::optional<PlainLocation> readPlainLocation(const Syntax &syntax,
                                               const Statement &alias);

/// The plain locations of a text, read when one of their chunk is needed.
class LocationAliases {
public:
  explicit LocationAliases(const Syntax &syntax) : syntax(syntax) {}

  /// What the alias stands for that `use` names; null if it is not plain. Makes
  /// all of a chunk in the context of the first call.
  mlir::LocationAttr of(const Token &use, mlir::MLIRContext &context);

private:
  using Locations = llvm::StringMap<mlir::LocationAttr>;
  void read(SyntaxId chunk, Locations &locations, mlir::MLIRContext &context);

  const Syntax &syntax;
  llvm::DenseMap<SyntaxId, Locations> ofChunk;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_LOCATIONALIASES_H
