//===- layout_dump.cpp - Prints layouts as linear maps --------------------===//
//
// Reads lines of "16x128 #ttg.blocked<{...}>" and prints a line with the linear
// layout of each, or "error: " and why there is none. For layouts.py.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace kernelscope;

int main() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tt::TTDialect, ttg::TTGDialect>();
  std::string text;
  while (std::getline(std::cin, text)) {
    auto [sizes, layout] = llvm::StringRef(text).split(' ');
    llvm::SmallVector<int64_t> shape;
    for (llvm::StringRef size : llvm::split(sizes, 'x')) {
      int64_t value = 0;
      if (size.getAsInteger(10, value))
        value = 0;
      shape.push_back(value);
    }
    std::string error = "the layout does not parse";
    std::optional<LinearLayout> linear;
    if (mlir::Attribute attribute = mlir::parseAttribute(layout, &context))
      linear = ttg::toLinearLayout(shape, attribute, error);
    llvm::outs() << (linear ? linear->toString() : "error: " + error) << "\n";
  }
  return 0;
}
