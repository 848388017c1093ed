//===- PtxText.cpp - Texts of PTX, as steps -------------------------------===//
//
// The registers and branches of a text, and the instructions that compute each
// thread's values by executor/assembly.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Binding.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/TensorUnit.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

static const PtxMeanings &allInstructions() {
  static const PtxMeanings meanings = [] {
    PtxMeanings all;
    addMemoryInstructions(all);
    addAsyncCopies(all);
    addWarpInstructions(all);
    addBarrierInstructions(all);
    addMBarriers(all);
    addTensorCoreInstructions(all);
    addTensorMessages(all);
    addMatrixInstructions(all);
    addMatrixMoves(all);
    addWgmma(all);
    addTensorMaps(all);
    addTensorCopies(all);
    addBulkCopies(all);
    addLaunchControl(all);
    return all;
  }();
  return meanings;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// An instruction that computes each thread's values by itself.
static void decodeComputation(PtxCall &call, const Columns &registers,
                              Column carry) {
  const assembly::Instruction &instruction = call.instruction;
  const bool isOnMemory = any_of(instruction.operands, [](const auto &parts) {
    return any_of(parts, [](const auto &part) { return part.isAddress; });
  });
  const auto meaning = assembly::meaningOfPtx(instruction);
  if (!meaning || (isOnMemory && meaning->results))
    return call.fail();
  auto bound = assembly::bind(instruction, *meaning);
  if (!bound)
    return call.fail(": " + toString(bound.takeError()));
  Columns to, from;
  for (auto [i, part] : enumerate(bound->operands)) {
    const bool isResult = i < meaning->results;
    Column column = 0;
    if (part->kind == assembly::Operand::Register) {
      column = registers[part->index];
    } else if (part->kind == assembly::Operand::Special) {
      column = call.decoder.newColumn();
      const ReadSpecial read = findSpecialRegister(part->name);
      if (!read && part->name != "_")
        return call.fail(": '" + part->name + "' is not declared");
      if (read)
        call.decoder.emit([=](Wave &wave) {
          wave.forLanes([&](unsigned lane) {
            wave.value(column, lane) = read(wave, lane);
          });
        });
    } else {
      if (isResult)
        return call.fail(": its result is not a register");
      column =
          call.decoder.constant(assembly::constantBits(meaning->type, *part));
    }
    (isResult ? to : from).push_back(column);
  }
  if (meaning->readsCarry)
    from.push_back(carry);
  if (meaning->writesCarry)
    to.push_back(carry);
  call.emit([=, compute = std::move(bound->compute)](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      std::array<uint64_t, 8> in{}, out{};
      for (auto [value, column] : zip(in, from))
        value = wave.value(column, lane);
      compute(in.data(), out.data());
      for (auto [value, column] : zip(out, to))
        wave.value(column, lane) = value;
    });
  });
}

static void decodeInstruction(Decoder &decoder,
                              const assembly::Instruction &instruction,
                              const Columns &registers, Column carry) {
  PtxCall call(decoder, instruction, registers);
  const StringRef text = instruction.opcode;
  const auto *found = allInstructions().find(text);
  if (!found) {
    decodeComputation(call, registers, carry);
    return;
  }
  call.name = found->getKey();
  call.opcode = assembly::Opcode(text.drop_front(call.name.size()));
  found->second(call);
}

namespace {
/// A text with labels, as one step: lanes that diverge meet again as in blocks,
/// by the order of its instructions.
class Branches {
public:
  explicit Branches(Column next) : next(next) {}

  void add(Block steps) { instructions.push_back(std::move(steps)); }
  void operator()(Wave &wave) const {
    const uint64_t all = wave.active;
    for (bool runs = true; runs && !wave.isPaused();) {
      uint64_t first = instructions.size();
      wave.active = all;
      wave.forLanes([&](unsigned lane) {
        first = std::min(first, wave.value(next, lane));
      });
      runs = first < instructions.size();
      uint64_t there = 0;
      wave.forLanes([&](unsigned lane) {
        uint64_t &at = wave.value(next, lane);
        there |= uint64_t{at == first} << lane;
        // The next time the text starts anew.
        at = runs ? at : 0;
      });
      wave.active = there;
      if (runs)
        runInstruction(wave, first);
    }
    wave.active = all;
  }

private:
  void runInstruction(Wave &wave, uint64_t number) const {
    // A branch changes it.
    wave.forLanes([&](unsigned lane) { wave.value(next, lane) = number + 1; });
    for (const Step &step : instructions[number]) {
      step.run(wave);
      if (wave.isPaused())
        break;
    }
    ++wave.group.steps;
    if (!wave.isPaused())
      return;
    // A wait runs again; after an instruction that yields to others, the text
    // continues.
    if (wave.repeatsStep()) {
      --wave.group.steps;
      wave.forLanes([&](unsigned lane) { wave.value(next, lane) = number; });
    }
    wave.pause(/*again=*/true);
  }

