//===- ScaledProduct.cpp - Products with block scales ---------------------===//

#include "dialects/ttng/ScaledProduct.h"

#include "dialects/layout/Counted.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/MMARules.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::MemDescType;
using ttg::NVMMASharedEncodingAttr;

void TCGen5MMAScaledOp::getEffects(rules::Effects &effects) {
  rules::addAccumulate(effects, getDMutable(), getUseD());
  rules::addRead(effects, getAMutable());
  rules::addRead(effects, getBMutable());
  rules::addRead(effects, getAScaleMutable());
  rules::addRead(effects, getBScaleMutable());
  rules::addArrive(effects, getBarriersMutable());
}

/// The element type that an operand's format stands for.
static Type elementOf(Type stored, tt::ScaleDotElemType format) {
  if (isa<FloatType>(stored))
    return stored;
  MLIRContext *context = stored.getContext();
  switch (format) {
  case tt::ScaleDotElemType::E4M3:
    return Float8E4M3FNType::get(context);
  case tt::ScaleDotElemType::E5M2:
    return Float8E5M2Type::get(context);
  case tt::ScaleDotElemType::E2M3:
    return Float6E2M3FNType::get(context);
  case tt::ScaleDotElemType::E3M2:
    return Float6E3M2FNType::get(context);
  case tt::ScaleDotElemType::E2M1:
    return Float4E2M1FNType::get(context);
  case tt::ScaleDotElemType::BF16:
    return BFloat16Type::get(context);
  case tt::ScaleDotElemType::FP16:
    return Float16Type::get(context);
  }
  return stored;
}

tt::Packing TCGen5MMAScaledOp::getPacking(unsigned index) {
  bool packed =
      (index == 0 ? getAType() : getBType()) == tt::ScaleDotElemType::E2M1;
  auto memory = index == 0 ? getA().getType() : getB().getType();
  auto shared = dyn_cast<NVMMASharedEncodingAttr>(memory.getEncoding());
  // Values are packed along the contiguous dimension.
  bool transposed = shared && shared.getTransposed();
  bool alongK = index == 0 ? !transposed : transposed || !shared;
  return {packed ? 2 : 1, alongK};
}

/// The order in which the hardware walks over blocks of 128x4 scales: along M
/// or N first, but along K for the left scales of sm_107's e2m1 with e4m3
/// scales.
static TensorMemoryScalesBlockRepOrder orderOfScales(TCGen5MMAScaledOp op,
                                                     bool isLeft) {
  auto isE4M3 = [](Value scale) {
    return isa<Float8E4M3FNType>(
        cast<MemDescType>(scale.getType()).getElementType());
  };
  std::optional<Target> target = ttg::lookupTarget(op);
  bool kFirst = isLeft && target && target->ordersLeftScalesAlongK &&
                op.getAType() == tt::ScaleDotElemType::E2M1 &&
                op.getBType() == tt::ScaleDotElemType::E2M1 &&
                isE4M3(op.getAScale()) && isE4M3(op.getBScale());
  return kFirst ? TensorMemoryScalesBlockRepOrder::K_THEN_MN
                : TensorMemoryScalesBlockRepOrder::MN_THEN_K;
}

static LogicalResult verifyScales(TCGen5MMAScaledOp op, Value scales,
                                  bool isLeft) {
  auto type = cast<MemDescType>(scales.getType());
  if (!isa<TensorMemorySpaceAttr>(type.getMemorySpace()))
    return success();
  auto layout = dyn_cast<TensorMemoryScalesEncodingAttr>(type.getEncoding());
  SmallVector<unsigned> split =
      cast<ttg::LayoutEncodingTrait>(type.getEncoding())
          .getCGALayout()
          .getCTASplitNum();
  ArrayRef<int64_t> shape = type.getShape().take_back(2);
  // With one block of scales along either dimension their order does not
  // matter.
  bool isOrdered = shape[0] / split[0] > 128 && shape[1] / split[1] > 4;
  StringRef side = isLeft ? "left" : "right";
  if (!layout) {
    if (!isOrdered)
      return success();
    return op.emitOpError() << "has " << side << " scales " << type
                            << "; they must be in "
                               "#ttng.tensor_memory_scales_encoding";
  }
  auto needed = orderOfScales(op, isLeft), found = layout.getBlockRepOrder();
  if (found == needed ||
      (!isOrdered && found == TensorMemoryScalesBlockRepOrder::MN_THEN_K))
    return success();
  return ttg::withOrigin(
      op.emitOpError() << "has " << side << " scales with blockRepOrder = "
                       << stringifyTensorMemoryScalesBlockRepOrder(found)
                       << "; the instruction reads them as "
                       << stringifyTensorMemoryScalesBlockRepOrder(needed),
      scales, "the scales");
}

