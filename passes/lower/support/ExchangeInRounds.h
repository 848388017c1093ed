//===- ExchangeInRounds.h - Conversions in less memory ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_EXCHANGEINROUNDS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_EXCHANGEINROUNDS_H

#include "passes/lower/support/SharedExchangePlan.h"

namespace kernelscope::lower {

/// A conversion of reach Block in rounds through the same memory. Each halving
/// doubles the rounds: the first of them have the registers of the source whose
/// bit `source` is 0, and those of the result whose bit `result` is.
struct ExchangeInRounds {
  struct Halving {
    /// Of the registers that the halvings before this one leave.
    unsigned source, result;
  };
  llvm::SmallVector<Halving> halvings;
  SharedExchange each;
};

/// With up to `halvings`: each needs a bit of the registers that is the same
/// one in both layouts.
ExchangeInRounds planExchangeInRounds(const Conversion &conversion,
                                      const LinearLayout &source,
                                      const LinearLayout &result,
                                      unsigned elementBits, unsigned halvings,
                                      TileInstructions tiles = {});

/// How many halvings leave accesses as wide as without any: 128 bits, or the
/// word of a lane where an instruction moves tiles.
unsigned halvingsWithWideAccesses(const Conversion &conversion,
                                  const LinearLayout &source,
                                  const LinearLayout &result,
                                  unsigned elementBits, TileInstructions tiles);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_EXCHANGEINROUNDS_H
