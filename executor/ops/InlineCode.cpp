//===- InlineCode.cpp - Inline assembly that is ready to run --------------===//

#include "executor/ops/InlineCode.h"
#include "dialects/ttg/TTG.h"
#include "executor/assembly/Binding.h"
#include "executor/assembly/Opcode.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Null when it has no value here: what a thread is has no meaning to an
/// element of a tensor.
ReadRegister machineRegister(StringRef name) {
  // All programs run on one multiprocessor, one after another.
  if (name == "smid" || name == "clusterid.x")
    return [](Frame &) { return 0; };
  if (name == "cluster_ctarank" || name == "cluster_ctaid.x")
    return [](Frame &frame) { return frame.cta; };
  if (name == "cluster_nctarank" || name == "cluster_nctaid.x")
    return [](Frame &frame) {
      return frame.program.cluster ? frame.program.cluster->size() : 1;
    };
  if (name == "nsmid")
    return [](Frame &) { return 1; };
  // Time advances from one read of the clock to the next.
  if (llvm::is_contained({"globaltimer", "clock", "clock64", "globaltimer_lo"},
                         name))
    return [](Frame &frame) { return ++frame.program.clock; };
  StringRef axis = name;
  const bool isId = axis.consume_front("ctaid."),
             isCount = !isId && axis.consume_front("nctaid.");
  const int dim = llvm::StringSwitch<int>(axis)
                      .Case("x", 0)
                      .Case("y", 1)
                      .Case("z", 2)
                      .Default(-1);
  if (dim < 0 || (!isId && !isCount))
    return {};
  return [=](Frame &frame) -> uint64_t {
    return isId ? frame.program.id.axis[dim] : frame.program.grid[dim];
  };
}

/// A load or store of PTX on shared memory, whose registers are those that the
/// text names; none for other instructions.
std::optional<Planned> planSharedAccess(const assembly::Instruction &from) {
  assembly::Opcode opcode(from.opcode);
  const bool isStore = opcode.name == "st";
  if ((!isStore && opcode.name != "ld") || opcode.types.size() != 1 ||
      !(opcode.take("shared") || opcode.take("shared::cta")) ||
      from.operands.size() != 2)
    return std::nullopt;
  opcode.take("volatile");
  const size_t count = opcode.take("v2") ? 2 : opcode.take("v4") ? 4 : 1;
  const assembly::Parts &values = from.operands[isStore],
                        &address = from.operands[!isStore];
  auto isRegister = [](const assembly::Operand &part) {
    return part.kind == assembly::Operand::Register;
  };
  if (!opcode.modifiers.empty() || values.size() != count ||
      !llvm::all_of(values, isRegister) || address.size() != 1 ||
      !address.front().isAddress)
    return std::nullopt;
  Planned planned{{}, {}, {}, from.predicate, from.negated};
  planned.memory =
      SharedAccess{opcode.types.front(), isStore, address.front().integer};
  planned.from.push_back(address.front().index);
  for (const assembly::Operand &value : values)
    (isStore ? planned.from : planned.to).push_back(value.index);
  return planned;
}

} // namespace

std::optional<Code> planCode(Operation *op, StringRef text, unsigned operands,
                             bool hasAddresses) {
  std::optional<Vendor> vendor;
  if (auto target = ttg::lookupTarget(op))
    vendor = target->vendor;
  // Before a target is chosen the text says it: PTX ends each instruction.
  const bool isPtx =
      vendor ? *vendor == Vendor::Nvidia : text.contains(';') || text.empty();
  llvm::Expected<assembly::Program> program = assembly::parse(
      text, operands,
      isPtx ? assembly::Language::Ptx : assembly::Language::Amdgcn);
  if (!program) {
    op->emitError("the CPU executor cannot read the assembly: ")
        << llvm::toString(program.takeError());
    return std::nullopt;
  }
  Code code;
  code.initial.assign(program->registers, 0);
  for (const assembly::Instruction &instruction : program->instructions) {
    auto reject = [&](const Twine &why) {
      op->emitError("the CPU executor does not run the instruction '")
          << instruction.text << "'" << why;
      return std::nullopt;
    };
    if (auto access = hasAddresses && isPtx ? planSharedAccess(instruction)
                                            : std::nullopt) {
      code.instructions.push_back(std::move(*access));
      continue;
    }
    const bool isOnMemory =
        llvm::any_of(instruction.operands, [](const assembly::Parts &parts) {
          return llvm::any_of(parts, [](const assembly::Operand &part) {
            return part.isAddress;
          });
        });
    std::optional<assembly::Meaning> meaning =
        isPtx ? assembly::meaningOfPtx(instruction)
              : assembly::meaningOfAmdgcn(instruction);
    if (!meaning || (isOnMemory && meaning->results))
      return reject("");
    Planned planned{{}, {}, {}, instruction.predicate, instruction.negated};
    auto bound = assembly::bind(instruction, *meaning);
    if (!bound)
      return reject(": " + llvm::toString(bound.takeError()));
    planned.compute = std::move(bound->compute);
    for (auto [i, part] : llvm::enumerate(bound->operands)) {
      const bool isResult = i < meaning->results;
      unsigned place = part->index;
      if (part->kind != assembly::Operand::Register) {
        place = code.initial.size();
        code.initial.push_back(assembly::constantBits(meaning->type, *part));
      }
      if (part->kind == assembly::Operand::Special && part->name != "_") {
        ReadRegister read = machineRegister(part->name);
        if (!read)
          return reject(": '" + part->name +
                        "' is neither declared nor the same for all elements");
        code.machine.emplace_back(place, std::move(read));
      } else if (isResult && part->kind != assembly::Operand::Register &&
                 part->name != "_") {
        return reject(": its result is not a register");
      }
      (isResult ? planned.to : planned.from).push_back(place);
    }
    // The parser puts it after the operands.
    if (meaning->readsCarry)
      planned.from.push_back(operands);
    if (meaning->writesCarry)
      planned.to.push_back(operands);
    code.instructions.push_back(std::move(planned));
  }
  return code;
}

} // namespace kernelscope::executor
