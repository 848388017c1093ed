//===- Wgmma.cpp - Products of a warpgroup --------------------------------===//
//
// PTX ISA, "wgmma.mma_async". Each of four warps has 16 rows of A and D, so
// that each computes its own, when it waits for it.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Cta.h"
#include "executor/wave/nvidia/LaneMatrix.h"
#include "executor/wave/nvidia/Ptx.h"
#include "executor/wave/nvidia/SharedMatrix.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// Rows of D that a warp has; warps of a group.
constexpr unsigned warpRows = 16, groupWarps = 4;

namespace {
/// A matrix that a descriptor in a register describes.
struct DescribedOperand {
  Column descriptor;
  MatrixElement element;
  bool isKMajor;

  /// Copies `lines` rows of A, or columns of B, that the descriptor `bits`
  /// describes, from `first` on, with `depth` elements along K, to `matrix`:
  /// element (line, k) to line * lineStride + k * depthStride.
  void gather(Wave &wave, uint64_t bits, Matrix &matrix, unsigned first,
              unsigned lines, unsigned depth, unsigned lineStride,
              unsigned depthStride) const {
    auto described = SharedMatrix::ofWgmma(bits);
    if (!described)
      return wave.fail(toString(described.takeError()));
    auto *read = matrixElementReader(element);
    const unsigned bytes = bitsOf(element) / 8;
    const std::vector<char> &memory = wave.group.lds;
    for (unsigned line = 0; line < lines; ++line)
      for (unsigned k = 0; k < depth; ++k) {
        const unsigned along = isKMajor ? k : first + line,
                       across = isKMajor ? first + line : k;
        const uint32_t at = described->at(isKMajor, across, along * bytes);
        if (at + bytes > memory.size())
          return wave.fail("a matrix descriptor addresses byte " + Twine(at) +
                           " of shared memory, which has " +
                           Twine(memory.size()));
        checkOrder(wave, wave.group.ldsBase() + at, bytes, /*lane=*/0,
                   /*isStore=*/false);
        uint64_t stored = 0;
        std::memcpy(&stored, memory.data() + at, bytes);
        matrix[size_t{line} * lineStride + size_t{k} * depthStride] =
            read(stored);
      }
  }
};

PendingProducts &productsOf(Wave &wave) {
  return wave.group.cta->products[wave.index];
}

/// What an opcode such as "m64n128k16.f32.f16.f16" says.
struct WgmmaShape {
  unsigned n = 0, k = 0;
  MatrixElement d = MatrixElement::F32, a = d, b = d;
};
} // namespace

static std::optional<MatrixElement> elementNamed(StringRef name) {
  using enum MatrixElement;
  if (name == "s32")
    return I32;
  if (name == "s8")
    return I8;
  for (MatrixElement element : {F32, TF32, F16, BF16, E4M3, E5M2})
    if (name == nameOf(element))
      return element;
  return std::nullopt;
}

static std::optional<WgmmaShape> readShape(StringRef opcode) {
  SmallVector<StringRef> words;
  opcode.split(words, '.');
  WgmmaShape shape;
  SmallVector<MatrixElement, 3> elements;
  for (StringRef word : words) {
    StringRef size = word;
    if (size.consume_front("m64n") && !size.consumeInteger(10, shape.n) &&
        size.consume_front("k") && !size.getAsInteger(10, shape.k))
      continue;
    if (auto element = elementNamed(word))
      elements.push_back(*element);
  }
  if (elements.size() != 3 || shape.n % 8 || shape.n < 8 || shape.n > 256 ||
      shape.k * bitsOf(elements[1]) != 256)
    return std::nullopt;
  shape.d = elements[0];
  shape.a = elements[1];
  shape.b = elements[2];
  return shape;
}

/// The fragment of A, m16, in registers: that of mma.sync.
static MatrixFragment fragmentOfA(MatrixElement element) {
  switch (bitsOf(element)) {
  case 8:
    return {"k1 k2 m8 k16", "k4 k8 m1 m2 m4"};
  case 16:
    return {"k1 m8 k8", "k2 k4 m1 m2 m4"};
  default:
    return {"m8 k4", "k1 k2 m1 m2 m4"};
  }
}

