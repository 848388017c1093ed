//===- Decoder.cpp - From LLVM IR to steps on columns ---------------------===//
//
// Blocks, phis, branches and constants; the instructions have files of their
// own.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Decoder.h"
#include "executor/wave/BlockOrder.h"
#include "executor/wave/Workgroup.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kernelscope::wave {

void Decoder::fail(const Twine &message) {
  if (hasFailed())
    return;
  raw_string_ostream stream(error);
  stream << message;
  if (current) {
    stream << ", in";
    current->print(stream);
  }
}

SmallVector<Field> Decoder::fields(Type *type) {
  auto found = fieldsOf(type, data);
  if (found)
    return *found;
  fail(toString(found.takeError()));
  return {};
}

Columns Decoder::newColumns(size_t count) {
  Columns columns;
  for (size_t i = 0; i < count; ++i)
    columns.push_back(newColumn());
  return columns;
}

Columns Decoder::define(const Value *value) {
  Columns columns = newColumns(fields(value->getType()).size());
  define(value, columns);
  return columns;
}

Column Decoder::constant(uint64_t bits) {
  auto [found, isNew] = constants.try_emplace(bits);
  if (isNew) {
    found->second = newColumn();
    program.constants.emplace_back(found->second, bits);
  }
  return found->second;
}

Column Decoder::ldsAddress(uint64_t offset) {
  auto [found, isNew] = ldsAddresses.try_emplace(offset);
  if (isNew) {
    found->second = newColumn();
    program.ldsAddresses.emplace_back(found->second, offset);
  }
  return found->second;
}

uint64_t Decoder::immediate(const Value *value) {
  if (auto *number = dyn_cast<ConstantInt>(value))
    return number->getZExtValue();
  fail("the operand must be a constant");
  return 0;
}

uint64_t Decoder::addressOf(const Constant *constant) {
  if (auto *variable = dyn_cast<GlobalVariable>(constant)) {
    isInLds |= variable->getAddressSpace() == Lds;
    return globals.lookup(variable);
  }
  if (auto *expression = dyn_cast<ConstantExpr>(constant)) {
    if (auto *address = dyn_cast<GEPOperator>(expression)) {
      APInt offset(data.getIndexTypeSizeInBits(address->getType()), 0);
      if (address->accumulateConstantOffset(data, offset))
        return addressOf(cast<Constant>(address->getPointerOperand())) +
               static_cast<uint64_t>(offset.getSExtValue());
    }
    const auto *from = cast<Constant>(expression->getOperand(0));
    if (expression->getOpcode() == Instruction::AddrSpaceCast) {
      const unsigned space = from->getType()->getPointerAddressSpace();
      return addressOf(from) |
             (space == Lds &&
                      constant->getType()->getPointerAddressSpace() == Generic
                  ? ldsAperture
                  : 0);
    }
    const bool isNumber = expression->getOpcode() == Instruction::PtrToInt ||
                          expression->getOpcode() == Instruction::IntToPtr ||
                          expression->getOpcode() == Instruction::Trunc;
    if (isNumber)
      return addressOf(from);
    if (expression->getOpcode() == Instruction::Add)
      return addressOf(from) +
             addressOf(cast<Constant>(expression->getOperand(1)));
    if (expression->getOpcode() == Instruction::Sub)
      return addressOf(from) -
             addressOf(cast<Constant>(expression->getOperand(1)));
  }
  if (auto *number = dyn_cast<ConstantInt>(constant))
    return number->getZExtValue();
  if (isa<ConstantPointerNull>(constant))
    return 0;
  fail("the wave simulator does not evaluate this constant");
  return 0;
}

SmallVector<uint64_t> Decoder::constantBits(const Constant *constant) {
  SmallVector<Field> parts = fields(constant->getType());
  SmallVector<uint64_t> bits(parts.size(), 0);
  // What is undefined or poison is zero, too.
  if (constant->isNullValue() || isa<UndefValue>(constant))
    return bits;
  auto words = [&](const APInt &value) {
    for (auto [i, word] : enumerate(bits))
      word = value.extractBitsAsZExtValue(
          std::min<unsigned>(64, value.getBitWidth() - 64 * i),
          static_cast<unsigned>(64 * i));
  };
  // A splat may be written as one number.
  if (auto *vector = dyn_cast<FixedVectorType>(constant->getType());
      vector && (isa<ConstantInt>(constant) || isa<ConstantFP>(constant))) {
    APInt value =
        isa<ConstantInt>(constant)
            ? cast<ConstantInt>(constant)->getValue()
            : cast<ConstantFP>(constant)->getValueAPF().bitcastToAPInt();
    bits.assign(parts.size(), value.getZExtValue());
    return bits;
  }
  if (auto *number = dyn_cast<ConstantInt>(constant)) {
    words(number->getValue());
  } else if (auto *number = dyn_cast<ConstantFP>(constant)) {
    words(number->getValueAPF().bitcastToAPInt());
  } else if (constant->getType()->isAggregateType() ||
             constant->getType()->isVectorTy()) {
    SmallVector<uint64_t> all;
    for (unsigned i = 0; Constant *element = constant->getAggregateElement(i);
         ++i)
      append_range(all, constantBits(element));
    if (all.size() != bits.size())
      fail("the wave simulator does not evaluate this constant");
    else
      bits = all;
  } else if (bits.size() == 1) {
    bits[0] = addressOf(constant) & lowBits(parts[0].scalar.bits);
  } else {
    fail("the wave simulator does not evaluate this constant");
  }
  return bits;
}

