//===- PackedArithOp.cpp - Rules of arithmetic on packed registers -------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/TTNG.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;

/// One letter per type: f32, f16 (h), bf16, e5m2 (5), e4m3 (4), e2m1 (2),
/// ue8m0.
static char letterOf(Type element) {
  if (element.isF32())
    return 'f';
  if (element.isF16())
    return 'h';
  if (element.isBF16())
    return 'b';
  if (isa<Float8E5M2Type>(element))
    return '5';
  if (isa<Float8E4M3FNType>(element))
    return '4';
  return isa<Float8E8M0FNUType>(element) ? 'u' : '2';
}

/// The combinations that PTX has: `operands` is a type, or a class of types,
/// per operand; `=` is the result's type and `!` the other of f16 and bf16.
static bool hasInstruction(PackedArithOpKind kind, char result,
                           StringRef operands) {
  auto in = [](char letter, StringRef set) { return set.contains(letter); };
  auto all = [&](char letter) {
    return llvm::all_of(operands, [&](char c) { return c == letter; });
  };
  bool addOrSub =
      kind == PackedArithOpKind::ADD || kind == PackedArithOpKind::SUB;
  bool mul = kind == PackedArithOpKind::MUL,
       fma = kind == PackedArithOpKind::FMA;
  if (!addOrSub && !mul && !fma)
    return in(result, "hb") && all(result);
  if (in(result, "fhb") && all(result))
    return true;
  if (in(result, "54")) {
    // Operands of four packed elements, added to the result's type.
    bool narrow = in(operands[0], "542u");
    if (addOrSub)
      return narrow && operands[1] == result;
    if (mul)
      return narrow && in(operands[1], "542u");
    return narrow && in(operands[1], "542u") && operands[2] == result;
  }
  if (addOrSub)
    return (result == 'f' && in(operands[0], "hb") && operands[1] == 'f') ||
           (in(result, "hb") && all('f'));
  if (mul)
    return in(result, "hb") &&
           (all('f') || (operands[0] == result && in(operands[1], "hb")));
  return result == 'f' && in(operands[0], "hb") && operands[1] == 'f' &&
         operands[2] == 'f';
}

/// Elements that one instruction takes of each operand.
static int64_t packOf(Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 32 ? 2 : 32 / std::max(8u, bits);
}

/// A thread must have different elements for whole instructions.
static LogicalResult verifyPackedRegisters(Operation *op,
                                           RankedTensorType result) {
  std::string error;
  auto layout =
      ttg::toLinearLayout(result.getShape(), result.getEncoding(), error);
  if (!result.getEncoding() || !layout)
    return success(); // Layouts come later, or are an error of the type.
  StringAttr reg = ttg::LayoutDims(op->getContext()).reg;
  int64_t found = layout->removeZeroBases(reg).getInDimSize(reg),
          needed = packOf(result.getElementType());
  if (found % needed == 0)
    return success();
  return op->emitOpError()
         << "has " << found
         << " different elements per thread; it needs a multiple of " << needed
         << ": " << result;
}

LogicalResult PackedArithOp::verify() {
  size_t needed = getOpKind() == PackedArithOpKind::FMA ? 3 : 2;
  if (getNumOperands() != needed)
    return emitOpError() << "has " << counted(getNumOperands(), "operand")
                         << "; " << stringifyPackedArithOpKind(getOpKind())
                         << " needs " << needed;
  auto result = cast<RankedTensorType>(getResult().getType());
  std::string operands;
  for (Type type : getOperandTypes())
    operands += letterOf(cast<RankedTensorType>(type).getElementType());
  if (!hasInstruction(getOpKind(), letterOf(result.getElementType()), operands))
    return emitOpError() << "has no instruction for "
                         << stringifyPackedArithOpKind(getOpKind()) << " of ("
                         << getOperandTypes() << ") into "
                         << result.getElementType();
  if (failed(verifyPackedRegisters(*this, result)))
    return failure();
  // fp4 operands have half the size in one dimension, the same in all of them.
  std::optional<int64_t> packedDim;
  for (auto [i, type] : llvm::enumerate(getOperandTypes())) {
    auto operand = cast<RankedTensorType>(type);
    bool fp4 = operand.getElementType().isInteger(8);
    bool fits = operand.getRank() == result.getRank();
    int64_t halved = -1;
    for (int64_t dim = 0; fits && dim < result.getRank(); ++dim) {
      if (operand.getDimSize(dim) == result.getDimSize(dim))
        continue;
      fits = fp4 && halved < 0 &&
             operand.getDimSize(dim) * 2 == result.getDimSize(dim);
      halved = dim;
    }
    if (fp4 && fits)
      fits = halved >= 0 && packedDim.value_or(halved) == halved;
    if (!fits)
      return emitOpError() << "has operand " << i << " of shape ["
                           << operand.getShape() << "]; it must be ["
                           << result.getShape() << "]"
                           << (fp4 ? ", or half of that in one dimension" : "");
    if (fp4) {
      packedDim = halved;
      if (failed(ttg::verifyFp4Layouts(*this, operand, result, halved)))
        return failure();
    }
    const tt::LayoutInterface *layouts =
        tt::getLayoutInterface(result.getEncoding());
    if (!fp4 && layouts &&
        !layouts->areEquivalent(result.getShape(), result.getEncoding(),
                                operand.getEncoding(),
                                /*ignoreRegisterBroadcast=*/false))
      return emitOpError() << "has operand " << i << " of layout "
                           << operand.getEncoding() << "; it must be the "
                           << "result's, " << result.getEncoding();
  }
  return success();
}
