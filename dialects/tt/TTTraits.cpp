//===- TTTraits.cpp - rules that many ops share ---------------------------===//
//
// Sizes, encodings and shapes of an op's tensors.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/tt/VerifiedTensors.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::tt {

const LayoutInterface *getLayoutInterface(Attribute encoding) {
  return encoding
             ? encoding.getDialect().getRegisteredInterface<LayoutInterface>()
             : nullptr;
}

static Attribute getEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getEncoding() : Attribute();
}

/// Calls `check` with each operand and the words that name it.
static LogicalResult
forEachOperand(Operation *op,
               function_ref<LogicalResult(Type, const Twine &)> check) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "operand " + Twine(index))))
      return failure();
  return success();
}

/// The same for each operand and result.
static LogicalResult
forEachValue(Operation *op,
             function_ref<LogicalResult(Type, const Twine &)> check) {
  if (failed(forEachOperand(op, check)))
    return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "result " + Twine(index))))
      return failure();
  return success();
}

/// Only ops of `tt` bound the size; memory is copied whole.
static bool boundsSize(Operation *op) {
  return isa_and_nonnull<TTDialect>(op->getDialect());
}

/// Sizes are known, and their product is a power of two that is not too large.
static LogicalResult verifySizes(Operation *op, RankedTensorType tensor,
                                 const Twine &name) {
  int64_t limit = boundsSize(op) ? maxTensorElements : int64_t(1) << 30;
  // Saturating: sizes that overflow are too large all the same.
  int64_t count = 1;
  for (int64_t size : tensor.getShape()) {
    if (size <= 0)
      return op->emitOpError()
             << name << " needs sizes that are known and positive, but is "
             << tensor;
    count = size > limit ? limit + 1 : std::min(count * size, limit + 1);
  }
  if (count > limit)
    return op->emitOpError()
           << name << " has more elements than a tensor may have (" << limit
           << "): " << tensor;
  // A tensor of tokens or the like is a plain array, not laid out on threads.
  Type element = tensor.getElementType();
  if (!element.isIntOrFloat() && !isa<PointerType>(element))
    return success();
  if (!llvm::isPowerOf2_64(count))
    return op->emitOpError()
           << name << " needs a power-of-two number of elements, but has "
           << count << ": " << tensor;
  return success();
}

LogicalResult detail::verifySizedTensors(Operation *op) {
  return forEachValue(op, [&](Type type, const Twine &name) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? verifySizes(op, tensor, name) : success();
  });
}

/// MLIR lets any attribute be an encoding; its own are no layouts.
static bool hasForeignEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Attribute encoding = tensor ? tensor.getEncoding() : Attribute();
  return encoding && isa<BuiltinDialect>(encoding.getDialect());
}

static LogicalResult verifyIsLayout(Operation *op, RankedTensorType tensor,
                                    const Twine &name) {
  if (!hasForeignEncoding(tensor))
    return success();
  return op->emitOpError() << name << " has " << tensor.getEncoding()
                           << " where a layout must be: " << tensor;
}

LogicalResult verifyResultEncodings(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), hasForeignEncoding))
    return success();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (hasForeignEncoding(type))
      return verifyIsLayout(op, cast<RankedTensorType>(type),
                            "result " + Twine(index));
  return success();
}

/// The encoding fits the tensor and the module.
static LogicalResult verifyLayout(Operation *op, RankedTensorType tensor,
                                  const Twine &name) {
  if (failed(verifyIsLayout(op, tensor, name)))
    return failure();
  Type element = tensor.getElementType();
  const LayoutInterface *layouts = getLayoutInterface(tensor.getEncoding());
  if (!layouts || (!element.isIntOrFloat() && !isa<PointerType>(element)))
    return success();
  return layouts->verifyTensor(tensor.getEncoding(), tensor, op, [&] {
    return op->emitOpError() << name << " has a layout that does not fit: ";
  });
}

//===----------------------------------------------------------------------===//
// VerifiedTensors
//===----------------------------------------------------------------------===//

static thread_local VerifiedTensors *verifiedTensors = nullptr;

VerifiedTensors::VerifiedTensors() { verifiedTensors = this; }
VerifiedTensors::~VerifiedTensors() { verifiedTensors = nullptr; }

VerifiedTensors::Entry VerifiedTensors::entryFor(Operation *op, Type type) {
  return {{type.getAsOpaquePointer(), boundsSize(op)}, op->getParentRegion()};
}

bool VerifiedTensors::contains(Operation *op, Type type) {
  return verifiedTensors && verifiedTensors->valid.contains(entryFor(op, type));
}

void VerifiedTensors::add(Operation *op, Type type) {
  if (verifiedTensors)
    verifiedTensors->valid.insert(entryFor(op, type));
}

