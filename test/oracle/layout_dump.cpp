//===- layout_dump.cpp - Whether modules verify, and their layouts --------===//
//
// Reads modules that are separated by "// -----". Prints a line for each:
// "rejected", a tab and the first error, or "accepted", a tab and the linear
// layout of the first result that has one. For layouts.py.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

static std::optional<std::string> layoutOf(mlir::Value value) {
  llvm::ArrayRef<int64_t> shape;
  mlir::Attribute encoding;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(value.getType())) {
    encoding = tensor.getEncoding();
    shape = tensor.getShape();
  } else if (auto memory = llvm::dyn_cast<ttg::MemDescType>(value.getType())) {
    encoding = memory.getEncoding();
    shape = ttg::dropPipeliningDim(memory.getAllocShape(), encoding);
  }
  if (!encoding)
    return std::nullopt;
  std::string error;
  auto linear = ttg::toLinearLayout(shape, encoding, error);
  return linear ? linear->toString() : "no layout: " + error;
}

static std::string answer(llvm::StringRef text, mlir::MLIRContext &context) {
  std::string error;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (error.empty() &&
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          error = diagnostic.str();
      });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "rejected\t" + llvm::join(llvm::split(error, '\n'), " ");
  std::optional<std::string> layout;
  module->walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      if (!layout)
        layout = layoutOf(result);
  });
  return "accepted\t" + layout.value_or("no layout");
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