Columns Decoder::operand(const Value *value) {
  if (auto *literal = dyn_cast<Constant>(value)) {
    Columns columns;
    // Of a descriptor, a struct or a vector, some are addresses in LDS.
    if (isa<ConstantStruct, ConstantVector>(literal)) {
      for (const Use &element : literal->operands())
        append_range(columns, operand(element));
      return columns;
    }
    isInLds = false;
    for (uint64_t bits : constantBits(literal))
      columns.push_back(isInLds ? ldsAddress(bits) : constant(bits));
    if (isInLds && columns.size() > 1)
      fail("the wave simulator does not evaluate this constant");
    if (columns.empty())
      columns.push_back(constant(0));
    return columns;
  }
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  fail("the operand has no value");
  return {constant(0)};
}

std::function<void(Wave &, uint64_t)> Decoder::edge(const BasicBlock *from,
                                                    const BasicBlock *to) {
  std::vector<std::pair<Column, Column>> copies; // to, from
  for (const PHINode &phi : to->phis()) {
    Columns incoming = operand(phi.getIncomingValueForBlock(from));
    for (auto [target, source] : zip(operand(&phi), incoming))
      if (target != source)
        copies.emplace_back(target, source);
  }
  const uint32_t number = blockNumbers.lookup(to);
  return [copies, number](Wave &wave, uint64_t mask) {
    if (!mask)
      return;
    // All phis read before one is written.
    const uint64_t others = wave.active;
    wave.active = mask;
    wave.handed.resize(copies.size() * wave.lanes);
    uint64_t *handed = wave.handed.data();
    for (auto [_, source] : copies) {
      const uint64_t *value = wave.column(source);
      wave.forLanes([&](unsigned lane) { handed[lane] = value[lane]; });
      handed += wave.lanes;
    }
    handed = wave.handed.data();
    for (auto [target, _] : copies) {
      uint64_t *value = wave.column(target);
      wave.forLanes([&](unsigned lane) { value[lane] = handed[lane]; });
      handed += wave.lanes;
    }
    wave.sendTo(mask, number);
    wave.active = others;
  };
}

void Decoder::decodeTerminator(const Instruction &instruction) {
  const BasicBlock *from = instruction.getParent();
  if (isa<ReturnInst>(instruction)) {
    emit([](Wave &wave) { wave.sendTo(wave.active, Wave::atEnd); });
  } else if (isa<UnreachableInst>(instruction)) {
    emit([](Wave &wave) {
      if (!wave.group.failure)
        wave.fail("reaches an 'unreachable' instruction");
    });
  } else if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    auto yes = edge(from, branch->getSuccessor(0));
    if (branch->isUnconditional()) {
      emit([=](Wave &wave) { yes(wave, wave.active); });
      return;
    }
    auto no = edge(from, branch->getSuccessor(1));
    const Column condition = scalar(branch->getCondition());
    emit([=](Wave &wave) {
      uint64_t taken = 0;
      const uint64_t *value = wave.column(condition);
      wave.forLanes([&](unsigned lane) { taken |= (value[lane] & 1) << lane; });
      yes(wave, taken);
      no(wave, wave.active & ~taken);
    });
  } else if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
    if (choice->getCondition()->getType()->getIntegerBitWidth() > 64)
      return fail("the wave simulator does not switch on more than 64 bits");
    auto otherwise = edge(from, choice->getDefaultDest());
    std::vector<std::pair<uint64_t, std::function<void(Wave &, uint64_t)>>>
        cases;
    for (const auto &one : choice->cases())
      cases.emplace_back(one.getCaseValue()->getZExtValue(),
                         edge(from, one.getCaseSuccessor()));
    const Column condition = scalar(choice->getCondition());
    emit([=](Wave &wave) {
      uint64_t rest = wave.active;
      const uint64_t *value = wave.column(condition);
      for (const auto &[number, go] : cases) {
        uint64_t taken = 0;
        wave.forLanes([&, number = number](unsigned lane) {
          taken |= uint64_t{value[lane] == number} << lane;
        });
        go(wave, taken);
        rest &= ~taken;
      }
      otherwise(wave, rest);
    });
  } else {
    fail("the wave simulator does not run this terminator");
  }
}

void Decoder::decodeInstruction(const Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.isTerminator())
    return;
  for (auto *decodes : {decodeMove, decodeWideInteger, decodeArithmetic,
                        decodeCast, decodeMemoryAccess, decodeCall})
    if (decodes(*this, instruction))
      return;
  fail("the wave simulator does not run '" +
       Twine(instruction.getOpcodeName()) + "'");
}

Error Decoder::decode() {
  Function &function = const_cast<Function &>(*program.function);
  for (const Argument &argument : function.args())
    program.parameters.push_back(define(&argument));
  const std::vector<BasicBlock *> order = orderBlocks(function);
  program.blocks.resize(order.size());
  for (auto [number, from] : enumerate(order)) {
    blockNumbers[from] = static_cast<uint32_t>(number);
    for (const PHINode &phi : from->phis())
      define(&phi);
  }
  for (auto [number, from] : enumerate(order)) {
    block = &program.blocks[number];
    for (const Instruction &instruction : *from) {
      current = &instruction;
      decodeInstruction(instruction);
      if (hasFailed())
        return createStringError(error);
    }
  }
  // What blocks pass on may be computed after them, in a loop.
  for (auto [number, from] : enumerate(order)) {
    block = &program.blocks[number];
    current = from->getTerminator();
    decodeTerminator(*current);
    if (hasFailed())
      return createStringError(error);
  }
  return Error::success();
}

} // namespace kernelscope::wave
