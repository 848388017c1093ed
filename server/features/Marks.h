//===- Marks.h - what passes write on ops and modules -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_MARKS_H
#define KERNELSCOPE_SERVER_FEATURES_MARKS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// What an attribute that no op declares says, as Markdown; empty for one that
/// is not known.
std::string describeMark(llvm::StringRef name);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_MARKS_H
