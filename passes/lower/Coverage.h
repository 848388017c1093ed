//===- Coverage.h - Which ops have a lowering -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_COVERAGE_H
#define KERNELSCOPE_PASSES_LOWER_COVERAGE_H

#include "dialects/target/Target.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope::lower {

/// Whether a compilation for `target` can make code of ops of this name
/// ("tt.load"); what it needs of their types and layouts is not looked at.
/// `hasLayouts`: they are in TTGIR, where the passes over TTIR do not run. The
/// first question about a target takes half a millisecond, later ones a
/// look-up; it may be asked on any thread.
bool hasLowering(llvm::StringRef op, const Target &target, bool hasLayouts);

/// Why it has none: "no lowering for 'tt.foo' on sm_90a yet", or which chips
/// have an instruction for it if `target` does not.
std::string describeGap(llvm::StringRef op, const Target &target);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_COVERAGE_H
