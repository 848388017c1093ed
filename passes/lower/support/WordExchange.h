//===- WordExchange.h - Lanes exchange bytes to form words -----*- C++ -*-===//
//
// Where neighbours in shared memory lie in different lanes, as when a tensor of
// 8 or 16 bits is transposed on its way, each element would be an access of its
// own. Lanes exchange them first, so that each stores words; after a load they
// exchange them back.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_WORDEXCHANGE_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_WORDEXCHANGE_H

#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// For each bit of an element's index within a word: the bit of the register
/// index that is it, and the bit of the lane id that it trades places with.
struct WordExchange {
  struct Bit {
    unsigned reg;
    std::optional<unsigned> lane;
  };
  llvm::SmallVector<Bit> bits;
  /// `SharedPlaces::offsets` after the exchange.
  LinearLayout offsets;
};

/// The exchange with the fewest wavefronts of shared memory, if any takes at
/// most half of what accesses by element do, its shuffles counted as one each:
/// it holds more registers at once. `elementBits` is what an element takes in
/// memory.
std::optional<WordExchange> planWordExchange(const SharedPlaces &places,
                                             unsigned elementBits, bool isLoad);

/// The registers after the exchange, or before it: it is its own inverse.
llvm::SmallVector<mlir::Value>
exchangeWords(Builder &b, const TargetHooks &hooks,
              const WordExchange &exchange,
              llvm::ArrayRef<mlir::Value> elements);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_WORDEXCHANGE_H
