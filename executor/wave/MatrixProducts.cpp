//===- MatrixProducts.cpp - MFMA and WMMA ---------------------------------===//
//
// One meaning for all of them: which lane holds which elements is data, in
// dialects/target/AmdMatrixInstructions.cpp. Sums are in double and rounded
// once.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/MatrixProducts.h"

using namespace llvm;

namespace kernelscope::wave {

FragmentPlaces::FragmentPlaces(const MatrixFragment &fragment, char rows,
                               unsigned lanes) {
  auto place = [&](unsigned number, ArrayRef<FragmentBit> bits) {
    Place sum;
    for (auto [i, bit] : enumerate(bits))
      if (((number >> i) & 1) && !bit.isCopy())
        (bit.dim == rows ? sum.row : sum.column) += 1u << bit.log2;
    return sum;
  };
  const auto registerBits = fragment.registerBits(),
             laneBits = fragment.laneBits();
  elements = fragment.numElements();
  for (unsigned element = 0; element < elements; ++element) {
    const Place ofElement = place(element, registerBits);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Place ofLane = place(lane, laneBits);
      places.push_back(
          {ofElement.row + ofLane.row, ofElement.column + ofLane.column});
    }
  }
}

MatrixOperand::MatrixOperand(const Call &call, unsigned number,
                             MatrixElement element,
                             const MatrixFragment &fragment, char rows)
    : places(fragment, rows, call.decoder.target().warpSize),
      read(matrixElementReader(element)) {
  Decoder &decoder = call.decoder;
  Type *type = call.value(number)->getType();
  const uint64_t has = decoder.data.getTypeSizeInBits(type);
  const unsigned bits = bitsOf(element);
  if (has < uint64_t{bits} * places.elements) {
    decoder.fail("operand " + Twine(number) + " must have " +
                 Twine(bits * places.elements) + " bits, but it has " +
                 Twine(has));
    return;
  }
  SmallVector<Field> cut;
  for (unsigned i = 0; i < places.elements; ++i)
    cut.push_back({{Scalar::Kind::Int, bits, 0}, uint64_t{bits} * i});
  columns = repack(decoder, call.operand(number), decoder.fields(type), cut);
}

void MatrixOperand::gather(Wave &wave, std::vector<double> &matrix,
                           unsigned stride) const {
  const FragmentPlaces::Place *place = places.places.data();
  for (Column column : columns) {
    const uint64_t *values = wave.column(column);
    for (unsigned lane = 0; lane < wave.lanes; ++lane, ++place)
      matrix[place->row * stride + place->column] = read(values[lane]);
  }
}

void multiplyMatrices(const ProductShape &shape, const std::vector<double> &a,
                      const std::vector<double> &b, std::vector<double> &c) {
  for (unsigned m = 0; m < shape.m; ++m) {
    double *sums = c.data() + size_t{m} * shape.n;
    for (unsigned k = 0; k < shape.k; ++k) {
      const double factor = a[m * shape.k + k];
      const double *row = b.data() + size_t{k} * shape.n;
      for (unsigned n = 0; n < shape.n; ++n)
        sums[n] += factor * row[n];
    }
  }
}

namespace {
/// Where an instruction has its operands; -1 for none.
struct OperandPlaces {
  int a = -1, b = -1, c = -1;
};
} // namespace

/// Of WMMA, flags and modifiers stand between the matrices; which ones there
/// are differs from release to release of LLVM.
static OperandPlaces findMatrices(const Call &call) {
  if (call.name.starts_with("llvm.amdgcn.mfma"))
    return {0, 1, 2};
  OperandPlaces found;
  for (unsigned i = 0; i < call.numOperands(); ++i)
    if (call.value(i)->getType()->isVectorTy())
      (found.a < 0   ? found.a
       : found.b < 0 ? found.b
                     : found.c) = static_cast<int>(i);
  return found;
}

/// Whether the numbers beside the matrices select only what is supported here.
static bool isPlain(const Call &call, const OperandPlaces &matrices,
                    bool &isHigh) {
  const bool isWmma = call.name.starts_with("llvm.amdgcn.wmma");
  for (unsigned i = 0; i < call.numOperands(); ++i) {
    const int number = static_cast<int>(i);
    if (number == matrices.a || number == matrices.b || number == matrices.c)
      continue;
    const uint64_t flag = call.immediate(i);
    if (!flag)
      continue;
    // Signed integers; hints that an operand is used again.
    const bool isSign = isWmma && call.name.contains(".iu") &&
                        (number + 1 == matrices.a || number + 1 == matrices.b);
    const bool isReuse = call.decoder.target().hasTensorDataMover && isWmma &&
                         i + 2 >= call.numOperands();
    if (isWmma && number == matrices.c + 1 &&
        call.numOperands() == 4) // which half of the registers
      isHigh = true;
    else if (!isSign && !isReuse)
      return false;
  }
  // An integer operand without its flag is unsigned.
  if (call.name.contains(".iu"))
    for (int matrix : {matrices.a, matrices.b})
      if (matrix < 1 || !call.immediate(static_cast<unsigned>(matrix - 1)))
        return false;
  return true;
}

