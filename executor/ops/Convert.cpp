//===- Convert.cpp - Conversions, constants, selection --------------------===//
//
// Between widths, between integers and floats, between pointers and integers.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/ops/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

Step rejectElement(Operation *op) {
  op->emitError("the CPU executor does not run '")
      << op->getName() << "' on " << op->getOperand(0).getType();
  return {};
}

Step copyElements(Planner &planner, Operation *op) {
  const Slot from = planner.slot(op->getOperand(0));
  const Slot to = planner.slot(op->getResult(0));
  const size_t bytes = planner.storage(op->getOperand(0)).count *
                       sizeOf(elementOfOperand(planner, op));
  return [=](Frame &frame) {
    std::memcpy(frame.at<char>(to), frame.at<char>(from), bytes * frame.lanes);
    return true;
  };
}

namespace {

/// Integer to integer; `Signed` extends the sign.
template <bool Signed> Step planIntegerCast(Planner &planner, Operation *op) {
  const Element from = elementOfOperand(planner, op);
  const Element to = elementOfResult(planner, op);
  if (!isInt(from) || !isInt(to))
    return rejectElement(op);
  return withInt(from, [&]<typename F>() {
    return withInt(to, [&]<typename T>() {
      return mapElements<typename T::Storage, typename F::Storage>(
          planner, op, [](F::Storage x) {
            if constexpr (Signed)
              return T::store(static_cast<int64_t>(F::loadSigned(x)));
            else
              return T::store(static_cast<uint64_t>(F::loadUnsigned(x)));
          });
    });
  });
}

template <bool Signed>
Step planIntegerToFloat(Planner &planner, Operation *op) {
  const Element from = elementOfOperand(planner, op);
  const Element to = elementOfResult(planner, op);
  if (!isInt(from) || !isFloat(to))
    return rejectElement(op);
  return withInt(from, [&]<typename F>() {
    return withFloat(to, [&]<typename T>() {
      return mapElements<typename T::Storage, typename F::Storage>(
          planner, op, [](F::Storage x) -> T::Storage {
            const auto value = [&] {
              if constexpr (Signed)
                return F::loadSigned(x);
              else
                return F::loadUnsigned(x);
            }();
            if constexpr (std::is_same_v<typename T::Storage, float>)
              return static_cast<float>(value);
            else
              return T::store(static_cast<double>(value));
          });
    });
  });
}

/// Float to integer, rounding toward zero; values out of range saturate.
template <bool Signed>
Step planFloatToInteger(Planner &planner, Operation *op) {
  const Element from = elementOfOperand(planner, op);
  const Element to = elementOfResult(planner, op);
  if (!isFloat(from) || !isInt(to))
    return rejectElement(op);
  return withFloat(from, [&]<typename F>() {
    return withInt(to, [&]<typename T>() {
      return mapElements<typename T::Storage, typename F::Storage>(
          planner, op, [](F::Storage stored) {
            const double x = std::trunc(double(F::load(stored)));
            constexpr int bits = T::width - (Signed && T::width > 1 ? 1 : 0);
            constexpr uint64_t largest = (uint64_t{1} << (bits - 1)) * 2 - 1;
            const double limit = std::ldexp(1.0, bits);
            const double lowest = Signed ? -limit : 0.0;
            if (std::isnan(x))
              return T::store(uint64_t{0});
            if (x >= limit)
              return T::store(largest);
            if (x <= lowest)
              return T::store(Signed ? ~uint64_t{0} - largest : uint64_t{0});
            if constexpr (Signed)
              return T::store(static_cast<int64_t>(x));
            else
              return T::store(static_cast<uint64_t>(x));
          });
    });
  });
}

Step planFloatCast(Planner &planner, Operation *op, Rounding rounding) {
  const Element from = elementOfOperand(planner, op);
  const Element to = elementOfResult(planner, op);
  if (!isFloat(from) || !isFloat(to))
    return rejectElement(op);
  return withFloat(from, [&]<typename F>() {
    return withFloat(to, [&]<typename T>() {
      return mapElements<typename T::Storage, typename F::Storage>(
          planner, op,
          [rounding](F::Storage x) { return T::store(F::load(x), rounding); });
    });
  });
}

Step planNearest(Planner &planner, Operation *op) {
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = truncate.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even &&
        *mode != arith::RoundingMode::toward_zero) {
      op->emitError(
          "the CPU executor rounds to nearest even or toward zero, not ")
          << arith::stringifyRoundingMode(*mode);
      return {};
    }
    if (mode && *mode == arith::RoundingMode::toward_zero)
      return planFloatCast(planner, op, Rounding::TowardZero);
  }
  return planFloatCast(planner, op, Rounding::NearestEven);
}

