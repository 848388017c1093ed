//===- OverrideWarnings.h - what Triton would not run -----------*- C++ -*-===//
//
// Why Triton would not run a stage that is put back, though it is written to
// where Triton looks. All of it goes to standard error.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_CLI_OVERRIDEWARNINGS_H
#define KERNELSCOPE_SERVER_CLI_OVERRIDEWARNINGS_H

#include "server/analysis/spellings/Release.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>
#include <optional>
#include <string>

namespace kernelscope::cli {

void warn(const std::string &what);

/// Of IR that its reader would not take: the release `writtenFor`, or if that
/// is not given, the one that made the folder `dump` of the kernel `name`, of
/// which `file` may be a stage.
void warnOfRelease(const std::string &text, const std::filesystem::path &file,
                   const std::filesystem::path &dump, const std::string &name,
                   std::optional<Release> writtenFor,
                   mlir::MLIRContext &context);

/// Of IR that has errors, no kernel of that name, or other arguments than the
/// dump's.
void warnOfIR(const std::string &text, const std::filesystem::path &file,
              const std::filesystem::path &dump, const std::string &name);

/// Of assembly without a kernel of that name; `entry` is what stands before the
/// name where a kernel is defined.
void warnOfAssembly(llvm::StringRef text, llvm::StringRef entry,
                    const std::string &name);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_OVERRIDEWARNINGS_H