  std::vector<Block> instructions;
  /// The number of the instruction that a lane is at.
  Column next;
};
} // namespace

/// `bra label`.
static void decodeBranch(Decoder &decoder,
                         const assembly::Instruction &instruction,
                         const Columns &registers, const assembly::Program &in,
                         Column next) {
  PtxCall call(decoder, instruction, registers);
  const bool hasLabel = call.numOperands() == 1 &&
                        in.labels.count(instruction.operands[0][0].name);
  if (!hasLabel)
    return call.fail(": it branches to a label that is not defined");
  call.emit(
      [=, to = in.labels.at(instruction.operands[0][0].name)](Wave &wave) {
        bool isBack = false;
        wave.forLanes([&](unsigned lane) {
          isBack |= to < wave.value(next, lane);
          wave.value(next, lane) = to;
        });
        // It may spin on what another warp does.
        if (isBack)
          wave.pause(/*again=*/false);
      });
}

static void decodeText(Decoder &decoder, const assembly::Program &program,
                       const Columns &registers, Column carry) {
  if (program.labels.empty()) {
    for (const assembly::Instruction &instruction : program.instructions)
      decodeInstruction(decoder, instruction, registers, carry);
    return;
  }
  const Column next = decoder.newColumn();
  Branches branches(next);
  for (const assembly::Instruction &instruction : program.instructions)
    branches.add(decoder.collect([&] {
      if (StringRef(instruction.opcode).split('.').first == "bra")
        decodeBranch(decoder, instruction, registers, program, next);
      else
        decodeInstruction(decoder, instruction, registers, carry);
    }));
  decoder.emit(std::move(branches));
}

//===----------------------------------------------------------------------===//
// The operands of a call
//===----------------------------------------------------------------------===//

/// A register of PTX that holds a value, whatever the value's parts.
static SmallVector<Field> asRegister(Decoder &decoder, Type *type) {
  const uint64_t bits = decoder.data.getTypeSizeInBits(type).getFixedValue();
  if (bits <= 64)
    return {{{Scalar::Kind::Int, static_cast<unsigned>(bits), 0}, 0}};
  return decoder.fields(type);
}

namespace {
/// The registers of a call: those of its results, and of what it is given.
class CallRegisters {
public:
  CallRegisters(Decoder &decoder, const CallBase &call)
      : decoder(decoder), call(call) {
    if (auto *record = dyn_cast<StructType>(call.getType()))
      append_range(results, record->elements());
    else if (!call.getType()->isVoidTy())
      results.push_back(call.getType());
    registers = decoder.newColumns(results.size());
    for (const Value *value : call.args()) {
      const Columns columns = repack(decoder, decoder.operand(value),
                                     decoder.fields(value->getType()),
                                     asRegister(decoder, value->getType()));
      // Of 128 bits, responses of launch control, the lower half is enough.
      if (columns.size() != 1 && !value->getType()->isIntegerTy(128))
        decoder.fail(
            "the wave simulator supports at most 64 bits in a PTX register");
      registers.push_back(columns[0]);
    }
  }
  /// Operand `operand` is in the register of result `result`.
  void tie(size_t operand, size_t result) {
    Column &column = registers[results.size() + operand];
    decoder.unary(registers[result], column, [](uint64_t x) { return x; });
    column = registers[result];
  }
  void run(StringRef text) {
    const size_t operands = registers.size();
    auto program = assembly::parse(text, static_cast<unsigned>(operands),
                                   assembly::Language::Ptx);
    if (!program) {
      decoder.fail("the wave simulator cannot read the assembly: " +
                   toString(program.takeError()));
      return;
    }
    while (registers.size() < program->registers)
      registers.push_back(decoder.newColumn());
    // The first that the text does not declare is the carry.
    decodeText(decoder, *program, registers, registers[operands]);
    Columns parts;
    for (auto [type, column] : zip(results, registers))
      append_range(parts, repack(decoder, {column}, asRegister(decoder, type),
                                 decoder.fields(type)));
    if (!results.empty())
      decoder.define(&call, std::move(parts));
  }

private:
  Decoder &decoder;
  const CallBase &call;
  SmallVector<Type *> results;
  Columns registers;
};
} // namespace

void decodePtxText(Decoder &decoder, const CallBase &call, StringRef text) {
  CallRegisters(decoder, call).run(text);
}

void decodePtx(Decoder &decoder, const CallBase &call) {
  const auto *code = cast<InlineAsm>(call.getCalledOperand());
  CallRegisters registers(decoder, call);
  size_t operand = 0;
  for (const auto &constraint : code->ParseConstraints()) {
    if (constraint.Type != InlineAsm::isInput)
      continue;
    unsigned result = 0;
    if (!StringRef(constraint.Codes[0]).getAsInteger(10, result))
      registers.tie(operand, result);
    ++operand;
  }
  registers.run(code->getAsmString());
}

} // namespace kernelscope::wave::nvidia
