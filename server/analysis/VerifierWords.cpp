//===- VerifierWords.cpp - MLIR's own messages, said plainly --------------===//

#include "server/analysis/VerifierWords.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <functional>
#include <optional>

using namespace kernelscope;
using llvm::formatv;
using llvm::StringRef;

namespace {

/// What must be the same, of the values of an op.
enum class Sameness { ElementType, Shape, Type };

struct SamenessRule {
  llvm::StringLiteral message;
  Sameness what;
  bool ofResults; ///< Of operands alone without it.
};

constexpr SamenessRule samenessRules[] = {
    {"requires the same element type for all operands and results",
     Sameness::ElementType, true},
    {"requires the same element type for all operands", Sameness::ElementType,
     false},
    {"requires the same shape for all operands and results", Sameness::Shape,
     true},
    {"requires the same shape for all operands", Sameness::Shape, false},
    {"requires the same type for all operands and results", Sameness::Type,
     true},
    {"requires all operands to have the same type", Sameness::Type, false},
};

std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// `128x64`; "a scalar" without one.
std::string shapeOf(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return "none, it is a scalar";
  return llvm::join(
      llvm::map_range(shaped.getShape(),
                      [](int64_t size) { return std::to_string(size); }),
      "x");
}

std::string layoutOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  std::string text = "none";
  if (tensor && tensor.getEncoding()) {
    text.clear();
    llvm::raw_string_ostream(text) << tensor.getEncoding();
  }
  return text;
}

/// What two types differ in: the first of shape, elements and layout.
std::pair<StringRef, std::function<std::string(mlir::Type)>>
differenceOf(mlir::Type a, mlir::Type b, Sameness what) {
  if (what != Sameness::ElementType && shapeOf(a) != shapeOf(b))
    return {"shape", shapeOf};
  auto elementOf = [](mlir::Type type) {
    return printed(mlir::getElementTypeOrSelf(type));
  };
  if (elementOf(a) != elementOf(b))
    return {"element type", elementOf};
  if (layoutOf(a) != layoutOf(b))
    return {"layout", layoutOf};
  return {"type", printed};
}

std::optional<std::string> describeSameness(mlir::Operation *op,
                                            const SamenessRule &rule) {
  llvm::SmallVector<std::pair<std::string, mlir::Type>> values;
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    values.push_back({formatv("operand #{0}", index), type});
  if (rule.ofResults)
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      values.push_back({formatv("result #{0}", index), type});
  for (const auto &[name, type] : values) {
    auto [what, of] = differenceOf(values.front().second, type, rule.what);
    std::string first = of(values.front().second), other = of(type);
    if (first != other)
      return formatv("all operands{0} must have the same {1}, but {2} has "
                     "'{3}' and {4} has '{5}'",
                     rule.ofResults ? " and results" : "", what,
                     values.front().first, first, name, other)
          .str();
  }
  return std::nullopt;
}

/// "operand type 'a' and result type 'b' are cast incompatible".
std::optional<std::string> describeCast(mlir::Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return std::nullopt;
  mlir::Type from = op->getOperand(0).getType(),
             to = op->getResult(0).getType();
  std::string fromElement = printed(mlir::getElementTypeOrSelf(from)),
              toElement = printed(mlir::getElementTypeOrSelf(to));
  if (shapeOf(from) != shapeOf(to))
    return formatv("operand and result must have the same shape, but the "
                   "operand has '{0}' and the result has '{1}'",
                   shapeOf(from), shapeOf(to))
        .str();
  if (layoutOf(from) != layoutOf(to))
    return formatv("operand and result must have the same layout, but the "
                   "operand has '{0}' and the result has '{1}'",
                   layoutOf(from), layoutOf(to))
        .str();
  return formatv("cannot convert '{0}' to '{1}'", fromElement, toElement).str();
}

} // namespace

std::string kernelscope::inPlainWords(mlir::Operation *op, StringRef message) {
  // "'tt.splat' op requires ..."
  auto [subject, rule] = message.split(" op ");
  if (rule.empty())
    return message.str();
  for (const SamenessRule &known : samenessRules)
    if (rule == known.message)
      if (std::optional<std::string> said = describeSameness(op, known))
        return formatv("{0} op: {1}", subject, *said);
  if (rule.ends_with("are cast incompatible"))
    if (std::optional<std::string> said = describeCast(op))
      return formatv("{0} op: {1}", subject, *said);
  return message.str();
}
