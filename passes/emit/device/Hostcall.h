//===- Hostcall.h - What a kernel on AMD prints ---------------------------===//
//
// Part of Math.c. A kernel sends text in packets, through a buffer that ROCm's
// runtime makes and watches, and whose address is among the hidden arguments
// (ROCclr, device/devhostcall.cpp and devhcmessages.cpp). A packet has eight
// words for each lane, and the answer takes the place of the first two. The
// functions have the names and the meaning of those in ROCm's library.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_HOSTCALL_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_HOSTCALL_H

#define GLOBAL __attribute__((address_space(1)))

/// Of a packet.
struct PacketHeader {
  u64 next, lanes;
  u32 service;
  u32 control; ///< bit 0: the host has not answered yet
};
typedef u64 PacketWords[64][8];

/// HSA's amd_signal_t, up to the field that notifies the host of a change.
struct Signal {
  u64 kind, value;
  GLOBAL u64 *mailbox;
  u32 event;
};

/// Packets are named by their index and, in the bits above, a number that
/// differs each time that they are used. 0 ends a stack.
struct PacketBuffer {
  GLOBAL struct PacketHeader *headers;
  GLOBAL PacketWords *words;
  GLOBAL struct Signal *doorbell;
  u64 freeStack, readyStack, indexMask;
};

static u64 popPacket(GLOBAL struct PacketBuffer *buffer) {
  u64 top = __atomic_load_n(&buffer->freeStack, __ATOMIC_ACQUIRE);
  for (;;) {
    u64 next = __atomic_load_n(&buffer->headers[top & buffer->indexMask].next,
                               __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&buffer->freeStack, &top, next, 0,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return top;
    __builtin_amdgcn_s_sleep(1);
  }
}

static void pushPacket(GLOBAL struct PacketBuffer *buffer, GLOBAL u64 *stack,
                       u64 packet) {
  GLOBAL struct PacketHeader *header =
      &buffer->headers[packet & buffer->indexMask];
  u64 top = __atomic_load_n(stack, __ATOMIC_RELAXED);
  for (;;) {
    header->next = top;
    if (__atomic_compare_exchange_n(stack, &top, packet, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return;
    __builtin_amdgcn_s_sleep(1);
  }
}

static void ringDoorbell(GLOBAL struct Signal *doorbell) {
  __atomic_fetch_add(&doorbell->value, 1, __ATOMIC_RELEASE);
  if (!doorbell->mailbox)
    return;
  const u32 event = doorbell->event;
  __atomic_store_n(doorbell->mailbox, event, __ATOMIC_RELEASE);
  // An interrupt; it carries 24 bits.
  __builtin_amdgcn_s_sendmsg(1,
                             __builtin_amdgcn_readfirstlane(event) & 0xFFFFFF);
}

static u64 firstLane64(u64 x) {
  return (u64)(u32)__builtin_amdgcn_readfirstlane((u32)(x >> 32)) << 32 |
         (u32)__builtin_amdgcn_readfirstlane((u32)x);
}

/// Sends eight words of each active lane to the host's service of messages, and
/// waits; returns the first word of the answer. The first of the lanes does
/// what is done once for all.
static u64 sendPacket(const u64 words[8]) {
  const u32 printing = 2, hiddenBuffer = 80;
  GLOBAL struct PacketBuffer *buffer =
      *(GLOBAL struct PacketBuffer *__attribute__((
          address_space(4))) *)((const char __attribute__((address_space(4))) *)
                                    __builtin_amdgcn_implicitarg_ptr() +
                                hiddenBuffer);
  const u32 lane =
      __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  const _Bool isFirst = lane == (u32)__builtin_amdgcn_readfirstlane(lane);
  u64 packet = 0;
  if (isFirst)
    packet = popPacket(buffer);
  packet = firstLane64(packet);
  GLOBAL struct PacketHeader *header =
      &buffer->headers[packet & buffer->indexMask];
  GLOBAL u64 *own = buffer->words[packet & buffer->indexMask][lane];
  const u64 lanes = __builtin_amdgcn_read_exec();
  for (int i = 0; i < 8; ++i)
    own[i] = words[i];
  if (isFirst) {
    header->lanes = lanes;
    header->service = printing;
    header->control = 1;
    pushPacket(buffer, &buffer->readyStack, packet);
    ringDoorbell(buffer->doorbell);
  }
  for (;;) {
    u32 isWaiting = 1;
    if (isFirst)
      isWaiting = __atomic_load_n(&header->control, __ATOMIC_ACQUIRE) & 1;
    if (!__builtin_amdgcn_readfirstlane(isWaiting))
      break;
    __builtin_amdgcn_s_sleep(1);
  }
  const u64 answer = own[0];
  if (isFirst) {
    u64 again = packet + buffer->indexMask + 1;
    pushPacket(buffer, &buffer->freeStack,
               again ? again : buffer->indexMask + 1);
  }
  return answer;
}

/// The first word says which message a packet belongs to, in bits 8 and up,
/// whether it begins or ends it, and how many of the other words it has.
enum { beginsMessage = 1, endsMessage = 2, countShift = 5 };

static u64 sendWords(u64 message, u64 words[8], u32 count, u32 isLast) {
  words[0] = (message & ~(u64)(7 << countShift | endsMessage)) |
             count << countShift | (isLast ? endsMessage : 0);
  return sendPacket(words);
}

/// `stream`: 0 for stdout, 1 for stderr.
static u64 beginText(u64 stream) {
  u64 words[8] = {0, stream};
  return sendWords(beginsMessage, words, 1, 0);
}

u64 __ockl_printf_begin(u64 version) { return beginText(0); }
u64 __ockl_fprintf_stderr_begin(void) { return beginText(1); }

u64 __ockl_printf_append_string_n(u64 message, const char *text, u64 length,
                                  u32 isLast) {
  do {
    u64 words[8] = {0};
    const u32 bytes = length < 56 ? (u32)length : 56;
    _Pragma("unroll") for (u32 i = 0; i < 56; ++i) if (i < bytes)
        words[1 + i / 8] |= (u64)(unsigned char)text[i] << 8 * (i % 8);
    length -= bytes;
    text += bytes;
    message = sendWords(message, words, (bytes + 7) / 8, isLast && !length);
  } while (length);
  return message;
}

u64 __ockl_printf_append_args(u64 message, u32 count, u64 a, u64 b, u64 c,
                              u64 d, u64 e, u64 f, u64 g, u32 isLast) {
  u64 words[8] = {0, a, b, c, d, e, f, g};
  return sendWords(message, words, count, isLast);
}

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_HOSTCALL_H
