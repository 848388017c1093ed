//===- WordMeaning.h - what a keyword of an op means ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_WORDMEANING_H
#define KERNELSCOPE_SERVER_FEATURES_WORDMEANING_H

#include "llvm/ADT/StringRef.h"

namespace kernelscope {

/// What `word` means as a value of one of the attributes of `op`: `slt` of
/// arith.cmpi, `acq_rel` of tt.atomic_rmw. Empty for any other word.
llvm::StringRef meaningOf(llvm::StringRef op, llvm::StringRef word);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_WORDMEANING_H
