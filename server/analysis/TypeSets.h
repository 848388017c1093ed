//===- TypeSets.h - what an op may take, in plain words ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H
#define KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H

#include "dialects/Dialects.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// ODS's name of a set of types or attributes, in the words of this project:
/// "signless-integer-like" is "an integer, an index, or a tensor of these". A
/// text that is no such name stays.
std::string sayTypes(llvm::StringRef set);

/// What the operand, attribute or result of `entry` may be, with the words that
/// it has in the op's syntax if it is an enumeration.
std::string sayConstraint(const SignatureEntry &entry);

/// The values that an attribute which is an enumeration has in a dictionary:
/// "one of 1 : i32 (evict_normal), ..."; empty for others.
std::string sayChoices(const SignatureEntry &entry);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_TYPESETS_H