LogicalResult detail::verifyValidTensors(Operation *op) {
  // Whether an argument's layout fits is known where it is used.
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (failed(verifyIsLayout(op, tensor, "argument " + Twine(index))))
          return failure();
  return forEachValue(op, [&](Type type, const Twine &name) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || VerifiedTensors::contains(op, tensor))
      return success();
    if (failed(verifySizes(op, tensor, name)) ||
        failed(verifyLayout(op, tensor, name)))
      return failure();
    VerifiedTensors::add(op, tensor);
    return success();
  });
}

static LogicalResult verifySameEncoding(Operation *op, bool results) {
  Attribute first;
  auto check = [&](Type type, const Twine &name) -> LogicalResult {
    Attribute encoding = getEncoding(type);
    if (!encoding)
      return success();
    if (!first)
      first = encoding;
    if (encoding == first)
      return success();
    return op->emitOpError() << "needs the same encoding on all "
                             << (results ? "operands and results" : "operands")
                             << ", but " << name << " has " << encoding
                             << " where an earlier one has " << first;
  };
  return results ? forEachValue(op, check) : forEachOperand(op, check);
}

LogicalResult detail::verifySameOperandsEncoding(Operation *op) {
  return verifySameEncoding(op, /*results=*/false);
}

LogicalResult detail::verifySameOperandsAndResultEncoding(Operation *op) {
  return verifySameEncoding(op, /*results=*/true);
}

static ArrayRef<int64_t> getAccessShape(Type type) {
  if (auto pointer = dyn_cast<PointerType>(type))
    type = pointer.getPointeeType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

LogicalResult detail::verifySameAccessShape(Operation *op) {
  if (op->getNumOperands() == 0)
    return success();
  Type first = op->getOperand(0).getType();
  return forEachValue(op, [&](Type type, const Twine &name) -> LogicalResult {
    if (getAccessShape(type) == getAccessShape(first))
      return success();
    return op->emitOpError()
           << name << " needs the shape of the pointers, but it is " << type
           << " and they are " << first;
  });
}

bool equivalentTypes(TypeRange a, TypeRange b, bool ignoreRegisterBroadcast) {
  return llvm::equal(a, b, [&](Type x, Type y) {
    if (x == y)
      return true;
    auto left = dyn_cast<RankedTensorType>(x),
         right = dyn_cast<RankedTensorType>(y);
    if (!left || !right || left.getShape() != right.getShape() ||
        left.getElementType() != right.getElementType())
      return false;
    const LayoutInterface *layouts = getLayoutInterface(left.getEncoding());
    return layouts && right.getEncoding() &&
           getLayoutInterface(right.getEncoding()) == layouts &&
           layouts->areEquivalent(left.getShape(), left.getEncoding(),
                                  right.getEncoding(), ignoreRegisterBroadcast);
  });
}

bool isPermutation(ArrayRef<int32_t> order, int64_t rank) {
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  return static_cast<int64_t>(order.size()) == rank &&
         llvm::equal(sorted, llvm::seq<int64_t>(0, rank));
}

LogicalResult verifyDotShapes(Operation *op) {
  auto dot = cast<DotOpInterface>(op);
  auto a = dyn_cast<ShapedType>(dot.getA().getType());
  auto b = dyn_cast<ShapedType>(dot.getB().getType());
  auto d = dyn_cast<ShapedType>(dot.getD().getType());
  if (!a || !b || !d)
    return op->emitOpError("needs shaped operands");
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || d.getRank() != rank)
    return op->emitOpError() << "needs operands and a result of rank 2, or all "
                                "of rank 3, but they are "
                             << a << ", " << b << " and " << d;

  Packing packA = dot.getPacking(0), packB = dot.getPacking(1);
  int64_t m = a.getDimSize(rank - 2) * (packA.alongK ? 1 : packA.factor);
  int64_t kOfA = a.getDimSize(rank - 1) * (packA.alongK ? packA.factor : 1);
  int64_t kOfB = b.getDimSize(rank - 2) * (packB.alongK ? packB.factor : 1);
  int64_t n = b.getDimSize(rank - 1) * (packB.alongK ? 1 : packB.factor);
  if (kOfA != kOfB)
    return op->emitOpError()
           << "needs as many columns in a as rows in b, but they have " << kOfA
           << " and " << kOfB;
  if (d.getDimSize(rank - 2) != m || d.getDimSize(rank - 1) != n)
    return op->emitOpError()
           << "needs a result of " << m << "x" << n << ", but it is " << d;
  if (rank == 3 && (a.getDimSize(0) != d.getDimSize(0) ||
                    b.getDimSize(0) != d.getDimSize(0)))
    return op->emitOpError()
           << "needs equal batch sizes, but they are " << a.getDimSize(0)
           << ", " << b.getDimSize(0) << " and " << d.getDimSize(0);
  return success();
}

} // namespace kernelscope::tt