static void product(const Call &call) {
  Decoder &decoder = call.decoder;
  const MatrixInstruction *instruction = nullptr;
  for (const MatrixInstruction &row : amdMatrixInstructions())
    if (row.name == call.name && hasMatrixUnit(decoder.target(), row.unit))
      instruction = &row;
  if (!instruction) {
    decoder.fail(decoder.target().arch + " has no '" + call.name + "'");
    return;
  }
  const OperandPlaces matrices = findMatrices(call);
  bool isHigh = false;
  if (matrices.c < 0 || !isPlain(call, matrices, isHigh)) {
    decoder.fail("the wave simulator does not support the modifiers of '" +
                 call.name + "'");
    return;
  }
  const MatrixOperand a(call, static_cast<unsigned>(matrices.a), instruction->a,
                        instruction->fragments.a, 'm');
  const MatrixOperand b(call, static_cast<unsigned>(matrices.b), instruction->b,
                        instruction->fragments.b, 'k');
  emitProduct(call, *instruction, a, b, static_cast<unsigned>(matrices.c),
              isHigh, nullptr);
}

void emitProduct(const Call &call, const MatrixInstruction &instruction,
                 const MatrixOperand &a, const MatrixOperand &b, unsigned c,
                 bool isHigh, MatrixScaling scale) {
  Decoder &decoder = call.decoder;
  const FragmentPlaces places(instruction.fragments.c, 'm',
                              decoder.target().warpSize);
  // RDNA 3 keeps results of 16 bits in halves of registers.
  const Columns sums = call.operand(c), results = call.define();
  const size_t step = sums.size() / places.elements;
  if (decoder.hasFailed())
    return;
  if (step < 1 || step > 2 || sums.size() != results.size()) {
    decoder.fail("the result of '" + call.name + "' must have " +
                 Twine(places.elements) + " elements");
    return;
  }
  decoder.emit([=, shape = &instruction](Wave &wave) {
    std::vector<double> left(size_t{shape->m} * shape->k),
        right(size_t{shape -> k} * shape->n), sum(size_t{shape->m} * shape->n);
    a.gather(wave, left, shape->k);
    b.gather(wave, right, shape->n);
    if (scale)
      scale(wave, left, right);
    auto forElements = [&](auto fn) {
      const FragmentPlaces::Place *place = places.places.data();
      for (unsigned i = 0; i < places.elements; ++i)
        for (unsigned lane = 0; lane < wave.lanes; ++lane, ++place)
          fn(i * step + isHigh, lane,
             sum[size_t{place->row} * shape->n + place->column]);
    };
    auto *read = matrixElementReader(shape->c);
    forElements([&](size_t i, unsigned lane, double &element) {
      element = read(wave.value(sums[i], lane));
    });
    multiplyMatrices({shape->m, shape->n, shape->k}, left, right, sum);
    // Halves that are not written keep what they have.
    if (step > 1)
      for (auto [to, from] : zip_equal(results, sums))
        std::copy_n(wave.column(from), wave.lanes, wave.column(to));
    forElements([&](size_t i, unsigned lane, double element) {
      wave.value(results[i], lane) = roundedMatrixElement(shape->c, element);
    });
  });
}

/// Sixteen products of 4 x 4, of which all take one block of A: the second
/// number beside the matrices names it.
static void blocksProduct(const Call &call) {
  Decoder &decoder = call.decoder;
  const MatrixInstruction &row = *llvm::find_if(
      amdMatrixInstructions(),
      [&](const MatrixInstruction &each) { return each.name == call.name; });
  constexpr unsigned blocks = 16, toSixteen = 4;
  const uint64_t which = call.immediate(4);
  if (call.immediate(3) != toSixteen || which >= blocks || call.immediate(5)) {
    decoder.fail("the wave simulator supports '" + call.name +
                 "' only with one block of A for all blocks of B");
    return;
  }
  const unsigned depth = row.k / blocks;
  const MatrixFragment part{depth == 1 ? StringLiteral("")
                                       : StringLiteral("k1 k2"),
                            row.fragments.b.lanes};
  const MatrixOperand a(call, 0, row.a, row.fragments.a, 'm'),
      b(call, 1, row.b, part, 'k');
  emitProduct(call, row, a, b, 2, /*isHigh=*/false,
              [=, k = row.k](Wave &, std::vector<double> &left,
                             std::vector<double> &right) {
                // The first columns of A are those of the block.
                for (size_t at = 0; at < left.size(); at += k)
                  for (unsigned i = 0; i < k; ++i)
                    left[at + i] = i < depth ? left[at + which * depth + i] : 0;
              });
}

void addMatrixProducts(Meanings &meanings) {
  for (const MatrixInstruction &row : amdMatrixInstructions())
    if (!row.name.contains("f8f6f4"))
      meanings.add(row.name,
                   row.name.contains(".4x4x") ? blocksProduct : product);
}

} // namespace kernelscope::wave
