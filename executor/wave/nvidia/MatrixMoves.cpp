//===- MatrixMoves.cpp - ldmatrix and stmatrix ----------------------------===//
//
// PTX ISA, "ldmatrix", "stmatrix": of each matrix of 8 x 8 elements of 16 bits
// eight lanes give the addresses of the rows, and lane 4 * i + j has the
// elements 2 * j and 2 * j + 1 of row i, or with `.trans` of column i.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

constexpr unsigned rows = 8, rowBytes = 16;

/// Where the first element of a lane is in a matrix, and how far the second is,
/// in elements.
static std::pair<unsigned, unsigned> placeOf(unsigned lane, bool isTransposed) {
  const unsigned line = lane / 4, pair = lane % 4 * 2;
  return isTransposed ? std::pair(pair * rows + line, rows)
                      : std::pair(line * rows + pair, 1u);
}

/// `ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r, ...}, [address]`; of
/// stmatrix the operands are the other way round.
template <bool isStore> static void moveMatrices(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool isKnown = opcode.take("m8n8");
  const bool isTransposed = opcode.take("trans");
  unsigned count = 0;
  for (unsigned matrices : {1, 2, 4})
    if (opcode.take(("x" + Twine(matrices)).str()))
      count = matrices;
  takeSpace(opcode);
  if (!call.isUnderstood())
    return;
  const bool fits = isKnown && count && opcode.types.size() == 1 &&
                    opcode.types[0].bits == 16 && call.numOperands() == 2 &&
                    call.instruction.operands[isStore ? 1 : 0].size() == count;
  if (!fits)
    return call.fail();
  const Column address = call.scalar(isStore ? 0 : 1);
  const Columns registers = call.parts(isStore ? 1 : 0);
  call.emit([=](Wave &wave) {
    for (auto [number, column] : enumerate(registers)) {
      std::array<uint16_t, rows * rows> matrix{};
      auto row = [&](unsigned i, bool isStored) {
        const auto lane = static_cast<unsigned>(number * rows + i);
        return wave.access(Lds, wave.value(address, lane) & ~apertureMask,
                           rowBytes, lane, isStored);
      };
      if (!isStore)
        for (unsigned i = 0; i < rows; ++i)
          if (const char *from = row(i, /*isStored=*/false))
            std::memcpy(&matrix[size_t{i} * rows], from, rowBytes);
      wave.forLanes([&, column = column](unsigned lane) {
        const auto [first, step] = placeOf(lane, isTransposed);
        uint64_t &word = wave.value(column, lane);
        if (isStore) {
          matrix[first] = static_cast<uint16_t>(word);
          matrix[first + step] = static_cast<uint16_t>(word >> 16);
        } else {
          word = matrix[first] | uint64_t{matrix[first + step]} << 16;
        }
      });
      if (isStore)
        for (unsigned i = 0; i < rows; ++i)
          if (char *to = row(i, /*isStored=*/true))
            std::memcpy(to, &matrix[size_t{i} * rows], rowBytes);
    }
  });
}

void addMatrixMoves(PtxMeanings &meanings) {
  meanings.add("ldmatrix.sync.aligned", moveMatrices<false>);
  meanings.add("stmatrix.sync.aligned", moveMatrices<true>);
}

} // namespace kernelscope::wave::nvidia