/// e2m1 values that have a gap after every 16.
static bool hasGaps(MemDescType memory) {
  if (auto shared = dyn_cast<NVMMASharedEncodingAttr>(memory.getEncoding()))
    return shared.getFp4Padded();
  auto tensor = dyn_cast<TensorMemoryEncodingAttr>(memory.getEncoding());
  return tensor && tensor.getFp4Padded();
}

ScaledProduct ttng::scaledProductOf(TCGen5MMAScaledOp op) {
  auto isFp4 = [](tt::ScaleDotElemType type) {
    return type == tt::ScaleDotElemType::E2M1;
  };
  MemDescType a = op.getA().getType();
  auto scales = cast<MemDescType>(op.getAScale().getType());
  ScaledProduct product;
  product.isPacked = isFp4(op.getAType()) && isFp4(op.getBType()) &&
                     !hasGaps(a) && !hasGaps(op.getB().getType());
  product.hasExponentScales = !isa<Float8E4M3FNType>(scales.getElementType());
  product.packingOfA = isFp4(op.getAType()) ? 2 : 1;
  product.depth = a.getShape().back() * product.packingOfA;
  product.blockSize = unsigned(product.depth / scales.getShape().back());
  product.k = product.isPacked ? 64 : 32;
  product.kind = !product.isPacked ? "mxf8f6f4"
                 : product.blockSize == 16 || !product.hasExponentScales
                     ? "mxf4nvf4"
                     : "mxf4";
  return product;
}

/// The formats are those of kinds with scales. e2m1 is as its kind reads it:
/// two per byte if both operands are e2m1, else with gaps.
static LogicalResult verifyFormats(TCGen5MMAScaledOp op) {
  const tt::ScaleDotElemType types[] = {op.getAType(), op.getBType()};
  const MemDescType operands[] = {op.getA().getType(), op.getB().getType()};
  const StringRef sides[] = {"left", "right"};
  for (unsigned i : {0, 1})
    if (!ttg::matrixElement(types[i]))
      return op.emitOpError()
             << "has a " << sides[i] << " operand of format "
             << tt::stringifyScaleDotElemType(types[i])
             << "; tcgen05.mma takes e4m3, e5m2, e2m3, e3m2 and e2m1";
  for (unsigned i : {0, 1}) {
    bool isAlone = types[1 - i] != tt::ScaleDotElemType::E2M1;
    if (types[i] != tt::ScaleDotElemType::E2M1 ||
        !isa<NVMMASharedEncodingAttr>(operands[i].getEncoding()) ||
        hasGaps(operands[i]) || !(isAlone || hasGaps(operands[1 - i])))
      continue;
    return op.emitOpError()
           << "has a " << sides[i]
           << " operand that is not fp4Padded; e2m1 beside "
           << tt::stringifyScaleDotElemType(types[1 - i])
           << (isAlone ? "" : " that is fp4Padded") << " must be";
  }
  return success();
}

/// There is a scale for each block of each row of A and each column of B, of a
/// type and for as many elements as the kind takes. PTX ISA, "tcgen05.mma",
/// "Block scaling".
static LogicalResult verifyBlocks(TCGen5MMAScaledOp op) {
  auto scalesA = cast<MemDescType>(op.getAScale().getType()),
       scalesB = cast<MemDescType>(op.getBScale().getType());
  if (scalesA.getElementType() != scalesB.getElementType())
    return op.emitOpError() << "has left scales of " << scalesA.getElementType()
                            << " and right ones of " << scalesB.getElementType()
                            << "; both must be of the same type";
  if (scalesA.getRank() != 2 || scalesB.getRank() != 2)
    return op.emitOpError() << "has scales of " << scalesA.getRank() << " and "
                            << scalesB.getRank() << " dimensions; both need 2";
  MemDescType d = op.getD().getType();
  const ScaledProduct product = scaledProductOf(op);
  const bool isWhole =
      product.blockSize * scalesA.getDimSize(1) == product.depth;
  const bool canHave16 = product.isPacked;
  const bool needs16 = canHave16 && !product.hasExponentScales;
  if (!isWhole || !((product.blockSize == 16 && canHave16) ||
                    (product.blockSize == 32 && !needs16)))
    return op.emitOpError()
           << "has one scale for every "
           << counted(product.blockSize, "element") << " along K; kind "
           << product.kind << " takes one for every "
           << (needs16     ? "16 if scales are f8E4M3FN"
               : canHave16 ? "16 or 32"
                           : "32");
  if (!product.isPacked && !product.hasExponentScales)
    return op.emitOpError()
           << "has scales of " << scalesA.getElementType() << "; kind "
           << product.kind << " takes i8, the exponents of powers of two";
  for (auto [side, scales, dim] :
       {std::tuple("left", scalesA, 0u), std::tuple("right", scalesB, 1u)}) {
    const int64_t shape[] = {d.getDimSize(dim), scalesA.getDimSize(1)};
    if (scales.getShape() != ArrayRef(shape))
      return op.emitOpError()
             << "has " << side << " scales of shape [" << scales.getShape()
             << "]; a result of shape [" << d.getShape() << "] and "
             << product.depth << " elements along K need [" << ArrayRef(shape)
             << "]";
  }
  return success();
}

