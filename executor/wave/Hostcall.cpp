//===- Hostcall.cpp - Calls of the host by a kernel on AMD ----------------===//

#include "executor/wave/Hostcall.h"
#include "executor/wave/PrintFormat.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace kernelscope::wave {

Hostcall::Hostcall(unsigned waves, raw_ostream *print)
    : headers(llvm::PowerOf2Ceil(waves)), packets(headers.size()),
      print(print) {
  buffer.headers = std::bit_cast<uint64_t>(headers.data());
  buffer.packets = std::bit_cast<uint64_t>(packets.data());
  buffer.doorbell = std::bit_cast<uint64_t>(&doorbell);
  buffer.indexMask = headers.size() - 1;
  doorbell.mailbox = std::bit_cast<uint64_t>(&mailbox);
  for (auto [index, header] : enumerate(headers)) {
    header.next = buffer.freeStack;
    buffer.freeStack = headers.size() + index;
  }
}

void Hostcall::allow(GlobalMemory &memory) const {
  memory.allow(buffer.headers, headers.size() * sizeof(Header));
  memory.allow(buffer.packets, packets.size() * sizeof(Packet));
  memory.allow(buffer.doorbell, sizeof(doorbell));
  memory.allow(doorbell.mailbox, sizeof(mailbox));
  memory.allow(address(), sizeof(buffer));
}

Error Hostcall::answer() {
  constexpr uint32_t printing = 2;
  uint64_t left = headers.size();
  for (uint64_t next = std::exchange(buffer.readyStack, 0); next; --left) {
    const uint64_t index = next & (headers.size() - 1);
    if (!left)
      return createStringError(
          "the list of packets that are ready for the host is cyclic");
    Header &header = headers[index];
    if (header.service != printing)
      return createStringError("calls service %u of the host; the wave "
                               "simulator has only service 2, printing",
                               header.service);
    for (uint64_t lanes = header.lanes; lanes; lanes &= lanes - 1)
      answer(packets[index][std::countr_zero(lanes)]);
    next = header.next;
    header.control &= ~1U;
  }
  return Error::success();
}

/// The first word says which message this belongs to, in bits 8 and up, whether
/// it begins or ends it, and how many of the other words it has.
void Hostcall::answer(Words &words) {
  constexpr uint64_t begins = 1, ends = 2;
  uint64_t message = words[0] >> 8;
  if (words[0] & begins) {
    message = messages.size();
    messages.emplace_back();
  }
  if (message >= messages.size())
    return;
  const size_t count = words[0] >> 5 & 7;
  messages[message].insert(messages[message].end(), words.begin() + 1,
                           words.begin() + 1 + count);
  if (words[0] & ends)
    finish(std::exchange(messages[message], {}));
  words[0] = message << 8;
}

/// Takes a text that ends with a zero, and fills whole words, off the front.
static std::string takeText(ArrayRef<uint64_t> &words) {
  std::string text;
  while (!words.empty()) {
    const uint64_t word = words.front();
    words = words.drop_front();
    for (unsigned byte = 0; byte < 8; ++byte) {
      const char c = static_cast<char>(word >> 8 * byte);
      if (!c)
        return text;
      text += c;
    }
  }
  return text;
}

/// Prints a message: the stream, the format, the arguments.
void Hostcall::finish(ArrayRef<uint64_t> message) {
  if (!print || message.empty())
    return;
  message = message.drop_front();
  const std::string format = takeText(message);
  for (const FormatPiece &piece : splitFormat(format)) {
    if (piece.isText()) {
      *print << piece.text << takeText(message);
      continue;
    }
    const bool hasArgument = piece.bytes && !message.empty();
    piece.print(*print, hasArgument ? message.front() : 0);
    if (hasArgument)
      message = message.drop_front();
  }
}

} // namespace kernelscope::wave
