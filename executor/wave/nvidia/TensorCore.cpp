//===- TensorCore.cpp - Products into tensor memory -----------------------===//
//
// Each quarter of the lanes of tensor memory computes the part of D that it
// holds, with A's rows and the scales from its own lanes, if they are there.
// Which part that is, PTX ISA, "Data Path Layout Organization", draws.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/TensorCore.h"
#include "executor/ops/Dot.h"
#include "executor/wave/MatrixElements.h"
#include "executor/wave/Scalar.h"
#include "executor/wave/nvidia/SharedMatrix.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave::nvidia {
namespace {

/// Where the elements of a line along K are: `bits` each, in groups that begin
/// at multiples of `groupBits`.
struct ElementPlaces {
  unsigned bits, perGroup, groupBits, shift = 0;

  unsigned bitOf(unsigned i) const {
    return i / perGroup * groupBits + i % perGroup * bits + shift;
  }
};

/// Elements of 4 and 6 bits have padding except for kinds of their own: in
/// shared memory after 16 of them, in tensor memory each.
ElementPlaces placesOf(const ProductModifiers &modifiers, MatrixElement element,
                       bool isInSharedMemory) {
  const unsigned bits = bitsOf(element);
  const unsigned container = element == MatrixElement::TF32 ? 32 : bits;
  if (container >= 8 || modifiers.kind >= ProductKind::MXF4)
    return {container, 1, container};
  if (isInSharedMemory)
    return {bits, 16, 128};
  return {bits, 1, 8, narrowFloatShift(bits)};
}

double valueOf(const ProductOperand &operand, uint64_t bits) {
  const double value = operand.isUnsigned
                           ? static_cast<double>(bits)
                           : matrixElementReader(operand.element)(bits);
  return operand.isNegated ? -value : value;
}

/// The part of D, of one CTA, that a quarter of its lanes holds.
struct Part {
  uint32_t lane, row, rows, column, columns;
};

class Product {
public:
  Product(const TensorCoreProduct &issued, const ProductDescriptor &shape,
          ArrayRef<CtaMemories> ctas)
      : issued(issued), shape(shape), ctas(ctas),
        rowsOfCta(shape.m / issued.modifiers.ctas),
        isInterleaved(rowsOfCta == 64 && ctas.size() == 1 &&
                      !issued.modifiers.isWeightStationary),
        groups(isInterleaved ? 1 : 128 / rowsOfCta) {}

  /// All of tensor memory that the product needs.
  Error checkPlaces() const {
    if (Error error = checkLane("D", issued.d))
      return error;
    if (issued.tensorA && laneOf(*issued.tensorA) != laneOf(issued.d))
      return createStringError(
          "tcgen05.mma has A at lane %u and D at lane %u; they must agree",
          laneOf(*issued.tensorA), laneOf(issued.d));
    const uint32_t lanes = isInterleaved ? 3 * rowsOfWarp + 16 : 128;
    auto columnsFor = [](uint32_t rows) {
      return divideCeil(rows, rowsOfWarp);
    };
    for (const CtaMemories &cta : ctas) {
      auto cells = [&](uint32_t address, uint32_t columns) {
        return TensorMemoryCells{laneOf(address), lanes, columnOf(address),
                                 columns};
      };
      auto checkRead = [&](const char *user, uint32_t address,
                           uint32_t columns) {
        return cta.tensor->checkRead(user, cells(address, columns));
      };
      if (Error error = cta.tensor->checkWrite(
              "D of tcgen05.mma", cells(issued.d, shape.n / groups)))
        return error;
      constexpr uint32_t columnsOfA = 8; // 32 bytes
      if (issued.tensorA)
        if (Error error =
                checkRead("A of tcgen05.mma", *issued.tensorA, columnsOfA))
          return error;
      if (!issued.modifiers.isScaled())
        continue;
      if (Error error = checkRead("the scales of A of tcgen05.mma",
                                  issued.scalesOfA, columnsFor(rowsOfCta)))
        return error;
      if (Error error =
              checkRead("the scales of B of tcgen05.mma", issued.scalesOfB,
                        columnsFor(shape.n / groups)))
        return error;
    }
    return Error::success();
  }

