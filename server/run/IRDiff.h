//===- IRDiff.h - How two texts of IR differ --------------------*- C++ -*-===//
//
// A diff that ignores how values, blocks and aliases are numbered: a new op
// renumbers all that follow it, which means nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_IRDIFF_H
#define KERNELSCOPE_SERVER_RUN_IRDIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kernelscope::run {

/// The lines of `before` that are not in `after`, with "-", and the other way
/// round, with "+", among a few lines of context, under the numbers of both
/// texts' lines. Lines that differ only in names that stand for the same are
/// the same. Empty when nothing else differs.
std::string diffIR(llvm::StringRef before, llvm::StringRef after);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_IRDIFF_H
