//===- Binding.cpp - Operands in the order of a meaning -------------------===//

#include "executor/assembly/Binding.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kernelscope::executor::assembly {

uint64_t constantBits(Type type, const Operand &operand) {
  if (operand.kind != Operand::Number)
    return operand.integer;
  if (!type.isFloat())
    type = {type.bits == 64   ? Type::F64
            : type.bits == 16 ? Type::F16
                              : Type::F32,
            type.bits};
  return encode(type, operand.number);
}

/// `compute` on sources of which some are inverted, negated or made positive.
/// None when that does not support the type.
static std::optional<Compute> onModified(Compute compute, Type type,
                                         ArrayRef<const Operand *> sources) {
  SmallVector<std::function<uint64_t(uint64_t)>> changes(sources.size());
  bool any = false;
  for (auto [change, source] : zip_equal(changes, sources)) {
    if (!source->inverted && !source->negated && !source->absolute)
      continue;
    any = true;
    if (source->inverted)
      change = [](uint64_t value) { return value ^ 1; };
    else if (!type.isFloat() || type.lanes != 1)
      return std::nullopt;
    else
      change = [sign = uint64_t{1} << (type.bits - 1),
                clears = source->absolute,
                flips = source->negated](uint64_t value) {
        value = clears ? value & ~sign : value;
        return flips ? value ^ sign : value;
      };
  }
  if (!any)
    return compute;
  return [=](const uint64_t *from, uint64_t *to) {
    uint64_t changed[8];
    for (auto [i, change] : enumerate(changes))
      changed[i] = change ? change(from[i]) : from[i];
    compute(changed, to);
  };
}

Expected<Binding> bind(const Instruction &instruction, const Meaning &meaning) {
  Binding bound;
  if (meaning.results)
    for (const Parts &operand : instruction.operands)
      for (const Operand &part : operand)
        bound.operands.push_back(&part);
  const unsigned takes = meaning.results + meaning.sources;
  if (meaning.results && bound.operands.size() != takes)
    return createStringError("it takes " + Twine(takes) + " operands, not " +
                             Twine(bound.operands.size()));
  if (meaning.readsResult)
    bound.operands.push_back(bound.operands.front());
  auto compute =
      onModified(meaning.compute, meaning.type,
                 ArrayRef(bound.operands).drop_front(meaning.results));
  if (!compute)
    return createStringError("its operands are not floats");
  bound.compute = std::move(*compute);
  return bound;
}

} // namespace kernelscope::executor::assembly
