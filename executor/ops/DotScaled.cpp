//===- DotScaled.cpp - Microscaled products, and conversions from them ----===//
//
// Elements of 4 to 8 bits are looked up by their bits. A product with a scale
// is exact in double, so scales are applied to the operands.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/DotScaled.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/amdg/ScaleAxis.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Dot.h"
#include "executor/ops/Elementwise.h"

using namespace mlir;

namespace kernelscope::executor {

std::vector<double> valuesOf(tt::ScaleDotElemType format) {
  auto decode = []<typename Float>(Float) {
    std::vector<double> values(256);
    for (unsigned bits = 0; bits < 256; ++bits)
      values[bits] = Float::raw(bits).decode();
    return values;
  };
  switch (format) {
  case tt::ScaleDotElemType::E4M3:
    return decode(F8E4M3FN());
  case tt::ScaleDotElemType::E5M2:
    return decode(F8E5M2());
  case tt::ScaleDotElemType::E2M3:
    return decode(F6E2M3FN());
  case tt::ScaleDotElemType::E3M2:
    return decode(F6E3M2FN());
  case tt::ScaleDotElemType::E2M1:
    return decode(F4E2M1FN());
  case tt::ScaleDotElemType::BF16:
  case tt::ScaleDotElemType::FP16:
    break;
  }
  llvm_unreachable("elements of 16 bits are read as they are");
}

std::vector<double> valuesOfScales(Type type) {
  if (isa_and_nonnull<Float8E4M3FNType>(type))
    return valuesOf(tt::ScaleDotElemType::E4M3);
  // e8m0 is a biased exponent; all ones is NaN.
  std::vector<double> values(256, std::numeric_limits<double>::quiet_NaN());
  for (int bits = 0; bits < 255; ++bits)
    values[bits] = std::ldexp(1.0, bits - 127);
  return values;
}

namespace {

/// The two values that each byte packs, the lower half first. They are `width`
/// apart: elements of a row follow each other, those of a column are a row
/// apart.
std::vector<double> unpackPairs(const char *bytes, int64_t count,
                                int64_t width) {
  const std::vector<double> value = valuesOf(tt::ScaleDotElemType::E2M1);
  std::vector<double> values(count * 2);
  for (int64_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const int64_t first = i / width * 2 * width + i % width;
    values[first] = value[byte & 15];
    values[first + width] = value[byte >> 4];
  }
  return values;
}

std::vector<double> decodeBytes(const std::vector<double> &valueOf,
                                const char *bytes, int64_t count) {
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = valueOf[static_cast<uint8_t>(bytes[i])];
  return values;
}

} // namespace

int64_t ScaledOperand::depth() const {
  const int64_t rank = stored.getRank();
  return stored.getDimSize(isLeft ? rank - 1 : rank - 2) *
         (packing.alongK ? packing.factor : 1);
}

std::vector<double> ScaledOperand::decode(const char *elements,
                                          const char *scale) const {
  const int64_t rank = stored.getRank();
  const Type element = stored.getElementType();
  const int64_t count = stored.getNumElements();
  const bool alongRows = packing.alongK == isLeft;
  std::vector<double> values =
      packing.factor == 2
          ? unpackPairs(elements, count,
                        alongRows ? 1 : stored.getDimSize(rank - 1))
      : isa<IntegerType>(element)
          ? decodeBytes(valuesOf(format), elements, count)
          : decodeElements({*elementOf(element)}, elements, count);
  if (!scales)
    return values;

  const int64_t scaleCount = scales.getNumElements();
  const std::vector<double> factor =
      decodeBytes(valuesOfScales(scales.getElementType()), scale, scaleCount);
  const int64_t k = depth(), groups = scales.getDimSize(scales.getRank() - 1);
  // One scale for all is allowed, too.
  auto scaleOf = [&](int64_t line, int64_t at) {
    return factor[(line * groups + at * groups / k) % scaleCount];
  };
  const int64_t size = values.size();
  if (isLeft) {
    for (int64_t i = 0; i < size; ++i)
      values[i] *= scaleOf(i / k, i % k);
    return values;
  }
  const int64_t columns =
      stored.getDimSize(rank - 1) * (packing.alongK ? 1 : packing.factor);
  for (int64_t i = 0; i < size; ++i) {
    const int64_t batch = i / (k * columns);
    values[i] *= scaleOf(batch * columns + i % columns, i / columns % k);
  }
  return values;
}

bool ScaledOperand::isReadable(Operation *op) const {
  const Type element = stored.getElementType();
  const bool wide = format == tt::ScaleDotElemType::BF16 ||
                    format == tt::ScaleDotElemType::FP16;
  const bool inBytes = element.isInteger(8) && !wide;
  const bool asIs =
      packing.factor == 1 && isa<FloatType>(element) && elementOf(element);
  if (inBytes || asIs)
    return true;
  op->emitError("the CPU executor does not read ")
      << element << " as " << tt::stringifyScaleDotElemType(format);
  return false;
}

namespace {

Step planDotScaled(Planner &planner, tt::DotScaledOp op) {
  auto typeOf = [](Value value) {
    return value ? cast<ShapedType>(value.getType()) : ShapedType();
  };
  const ScaledOperand left{op.getAElemType(), op.getPacking(0), true,
                           typeOf(op.getA()), typeOf(op.getAScale())};
  const ScaledOperand right{op.getBElemType(), op.getPacking(1), false,
                            typeOf(op.getB()), typeOf(op.getBScale())};
  if (!left.isReadable(op) || !right.isReadable(op))
    return {};
  const Storage &out = planner.storage(op.getResult());
  auto slotOf = [&](Value value) { return value ? planner.slot(value) : 0; };
  return [=, shape = ProductShape::of(out.shape, left.depth()),
          element = out.element, count = out.count, a = planner.slot(op.getA()),
          b = planner.slot(op.getB()), c = planner.slot(op.getC()),
          scaleA = slotOf(op.getAScale()), scaleB = slotOf(op.getBScale()),
          to = planner.slot(op.getResult())](Frame &frame) {
    const std::vector<double> lhs =
        left.decode(frame.at<char>(a), frame.at<char>(scaleA));
    const std::vector<double> rhs =
        right.decode(frame.at<char>(b), frame.at<char>(scaleB));
    std::vector<double> sum =
        decodeElements({element}, frame.at<char>(c), count);
    addProduct(shape, lhs.data(), rhs.data(), sum.data());
    encodeElements(element, sum, frame.at<char>(to));
    return true;
  };
}

/// result = the values of `from`, each times its scale. Pairs in bytes become
/// two elements along `axis`, and one scale may serve a run of them.
struct Upcast {
  Operation *op;
  Value from, scale, result;
  int64_t axis;
  tt::ScaleDotElemType format = tt::ScaleDotElemType::E2M1; ///< of integers
  bool isScaleTransposed = false; ///< in the last two dimensions
};

/// Matrices of `columns` columns and `rows` rows, one after the other, each
/// transposed.
std::vector<double> transposeEach(ArrayRef<double> values, size_t rows,
                                  size_t columns) {
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t row = i / columns % rows, column = i % columns;
    result[i - i % (rows * columns) + column * rows + row] = values[i];
  }
  return result;
}

Step planUpcast(Planner &planner, const Upcast &u) {
  const Storage &from = planner.storage(u.from),
                &to = planner.storage(u.result);
  size_t width = 1; // of what lies inside of the axis
  for (int64_t size : ArrayRef(to.shape).drop_front(u.axis + 1))
    width *= size;
  const bool packed = isInt(from.element) && to.count == 2 * from.count;
  if (!packed && to.count != from.count)
    return rejectElement(u.op);
  std::vector<double> valueOf;
  if (isInt(from.element))
    valueOf = valuesOf(u.format);
  // Elements of the result from one scale to the next, along the axis.
  size_t run = 1;
  std::optional<Storage> scales;
  if (u.scale) {
    scales = planner.storage(u.scale);
    run = to.count / scales->count;
  }
  const Slot in = planner.slot(u.from), out = planner.slot(u.result);
  const std::optional<Slot> by =
      u.scale ? std::optional(planner.slot(u.scale)) : std::nullopt;
  return [=, element = to.element, stored = from.element, count = from.count,
          isTransposed = u.isScaleTransposed](Frame &frame) {
    const char *source = frame.at<char>(in);
    std::vector<double> values = packed ? unpackPairs(source, count, width)
                                 : valueOf.empty()
                                     ? decodeElements({stored}, source, count)
                                     : decodeBytes(valueOf, source, count);
    if (by) {
      const char *factors = frame.at<char>(*by);
      std::vector<double> factor =
          isInt(scales->element)
              ? decodeBytes(valuesOfScales(Type()), factors, scales->count)
              : decodeElements({scales->element}, factors, scales->count);
      if (isTransposed)
        factor = transposeEach(factor, width, scales->shape.back());
      for (size_t i = 0; i < values.size(); ++i)
        values[i] *= factor[i / (run * width) * width + i % width];
    }
    encodeElements(element, values, frame.at<char>(out));
    return true;
  };
}

Step planFp4ToFp(Planner &planner, ttg::Fp4ToFpOp op) {
  return planUpcast(planner, {op, op.getSrc(), Value(), op.getResult(),
                              int64_t(op.getAxis())});
}

Step planScaledUpcastFp4(Planner &planner, amdg::ScaledUpcastFp4Op op) {
  return planUpcast(planner, {op, op.getInput(), op.getScale(), op.getOutput(),
                              int64_t(op.getAxis())});
}

Step planScaledUpcastFp8(Planner &planner, amdg::ScaledUpcastFp8Op op) {
  return planUpcast(planner, {op, op.getInput(), op.getScale(), op.getOutput(),
                              op.getOutput().getType().getRank() - 1});
}

/// The scales of a right operand are transposed.
Step planUpcastMXFP(Planner &planner, amdg::UpcastMXFPOp op) {
  RankedTensorType result = op.getResult().getType();
  const unsigned axis = amdg::depthAxis(result);
  return planUpcast(
      planner, {op, op.getSrc(), op.getScale(), op.getResult(), int64_t(axis),
                op.getFpType(),
                /*isScaleTransposed=*/axis + 1 != unsigned(result.getRank())});
}

/// Each element divided by its scale and rounded; of fp4, two neighbours along
/// `axis` become a byte.
Step planScaledDowncast(Planner &planner, Operation *op, Value input,
                        Value scale, Value output, int64_t axis) {
  const Storage from = planner.storage(input), scales = planner.storage(scale);
  const Element element = planner.storage(output).element;
  size_t width = 1; // of what lies inside of the axis
  for (int64_t size : ArrayRef(from.shape).drop_front(axis + 1))
    width *= size;
  const bool packs = isInt(element);
  // Elements from one scale to the next, along the axis.
  const size_t run = from.count / scales.count;
  if (!run || (!packs && !isFloat(element)))
    return rejectElement(op);
  return [=, in = planner.slot(input), by = planner.slot(scale),
          to = planner.slot(output)](Frame &frame) {
    std::vector<double> values =
        decodeElements({from.element}, frame.at<char>(in), from.count);
    const std::vector<double> factor =
        decodeBytes(valuesOfScales(Type()), frame.at<char>(by), scales.count);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] /= factor[i / (run * width) * width + i % width];
    if (!packs) {
      // Of e5m2, which has infinities, too, the largest is 57344.
      if (element == Element::F8E5M2)
        for (double &value : values)
          value = std::clamp(value, -57344.0, 57344.0);
      encodeElements(element, values, frame.at<char>(to));
      return true;
    }
    auto *bytes = frame.at<uint8_t>(to);
    for (size_t i = 0; i < values.size() / 2; ++i) {
      const double *first = &values[i / width * 2 * width + i % width];
      bytes[i] = uint8_t(F4E2M1FN::encode(first[0]).bits |
                         F4E2M1FN::encode(first[width]).bits << 4);
    }
    return true;
  };
}

template <typename Op> Step planDowncast(Planner &planner, Op op) {
  return planScaledDowncast(planner, op, op.getInput(), op.getScale(),
                            op.getOutput(), op.getAxis());
}

} // namespace

void registerDotScaled(Registry &r) {
  r.add<tt::DotScaledOp>(planDotScaled);
  r.add<ttg::Fp4ToFpOp>(planFp4ToFp);
  r.add<amdg::ScaledUpcastFp4Op>(planScaledUpcastFp4);
  r.add<amdg::ScaledUpcastFp8Op>(planScaledUpcastFp8);
  r.add<amdg::ScaledDowncastFp4Op>(planDowncast<amdg::ScaledDowncastFp4Op>);
  r.add<amdg::ScaledDowncastFp8Op>(planDowncast<amdg::ScaledDowncastFp8Op>);
  r.add<amdg::UpcastMXFPOp>(planUpcastMXFP);
}

} // namespace kernelscope::executor
