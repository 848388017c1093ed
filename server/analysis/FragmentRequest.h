//===- FragmentRequest.h - what to parse for one unit -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREQUEST_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREQUEST_H

#include "server/analysis/Unit.h"

#include "llvm/ADT/ArrayRef.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

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
  /// Where ops of the unit name a known alias in a `loc(...)`. The parser sees
  /// blanks instead, which takes it a twelfth less time.
  std::vector<Span> locations;
  /// The aliases that only those name, which the parser does not see either:
  /// `LocationAliases` reads them.
  std::vector<Span> locationAliases;
  /// False if a rule of an op could fail due to an error elsewhere.
  bool verify = true;
  /// Whether a layout is not known: the rules of ops with it are not checked.
  bool hasUnknownLayouts = false;
  /// False if it names other ops, so that what it does is known only with them.
  bool isWhole = true;
  std::function<void(size_t offset)> progress;
  /// Once set, what is built is incomplete and to be thrown away.
  const std::atomic<bool> *cancelled = nullptr;

  /// Whether `part` is an op, or a part of one.
  static bool isOp(const Syntax &syntax, const Part &part) {
    return part.statement != noSyntax &&
           syntax.statement(part.statement).kind == Statement::Operation;
  }
  bool isCancelled() const { return cancelled && *cancelled; }
  /// What `alias` stands for is not known. Of a type nothing can be checked.
  void lacksAlias(llvm::StringRef alias) {
    hasUnknownLayouts = true;
    verify &= !alias.starts_with("!");
  }

  /// Where the parts of the document begin.
  std::vector<size_t> places() const;
  /// The parts, and where they were in an earlier version.
  std::vector<Unit::Piece> piecesAt(llvm::ArrayRef<size_t> places) const;
  /// The end of an op that the parser has read up to `end`: its location, which
  /// the parser does not see, is part of it.
  size_t endOfOp(const Syntax &syntax, size_t end) const;
  /// Equal if what is found out about the unit is, except in as many cases as
  /// two texts have the same hash of 128 bits.
  UnitKey key(const Syntax &syntax) const;
  /// The same of what is not the unit's own, and of the aliases of types that
  /// the parser saw.
  UnitKey surroundings(const Syntax &syntax, llvm::StringRef aliases) const;
  /// Whether `id` is the op that the unit is about, or inside it. A skeleton
  /// owns all that it holds.
  bool owns(const Syntax &syntax, SyntaxId id) const;

private:
  UnitKey hash(const Syntax &syntax, bool withOwn,
               llvm::StringRef aliases) const;
};

/// The value of an alias that is not known. An error that speaks of it follows
/// from another one.
inline constexpr llvm::StringLiteral unknownValue = "kernelscope.unknown";

/// What stands for the value of an alias that is broken or not there, from its
/// `=` on.
std::string placeholderFor(llvm::StringRef alias, bool isLocation);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREQUEST_H
