//===- TypeSets.h - what an op may take, in plain words ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H
#define KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// ODS's name of a set of types or attributes, in the words of this project:
/// "signless-integer-like" is "an integer, an index, or a tensor of these". A
/// text that is no such name stays.
std::string sayTypes(llvm::StringRef set);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H
