//===- MatrixMoves.cpp - ldmatrix and stmatrix ----------------------------===//
//
// PTX ISA, "ldmatrix", "stmatrix": lanes give the addresses of the rows, of 16
// bytes, and each lane has words of 4 bytes.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

constexpr unsigned rowBytes = 16, maxRows = 16, wordBytes = 4;

namespace {

/// A shape of matrix with its mode, and which byte of it is byte `k` of word
/// `w` of `lane`.
struct MatrixForm {
  StringLiteral shape;
  bool isTransposed;
  unsigned elementBits, rows, words;
  /// The row and the byte in it.
  std::pair<unsigned, unsigned> (*place)(unsigned lane, unsigned w, unsigned k);
};

constexpr MatrixForm forms[] = {
    {"m8n8", false, 16, 8, 1,
     [](unsigned lane, unsigned /*w*/, unsigned k) {
       return std::pair(lane / 4, lane % 4 * 4 + k);
     }},
    {"m8n8", true, 16, 8, 1,
     [](unsigned lane, unsigned /*w*/, unsigned k) {
       return std::pair(lane % 4 * 2 + k / 2, lane / 4 * 2 + k % 2);
     }},
    {"m16n16", true, 8, 16, 2,
     [](unsigned lane, unsigned w, unsigned k) {
       return std::pair(lane % 4 * 4 + k, lane / 4 + 8 * w);
     }},
    {"m16n8", true, 8, 8, 1,
     [](unsigned lane, unsigned /*w*/, unsigned k) {
       return std::pair(lane % 4 * 2 + k % 2, lane / 4 + 8 * (k / 2));
     }},
};

} // namespace

/// The form that the opcode names, if the instruction has it.
static const MatrixForm *takeForm(assembly::Opcode &opcode, bool isStore) {
  StringRef shape;
  for (StringRef name : {"m8n8", "m16n16", "m16n8"})
    if (opcode.take(name))
      shape = name;
  const bool isTransposed = opcode.take("trans");
  if (shape == (isStore ? "m16n16" : "m16n8") || opcode.types.size() != 1)
    return nullptr;
  const auto *form = find_if(forms, [&](const MatrixForm &form) {
    return form.shape == shape && form.isTransposed == isTransposed &&
           form.elementBits == opcode.types[0].bits;
  });
  return form == std::end(forms) ? nullptr : form;
}

/// `ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r, ...}, [address]`; of
/// stmatrix the operands are the other way round.
template <bool isStore> static void moveMatrices(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const MatrixForm *form = takeForm(opcode, isStore);
  unsigned count = 0;
  for (unsigned matrices : {1, 2, 4})
    if (opcode.take(("x" + Twine(matrices)).str()))
      count = matrices;
  takeSpace(opcode);
  if (!call.isUnderstood())
    return;
  const bool fits = form && count && call.numOperands() == 2 &&
                    count * form->words <= 4 &&
                    call.instruction.operands[isStore ? 1 : 0].size() ==
                        size_t{count} * form->words;
  if (!fits)
    return call.fail();
  const Column address = call.scalar(isStore ? 0 : 1);
  const Columns registers = call.parts(isStore ? 1 : 0);
  call.emit([=](Wave &wave) {
    for (unsigned number = 0; number < count; ++number) {
      std::array<char, maxRows * rowBytes> matrix{};
      auto row = [&](unsigned i, bool isStored) {
        const unsigned lane = number * form->rows + i;
        return wave.access(Lds, wave.value(address, lane) & ~apertureMask,
                           rowBytes, lane, isStored);
      };
      if (!isStore)
        for (unsigned i = 0; i < form->rows; ++i)
          if (const char *from = row(i, /*isStored=*/false))
            std::memcpy(&matrix[size_t{i} * rowBytes], from, rowBytes);
      for (unsigned w = 0; w < form->words; ++w)
        wave.forLanes([&](unsigned lane) {
          uint64_t &word =
              wave.value(registers[number * form->words + w], lane);
          if (!isStore)
            word = 0;
          for (unsigned k = 0; k < wordBytes; ++k) {
            const auto [line, byte] = form->place(lane, w, k);
            char &held = matrix[size_t{line} * rowBytes + byte];
            if (isStore)
              held = static_cast<char>(word >> 8 * k);
            else
              word |= uint64_t{static_cast<uint8_t>(held)} << 8 * k;
          }
        });
      if (isStore)
        for (unsigned i = 0; i < form->rows; ++i)
          if (char *to = row(i, /*isStored=*/true))
            std::memcpy(to, &matrix[size_t{i} * rowBytes], rowBytes);
    }
  });
}

void addMatrixMoves(PtxMeanings &meanings) {
  meanings.add("ldmatrix.sync.aligned", moveMatrices<false>);
  meanings.add("stmatrix.sync.aligned", moveMatrices<true>);
}

} // namespace kernelscope::wave::nvidia