Step planFpToFp(Planner &planner, Operation *op) {
  const bool towardZero =
      cast<tt::FpToFpOp>(op).getRounding() == tt::RoundingMode::RTZ;
  return planFloatCast(
      planner, op, towardZero ? Rounding::TowardZero : Rounding::NearestEven);
}

Step planBitcast(Planner &planner, Operation *op) {
  if (sizeOf(elementOfOperand(planner, op)) !=
      sizeOf(elementOfResult(planner, op)))
    return rejectElement(op);
  return copyElements(planner, op);
}

Step planSelect(Planner &planner, Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  const Storage &result = planner.storage(select.getResult());
  if (planner.storage(select.getCondition()).count != result.count ||
      sizeOf(result.element) > 8) {
    // A scalar condition picks a whole value.
    const Slot condition = planner.slot(select.getCondition());
    const Slot yes = planner.slot(select.getTrueValue());
    const Slot no = planner.slot(select.getFalseValue());
    const Slot to = planner.slot(select.getResult());
    const size_t bytes = planner.bytesOf(select.getResult());
    return [=](Frame &frame) {
      const Slot from = *frame.at<uint8_t>(condition) ? yes : no;
      std::memcpy(frame.at<char>(to), frame.at<char>(from), bytes);
      return true;
    };
  }
  if (result.element == Element::Token)
    return [](Frame &) { return true; };
  return withBytes(sizeOf(result.element), [&]<typename T>() {
    return mapElements<T, uint8_t, T, T>(
        planner, op,
        [](uint8_t condition, T yes, T no) { return condition ? yes : no; });
  });
}

/// The stored bits of a constant's element.
uint64_t bitsOf(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(value).getValue().bitcastToAPInt().getZExtValue();
}

Step planConstant(Planner &planner, Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  const Storage &storage = planner.storage(constant.getResult());
  const Slot slot = planner.slot(constant.getResult());
  const size_t size = sizeOf(storage.element);
  std::vector<char> bytes(planner.bytesOf(constant.getResult()));
  auto fill = [&](uint64_t bits, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      std::memcpy(&bytes[i * size], &bits, size);
  };
  if (isa<IntegerAttr, FloatAttr>(constant.getValue())) {
    fill(bitsOf(constant.getValue()), 0, bytes.size() / size);
  } else if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue())) {
    if (elements.isSplat()) {
      fill(bitsOf(elements.getSplatValue<Attribute>()), 0, storage.count);
    } else {
      size_t i = 0;
      for (Attribute element : elements.getValues<Attribute>()) {
        fill(bitsOf(element), i, i + 1);
        ++i;
      }
    }
  } else {
    op->emitError("the CPU executor has no constant of this kind");
    return {};
  }
  planner.setConstant(slot, std::move(bytes));
  return [](Frame &) { return true; };
}

/// ub.poison: any value will do; zero is the same every time.
Step planPoison(Planner &planner, Operation *op) {
  const Slot slot = planner.slot(op->getResult(0));
  planner.setConstant(slot,
                      std::vector<char>(planner.bytesOf(op->getResult(0))));
  return [](Frame &) { return true; };
}

} // namespace

void registerConvert(Registry &r) {
  r.addElementwise("arith.constant", planConstant);
  r.addElementwise("ub.poison", planPoison);
  r.addElementwise("arith.select", planSelect);
  r.addElementwise("arith.extsi", planIntegerCast<true>);
  r.addElementwise("arith.extui", planIntegerCast<false>);
  r.addElementwise("arith.trunci", planIntegerCast<false>);
  r.addElementwise("arith.index_cast", planIntegerCast<true>);
  r.addElementwise("arith.index_castui", planIntegerCast<false>);
  r.addElementwise("arith.sitofp", planIntegerToFloat<true>);
  r.addElementwise("arith.uitofp", planIntegerToFloat<false>);
  r.addElementwise("arith.fptosi", planFloatToInteger<true>);
  r.addElementwise("arith.fptoui", planFloatToInteger<false>);
  r.addElementwise("arith.extf", planNearest);
  r.addElementwise("arith.truncf", planNearest);
  r.addElementwise("tt.fp_to_fp", planFpToFp);
  r.addElementwise("arith.bitcast", planBitcast);
  r.addElementwise("tt.bitcast", planBitcast);
  r.addElementwise("tt.ptr_to_int", planBitcast);
  r.addElementwise("tt.int_to_ptr", planBitcast);
}

} // namespace kernelscope::executor
