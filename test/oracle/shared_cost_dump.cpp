//===- shared_cost_dump.cpp - Bytes and wavefronts of shared memory -------===//
//
// Reads modules that are separated by "// -----". For each that verifies prints
// a line: the bytes of its first ttg.local_alloc, and of its first
// ttg.local_store the ways of the bank conflict (1 without one) on the module's
// target and the bits of one access. For banks.py.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/ttg/SharedCost.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

static std::string answer(llvm::StringRef text, mlir::MLIRContext &context) {
  mlir::ScopedDiagnosticHandler handler(&context, [](mlir::Diagnostic &) {});
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "rejected";
  std::string bytes = "none", ways = "none 0";
  module->walk([&](ttg::LocalAllocOp op) {
    if (auto known = ttg::allocationBytes(op.getType()))
      bytes = std::to_string(*known);
  });
  module->walk([&](ttg::LocalStoreOp op) {
    if (auto cost = ttg::accessCost(
            llvm::cast<mlir::RankedTensorType>(op.getSrc().getType()),
            llvm::cast<ttg::MemDescType>(op.getDst().getType()),
            ttg::lookupSharedBanks(op),
            /*isLoad=*/false))
      ways = std::to_string(cost->ways()) + " " +
             std::to_string(cost->vectorElements * 8 *
                            tt::bytesInMemory(llvm::cast<ttg::MemDescType>(
                                                  op.getDst().getType())
                                                  .getElementType()));
  });
  return bytes + " " + ways;
}

int main() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return 1;
  for (llvm::StringRef text : llvm::split((*input)->getBuffer(), "// -----\n"))
    llvm::outs() << answer(text, context) << "\n";
  return 0;
}
