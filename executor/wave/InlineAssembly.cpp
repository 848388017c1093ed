//===- InlineAssembly.cpp - Instructions written by hand ------------------===//
//
// By the executor's tables of what AMDGCN's instructions compute. PTX is in
// nvidia/Ptx.cpp.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Arithmetic.h"
#include "executor/wave/nvidia/Ptx.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
namespace assembly = kernelscope::executor::assembly;

namespace kernelscope::wave {

static void decodeOne(Decoder &decoder, const assembly::Instruction &code,
                      const Columns &registers) {
  auto meaning = assembly::meaningOfAmdgcn(code);
  const bool isPlain =
      meaning && !code.predicate && !meaning->readsCarry &&
      !meaning->writesCarry && !meaning->readsResult &&
      code.operands.size() == meaning->results + meaning->sources &&
      llvm::all_of(code.operands, [&](const assembly::Parts &parts) {
        return parts.size() == 1 && !parts[0].inverted && !parts[0].negated &&
               !parts[0].absolute &&
               parts[0].kind != assembly::Operand::Special &&
               (parts[0].kind != assembly::Operand::Register ||
                parts[0].index < registers.size());
      });
  if (!isPlain) {
    decoder.fail("the wave simulator does not run the instruction '" +
                 code.text + "'");
    return;
  }
  Columns to, from;
  for (auto [i, parts] : enumerate(code.operands)) {
    const assembly::Operand &part = parts[0];
    Column column = 0;
    if (part.kind == assembly::Operand::Register)
      column = registers[part.index];
    else if (part.kind == assembly::Operand::Number)
      column = decoder.constant(assembly::encode(meaning->type, part.number));
    else
      column = decoder.constant(part.integer);
    (i < meaning->results ? to : from).push_back(column);
  }
  decoder.emit([=, compute = meaning->compute](Wave &wave) {
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

void decodeInlineAssembly(Decoder &decoder, const CallBase &call) {
  if (decoder.target().isNvidia()) {
    nvidia::decodePtx(decoder, call);
    return;
  }
  const auto *code = cast<InlineAsm>(call.getCalledOperand());
  // An empty text that returns its operand only hides it.
  if (code->getAsmString().empty()) {
    if (!call.getType()->isVoidTy() && call.arg_size() == 1)
      decoder.define(&call, decoder.operand(call.getArgOperand(0)));
    return;
  }
  if (StringRef(code->getAsmString()).starts_with("s_trap")) {
    decoder.emit([](Wave &wave) { wave.fail("the kernel traps"); });
    return;
  }
  // Results, then operands, each a scalar.
  const Columns results = decoder.define(&call);
  Columns registers = results;
  for (const Use &operand : call.args()) {
    Columns columns = decoder.operand(operand);
    if (columns.size() != 1)
      decoder.fail("the wave simulator supports only scalar operands of inline "
                   "assembly");
    registers.push_back(columns[0]);
  }
  auto program = assembly::parse(code->getAsmString(),
                                 static_cast<unsigned>(registers.size()),
                                 assembly::Language::Amdgcn);
  if (!program) {
    decoder.fail("the wave simulator cannot read the assembly: " +
                 toString(program.takeError()));
    return;
  }
  while (registers.size() < program->registers)
    registers.push_back(decoder.newColumn());
  for (const assembly::Instruction &instruction : program->instructions)
    decodeOne(decoder, instruction, registers);
}

} // namespace kernelscope::wave
