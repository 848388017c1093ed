//===- PreviewGaps.h - what keeps a kernel from being compiled --*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_PREVIEWGAPS_H
#define KERNELSCOPE_SERVER_FEATURES_PREVIEWGAPS_H

#include "passes/emit/Emit.h"
#include "server/analysis/Document.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct Statement;

/// The arch that a preview compiles `module` for: the first of `archs` that has
/// the output `emit`, or without one suits the module; else what the module
/// says; else the usual chip of its vendor.
std::string previewArch(mlir::ModuleOp module, std::optional<Emit> emit,
                        const std::vector<std::string> &archs);

/// What keeps kernels of a document from being compiled.
class PreviewGaps {
public:
  /// `archs`: those that previews prefer.
  PreviewGaps(const Document &document, const std::vector<std::string> &archs)
      : document(document), archs(archs) {}

  /// Why a preview of the function that `kernel` defines would fail, judged by
  /// its module and the names of its ops and those of the functions that it
  /// calls: "no lowering for 'tt.foo' on sm_90a yet". Empty if nothing prevents
  /// it, or if the function has an error.
  std::string find(const Statement &kernel, std::optional<Emit> emit);

private:
  /// The ops of a function: each name once, in the order of the first ones.
  struct Function {
    std::vector<mlir::OperationName> ops;
    std::vector<const Statement *> called;
  };
  const Function &read(const Statement &function);

  const Document &document;
  const std::vector<std::string> &archs;
  std::map<const Statement *, Function> functions;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_PREVIEWGAPS_H
