//===- Hole.cpp - the op that stands for a broken statement ---------------===//

#include "server/analysis/Hole.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace kernelscope;
using namespace mlir;

MLIR_DEFINE_EXPLICIT_TYPE_ID(kernelscope::HoleOp)
MLIR_DEFINE_EXPLICIT_TYPE_ID(kernelscope::HoleDialect)

HoleDialect::HoleDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<HoleDialect>()) {
  addOperations<HoleOp>();
}

/// The type that the uses so far give to a value, or `none` if it has no use.
static Type typeOfUses(OpAsmParser &parser, StringRef name, unsigned number) {
  // The parser reveals this type only in its error message for a use with a
  // different type; `kernelscope.hole` has no type, so this one always differs.
  MLIRContext *context = parser.getContext();
  Type unused = NoneType::get(context);
  Type result = unused;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    for (const DiagnosticArgument &argument : diagnostic.getArguments())
      if (argument.getKind() ==
          DiagnosticArgument::DiagnosticArgumentKind::Type)
        if (argument.getAsType() != unused)
          result = argument.getAsType();
    return success();
  });
  std::string withSigil = ("%" + name).str();
  OpAsmParser::UnresolvedOperand operand{SMLoc::getFromPointer(name.data() - 1),
                                         withSigil, number};
  SmallVector<Value, 1> value;
  (void)parser.resolveOperand(operand, unused, value);
  return result;
}

ParseResult HoleOp::parse(OpAsmParser &parser, OperationState &result) {
  for (size_t i = 0, e = parser.getNumResults(); i != e; ++i) {
    auto [name, number] = parser.getResultName(i);
    result.types.push_back(typeOfUses(parser, name, number));
  }
  while (true) {
    std::unique_ptr<Region> region;
    OptionalParseResult parsed = parser.parseOptionalRegion(region);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed))
      return failure();
    result.addRegion(std::move(region));
  }
}

void HoleOp::print(OpAsmPrinter &printer) {
  for (Region &region : (*this)->getRegions()) {
    printer << ' ';
    printer.printRegion(region);
  }
}
