//===- EmittedCode.cpp - What each line of the IR became ------------------===//

#include "passes/emit/EmittedCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::emit;
using llvm::StringRef;

namespace {

/// Instructions whose opcode begins with `prefix` and, in PTX, has `modifier`,
/// or, in AMDGCN, has it as an operand.
struct InstructionClassRow {
  llvm::StringLiteral prefix, modifier;
  InstructionClass kind;
};

using Class = InstructionClass;

/// The first row that fits counts.
constexpr InstructionClassRow instructionClasses[] = {
    // PTX.
    {"ld.", "param", Class::Other},
    {"ld.", "local", Class::LocalMemory},
    {"st.", "local", Class::LocalMemory},
    {"st.async.", "", Class::SharedStore},
    {"ld.", "shared", Class::SharedLoad},
    {"st.", "shared", Class::SharedStore},
    {"ld.", "global", Class::GlobalLoad},
    {"st.", "global", Class::GlobalStore},
    {"ldu.", "", Class::GlobalLoad},
    {"cp.async.wait", "", Class::Wait},
    {"cp.async.bulk.wait", "", Class::Wait},
    {"cp.async.", "", Class::AsyncCopy},
    {"cp.reduce.async.", "", Class::AsyncCopy},
    {"ldmatrix.", "", Class::MatrixLoad},
    {"stmatrix.", "", Class::MatrixStore},
    {"mma.", "", Class::MatrixProduct},
    {"wgmma.mma_async", "", Class::MatrixProduct},
    {"wgmma.wait_group", "", Class::Wait},
    {"tcgen05.mma", "", Class::MatrixProduct},
    {"tcgen05.wait", "", Class::Wait},
    {"tcgen05.fence", "", Class::Other},
    {"tcgen05.", "", Class::TensorMemory},
    {"atom.", "", Class::Atomic},
    {"red.", "", Class::Atomic},
    {"multimem.", "", Class::Atomic},
    {"shfl.", "", Class::Exchange},
    {"redux.", "", Class::Exchange},
    {"bar.warp.", "", Class::Other},
    {"bar.", "", Class::Barrier},
    {"barrier.", "", Class::Barrier},
    {"mbarrier.test_wait", "", Class::Wait},
    {"mbarrier.try_wait", "", Class::Wait},
    {"mbarrier.", "", Class::Barrier},
    // AMDGCN.
    {"global_load_lds", "", Class::AsyncCopy},
    {"global_load_async_to_lds", "", Class::AsyncCopy},
    {"global_store_async_from_lds", "", Class::AsyncCopy},
    {"buffer_load", "lds", Class::AsyncCopy},
    {"tensor_load_to_lds", "", Class::AsyncCopy},
    {"tensor_store_from_lds", "", Class::AsyncCopy},
    {"global_load", "", Class::GlobalLoad},
    {"buffer_load", "", Class::GlobalLoad},
    {"flat_load", "", Class::GlobalLoad},
    {"global_store", "", Class::GlobalStore},
    {"buffer_store", "", Class::GlobalStore},
    {"flat_store", "", Class::GlobalStore},
    {"global_atomic", "", Class::Atomic},
    {"buffer_atomic", "", Class::Atomic},
    {"flat_atomic", "", Class::Atomic},
    {"scratch_", "", Class::LocalMemory},
    {"ds_read_b64_tr", "", Class::MatrixLoad},
    {"ds_read_b96_tr", "", Class::MatrixLoad},
    {"ds_load_tr", "", Class::MatrixLoad},
    {"ds_read", "", Class::SharedLoad},
    {"ds_load", "", Class::SharedLoad},
    {"ds_write", "", Class::SharedStore},
    {"ds_store", "", Class::SharedStore},
    {"ds_bpermute", "", Class::Exchange},
    {"ds_permute", "", Class::Exchange},
    {"ds_swizzle", "", Class::Exchange},
    {"ds_", "", Class::Atomic},
    {"v_permlane", "", Class::Exchange},
    {"v_mfma", "", Class::MatrixProduct},
    {"v_smfmac", "", Class::MatrixProduct},
    {"v_wmma", "", Class::MatrixProduct},
    {"v_swmmac", "", Class::MatrixProduct},
    // A barrier on RDNA 4 and gfx1250 is a signal and a wait: the wait counts.
    {"s_barrier_wait", "", Class::Barrier},
    {"s_barrier_", "", Class::Other},
    {"s_barrier", "", Class::Barrier},
};

/// `global_load_dwordx4`, `ds_read_b128`: what the end says, in bytes.
struct SizeName {
  llvm::StringLiteral name;
  unsigned bytes;
};
constexpr SizeName sizeNames[] = {
    {"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"dword", 4},
    {"b128", 16},    {"b96", 12},     {"b64", 8},     {"b32", 4},
    {"b16", 2},      {"b8", 1},       {"u16", 2},     {"i16", 2},
    {"short", 2},    {"ushort", 2},   {"sshort", 2},  {"u8", 1},
    {"i8", 1},       {"ubyte", 1},    {"sbyte", 1},   {"byte", 1},
};

} // namespace

/// `shared::cta` counts as `shared`.
static bool hasModifier(StringRef opcode, StringRef wanted) {
  return llvm::any_of(llvm::split(opcode, '.'), [&](StringRef part) {
    return part.split(':').first == wanted;
  });
}

llvm::SmallVector<Instruction, 1>
kernelscope::emit::instructionsOn(StringRef line) {
  llvm::SmallVector<Instruction, 1> found;
  // `;` ends a statement of PTX and begins a comment of AMDGCN.
  const bool isPtx = !line.contains(" ; ") && line.contains(';');
  line = line.split(isPtx ? "//" : ";").first;
  for (StringRef statement : llvm::split(line, ';')) {
    statement = statement.trim(" \t{}");
    if (auto [label, rest] = statement.split(':');
        !rest.starts_with(":") && !label.contains_insensitive(' ') &&
        label.size() < statement.size())
      statement = rest.trim();
    Instruction instruction;
    if (statement.starts_with("@")) {
      instruction.isPredicated = true;
      statement = statement.drop_until([](char c) { return c == ' '; }).trim();
    }
    auto isSpace = [](char c) { return c == ' ' || c == '\t'; };
    instruction.opcode = statement.take_until(isSpace);
    instruction.operands =
        statement.drop_front(instruction.opcode.size()).trim();
    instruction.isPredicated |= instruction.opcode.starts_with("cp.async.c") &&
                                instruction.operands.count(',') == 3;
    if (!instruction.opcode.empty() &&
        (llvm::isAlpha(instruction.opcode[0]) || instruction.opcode[0] == '_'))
      found.push_back(instruction);
  }
  return found;
}

InstructionClass kernelscope::emit::classOf(const Instruction &instruction) {
  for (const InstructionClassRow &row : instructionClasses)
    if (instruction.opcode.starts_with(row.prefix) &&
        (row.modifier.empty() ||
         hasModifier(instruction.opcode, row.modifier) ||
         llvm::is_contained(llvm::split(instruction.operands, ' '),
                            row.modifier)))
      return row.kind;
  // A lane's neighbour, read by an ordinary instruction of AMD's.
  if (instruction.opcode.contains("_dpp"))
    return Class::Exchange;
  return Class::Other;
}

unsigned kernelscope::emit::bytesMoved(const Instruction &instruction) {
  StringRef opcode = instruction.opcode;
  if (opcode.contains('.')) {
    // `cp.async.cg.shared.global [to], [from], 16`.
    if (opcode.starts_with("cp.async.c")) {
      llvm::SmallVector<StringRef> operands;
      instruction.operands.split(operands, ',');
      unsigned bytes = 0;
      if (operands.size() > 2)
        operands[2].trim().getAsInteger(10, bytes);
      return bytes;
    }
    unsigned values = 1, bits = 0;
    for (StringRef part : llvm::split(opcode, '.')) {
      if (part.size() < 2 ||
          part.drop_front().find_first_not_of("0123456789") != StringRef::npos)
        continue;
      unsigned number = 0;
      part.drop_front().getAsInteger(10, number);
      if (part[0] == 'v')
        values = number;
      else if (StringRef("bsuf").contains(part[0]))
        bits = number;
    }
    return values * bits / 8;
  }
  // `ds_read2_b64` reads two, `ds_read2st64_b64` too.
  unsigned values = opcode.starts_with("ds_read2") ||
                            opcode.starts_with("ds_load_2addr") ||
                            opcode.starts_with("ds_write2") ||
                            opcode.starts_with("ds_store_2addr")
                        ? 2
                        : 1;
  for (StringRef part : llvm::split(opcode, '_'))
    for (const SizeName &size : sizeNames)
      if (part == size.name)
        return values * size.bytes;
  return 0;
}

std::string kernelscope::emit::shortName(StringRef opcode) {
  // How AMD encodes an instruction is not part of its name.
  if (!opcode.consume_back("_e32"))
    opcode.consume_back("_e64");
  StringRef first = opcode.split('.').first;
  const bool movesTiles = first == "ldmatrix" || first == "stmatrix";
  std::string name;
  for (StringRef part : llvm::split(opcode, '.')) {
    if (llvm::is_contained({"sync", "aligned", "row", "col"}, part) ||
        (movesTiles &&
         (part == "m8n8" || part == "b16" || part.starts_with("shared"))))
      continue;
    name += (name.empty() ? "" : ".") + part.str();
  }
  return name;
}

/// Follows the lanes that are off in AMDGCN, which has no predicates: a mask
/// narrows `exec`, and the register is restored after the accesses.
static void followExec(StringRef line, bool &isNarrowed) {
  if (!line.contains("exec") && !line.contains("v_cmpx"))
    return;
  for (const Instruction &instruction : instructionsOn(line))
    if (instruction.opcode.contains("saveexec") ||
        instruction.opcode.starts_with("v_cmpx"))
      isNarrowed = true;
    else if ((instruction.opcode.starts_with("s_or_b") ||
              instruction.opcode.starts_with("s_mov_b")) &&
             instruction.operands.starts_with("exec"))
      isNarrowed = false;
}

EmittedLines
kernelscope::emit::countInstructions(StringRef assembly,
                                     llvm::ArrayRef<LineLink> links) {
  EmittedLines lines;
  unsigned number = 0;
  bool isNarrowed = false;
  for (StringRef line : llvm::split(assembly, '\n')) {
    ++number;
    followExec(line, isNarrowed);
    if (line.starts_with(".Lfunc_end"))
      isNarrowed = false;
    while (!links.empty() && links.front().outputLine < number)
      links = links.drop_front();
    if (links.empty())
      break;
    if (links.front().outputLine != number)
      continue;
    auto &counts = lines[links.front().irLine];
    for (const Instruction &instruction : instructionsOn(line)) {
      auto same = llvm::find_if(counts, [&](const InstructionCount &entry) {
        return entry.opcode == instruction.opcode;
      });
      if (same == counts.end())
        same = counts.insert(counts.end(),
                             {instruction.opcode.str(), classOf(instruction), 0,
                              0, bytesMoved(instruction)});
      ++same->count;
      same->predicated += instruction.isPredicated || isNarrowed;
    }
  }
  return lines;
}
