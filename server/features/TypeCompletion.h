//===- TypeCompletion.h - builtin types and what is in them -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_TYPECOMPLETION_H
#define KERNELSCOPE_SERVER_FEATURES_TYPECOMPLETION_H

#include "server/features/Completion.h"
#include "server/features/CompletionPlace.h"

#include <vector>

namespace kernelscope {

/// Scalars, `tensor` and `vector` that an operand or a result with this
/// constraint can be.
std::vector<CompletionItem> builtinTypesAt(const CompletionPlace &place,
                                           llvm::StringRef constraint);

/// The types of our dialects, of which the same holds.
std::vector<CompletionItem> dialectTypesAt(const CompletionPlace &place,
                                           llvm::StringRef constraint);

/// After `tensor<` and the like: shapes with elements and layouts that are in
/// use, then elements.
std::vector<CompletionItem> contentsAt(const CompletionPlace &place,
                                       const TypeSlot &slot);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_TYPECOMPLETION_H
