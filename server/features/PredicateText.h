//===- PredicateText.h - what predicates of comparisons mean ----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_PREDICATETEXT_H
#define KERNELSCOPE_SERVER_FEATURES_PREDICATETEXT_H

#include "llvm/ADT/StringRef.h"

namespace kernelscope {

/// What `word` means as a predicate of the comparison `op`; empty for any other
/// word.
llvm::StringRef predicateText(llvm::StringRef op, llvm::StringRef word);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_PREDICATETEXT_H
