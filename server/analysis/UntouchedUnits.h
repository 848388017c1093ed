//===- UntouchedUnits.h - what an edit of one function leaves ---*- C++ -*-===//
//
// In a text of many functions, to find out of each what to parse takes a third
// of the time of an edit. After an edit in the body of one, the others are as
// they were.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_UNTOUCHEDUNITS_H
#define KERNELSCOPE_SERVER_ANALYSIS_UNTOUCHEDUNITS_H

#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace kernelscope {

/// By the units of a version that was read with the one before it.
class UntouchedUnits {
public:
  /// There is none.
  UntouchedUnits() = default;
  /// `before` are the units of `old`, none of which names another, and `now`
  /// the statements that are units of `syntax`, both in the order of the text.
  UntouchedUnits(const Syntax &old, llvm::ArrayRef<Unit> before,
                 const Syntax &syntax, llvm::ArrayRef<SyntaxId> now);

  /// What the unit of `now[index]` is, unless it may have been edited.
  std::optional<Unit> find(size_t index) const;

private:
  std::vector<const Unit *> units; ///< By index; empty if all may be edited.
  llvm::ArrayRef<SyntaxId> statements;
  size_t edited = 0;
  size_t editEnd = 0; ///< What begins there in the old text is as it was.
  size_t bytesOn = 0; ///< How far that has moved; wraps around.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_UNTOUCHEDUNITS_H
