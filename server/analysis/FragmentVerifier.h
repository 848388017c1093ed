//===- FragmentVerifier.h - the rules of ops, told in the text --*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTVERIFIER_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTVERIFIER_H

#include "server/analysis/FragmentReports.h"

namespace kernelscope {

/// Verifies `root` of a parsed fragment and all in it. Each diagnostic is put
/// at the op's name in the document. `takenOut`: the statements whose holes
/// excuse what depends on them. With `isHeaderOnly`, what is inside `root` is
/// left out. Unless it `mayStop`, it goes on once the request is cancelled.
/// True if there is no error and no hole.
bool verifyFragment(const Fragment &fragment, mlir::Operation *root,
                    const Syntax &syntax, const FragmentRequest &request,
                    const llvm::DenseSet<SyntaxId> &takenOut,
                    FragmentReports &reports, bool isHeaderOnly = false,
                    bool mayStop = true);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTVERIFIER_H
