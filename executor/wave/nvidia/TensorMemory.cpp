//===- TensorMemory.cpp - Blackwell's memory of accumulators --------------===//

#include "executor/wave/nvidia/TensorMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static Error checkCount(const char *instruction, uint32_t count) {
  constexpr uint32_t fewest = 32;
  if (count >= fewest && count <= TensorMemory::columns && isPowerOf2_32(count))
    return Error::success();
  return createStringError(
      "%s of %u columns; it needs a power of two from 32 to 512", instruction,
      count);
}

Expected<std::optional<uint32_t>> TensorMemory::allocate(uint32_t count) {
  if (Error error = checkCount("tcgen05.alloc", count))
    return error;
  if (hasRelinquished)
    return createStringError("tcgen05.alloc after the CTA has given up its "
                             "permit with tcgen05.relinquish_alloc_permit");
  // Aligned to the size, so that what is free stays in one piece.
  for (uint32_t first = 0; first < columns; first += count) {
    auto isFree = [&](uint32_t column) { return !taken[column]; };
    if (!all_of(seq(first, first + count), isFree))
      continue;
    for (uint32_t column = first; column < first + count; ++column)
      taken.set(column);
    allocations[first] = count;
    return std::optional(first);
  }
  return std::optional<uint32_t>();
}

Error TensorMemory::deallocate(uint32_t address, uint32_t count) {
  if (Error error = checkCount("tcgen05.dealloc", count))
    return error;
  auto found = allocations.find(address);
  if (found == allocations.end())
    return createStringError(
        "tcgen05.dealloc at 0x%x, where no allocation begins", address);
  if (found->second != count)
    return createStringError(
        "tcgen05.dealloc of %u columns where %u are allocated", count,
        found->second);
  if (Error error = checkWrite("tcgen05.dealloc", {0, lanes, address, count}))
    return error;
  for (uint32_t column = address; column < address + count; ++column)
    taken.reset(column);
  allocations.erase(found);
  return Error::success();
}

std::string TensorMemory::leftOver() const {
  return join(map_range(allocations,
                        [](const auto &allocation) {
                          return std::to_string(allocation.second) +
                                 " columns from column " +
                                 std::to_string(allocation.first);
                        }),
              ", ");
}

Error TensorMemory::checkRead(const Twine &user,
                              TensorMemoryCells range) const {
  const auto [lane, laneCount, first, count] = range;
  if (lane + laneCount > lanes)
    return createStringError(user + " accesses lanes " + Twine(lane) + " to " +
                             Twine(lane + laneCount - 1) +
                             " of tensor memory, which has 128");
  if (first + count > columns)
    return createStringError(user + " accesses columns " + Twine(first) +
                             " to " + Twine(first + count - 1) +
                             " of tensor memory, which has 512");
  for (uint32_t column = first; column < first + count; ++column)
    if (!taken[column])
      return createStringError(user + " accesses columns " + Twine(first) +
                               " to " + Twine(first + count - 1) +
                               " of tensor memory; column " + Twine(column) +
                               " is not allocated");
  return Error::success();
}

Error TensorMemory::checkWrite(const Twine &user,
                               TensorMemoryCells range) const {
  if (Error error = checkRead(user, range))
    return error;
  for (const Load &load : loads)
    if (load.cells.overlap(range))
      return createStringError(
          user + " changes columns that a tcgen05.ld of warp " +
          Twine(load.warp) +
          " may still read; that warp has not waited with tcgen05.wait::ld");
  return Error::success();
}