/// `wgmma.mma_async... {d}, a, b, scale-d, scale-a, scale-b, trans-a, trans-b`,
/// where A is a descriptor or `{registers}`, which are never transposed.
static void multiplyByGroup(PtxCall &call) {
  const auto shape = readShape(call.instruction.opcode);
  if (!shape || call.numOperands() < 4)
    return call.fail();
  const bool isInRegisters = call.instruction.operands[1].size() > 1;
  // A predicate, or a number.
  const Column accumulates = call.scalar(3);
  std::array<double, 2> signs{1, 1};
  for (size_t i : {4, 5})
    if (call.numOperands() > i)
      signs[i - 4] = call.number(i) == 1 ? 1 : -1;
  auto isTransposed = [&](size_t operand) {
    return call.numOperands() > operand && call.number(operand) == 1;
  };
  const MatrixFragment sums{"n1 m8", "n2 n4 m1 m2 m4"},
      rows = fragmentOfA(shape->a);
  const Columns d = call.parts(0), a = call.parts(1);
  auto hasRegisters = [&](unsigned operand, size_t found, size_t needed) {
    if (found != needed)
      call.fail(": operand " + Twine(operand) + " has " + Twine(found) +
                " registers; it needs " + Twine(needed));
    return found == needed;
  };
  if (!hasRegisters(0, d.size(),
                    LaneElement(shape->d).registersOf(sums) * (shape->n / 8)) ||
      (isInRegisters &&
       !hasRegisters(1, a.size(), LaneElement(shape->a).registersOf(rows))))
    return;
  const LaneMatrix sum(d, shape->d, sums, 'm', 8);
  std::optional<LaneMatrix> registers;
  if (isInRegisters)
    registers.emplace(a, shape->a, rows, 'm');
  const DescribedOperand left{a[0], shape->a, !isTransposed(6)},
      right{call.scalar(2), shape->b, !isTransposed(isInRegisters ? 6 : 7)};
  call.emit([=, n = shape->n, k = shape->k](Wave &wave) {
    if (!isWholeWarp(wave, "wgmma.mma_async"))
      return;
    // Registers of A, and descriptors, are read when the product is issued.
    Matrix own(registers ? size_t{warpRows} * k : 0);
    if (registers)
      registers->gather(wave, own, k);
    const uint64_t leftAt = wave.uniform(left.descriptor),
                   rightAt = wave.uniform(right.descriptor);
    auto multiply = [=, adds = wave.uniform(accumulates) & 1](Wave &wave) {
      Matrix a = own, b(size_t{k} * n), c(size_t{warpRows} * n);
      if (a.empty()) {
        a.resize(size_t{warpRows} * k);
        left.gather(wave, leftAt, a, wave.index % groupWarps * warpRows,
                    warpRows, k, k, 1);
      }
      right.gather(wave, rightAt, b, 0, n, k, 1, n);
      if (adds)
        sum.gather(wave, c, n);
      if (signs[0] * signs[1] < 0)
        for (double &element : a)
          element = -element;
      wave::multiplyMatrices({warpRows, n, k}, a, b, c);
      sum.scatter(wave, c, n);
    };
    productsOf(wave).issue(wave, d,
                           asWorkOf(wave, Unit::Wgmma, std::move(multiply)));
  });
}

static void commitGroup(PtxCall &call) {
  call.emit([](Wave &wave) { productsOf(wave).commit(); });
}

/// `wgmma.wait_group n`, where the call has the registers of the sums.
static void waitForGroups(PtxCall &call) {
  if (call.numOperands() != 1)
    return call.fail();
  call.emit([left = call.scalar(0),
             registers = call.allRegisters()](Wave &wave) {
    productsOf(wave).wait(wave, wave.uniform(left) & lowBits(32), registers);
    passUnit(wave, Unit::Wgmma);
  });
}

void addWgmma(PtxMeanings &meanings) {
  meanings.add("wgmma.mma_async.sync.aligned", multiplyByGroup);
  meanings.add("wgmma.fence.sync.aligned", doNothing);
  meanings.add("wgmma.commit_group.sync.aligned", commitGroup);
  meanings.add("wgmma.wait_group.sync.aligned", waitForGroups);
}

} // namespace kernelscope::wave::nvidia