/// Instructions compute the result, and find the operands.
static LogicalResult verifyInstructions(TCGen5MMAScaledOp op) {
  MemDescType a = op.getA().getType(), b = op.getB().getType(),
              d = op.getD().getType();
  auto result = cast<TensorMemoryEncodingAttr>(d.getEncoding());
  const ScaledProduct product = scaledProductOf(op);
  const unsigned ctas = op.getTwoCtas() ? 2 : 1;
  const int64_t columns = std::min<int64_t>(
      {256, result.getBlockN(),
       d.getDimSize(1) / result.getCGALayout().getCTASplitNum()[1]});
  // PTX ISA, "tcgen05.mma", "Matrix shape".
  const unsigned step = 8 * ctas;
  if (columns == 0 || columns % step != 0)
    return op.emitOpError()
           << "computes " << counted(columns, "column")
           << " of the result at once; kind " << product.kind
           << " computes a multiple of " << step << " up to 256";
  if (failed(rules::verifyDepth(op, "tcgen05.mma.kind::" + product.kind,
                                product.depth, product.k)))
    return failure();
  const unsigned kSize = product.isPacked ? product.k / 2 : product.k;
  if (rules::isMatrixInShared(a) &&
      failed(rules::verifyDescriptor(op, MatrixUnit::Tcgen05, "left", a, 1,
                                     result.getBlockM(), kSize)))
    return failure();
  return rules::verifyDescriptor(op, MatrixUnit::Tcgen05, "right", b, 0,
                                 unsigned(columns) / ctas, kSize);
}

LogicalResult TCGen5MMAScaledOp::verify() {
  if (failed(rules::verifyChip(*this)) ||
      failed(rules::verifyPairs(*this, getTwoCtas())) ||
      failed(rules::verifyCompletion(*this, getIsAsync(), getBarriers(),
                                     getBarrierPreds())) ||
      failed(verifyFormats(*this)))
    return failure();
  MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  Type stored = a.getElementType();
  if (failed(rules::verifyElements(
          *this, MatrixUnit::Tcgen05, elementOf(stored, getAType()),
          elementOf(b.getElementType(), getBType()), d.getElementType())) ||
      failed(rules::verifyAccumulator(*this, d)))
    return failure();
  if (!d.getElementType().isF32())
    return emitOpError() << "accumulates in " << d.getElementType()
                         << "; products with scales accumulate in f32";
  if (d.getRank() != 2)
    return emitOpError() << "has a result of "
                         << counted(d.getRank(), "dimension") << "; it needs 2";
  if (failed(rules::verifyOperandMemory(*this, a, b)))
    return failure();
  auto result = cast<TensorMemoryEncodingAttr>(d.getEncoding());
  if (result.getBlockM() != 128)
    return emitOpError() << "accumulates in blocks of " << result.getBlockM()
                         << " rows; it must be 128";
  if (!isOlderDump(getOperation()) && result.getTwoCTAs() != getTwoCtas())
    return emitOpError() << "has a result with twoCTAs = "
                         << (result.getTwoCTAs() ? "true" : "false")
                         << "; the op "
                         << (getTwoCtas() ? "has" : "does not have")
                         << " two_ctas";
  if (auto left = dyn_cast<TensorMemoryEncodingAttr>(a.getEncoding())) {
    bool fp8OnRight = getBType() == tt::ScaleDotElemType::E4M3 ||
                      getBType() == tt::ScaleDotElemType::E5M2;
    if (getAType() == tt::ScaleDotElemType::E2M1 &&
        (!stored.isInteger(8) || left.getFp4Padded() != fp8OnRight))
      return emitOpError() << "has an e2m1 left operand " << a
                           << " in tensor memory; it must be i8, and fp4Padded "
                              "if and only if the right operand is fp8";
    bool fp8Format = getAType() == tt::ScaleDotElemType::E4M3 ||
                     getAType() == tt::ScaleDotElemType::E5M2;
    if (getAType() != tt::ScaleDotElemType::E2M1 &&
        !(fp8Format && isa<Float8E4M3FNType, Float8E5M2Type>(stored)))
      return emitOpError()
             << "has a left operand " << a
             << " in tensor memory; it must be e2m1, or fp8 in an "
                "fp8 format";
  }
  if (failed(verifyBlocks(*this)) || failed(verifyInstructions(*this)) ||
      failed(verifyScales(*this, getAScale(), /*isLeft=*/true)))
    return failure();
  return verifyScales(*this, getBScale(), /*isLeft=*/false);
}
