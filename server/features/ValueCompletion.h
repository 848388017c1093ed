//===- ValueCompletion.h - values and their types ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_VALUECOMPLETION_H
#define KERNELSCOPE_SERVER_FEATURES_VALUECOMPLETION_H

#include "server/features/Completion.h"
#include "server/features/CompletionPlace.h"

#include <vector>

namespace kernelscope {

/// The values that may be used at the place, or all if none may: what goes with
/// the operand before it first, then the nearest.
std::vector<CompletionItem> valuesAt(const CompletionPlace &place);

/// The types of the values around that begin with what was typed, or are a
/// `tensor` or another type of the name `owner`; those of the op's own operands
/// come first.
std::vector<CompletionItem> typesInUse(const CompletionPlace &place,
                                       llvm::StringRef owner = "");

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_VALUECOMPLETION_H
