//===- TensorMap.cpp - Tensors as TMA finds them --------------------------===//
//
// What the device writes of them: tensormap.replace, tensormap.cp_fenceproxy.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/TensorMap.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

std::optional<TensorMap::Unit> TensorMap::unit() const {
  // u8, u16, u32, s32, u64, s64, f16, f32, f32.ftz, f64, bf16, tf32, tf32.ftz,
  // b4x16, b4x16_p64, b6x16_p32
  static constexpr Unit units[] = {
      {1, 1, 1}, {1, 2, 2},  {1, 4, 4},   {1, 4, 4},   {1, 8, 8}, {1, 8, 8},
      {1, 2, 2}, {1, 4, 4},  {1, 4, 4},   {1, 8, 8},   {1, 2, 2}, {1, 4, 4},
      {1, 4, 4}, {16, 8, 8}, {16, 8, 16}, {16, 12, 16}};
  return elementType < std::size(units) ? std::optional(units[elementType])
                                        : std::nullopt;
}

using Replace = bool (*)(TensorMap &map, uint64_t place, uint64_t value);

template <auto member>
static bool replaceOne(TensorMap &map, uint64_t, uint64_t value) {
  using Field = std::remove_reference_t<decltype(map.*member)>;
  map.*member = static_cast<Field>(value);
  return true;
}

template <auto member>
static bool replaceOfDim(TensorMap &map, uint64_t dim, uint64_t value) {
  auto &fields = map.*member;
  using Field = std::remove_reference_t<decltype(fields[0])>;
  if (dim >= fields.size())
    return false;
  fields[dim] = static_cast<Field>(value);
  return true;
}

/// By what follows "tensormap.replace.tile.".
static Replace findReplacement(StringRef field) {
  static const StringMap<Replace> table = {
      {"global_address", replaceOne<&TensorMap::address>},
      {"rank", replaceOne<&TensorMap::lastDim>},
      {"box_dim", replaceOfDim<&TensorMap::box>},
      {"global_dim", replaceOfDim<&TensorMap::sizes>},
      {"global_stride", replaceOfDim<&TensorMap::strides>},
      {"element_stride", replaceOfDim<&TensorMap::steps>},
      {"elemtype", replaceOne<&TensorMap::elementType>},
      {"interleave_layout", replaceOne<&TensorMap::interleave>},
      {"swizzle_mode", replaceOne<&TensorMap::swizzle>},
      {"swizzle_atomicity", replaceOne<&TensorMap::swizzleAtom>},
      {"fill_mode", replaceOne<&TensorMap::fill>},
  };
  return table.lookup(field);
}

/// `tensormap.replace.tile.field [map], {dimension,} value`.
static void replace(PtxCall &call) {
  const unsigned space = takeSpace(call.opcode);
  call.opcode.take("b1024");
  const Replace replaces = call.opcode.modifiers.size() == 1
                               ? findReplacement(call.opcode.modifiers[0])
                               : nullptr;
  if (!replaces || call.numOperands() < 2)
    return call.fail();
  const Column address = call.scalar(0), place = call.scalar(1),
               value = call.scalar(call.numOperands() - 1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      char *bytes = wave.access(space, wave.value(address, lane),
                                TensorMap::bytes, lane, /*isStore=*/true);
      if (!bytes)
        return;
      TensorMap map;
      std::memcpy(static_cast<void *>(&map), bytes, sizeof(map));
      if (!replaces(map, wave.value(place, lane) & lowBits(32),
                    wave.value(value, lane)))
        wave.fail("replaces a field of dimension " +
                      Twine(wave.value(place, lane)) +
                      " of a tensor map, which has five dimensions",
                  lane);
      std::memcpy(bytes, static_cast<const void *>(&map), sizeof(map));
    });
  });
}

/// `tensormap.cp_fenceproxy... [global], [shared], 128`: the warp's lanes
/// together.
static void copyMap(PtxCall &call) {
  const Column to = call.scalar(0), from = call.scalar(1);
  call.emit([=](Wave &wave) {
    const auto lane = static_cast<unsigned>(std::countr_zero(wave.active));
    const char *source = wave.access(Lds, wave.uniform(from), TensorMap::bytes,
                                     lane, /*isStore=*/false);
    char *target = wave.access(Global, wave.uniform(to), TensorMap::bytes, lane,
                               /*isStore=*/true);
    if (source && target)
      std::memcpy(target, source, TensorMap::bytes);
  });
}

void addTensorMaps(PtxMeanings &meanings) {
  meanings.add("tensormap.replace.tile", replace);
  meanings.add("tensormap.cp_fenceproxy", copyMap);
}

} // namespace kernelscope::wave::nvidia
