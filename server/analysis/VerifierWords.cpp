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

bool isScalar(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return !shaped || !shaped.hasRank();
}

/// `128x64`; `none` of a scalar.
std::string shapeOf(mlir::Type type) {
  if (isScalar(type))
    return "none";
  auto shaped = llvm::cast<mlir::ShapedType>(type);
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

using NamedTypes = llvm::SmallVector<std::pair<std::string, mlir::Type>>;

/// The types of the operands of `op`, and of its results, with what to call
/// them.
NamedTypes typesOf(mlir::Operation *op, bool withResults) {
  NamedTypes values;
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    values.push_back({formatv("operand #{0}", index), type});
  if (withResults)
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      values.push_back({formatv("result #{0}", index), type});
  return values;
}

/// Some are scalars and some are not: the first of each kind.
std::optional<std::string> describeMixture(const NamedTypes &values) {
  auto is = [](bool scalar) {
    return [=](const auto &value) { return isScalar(value.second) == scalar; };
  };
  auto scalar = llvm::find_if(values, is(true)),
       tensor = llvm::find_if(values, is(false));
  if (scalar == values.end() || tensor == values.end())
    return std::nullopt;
  return formatv("needs only tensors or only scalars, but {0} is '{1}' and {2} "
                 "is '{3}'",
                 scalar->first, scalar->second, tensor->first, tensor->second)
      .str();
}

/// "ptr matches val", with the types that do not.
std::string describeMatch(mlir::Operation *op, StringRef rule) {
  std::string said;
  if (auto [one, other] = rule.split(" matches "); !other.empty())
    said =
        formatv("needs the type of '{0}' to match that of '{1}'", one, other);
  else
    said = formatv("breaks the rule that {0}", rule);
  bool isFirst = true;
  for (const auto &[name, type] : typesOf(op, /*withResults=*/true)) {
    said += formatv("{0}{1} is '{2}'", isFirst ? "; " : ", ", name, type);
    isFirst = false;
  }
  return said;
}

std::optional<std::string> describeSameness(mlir::Operation *op,
                                            const SamenessRule &rule) {
  const NamedTypes values = typesOf(op, rule.ofResults);
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
  if (rule.consume_front("failed to verify that "))
    return formatv("{0} op {1}", subject, describeMatch(op, rule));
  const bool isMixed = rule.starts_with("if an operand is non-scalar, then ");
  for (const SamenessRule &known : samenessRules)
    if (isMixed ||
        (rule == known.message && known.what != Sameness::ElementType))
      if (std::optional<std::string> said =
              describeMixture(typesOf(op, isMixed || known.ofResults)))
        return formatv("{0} op {1}", subject, *said);
  for (const SamenessRule &known : samenessRules)
    if (rule == known.message)
      if (std::optional<std::string> said = describeSameness(op, known))
        return formatv("{0} op: {1}", subject, *said);
  if (rule.ends_with("are cast incompatible"))
    if (std::optional<std::string> said = describeCast(op))
      return formatv("{0} op: {1}", subject, *said);
  return message.str();
}
