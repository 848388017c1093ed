//===- TensorDataMover.cpp - Blocks by gfx1250's data mover ---------------===//
//
// `TENSOR_LOAD_TO_LDS` and `TENSOR_STORE_FROM_LDS`, by the descriptor that they
// take in scalar registers: one message of a wave, whatever its lanes.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"

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
};

/// The words of a descriptor's groups one after another.
struct DescriptorWords {
  std::vector<uint64_t> words;
  /// `bits` bits from bit `at` of a group, of which the first two have 4 and 8
  /// words, and the others 4.
  uint64_t field(unsigned group, unsigned at, unsigned bits) const {
    constexpr std::array<unsigned, 4> begins{0, 4, 12, 16};
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; ++i) {
      const size_t word = begins[group] + (at + i) / 32;
      if (word < words.size())
        value |= ((words[word] >> ((at + i) % 32)) & 1) << i;
    }
    return value;
  }
};
} // namespace

/// None, with a failure, for what the simulator does not do.
static std::optional<TensorMessage> readMessage(Wave &wave,
                                                const DescriptorWords &d) {
  if (d.field(0, 31, 1)) {
    wave.fail("the wave simulator has no gather or scatter by the data mover");
    return std::nullopt;
  }
  if (d.field(1, 0, 16) || d.field(1, 18, 2)) {
    wave.fail("the wave simulator's data mover has no multicast, barriers or "
              "iteration");
    return std::nullopt;
  }
  TensorMessage message;
  message.lds = d.field(0, 32, 32);
  message.global = d.field(0, 64, 57);
  message.elementBytes = 1u << d.field(1, 16, 2);
  if (d.field(1, 20, 1)) {
    message.padInterval = uint64_t{8} << d.field(1, 22, 3);
    message.padBytes = 4 * (d.field(1, 25, 7) + 1);
  }
  message.tensor = {d.field(1, 48, 32), d.field(1, 80, 32), d.field(2, 0, 32),
                    d.field(2, 32, 32), d.field(3, 48, 32)};
  message.tile = {d.field(1, 112, 16), d.field(1, 128, 16), d.field(1, 144, 16),
                  d.field(2, 112, 16), d.field(3, 80, 16)};
  message.stride = {1, d.field(1, 160, 48), d.field(1, 208, 48),
                    d.field(2, 64, 48), d.field(3, 0, 48)};
  // Dimensions that are not used have a tile of zero.
  for (unsigned i = 1; i < message.tile.size(); ++i)
    if (message.tile[i] == 0) {
      message.tile[i] = 1;
      message.tensor[i] = 1;
    }
  return message;
}

static void moveTensor(Wave &wave, const TensorMessage &message, bool isStore) {
  const auto lane = static_cast<unsigned>(std::countr_zero(wave.active));
  uint64_t count = 1;
  for (uint64_t size : message.tile)
    count *= size;
  for (uint64_t number = 0; number < count; ++number) {
    uint64_t rest = number, address = message.global;
    bool isInside = true;
    for (unsigned i = 0; i < message.tile.size(); ++i) {
      const uint64_t at = rest % message.tile[i];
      rest /= message.tile[i];
      isInside &= at < message.tensor[i];
      address += at * message.stride[i] * message.elementBytes;
    }
    uint64_t place = number * message.elementBytes;
    if (message.padInterval)
      place += place / message.padInterval * message.padBytes;
    char *inside = wave.access(Lds, message.lds + place, message.elementBytes,
                               lane, !isStore);
    if (!inside)
      return;
    if (!isInside) {
      if (!isStore)
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
    DescriptorWords descriptor;
    for (Column word : words)
      descriptor.words.push_back(wave.uniform(word));
    // The first bits say whether there is anything to do.
    if (!descriptor.field(0, 0, 2))
      return;
    if (auto message = readMessage(wave, descriptor))
      moveTensor(wave, *message, isStore);
  });
}

void addTensorDataMover(Meanings &meanings) {
  meanings.add("llvm.amdgcn.tensor.load.to.lds", transferTensor<false>);
  meanings.add("llvm.amdgcn.tensor.load.to.lds.d2", transferTensor<false>);
  meanings.add("llvm.amdgcn.tensor.store.from.lds", transferTensor<true>);
  meanings.add("llvm.amdgcn.tensor.store.from.lds.d2", transferTensor<true>);
}

} // namespace kernelscope::wave