  Error run() const {
    std::vector<double> right;
    if (Error error = readB(right))
      return error;
    for (size_t cta = 0; cta < ctas.size(); ++cta) {
      std::vector<double> left;
      if (!issued.tensorA)
        if (Error error = readSharedA(cta, left))
          return error;
      for (uint32_t quarter = 0; quarter < 4; ++quarter)
        compute(cta, partOf(quarter), left, right);
    }
    return Error::success();
  }

private:
  Part partOf(uint32_t quarter) const {
    const uint32_t lane = quarter * rowsOfWarp + laneOf(issued.d);
    if (isInterleaved)
      return {lane, quarter * 16, 16, 0, shape.n};
    const uint32_t quartersOfRows = rowsOfCta / rowsOfWarp,
                   columns = shape.n / groups;
    return {lane, quarter % quartersOfRows * rowsOfWarp, rowsOfWarp,
            quarter / quartersOfRows * columns, columns};
  }

  Error checkLane(const char *operand, uint32_t address) const {
    const uint32_t lane = laneOf(address);
    if (lane == 0 || (isInterleaved && lane == 16))
      return Error::success();
    return createStringError(
        "tcgen05.mma has %s at lane %u; it must be lane 0%s", operand, lane,
        isInterleaved ? " or 16" : "");
  }

  /// Reads `lines` rows of M or N, of K elements each.
  Error readShared(const SharedView &shared, uint64_t descriptor,
                   const ProductOperand &operand, unsigned lines,
                   double *to) const {
    auto matrix = SharedMatrix::ofTensorCore(descriptor);
    if (!matrix)
      return matrix.takeError();
    const ElementPlaces places =
        placesOf(issued.modifiers, operand.element, /*isInSharedMemory=*/true);
    const bool hasLargeAtoms = matrix->swizzle.atom > 16,
               needsLargeAtoms = operand.isTransposed && places.bits == 32;
    if (hasLargeAtoms != needsLargeAtoms)
      return createStringError(
          "the shared-memory descriptor 0x%016llx has swizzle %s atoms of 32 "
          "bytes; transposed operands of 32 bits must have them, and no others",
          static_cast<unsigned long long>(descriptor),
          hasLargeAtoms ? "in" : "without");
    // Elements that follow each other are often in the same piece.
    std::optional<uint32_t> pieceAt;
    ArrayRef<uint8_t> piece;
    for (unsigned line = 0; line < lines; ++line)
      for (unsigned k = 0; k < shape.k; ++k) {
        const unsigned bit = places.bitOf(operand.isTransposed ? line : k);
        const uint32_t address = matrix->at(
            !operand.isTransposed, operand.isTransposed ? k : line, bit / 8);
        if (address / 16 != pieceAt) {
          auto next = shared.piece(address);
          if (!next)
            return next.takeError();
          piece = *next;
          pieceAt = address / 16;
        }
        uint64_t bits = 0; // one of 6 bits may be in two bytes
        for (unsigned byte = address % 16, i = 0; i < 4 && byte < 16;
             ++byte, ++i)
          bits |= uint64_t{piece[byte]} << (8 * i);
        *to++ = valueOf(operand, (bits >> bit % 8) & lowBits(places.bits));
      }
    return Error::success();
  }

  Error readSharedA(size_t cta, std::vector<double> &to) const {
    to.resize(size_t{rowsOfCta} * shape.k);
    return readShared(ctas[cta].shared, issued.sharedA, shape.a, rowsOfCta,
                      to.data());
  }

  /// As N rows of K elements, of which each CTA has its part.
  Error readB(std::vector<double> &to) const {
    to.resize(size_t{shape.n} * shape.k);
    const auto lines = static_cast<unsigned>(shape.n / ctas.size());
    for (size_t cta = 0; cta < ctas.size(); ++cta)
      if (Error error = readShared(ctas[cta].shared, issued.sharedB, shape.b,
                                   lines, to.data() + cta * lines * shape.k))
        return error;
    return Error::success();
  }

  /// The row of A in a lane of tensor memory.
  void readTensorA(TensorMemory &memory, uint32_t lane, double *to) const {
    const ElementPlaces places =
        placesOf(issued.modifiers, shape.a.element, /*isInSharedMemory=*/false);
    for (unsigned k = 0; k < shape.k; ++k) {
      const unsigned bit = places.bitOf(k);
      const uint32_t word =
          memory.at(lane, columnOf(*issued.tensorA) + bit / 32);
      to[k] = valueOf(shape.a, (word >> bit % 32) & lowBits(places.bits));
    }
  }

