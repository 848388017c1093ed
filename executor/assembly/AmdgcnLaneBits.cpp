//===- AmdgcnLaneBits.cpp - AMDGCN on a bit of each lane ------------------===//
//
// Comparisons, selections and carries. The register vcc has a bit for each
// lane; here it is the bit of this one.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Arithmetic.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace kernelscope::executor::assembly {
namespace {

bool isLaneBit(const Instruction &instruction, size_t operand) {
  return operand < instruction.operands.size() &&
         instruction.operands[operand].front().name == "vcc";
}

/// v_cmp_OP_TYPE. With an n before it the opposite of a comparison of floats,
/// which holds for unordered ones.
std::optional<Meaning> planLaneCompare(StringRef name) {
  auto [operation, typeName] = name.split('_');
  const std::optional<Type> type = typeOf(typeName);
  if (!type || (type->isFloat() && operation == "ne"))
    return std::nullopt;
  const bool negates =
      type->isFloat() && operation.size() == 3 && operation.consume_front("n");
  const auto compare = findComparison(StringSwitch<StringRef>(operation)
                                          .Case("lg", "ne")
                                          .Case("o", "num")
                                          .Case("u", "nan")
                                          .Default(operation),
                                      *type);
  if (!compare)
    return std::nullopt;
  return Meaning{[=, compare = *compare](const uint64_t *x, uint64_t *result) {
                   *result = compare(x[0], x[1]) != negates;
                 },
                 *type, 2};
}

/// Sums and differences of 32 bits.
Meaning planLaneCarry(bool takes, bool subtracts) {
  return {[=](const uint64_t *x, uint64_t *result) {
            const uint64_t a = truncate(x[0], 32), b = truncate(x[1], 32),
                           carry = takes ? x[2] & 1 : 0;
            const uint64_t sum = subtracts ? a - b - carry : a + b + carry;
            result[0] = truncate(sum, 32);
            result[1] = sum >> 32 & 1;
          },
          Type{Type::Unsigned, 32}, takes ? 3u : 2u, 2};
}

} // namespace

std::optional<Meaning> meaningOfLaneBits(StringRef opcode,
                                         const Instruction &instruction) {
  if (opcode.consume_front("v_cmp_"))
    return isLaneBit(instruction, 0) ? planLaneCompare(opcode) : std::nullopt;
  if (opcode == "v_cndmask_b32" && isLaneBit(instruction, 3))
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     *result = truncate(x[x[2] & 1], 32);
                   },
                   Type{Type::Bits, 32}, 3};
  if (!isLaneBit(instruction, 1))
    return std::nullopt;
  if (opcode == "v_add_co_u32" || opcode == "v_sub_co_u32")
    return planLaneCarry(false, opcode == "v_sub_co_u32");
  const bool adds = opcode == "v_addc_co_u32" || opcode == "v_add_co_ci_u32",
             subtracts =
                 opcode == "v_subb_co_u32" || opcode == "v_sub_co_ci_u32";
  if ((adds || subtracts) && isLaneBit(instruction, 4))
    return planLaneCarry(true, subtracts);
  return std::nullopt;
}

} // namespace kernelscope::executor::assembly
