//===- Relocate.cpp - locations that name the IR text ---------------------===//

#include "server/analysis/Relocate.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using namespace mlir;

/// No text is parsed under this name. The "line" is the number of the op in
/// the parser's state, from 1.
static constexpr StringRef opName = "kernelscope:op";

llvm::DenseMap<Operation *, Location>
kernelscope::relocate(const AsmParserState &state, MLIRContext &context) {
  llvm::DenseMap<Operation *, Location> origins;
  auto file = StringAttr::get(&context, opName);
  for (auto [index, definition] : llvm::enumerate(state.getOpDefs())) {
    origins.try_emplace(definition.op, definition.op->getLoc());
    definition.op->setLoc(FileLineColLoc::get(file, index + 1, 1));
  }
  return origins;
}

Operation *kernelscope::opAt(Location location, const AsmParserState &state) {
  auto place = dyn_cast<FileLineColLoc>(location);
  if (!place || place.getFilename() != opName)
    return nullptr;
  return std::next(state.getOpDefs().begin(), place.getLine() - 1)->op;
}