  /// Multiplies the K elements of row `row` of an operand with the scales that
  /// the lanes from `lane` on have.
  void applyScales(TensorMemory &memory, uint32_t address, unsigned id,
                   uint32_t lane, uint32_t row, double *line) const {
    const uint32_t word =
        memory.at(lane / rowsOfWarp * rowsOfWarp + row % rowsOfWarp,
                  columnOf(address) + row / rowsOfWarp);
    const unsigned block = shape.k / issued.modifiers.scalesPerRow;
    for (unsigned k = 0; k < shape.k; ++k) {
      const uint64_t byte = (word >> (8 * (id + k / block))) & 0xff;
      line[k] *= shape.hasExponentScales
                     ? scaleOfE8M0(byte)
                     : matrixElementReader(MatrixElement::E4M3)(byte & 0x7f);
    }
  }

  void compute(size_t cta, const Part &part, ArrayRef<double> left,
               ArrayRef<double> right) const {
    TensorMemory &memory = *ctas[cta].tensor;
    const size_t k = shape.k;
    std::vector<double> a(part.rows * k), b(k * part.columns),
        sum(size_t{part.rows} * part.columns);
    for (uint32_t i = 0; i < part.rows; ++i) {
      double *row = a.data() + i * k;
      if (issued.tensorA)
        readTensorA(memory, part.lane + i, row);
      else
        std::copy_n(left.begin() + (part.row + i) * k, k, row);
      if (issued.modifiers.isScaled())
        applyScales(memory, issued.scalesOfA, shape.scaleOfA, part.lane,
                    part.row + i, row);
    }
    std::vector<double> line(k);
    for (uint32_t j = 0; j < part.columns; ++j) {
      std::copy_n(right.begin() + (part.column + j) * k, k, line.begin());
      if (issued.modifiers.isScaled())
        applyScales(memory, issued.scalesOfB, shape.scaleOfB, part.lane, j,
                    line.data());
      for (size_t i = 0; i < k; ++i)
        b[i * part.columns + j] = line[i];
    }
    auto cell = [&](uint32_t i, uint32_t j) -> uint32_t & {
      return memory.at(part.lane + i, columnOf(issued.d) + j);
    };
    if (issued.accumulates)
      for (uint32_t i = 0; i < part.rows; ++i)
        for (uint32_t j = 0; j < part.columns; ++j)
          sum[size_t{i} * part.columns + j] =
              std::ldexp(matrixElementReader(shape.d)(cell(i, j)),
                         -static_cast<int>(issued.scaleOfD));
    executor::addProduct({1, part.rows, part.columns, k}, a.data(), b.data(),
                         sum.data());
    for (uint32_t i = 0; i < part.rows; ++i) {
      const uint32_t lane = part.lane + i;
      if ((issued.disabledLanes[cta * 4 + lane / 32] >> lane % 32) & 1)
        continue;
      for (uint32_t j = 0; j < part.columns; ++j)
        write(cell(i, j), sum[size_t{i} * part.columns + j]);
    }
  }

  /// A result of 16 bits takes the lower half of a cell.
  void write(uint32_t &cell, double value) const {
    if (shape.d == MatrixElement::I32 && shape.saturates)
      value = std::clamp(value, -0x1p31, 0x1p31 - 1);
    const uint64_t bits = roundedMatrixElement(shape.d, value);
    cell = static_cast<uint32_t>(
        shape.d == MatrixElement::F16 ? (cell & 0xffff0000) | bits : bits);
  }

  const TensorCoreProduct &issued;
  const ProductDescriptor &shape;
  ArrayRef<CtaMemories> ctas;
  uint32_t rowsOfCta;
  /// 16 rows are in each quarter of the lanes, which have room for 32.
  bool isInterleaved;
  /// Parts of N that different lanes hold.
  uint32_t groups;
};

} // namespace

static Expected<ProductDescriptor> describe(const TensorCoreProduct &product) {
  auto shape = ProductDescriptor::decode(product.modifiers, product.descriptor);
  if (shape && product.tensorA && shape->a.isTransposed)
    return createStringError("tcgen05.mma transposes A (bit 15), which is in "
                             "tensor memory; it must be in shared memory");
  return shape;
}

Error check(const TensorCoreProduct &product, ArrayRef<CtaMemories> ctas) {
  auto shape = describe(product);
  return shape ? Product(product, *shape, ctas).checkPlaces()
               : shape.takeError();
}

Error multiply(const TensorCoreProduct &product, ArrayRef<CtaMemories> ctas) {
  auto shape = describe(product);
  if (!shape)
    return shape.takeError();
  const Product work(product, *shape, ctas);
  if (Error error = work.checkPlaces())
    return error;
  return work.run();
}

} // namespace kernelscope::wave::nvidia
