//===- Marks.h - what passes write on ops and modules -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_MARKS_H
#define KERNELSCOPE_SERVER_ANALYSIS_MARKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// An attribute that no op declares.
struct Mark {
  enum Place { Module, Function, Argument, Loop, Op } place;
  llvm::StringLiteral name;
  llvm::StringLiteral example; ///< A value, as `4 : i32`.
  llvm::StringLiteral text;    ///< What it says, as Markdown.

  /// As a dictionary has it: in quotes if it is not a word.
  std::string key() const;
};
llvm::ArrayRef<Mark> allMarks();

/// What an attribute that no op declares says, as Markdown; empty for one that
/// is not known.
std::string describeMark(llvm::StringRef name);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_MARKS_H
