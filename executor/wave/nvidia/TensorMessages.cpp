//===- TensorMessages.cpp - tcgen05.ld, .st and .wait ---------------------===//
//
// A store writes tensor memory when the warp waits. A load fills its registers
// at once, as real Triton's code needs it, but nothing may change what it reads
// before the warp waits. PTX ISA, "tcgen05.ld", "tcgen05.st", "tcgen05.wait".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/TensorUnit.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// The message that an opcode says; none, with a failure, if it says no shape.
static std::optional<TensorMemoryMessage> takeMessage(PtxCall &call) {
  StringRef modifiers = call.instruction.opcode;
  auto message =
      TensorMemoryMessage::parse(modifiers.drop_front(call.name.size()));
  if (!message) {
    call.fail(": no shape has this number of repetitions");
    return std::nullopt;
  }
  erase_if(call.opcode.modifiers, [&](StringRef word) {
    return message->shape->name.drop_front() == word || word == "sync" ||
           word == "aligned" || word == "pack::16b" || word == "unpack::16b" ||
           word == "x" + std::to_string(message->repeat);
  });
  return message;
}

/// The offset of the second half of the warp, which one shape has after its
/// address.
static bool takeHalfOffset(PtxCall &call, size_t operand,
                           TensorMemoryMessage &message) {
  if (!message.needsHalfOffset())
    return true;
  const auto offset =
      call.numOperands() > operand ? call.number(operand) : std::nullopt;
  if (!offset)
    call.fail(": it must have an offset after the address");
  message.halfOffset = static_cast<int32_t>(offset.value_or(0));
  return offset.has_value();
}

namespace {
/// What `.red` makes of the registers of each lane.
struct Reduction {
  bool isMin = false, isAbsolute = false, propagates = false;

  double operator()(ArrayRef<uint32_t> words) const {
    std::optional<double> result;
    for (uint32_t word : words) {
      double value = FloatCodec::load(word);
      if (isAbsolute)
        value = std::abs(value);
      if (!result)
        result = value;
      else if (propagates && (std::isnan(value) || std::isnan(*result)))
        result = NAN;
      else
        result = isMin ? std::fmin(*result, value) : std::fmax(*result, value);
    }
    return *result;
  }
};
} // namespace

/// `tcgen05.ld.sync.aligned.shape.xN{.pack::16b}.b32 {r...}, [a]{, offset}`,
/// and
/// `.ld.red`, with a result after the registers.
static void load(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  auto message = takeMessage(call);
  if (!message)
    return;
  std::optional<Reduction> reduction;
  if (opcode.take("red")) {
    reduction.emplace();
    reduction->isMin = opcode.take("min");
    if (!reduction->isMin && !opcode.take("max"))
      return call.fail();
    reduction->isAbsolute = opcode.take("abs");
    reduction->propagates = opcode.take("NaN");
    if (opcode.types.empty() || opcode.types[0].bits != 32)
      return call.fail();
  }
  const size_t at = reduction ? 2 : 1;
  if (!call.isUnderstood() || call.numOperands() <= at ||
      !takeHalfOffset(call, at + 1, *message))
    return call.numOperands() <= at ? call.fail() : void();
  Columns to = call.parts(0);
  if (to.size() != message->registers())
    return call.fail(": it must have " + Twine(message->registers()) +
                     " registers");
  if (reduction)
    to.push_back(call.scalar(1));
  const Column address = call.scalar(at);
  call.emit([=, message = *message](Wave &wave) {
    if (!isWholeWarp(wave, "tcgen05.ld"))
      return;
    auto registers =
        loadMessage(TensorUnit::of(wave).memory, message, wave.index,
                    static_cast<uint32_t>(wave.uniform(address)));
    if (!registers)
      return wave.fail(toString(registers.takeError()));
    const size_t count = message.registers();
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      const auto own = ArrayRef(*registers).slice(lane * count, count);
      for (auto [column, word] : zip(to, own))
        wave.value(column, lane) = word;
      if (reduction)
        wave.value(to.back(), lane) = FloatCodec::store((*reduction)(own));
    }
  });
}

/// `tcgen05.st.sync.aligned.shape.xN{.unpack::16b}.b32 [a]{, offset}, {r...}`.
static void store(PtxCall &call) {
  auto message = takeMessage(call);
  if (!message || !call.isUnderstood() || !takeHalfOffset(call, 1, *message))
    return;
  const size_t at = message->needsHalfOffset() ? 2 : 1;
  if (call.numOperands() <= at)
    return call.fail();
  const Column address = call.scalar(0);
  const Columns from = call.parts(at);
  if (from.size() != message->registers())
    return call.fail(": it must have " + Twine(message->registers()) +
                     " registers");
  call.emit([=, message = *message](Wave &wave) {
    if (!isWholeWarp(wave, "tcgen05.st"))
      return;
    WarpRegisters registers;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      for (Column column : from)
        registers.push_back(static_cast<uint32_t>(wave.value(column, lane)));
    auto write = [=, &wave, asked = wave.source(),
                  registers = std::move(registers),
                  to = static_cast<uint32_t>(wave.uniform(address))] {
      if (Error error = storeMessage(TensorUnit::of(wave).memory, message,
                                     wave.index, to, registers))
        wave.failAt(asked, toString(std::move(error)));
    };
    TensorUnit::of(wave).stores[wave.index].push_back(std::move(write));
  });
}

template <bool forLoads> static void wait(PtxCall &call) {
  call.opcode.take("sync");
  call.opcode.take("aligned");
  if (!call.isUnderstood())
    return;
  call.emit([](Wave &wave) {
    if (!isWholeWarp(wave, "tcgen05.wait"))
      return;
    TensorUnit &unit = TensorUnit::of(wave);
    if (forLoads)
      return unit.memory.endLoads(wave.index);
    for (const auto &store : std::exchange(unit.stores[wave.index], {}))
      store();
  });
}

void addTensorMessages(PtxMeanings &meanings) {
  meanings.add("tcgen05.ld", load);
  meanings.add("tcgen05.st", store);
  meanings.add("tcgen05.wait::ld", wait<true>);
  meanings.add("tcgen05.wait::st", wait<false>);
}

} // namespace kernelscope::wave::nvidia
