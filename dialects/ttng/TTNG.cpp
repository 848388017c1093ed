//===- TTNG.cpp - The Triton NVIDIA GPU dialect ---------------------------===//

#include "dialects/ttng/TTNG.h"
#include "dialects/ttg/LayoutCache.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;

#include "dialects/ttng/TTNGDialect.cpp.inc"
#include "dialects/ttng/TTNGEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/ttng/TTNGTypes.cpp.inc"

/// `[%token]` after an operand: the token that it depends on, and that it
/// returns one. `[]` returns one without depending on any.
static ParseResult
parseToken(OpAsmParser &parser,
           std::optional<OpAsmParser::UnresolvedOperand> &after, Type &given) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  given = parser.getBuilder().getType<ttg::AsyncTokenType>();
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  return failure(parser.parseOperand(after.emplace()) || parser.parseRSquare());
}

static void printToken(OpAsmPrinter &printer, Operation *, Value after,
                       Type given) {
  if (!given)
    return;
  printer << '[';
  if (after)
    printer << after;
  printer << ']';
}

/// `, %barrier[%predicate]`, any number of times.
static ParseResult parseBarriersAndPreds(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &predicates) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(predicates.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}

static void printBarriersAndPreds(OpAsmPrinter &printer, Operation *,
                                  OperandRange barriers,
                                  OperandRange predicates) {
  for (auto [barrier, predicate] : llvm::zip(barriers, predicates))
    printer << ", " << barrier << '[' << predicate << ']';
}

#define GET_OP_CLASSES
#include "dialects/ttng/TTNGOps.cpp.inc"

namespace {
/// The names that layouts get at the top of a file.
struct Aliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<TensorMemoryEncodingAttr>(attribute))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attribute))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTNGDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/ttng/TTNGOps.cpp.inc"
      >();
  addInterfaces<Aliases, ttg::LayoutCache>();
}

void TTNGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ttng/TTNGTypes.cpp.inc"
      >();
}

LogicalResult TTNGDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != twoCTAsName)
    return success();
  if (!isa<ModuleOp>(op) || !isa<BoolAttr>(attribute.getValue()))
    return op->emitOpError()
           << "carries " << twoCTAsName << " = " << attribute.getValue()
           << "; it must be true or false, on the module";
  std::optional<int> ctas = ttg::lookupNumCTAs(op);
  if (cast<BoolAttr>(attribute.getValue()).getValue() && ctas && *ctas < 2)
    return op->emitOpError() << "has " << twoCTAsName
                             << " = true, which needs a cluster of two or more "
                                "CTAs; its ttg.num-ctas is "
                             << *ctas;
  return success();
}

std::optional<bool> ttng::lookupTwoCTAs(Operation *op) {
  auto module =
      isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto flag = module ? module->getAttrOfType<BoolAttr>(twoCTAsName) : nullptr;
  return flag ? std::optional(flag.getValue()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Descriptors of im2col
//===----------------------------------------------------------------------===//

Type TensorDescIm2ColType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  Attribute sharedLayout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseAttribute(sharedLayout))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    shape, elementType, sharedLayout);
}

void TensorDescIm2ColType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType();
  if (getSharedLayout())
    printer << ", " << getSharedLayout();
  printer << '>';
}

LogicalResult
TensorDescIm2ColType::verify(function_ref<InFlightDiagnostic()> emitError,
                             ArrayRef<int64_t> shape, Type elementType,
                             Attribute) {
  if (shape.size() != 2 || shape[0] <= 0 || shape[1] <= 0)
    return emitError() << "im2col descriptor has the block [" << shape
                       << "]; it needs two positive sizes, pixels by channels";
  if (!elementType.isIntOrFloat())
    return emitError() << "im2col descriptor has elements of " << elementType
                       << "; they must be integers or floats";
  return success();
}
