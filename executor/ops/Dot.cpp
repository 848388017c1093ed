//===- Dot.cpp - Matrix products ------------------------------------------===//
//
// Products accumulate in double and round once, closer to the exact value than
// any tensor core; tf32 inputs lose their low bits first, as the hardware's do.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Dot.h"
#include "dialects/tt/TT.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"

using namespace mlir;

namespace kernelscope::executor {

Step planProduct(Planner &planner, const Product &p) {
  const Storage &out = planner.storage(p.result);
  const Storage &left = planner.storage(p.a), &right = planner.storage(p.b);
  const size_t rank = out.shape.size();
  const size_t rows = out.shape[rank - 2], columns = out.shape[rank - 1];
  const size_t depth = left.shape[rank - 1];
  const size_t batches = out.count / (rows * columns);
  const Slot a = planner.slot(p.a), b = planner.slot(p.b),
             c = planner.slot(p.c);
  const Slot d = planner.slot(p.result);
  // Calls `term(row, k, column)` for each product, rows in the outermost loop.
  auto forEachTerm = [=](size_t batch, auto term) {
    for (size_t i = 0; i < rows; ++i)
      for (size_t k = 0; k < depth; ++k)
        for (size_t j = 0; j < columns; ++j)
          term((batch * rows + i) * depth + k,
               (batch * depth + k) * columns + j,
               (batch * rows + i) * columns + j);
  };
  if (isInt(out.element) && isInt(left.element) && isInt(right.element))
    return withInt(left.element, [&]<typename I>() {
      return withInt(out.element, [&]<typename O>() -> Step {
        return [=](Frame &frame) {
          using S = O::Storage;
          const auto *x = frame.at<typename I::Storage>(a);
          const auto *y = frame.at<typename I::Storage>(b);
          S *sum = frame.at<S>(d);
          std::copy_n(frame.at<S>(c), batches * rows * columns, sum);
          for (size_t batch = 0; batch < batches; ++batch)
            forEachTerm(batch, [&](size_t l, size_t r, size_t o) {
              sum[o] =
                  O::store(O::loadUnsigned(sum[o]) +
                           static_cast<O::Unsigned>(I::loadSigned(x[l])) *
                               static_cast<O::Unsigned>(I::loadSigned(y[r])));
            });
          return true;
        };
      });
    });
  if (!isFloat(out.element) || !isFloat(left.element) ||
      !isFloat(right.element)) {
    p.op->emitError("the CPU executor does not run '")
        << p.op->getName() << "' on " << p.a.getType();
    return {};
  }
  auto decoder = [](Element element, size_t count, bool tf32) {
    return withFloat(
        element,
        [&]<typename T>() -> std::function<std::vector<double>(const char *)> {
          return [=](const char *from) {
            const auto *stored = reinterpret_cast<const T::Storage *>(from);
            std::vector<double> values(count);
            for (size_t i = 0; i < count; ++i) {
              auto value = T::load(stored[i]);
              if constexpr (std::is_same_v<decltype(value), float>)
                if (tf32)
                  value = std::bit_cast<float>(std::bit_cast<uint32_t>(value) &
                                               ~uint32_t{0x1fff});
              values[i] = value;
            }
            return values;
          };
        });
  };
  auto decodeA =
      decoder(left.element, left.count, p.tf32 && left.element == Element::F32);
  auto decodeB = decoder(right.element, right.count,
                         p.tf32 && right.element == Element::F32);
  auto decodeC = decoder(out.element, out.count, false);
  return withFloat(out.element, [&]<typename O>() -> Step {
    return [=](Frame &frame) {
      const std::vector<double> x = decodeA(frame.at<char>(a)),
                                y = decodeB(frame.at<char>(b));
      std::vector<double> sum = decodeC(frame.at<char>(c));
      for (size_t batch = 0; batch < batches; ++batch)
        forEachTerm(batch, [&](size_t l, size_t r, size_t o) {
          sum[o] += x[l] * y[r];
        });
      auto *result = frame.at<typename O::Storage>(d);
      for (size_t i = 0; i < sum.size(); ++i)
        result[i] = O::store(sum[i]);
      return true;
    };
  });
}

namespace {

Step planDot(Planner &planner, tt::DotOp op) {
  return planProduct(planner,
                     {op, op.getA(), op.getB(), op.getC(), op.getResult(),
                      op.getInputPrecision() == tt::InputPrecision::TF32});
}

} // namespace

void registerDot(Registry &r) { r.add<tt::DotOp>(planDot); }

} // namespace kernelscope::executor