Error TensorMemory::shiftDown(uint32_t address) {
  constexpr uint32_t width = 8, rows = rowsOfWarp;
  const uint32_t lane = laneOf(address), first = columnOf(address);
  if (lane % rows)
    return createStringError(
        "tcgen05.shift from lane %u on; it must be a multiple of 32", lane);
  if (Error error = checkWrite("tcgen05.shift", {lane, rows, first, width}))
    return error;
  for (uint32_t row = lane; row + 1 < lane + rows; ++row)
    for (uint32_t column = first; column < first + width; ++column)
      at(row, column) = at(row + 1, column);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::optional<TensorMemoryMessage>
TensorMemoryMessage::parse(StringRef modifiers) {
  TensorMemoryMessage message;
  SmallVector<StringRef> parts;
  modifiers.split(parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    for (const TensorMemoryShape &shape : tensorMemoryShapes())
      if (shape.name.drop_front() == part)
        message.shape = &shape;
    if (part == "pack::16b" || part == "unpack::16b")
      message.isPacked = true;
    else if (part.consume_front("x") && part.getAsInteger(10, message.repeat))
      return std::nullopt;
  }
  if (!message.shape || !isPowerOf2_32(message.repeat) ||
      message.repeat > message.shape->maxRepeat)
    return std::nullopt;
  return message;
}

namespace {
/// Where the registers of a message are.
class MessagePlaces {
public:
  MessagePlaces(const TensorMemoryMessage &message, uint32_t address)
      : message(message), shape(*message.shape), first(laneOf(address)),
        column(columnOf(address)), step(message.isPacked ? 2 : 1) {}

  /// An error unless the lanes are those of `warp`.
  Error checkLanes(const char *instruction, unsigned warp) const {
    const uint32_t own = warp % 4 * rowsOfWarp;
    const bool isAligned =
        first == own || (shape.rows < rowsOfWarp && first == own + shape.rows);
    if (isAligned)
      return Error::success();
    return createStringError(
        "%s%s at lane %u by warp %u, which reaches lanes %u to %u; the address "
        "must have lane %u%s",
        instruction, shape.name.data(), first, warp, own, own + rowsOfWarp - 1,
        own, shape.rows < rowsOfWarp ? " or that plus 16" : "");
  }

  /// The cells of all registers, in one or two parts.
  SmallVector<TensorMemoryCells, 2> cells() const {
    const auto rows = static_cast<uint32_t>(shape.rows),
               width = step * shape.columns * message.repeat;
    SmallVector<TensorMemoryCells, 2> parts{{first, rows, column, width}};
    if (message.halfOffset)
      parts.push_back({first, rows, column + message.halfOffset, width});
    return parts;
  }

  /// The place of a register, or of the first of the two columns in it.
  TensorMemoryPlace of(unsigned lane, unsigned number) const {
    TensorMemoryPlace place;
    int32_t elsewhere = 0;
    for (auto [bit, to] : enumerate(shape.lanes))
      if ((lane >> bit) & 1) {
        if (to == placeInInstruction)
          elsewhere = message.halfOffset;
        else
          place = place ^ to;
      }
    for (unsigned bit = 0; bit < shape.registerBits; ++bit)
      if ((number >> bit) & 1)
        place = place ^ shape.registers[bit];
    const auto repeat = static_cast<int32_t>(number >> shape.registerBits);
    place.column += repeat * shape.columns;
    return {place.row + static_cast<int32_t>(first),
            place.column * step + elsewhere + static_cast<int32_t>(column)};
  }

private:
  const TensorMemoryMessage &message;
  const TensorMemoryShape &shape;
  uint32_t first, column;
  int32_t step;
};
} // namespace

constexpr unsigned lanesOfWarp = 32;

Expected<WarpRegisters> loadMessage(TensorMemory &memory,
                                    const TensorMemoryMessage &message,
                                    unsigned warp, uint32_t address) {
  const MessagePlaces places(message, address);
  if (Error error = places.checkLanes("tcgen05.ld", warp))
    return error;
  for (TensorMemoryCells cells : places.cells()) {
    if (Error error =
            memory.checkRead("tcgen05.ld" + message.shape->name, cells))
      return error;
    memory.beginLoad(warp, cells);
  }
  const unsigned count = message.registers();
  WarpRegisters registers(size_t{lanesOfWarp} * count);
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    for (unsigned i = 0; i < count; ++i) {
      const TensorMemoryPlace place = places.of(lane, i);
      uint32_t word = memory.at(place.row, place.column);
      if (message.isPacked)
        word = (word & 0xffff) | memory.at(place.row, place.column + 1) << 16;
      registers[size_t{lane} * count + i] = word;
    }
  return registers;
}

Error storeMessage(TensorMemory &memory, const TensorMemoryMessage &message,
                   unsigned warp, uint32_t address,
                   ArrayRef<uint32_t> registers) {
  const MessagePlaces places(message, address);
  if (Error error = places.checkLanes("tcgen05.st", warp))
    return error;
  for (TensorMemoryCells cells : places.cells())
    if (Error error =
            memory.checkWrite("tcgen05.st" + message.shape->name, cells))
      return error;
  const unsigned count = message.registers();
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    for (unsigned i = 0; i < count; ++i) {
      const TensorMemoryPlace place = places.of(lane, i);
      const uint32_t word = registers[size_t{lane} * count + i];
      memory.at(place.row, place.column) =
          message.isPacked ? word & 0xffff : word;
      if (message.isPacked)
        memory.at(place.row, place.column + 1) = word >> 16;
    }
  return Error::success();
}

} // namespace kernelscope::wave::nvidia
