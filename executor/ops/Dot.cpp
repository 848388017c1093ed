//===- Dot.cpp - Matrix products ------------------------------------------===//
//
// Products accumulate in double and round once, closer to the exact value than
// any tensor core; tf32 inputs lose their low bits first, as the hardware's do.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Dot.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

ProductShape ProductShape::of(ArrayRef<int64_t> result, size_t depth) {
  ProductShape made;
  for (int64_t size : result.drop_back(2))
    made.batches *= size;
  made.rows = result[result.size() - 2];
  made.columns = result.back();
  made.depth = depth;
  return made;
}

namespace {

/// Rows and columns of the block of sums that stays in registers.
constexpr size_t blockRows = 4, blockColumns = 4;
using Row = double __attribute__((vector_size(blockColumns * sizeof(double))));

/// c += a * b for a block of c; each sum in the order of k.
void addBlock(size_t depth, size_t columns, const double *a, const double *b,
              double *c) {
  Row sums[blockRows];
  for (size_t i = 0; i < blockRows; ++i)
    std::memcpy(&sums[i], c + i * columns, sizeof(Row));
  for (size_t k = 0; k < depth; ++k) {
    Row row;
    std::memcpy(&row, b + k * columns, sizeof(Row));
    for (size_t i = 0; i < blockRows; ++i)
      sums[i] += a[i * depth + k] * row;
  }
  for (size_t i = 0; i < blockRows; ++i)
    std::memcpy(c + i * columns, &sums[i], sizeof(Row));
}

/// The same for what is left of a matrix beside its blocks.
void addRest(size_t depth, size_t columns, const double *a, const double *b,
             double *c) {
  double sum = *c;
  for (size_t k = 0; k < depth; ++k)
    sum += a[k] * b[k * columns];
  *c = sum;
}

void addMatrixProduct(size_t rows, size_t columns, size_t depth,
                      const double *a, const double *b, double *c) {
  const size_t inBlocks = rows - rows % blockRows,
               columnsInBlocks = columns - columns % blockColumns;
  // A band of b stays in the cache while all rows of a pass it.
  for (size_t j = 0; j < columnsInBlocks; j += blockColumns)
    for (size_t i = 0; i < inBlocks; i += blockRows)
      addBlock(depth, columns, a + i * depth, b + j, c + i * columns + j);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = i < inBlocks ? columnsInBlocks : 0; j < columns; ++j)
      addRest(depth, columns, a + i * depth, b + j, c + i * columns + j);
}

} // namespace

void addProduct(const ProductShape &shape, const double *a, const double *b,
                double *c) {
  const auto [batches, rows, columns, depth] = shape;
  for (size_t batch = 0; batch < batches;
       ++batch, a += rows * depth, b += depth * columns, c += rows * columns)
    addMatrixProduct(rows, columns, depth, a, b, c);
}

std::vector<double> decodeElements(OperandElement of, const char *stored,
                                   size_t count) {
  std::vector<double> values(count);
  auto decode = [&]<typename S>(const S *from, auto load) {
    for (size_t i = 0; i < count; ++i)
      values[i] = load(from[i]);
  };
  if (isInt(of.element))
    withInt(of.element, [&]<typename T>() {
      decode(reinterpret_cast<const T::Storage *>(stored), [&](auto x) {
        return of.isUnsigned ? double(T::loadUnsigned(x))
                             : double(T::loadSigned(x));
      });
    });
  else if (of.tf32 && of.element == Element::F32)
    decode(reinterpret_cast<const uint32_t *>(stored), [](uint32_t x) {
      return std::bit_cast<float>(x & ~uint32_t{0x1fff});
    });
  else
    withFloat(of.element, [&]<typename T>() {
      decode(reinterpret_cast<const T::Storage *>(stored),
             [](auto x) { return T::load(x); });
    });
  return values;
}

void encodeElements(Element element, ArrayRef<double> values, char *stored) {
  if (isInt(element))
    withInt(element, [&]<typename T>() {
      auto *to = reinterpret_cast<T::Storage *>(stored);
      for (double value : values)
        *to++ = T::store(static_cast<int64_t>(value));
    });
  else
    withFloat(element, [&]<typename T>() {
      auto *to = reinterpret_cast<T::Storage *>(stored);
      for (double value : values)
        *to++ = T::store(value);
    });
}

