//===- WideIntegers.cpp - Arithmetic on integers of several words ---------===//
//
// An integer of more than 64 bits is several columns, its lowest word first.
// LLVM multiplies in 128 bits for the high half of a 64-bit product.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Decoder.h"
#include "llvm/ADT/APInt.h"

using namespace llvm;

namespace kernelscope::wave {

static bool isWide(const Type *type) {
  const Type *element = type->getScalarType();
  return element->isIntegerTy() && element->getIntegerBitWidth() > 64;
}

static APInt compute(unsigned opcode, const APInt &x, const APInt &y) {
  switch (opcode) {
  case Instruction::Add:
    return x + y;
  case Instruction::Sub:
    return x - y;
  case Instruction::Mul:
    return x * y;
  case Instruction::And:
    return x & y;
  case Instruction::Or:
    return x | y;
  case Instruction::Xor:
    return x ^ y;
  case Instruction::Shl:
    return x.shl(y);
  case Instruction::LShr:
    return x.lshr(y);
  default:
    return x.ashr(y);
  }
}

/// Emits `to` = fn(operands) in each lane.
template <typename Fn>
static void emitWide(Decoder &decoder, const Instruction &instruction, Fn fn) {
  struct Operand {
    Columns columns;
    unsigned bits;
  };
  SmallVector<Operand, 2> operands;
  for (const Value *value : instruction.operands())
    operands.push_back(
        {decoder.operand(value), value->getType()->getIntegerBitWidth()});
  decoder.emit([=, to = decoder.define(&instruction)](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      SmallVector<APInt, 2> numbers;
      for (const Operand &operand : operands) {
        SmallVector<uint64_t, 2> words;
        for (Column column : operand.columns)
          words.push_back(wave.value(column, lane));
        numbers.emplace_back(operand.bits, words);
      }
      const APInt result = fn(numbers);
      for (auto [column, word] :
           zip_equal(to, ArrayRef(result.getRawData(), result.getNumWords())))
        wave.value(column, lane) = word;
    });
  });
}

bool decodeWideInteger(Decoder &decoder, const Instruction &instruction) {
  const bool isMove =
      isa<BitCastInst, PtrToIntInst, IntToPtrInst>(instruction) ||
      !(instruction.isBinaryOp() || isa<CmpInst, CastInst>(instruction));
  if (isMove || !(isWide(instruction.getType()) ||
                  isWide(instruction.getOperand(0)->getType())))
    return false;
  const unsigned opcode = instruction.getOpcode();
  if (instruction.getType()->isVectorTy()) {
    decoder.fail("the wave simulator has no arithmetic on vectors of integers "
                 "of more than 64 bits");
    return true;
  }
  if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
    emitWide(decoder, instruction,
             [predicate = compare->getPredicate()](ArrayRef<APInt> numbers) {
               return APInt(
                   1, ICmpInst::compare(numbers[0], numbers[1], predicate));
             });
    return true;
  }
  switch (opcode) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    emitWide(decoder, instruction,
             [=, bits = instruction.getType()->getIntegerBitWidth()](
                 ArrayRef<APInt> numbers) {
               return opcode == Instruction::SExt
                          ? numbers[0].sext(bits)
                          : numbers[0].zextOrTrunc(bits);
             });
    return true;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    emitWide(decoder, instruction, [=](ArrayRef<APInt> numbers) {
      return compute(opcode, numbers[0], numbers[1]);
    });
    return true;
  default:
    decoder.fail("the wave simulator does not run this operator on integers of "
                 "more than 64 bits");
    return true;
  }
}

} // namespace kernelscope::wave
