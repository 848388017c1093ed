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
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

Multiply planMultiply(Operation *op, const Storage &left, const Storage &right,
                      const Storage &out, bool tf32) {
  const size_t rank = out.shape.size();
  const size_t rows = out.shape[rank - 2], columns = out.shape[rank - 1];
  const size_t depth = left.shape[rank - 1];
  const size_t batches = out.count / (rows * columns);
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
      return withInt(out.element, [&]<typename O>() -> Multiply {
        return [=](const char *a, const char *b, const char *c, char *d) {
          using S = O::Storage;
          const auto *x = reinterpret_cast<const typename I::Storage *>(a);
          const auto *y = reinterpret_cast<const typename I::Storage *>(b);
          S *sum = reinterpret_cast<S *>(d);
          if (c != d)
            std::memcpy(d, c, batches * rows * columns * sizeof(S));
          for (size_t batch = 0; batch < batches; ++batch)
            forEachTerm(batch, [&](size_t l, size_t r, size_t o) {
              sum[o] =
                  O::store(O::loadUnsigned(sum[o]) +
                           static_cast<O::Unsigned>(I::loadSigned(x[l])) *
                               static_cast<O::Unsigned>(I::loadSigned(y[r])));
            });
        };
      });
    });
  if (!isFloat(out.element) || !isFloat(left.element) ||
      !isFloat(right.element)) {
    op->emitError("the CPU executor does not run '")
        << op->getName() << "' on " << op->getOperand(0).getType();
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
      decoder(left.element, left.count, tf32 && left.element == Element::F32);
  auto decodeB = decoder(right.element, right.count,
                         tf32 && right.element == Element::F32);
  auto decodeC = decoder(out.element, out.count, false);
  return withFloat(out.element, [&]<typename O>() -> Multiply {
    return [=](const char *a, const char *b, const char *c, char *d) {
      const std::vector<double> x = decodeA(a), y = decodeB(b);
      std::vector<double> sum = decodeC(c);
      for (size_t batch = 0; batch < batches; ++batch)
        forEachTerm(batch, [&](size_t l, size_t r, size_t o) {
          sum[o] += x[l] * y[r];
        });
      auto *result = reinterpret_cast<typename O::Storage *>(d);
      for (size_t i = 0; i < sum.size(); ++i)
        result[i] = O::store(sum[i]);
    };
  });
}

Step planProduct(Planner &planner, const Product &p) {
  Multiply multiply =
      planMultiply(p.op, planner.storage(p.a), planner.storage(p.b),
                   planner.storage(p.result), p.tf32);
  if (!multiply)
    return {};
  return [multiply = std::move(multiply), a = planner.slot(p.a),
          b = planner.slot(p.b), c = planner.slot(p.c),
          d = planner.slot(p.result)](Frame &frame) {
    multiply(frame.at<char>(a), frame.at<char>(b), frame.at<char>(c),
             frame.at<char>(d));
    return true;
  };
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