namespace {

/// c += a * b of integers, which wraps.
template <typename I, typename O>
void addIntegerProduct(const ProductShape &shape, const typename I::Storage *a,
                       const typename I::Storage *b, typename O::Storage *c) {
  using Wide = O::Unsigned;
  const auto [batches, rows, columns, depth] = shape;
  for (size_t batch = 0; batch < batches; ++batch, b += depth * columns)
    for (size_t i = 0; i < rows; ++i, a += depth, c += columns)
      for (size_t k = 0; k < depth; ++k)
        for (size_t j = 0; j < columns; ++j)
          c[j] = O::store(
              O::loadUnsigned(c[j]) +
              static_cast<Wide>(I::loadSigned(a[k])) *
                  static_cast<Wide>(I::loadSigned(b[k * columns + j])));
}

} // namespace

Multiply planMultiply(Operation *op, const Storage &left, const Storage &right,
                      const Storage &out, bool tf32) {
  const ProductShape shape = ProductShape::of(out.shape, left.shape.back());
  if (isInt(out.element) && left.element == right.element &&
      isInt(left.element))
    return withInt(left.element, [&]<typename I>() {
      return withInt(out.element, [&]<typename O>() -> Multiply {
        return [=, bytes = out.count * sizeof(typename O::Storage)](
                   const char *a, const char *b, const char *c, char *d) {
          if (c != d)
            std::memcpy(d, c, bytes);
          addIntegerProduct<I, O>(shape,
                                  reinterpret_cast<const I::Storage *>(a),
                                  reinterpret_cast<const I::Storage *>(b),
                                  reinterpret_cast<O::Storage *>(d));
        };
      });
    });
  if (!isFloat(out.element) || !isFloat(left.element) ||
      !isFloat(right.element)) {
    op->emitError("the CPU executor does not run '")
        << op->getName() << "' on " << op->getOperand(0).getType();
    return {};
  }
  return [=, element = out.element, count = out.count, x = left.element,
          y = right.element, countX = left.count, countY = right.count](
             const char *a, const char *b, const char *c, char *d) {
    const std::vector<double> lhs = decodeElements({x, tf32}, a, countX);
    const std::vector<double> rhs = decodeElements({y, tf32}, b, countY);
    std::vector<double> sum = decodeElements({element}, c, count);
    addProduct(shape, lhs.data(), rhs.data(), sum.data());
    encodeElements(element, sum, d);
  };
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

/// Whether plain multiply-adds compute `op`, not a matrix unit: its layout says
/// so once it has one. They take f32 as it is.
bool isByMultiplyAdd(tt::DotOp op) {
  Attribute layout = op.getType().getEncoding();
  return layout && !isa<ttg::MmaEncodingTrait>(layout);
}

Step planDot(Planner &planner, tt::DotOp op) {
  return planProduct(planner,
                     {op, op.getA(), op.getB(), op.getC(), op.getResult(),
                      op.getInputPrecision() == tt::InputPrecision::TF32 &&
                          !isByMultiplyAdd(op)});
}

Step planDotI8(Planner &planner, tti::DotI8Op op) {
  const Storage &left = planner.storage(op.getA()),
                &right = planner.storage(op.getB()),
                &out = planner.storage(op.getD());
  return [=, shape = ProductShape::of(out.shape, left.shape.back()),
          countA = left.count, countB = right.count, count = out.count,
          a = planner.slot(op.getA()), b = planner.slot(op.getB()),
          c = planner.slot(op.getC()), d = planner.slot(op.getD()),
          unsignedA = !op.getASigned(),
          unsignedB = !op.getBSigned()](Frame &frame) {
    auto decode = [&](Slot slot, size_t elements, bool isUnsigned) {
      return decodeElements({Element::I8, false, isUnsigned},
                            frame.at<char>(slot), elements);
    };
    std::vector<double> sum =
        decodeElements({Element::I32}, frame.at<char>(c), count);
    addProduct(shape, decode(a, countA, unsignedA).data(),
               decode(b, countB, unsignedB).data(), sum.data());
    encodeElements(Element::I32, sum, frame.at<char>(d));
    return true;
  };
}

} // namespace

void registerDot(Registry &r) {
  r.add<tt::DotOp>(planDot);
  r.add<tti::DotI8Op>(planDotI8);
}

} // namespace kernelscope::executor
