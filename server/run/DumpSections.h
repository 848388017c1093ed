//===- DumpSections.h - A dump of all passes, section by section -*- C++
//-*-===//
//
// What MLIR_ENABLE_DUMP, or --mlir-print-ir-before-all and -after-all, write:
// the IR between passes, each under a line that names the pass.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DUMPSECTIONS_H
#define KERNELSCOPE_SERVER_RUN_DUMPSECTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kernelscope::run {

/// One section of a dump.
struct DumpSection {
  /// "IR Dump Before CSEPass": without its options and the op that it ran on.
  std::string title;
  std::string pass; ///< "CSEPass"
  bool isAfter = false;
  size_t line = 0;      ///< of its title in the dump, from zero
  llvm::StringRef text; ///< what follows the title's line
  /// It has IR; one without says that nothing has changed.
  bool hasIR() const;
};

/// The sections of `dump`; none when it has no titles. What stands before the
/// first title belongs to none.
std::vector<DumpSection> splitDump(llvm::StringRef dump);

/// The passes that made the IR of section `last` of that of section `first`,
/// each once: those that started after the first, or ended with the last. A
/// step that a pass prints halfway counts by its own name.
std::vector<std::string> passesBetween(llvm::ArrayRef<DumpSection> sections,
                                       size_t first, size_t last);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DUMPSECTIONS_H
