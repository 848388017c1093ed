//===- TensorDataMover.cpp - Blocks by gfx1250's data mover ---------------===//
//
// `TENSOR_LOAD_TO_LDS` and `TENSOR_STORE_FROM_LDS`, by the descriptor that they
// take in scalar registers: one message of a wave, whatever its lanes.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/TensorWords.h"
#include "executor/wave/Intrinsics.h"
#include "executor/wave/LdsBarriers.h"
#include "executor/wave/Workgroup.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kernelscope::wave {

namespace {
/// A descriptor, taken apart.
struct TensorMessage {
  uint64_t global = 0, lds = 0;
  unsigned elementBytes = 1;
  /// The fastest dimension first. A tile of zero elements ends the dimensions.
  std::array<uint64_t, 5> tensor{1, 1, 1, 1, 1}, tile{1, 1, 1, 1, 1},
      stride{1, 0, 0, 0, 0};
  /// After so many bytes in LDS, skip so many; none for 0.
  uint64_t padInterval = 0, padBytes = 0;
  /// In LDS, to arrive at when all is moved.
  std::optional<uint64_t> barrier;
  /// Of a gather or scatter: which rows.
  SmallVector<uint64_t> rows;
};

} // namespace

/// None, with a failure, for what the simulator does not do.
static std::optional<TensorMessage> readMessage(Wave &wave,
                                                ArrayRef<uint32_t> words) {
  namespace fields = tensorFields;
  auto get = [&](TensorField field) { return getTensorField(words, field); };
  if (get(fields::iterates)) {
    wave.fail("the wave simulator does not support iteration of the tensor "
              "data mover");
    return std::nullopt;
  }
  const uint64_t ctas = get(fields::multicast);
  if (ctas && !checkMulticast(wave, ctas))
    return std::nullopt;
  TensorMessage message;
  if (get(fields::arrives))
    message.barrier = 8 * get(fields::barrier);
  message.lds = get(fields::lds);
  message.global = get(fields::address);
  message.elementBytes = 1u << get(fields::elementBytes);
  if (get(fields::hasGaps)) {
    message.padInterval = uint64_t{8} << get(fields::gapInterval);
    message.padBytes = 4 * (get(fields::gapWords) + 1);
  }
  for (unsigned i = 0; i < message.tile.size(); ++i) {
    message.tensor[i] = get(fields::sizes[i]);
    message.tile[i] = get(fields::tile[i]);
    if (i > 0)
      message.stride[i] = get(fields::strides[i - 1]);
  }
  if (get(fields::isGather)) {
    const unsigned bits = get(fields::hasWideRows) ? 32 : 16;
    for (unsigned i = 0; i < message.tile[1]; ++i)
      message.rows.push_back(get({2, i * bits, bits}));
    message.tile[2] = message.tile[3] = message.tile[4] = 0;
  }
  // Dimensions that are not used have a tile of zero.
  for (unsigned i = 1; i < message.tile.size(); ++i)
    if (message.tile[i] == 0) {
      message.tile[i] = 1;
      message.tensor[i] = 1;
    }
  uint64_t bytes = message.elementBytes;
  for (uint64_t size : message.tile)
    bytes = SaturatingMultiply(bytes, size);
  if (bytes > wave.program.target->maxSharedBytes) {
    wave.fail("moves a tile of " + Twine(bytes) + " bytes; LDS has " +
              Twine(wave.program.target->maxSharedBytes));
    return std::nullopt;
  }
  return message;
}

/// Rows of the fastest dimension; one message has no gaps within them but what
/// it leaves itself.
static SmallVector<LdsRange, 0> ldsRanges(const TensorMessage &message,
                                          bool isStore) {
  SmallVector<LdsRange, 0> ranges;
  uint64_t bytes = message.elementBytes;
  for (uint64_t size : message.tile)
    bytes *= size;
  const uint64_t run =
      isStore ? message.tile[0] * message.elementBytes : message.padInterval;
  const uint64_t used = isStore ? std::min(message.tile[0], message.tensor[0]) *
                                      message.elementBytes
                                : run;
  if (!run)
    return {{message.lds, bytes}};
  for (uint64_t at = 0; at < bytes; at += run)
    ranges.push_back(
        {message.lds + at + (isStore ? 0 : at / run * message.padBytes),
         std::min(used, bytes - at)});
  return ranges;
}

static void moveTensor(Wave &wave, const TensorMessage &message, unsigned lane,
                       bool isStore) {
  uint64_t count = 1;
  for (uint64_t size : message.tile)
    count *= size;
  for (uint64_t number = 0; number < count; ++number) {
    uint64_t rest = number, address = message.global;
    bool isInside = true;
    for (unsigned i = 0; i < message.tile.size(); ++i) {
      uint64_t at = rest % message.tile[i];
      rest /= message.tile[i];
      if (i == 1 && !message.rows.empty())
        at = message.rows[at];
      isInside &= at < message.tensor[i];
      address += at * message.stride[i] * message.elementBytes;
    }
    uint64_t place = number * message.elementBytes;
    // Only loads make gaps: Triton's stores of padded memory reach over them
    // by longer rows, whatever the descriptor says of gaps.
    if (message.padInterval && !isStore)
      place += place / message.padInterval * message.padBytes;
    // What is outside of the tensor is not read from LDS either.
    if (isStore && !isInside)
      continue;
    char *inside = wave.access(Lds, message.lds + place, message.elementBytes,
                               lane, !isStore);
    if (!inside)
      return;
    if (!isInside) {
      std::memset(inside, 0, message.elementBytes);
      continue;
    }
    char *outside =
        wave.access(Global, address, message.elementBytes, lane, isStore);
    if (!outside)
      return;
    std::memcpy(isStore ? outside : inside, isStore ? inside : outside,
                message.elementBytes);
  }
}

template <bool isStore> static void transferTensor(const Call &call) {
  Columns words;
  for (unsigned i = 0; i < call.numOperands(); ++i)
    if (call.value(i)->getType()->isVectorTy())
      append_range(words, call.words(i));
  call.decoder.emit([=](Wave &wave) {
    SmallVector<uint32_t> descriptor;
    for (Column word : words)
      descriptor.push_back(static_cast<uint32_t>(wave.uniform(word)));
    // It moves nothing then, and is counted.
    if (!getTensorField(descriptor, tensorFields::enabled))
      return wave.transfers.count(Transfers::Tensor);
    auto message = readMessage(wave, descriptor);
    if (!message)
      return;
    Transfer transfer;
    transfer.ranges = ldsRanges(*message, isStore);
    transfer.writesLds = !isStore;
    transfer.finish = [lane =
                           static_cast<unsigned>(std::countr_zero(wave.active)),
                       message = std::move(*message)](Wave &w) {
      moveTensor(w, message, lane, isStore);
      if (message.barrier)
        arriveInLds(w, *message.barrier, 1);
    };
    wave.transfers.issue(wave, Transfers::Tensor, std::move(transfer));
  });
}

void addTensorDataMover(Meanings &meanings) {
  meanings.add("llvm.amdgcn.tensor.load.to.lds", transferTensor<false>);
  meanings.add("llvm.amdgcn.tensor.load.to.lds.d2", transferTensor<false>);
  meanings.add("llvm.amdgcn.tensor.store.from.lds", transferTensor<true>);
  meanings.add("llvm.amdgcn.tensor.store.from.lds.d2", transferTensor<true>);
}

} // namespace kernelscope::wave
