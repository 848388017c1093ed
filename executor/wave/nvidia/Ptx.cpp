//===- Ptx.cpp - What instructions of inline PTX do to a warp -------------===//
//
// Operands and predicates.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Ptx.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/TensorUnit.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

const StringMapEntry<PtxMeaning> *PtxMeanings::find(StringRef opcode) const {
  for (StringRef name = opcode;; name = name.rsplit('.').first) {
    if (auto found = table.find(name); found != table.end())
      return &*found;
    if (!name.contains('.'))
      return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Columns PtxCall::parts(size_t operand) {
  if (operand >= numOperands()) {
    fail(": it has too few operands");
    return {decoder.constant(0)};
  }
  Columns columns;
  for (const assembly::Operand &part : instruction.operands[operand]) {
    if (part.kind == assembly::Operand::Special) {
      const ReadSpecial read = findSpecialRegister(part.name);
      columns.push_back(decoder.newColumn());
      if (read)
        decoder.emit([=, to = columns.back()](Wave &wave) {
          wave.forLanes(
              [&](unsigned lane) { wave.value(to, lane) = read(wave, lane); });
        });
      else if (part.name != "_")
        fail(": '" + part.name + "' is not declared");
      continue;
    }
    if (part.kind != assembly::Operand::Register) {
      columns.push_back(decoder.constant(part.integer));
      continue;
    }
    Column column = registers[part.index];
    auto changed = [&](auto fn) {
      const Column to = decoder.newColumn();
      decoder.unary(to, column, fn);
      column = to;
    };
    if (part.isAddress && part.integer)
      changed([offset = part.integer](uint64_t x) { return x + offset; });
    if (part.inverted)
      changed([](uint64_t x) { return x ^ 1; });
    columns.push_back(column);
  }
  return columns;
}

std::optional<uint64_t> PtxCall::number(size_t operand) const {
  if (operand >= numOperands())
    return std::nullopt;
  const assembly::Parts &parts = instruction.operands[operand];
  return parts.size() == 1 && parts[0].kind == assembly::Operand::Integer
             ? std::optional(parts[0].integer)
             : std::nullopt;
}

bool PtxCall::isSink(size_t operand) const {
  if (operand >= numOperands())
    return false;
  const assembly::Operand &part = instruction.operands[operand][0];
  return part.kind == assembly::Operand::Special && part.name == "_";
}

void PtxCall::emit(std::function<void(Wave &)> run) {
  if (!instruction.predicate) {
    decoder.emit(std::move(run));
    return;
  }
  decoder.emit([run = std::move(run), negated = instruction.negated,
                predicate = registers[*instruction.predicate]](Wave &wave) {
    const uint64_t all = wave.active;
    uint64_t holds = 0;
    wave.forLanes([&](unsigned lane) {
      holds |= ((wave.value(predicate, lane) ^ negated) & 1) << lane;
    });
    if (!holds)
      return;
    wave.active = holds;
    run(wave);
    wave.active = all;
  });
}

void PtxCall::fail(const Twine &why) {
  decoder.fail("the wave simulator does not run the instruction '" +
               instruction.text + "'" + why);
}

bool PtxCall::isUnderstood() {
  if (!opcode.modifiers.empty())
    fail(": it does not know '." + opcode.modifiers.front() + "'");
  return opcode.modifiers.empty();
}

bool isWholeWarp(Wave &wave, StringRef instruction) {
  if (wave.active == wave.all)
    return true;
  wave.fail(instruction + " is run by " + Twine(popcount(wave.active)) +
            " lanes; all lanes of the warp must run it");
  return false;
}

unsigned takeSpace(assembly::Opcode &opcode) {
  if (opcode.take("global") || opcode.take("const"))
    return Global;
  if (opcode.take("shared") || opcode.take("shared::cta"))
    return Lds;
  if (opcode.take("shared::cluster"))
    return ClusterShared;
  if (opcode.take("local"))
    return Private;
  return Generic;
}

void takeMemoryHints(assembly::Opcode &opcode) {
  llvm::erase_if(opcode.modifiers, [](StringRef word) {
    return word.starts_with("L1::") || word.starts_with("L2::") ||
           llvm::is_contained({"weak",    "relaxed",  "acquire", "release",
                               "acq_rel", "volatile", "mmio",    "cta",
                               "cluster", "gpu",      "sys",     "nc",
                               "ca",      "cg",       "cs",      "lu",
                               "cv",      "wb",       "wt",      "noftz"},
                              word);
  });
}

} // namespace kernelscope::wave::nvidia
