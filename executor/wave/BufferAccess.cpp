//===- BufferAccess.cpp - Accesses through buffer resources ---------------===//
//
// AMD's ISA documents, "Buffer Addressing": an element that is outside of the
// resource loads zero, and is not stored. What is inside must still be memory
// that the kernel was given.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/BufferAccess.h"
#include "executor/wave/MemoryAccess.h"

using namespace llvm;

namespace kernelscope::wave {

std::optional<uint64_t> BufferPlace::address(Wave &wave, unsigned lane,
                                             uint64_t extra,
                                             uint64_t bytes) const {
  const uint64_t at =
      wave.value(offset, lane) + wave.value(uniformOffset, lane) + extra;
  const uint64_t records = wave.value(resource[1], lane);
  if (bytes > records || at > records - bytes)
    return std::nullopt;
  return wave.value(resource[0], lane) + at;
}

/// Base and size: the other fields of a resource change nothing here.
static void makeResource(const Call &call) {
  const Scalar pointer = call.decoder.scalarOf(call.value(0));
  if (pointer.space == Lds) {
    call.decoder.fail("a buffer resource must point to global memory");
    return;
  }
  const Columns to = call.defineScalars(2);
  call.decoder.unary(to[0], call.scalar(0), [](uint64_t x) { return x; });
  call.decoder.unary(to[1], call.scalar(2), [](uint64_t x) { return x; });
}

static void load(const Call &call) {
  const BufferPlace place{call.operand(0, 2), call.scalar(1), call.scalar(2)};
  const MemoryShape shape = MemoryShape::of(call.decoder, call.call.getType());
  const Columns results = call.define();
  call.decoder.emit([=](Wave &wave) {
    wave.transfers.count(Transfers::Vector);
    wave.forLanes([&](unsigned lane) {
      for (auto [field, to] : zip_equal(shape.fields, results)) {
        const unsigned bytes = (field.scalar.bits + 7) / 8;
        const auto address = place.address(wave, lane, field.offset / 8, bytes);
        uint64_t bits = 0;
        if (address) {
          const char *from =
              wave.access(Global, *address, bytes, lane, /*isStore=*/false);
          if (!from)
            return;
          std::memcpy(&bits, from, bytes);
        }
        wave.value(to, lane) = bits & lowBits(field.scalar.bits);
      }
    });
  });
}

static void store(const Call &call) {
  const BufferPlace place{call.operand(1, 2), call.scalar(2), call.scalar(3)};
  const MemoryShape shape =
      MemoryShape::of(call.decoder, call.value(0)->getType());
  const Columns values = call.operand(0);
  call.decoder.emit([=](Wave &wave) {
    wave.transfers.count(Transfers::Vector);
    wave.forLanes([&](unsigned lane) {
      for (auto [field, from] : zip_equal(shape.fields, values)) {
        const unsigned bytes = (field.scalar.bits + 7) / 8;
        const auto address = place.address(wave, lane, field.offset / 8, bytes);
        if (!address)
          continue;
        char *to = wave.access(Global, *address, bytes, lane, /*isStore=*/true);
        if (!to)
          return;
        std::memcpy(to, &wave.value(from, lane), bytes);
      }
    });
  });
}

template <AtomicRMWInst::BinOp operation> static void atomic(const Call &call) {
  const BufferPlace place{call.operand(1, 2), call.scalar(2), call.scalar(3)};
  const MemoryShape shape = MemoryShape::of(call.decoder, call.call.getType());
  const Columns operands = call.operand(0), results = call.define();
  const Columns combined = call.decoder.newColumns(results.size());
  const auto combine = combination(call.decoder, operation,
                                   call.decoder.scalarOf(call.value(0)));
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const auto address = place.address(wave, lane, 0, shape.bytes);
      if (!address) {
        for (Column to : results)
          wave.value(to, lane) = 0;
        return;
      }
      char *memory = wave.accessAtomically(Global, *address, shape.bytes, lane);
      if (!memory)
        return;
      exchange(wave, lane, shape, memory, combine, operands, results, combined);
    });
  });
}

static void compareExchange(const Call &call) {
  const BufferPlace place{call.operand(2, 2), call.scalar(3), call.scalar(4)};
  const MemoryShape shape = MemoryShape::of(call.decoder, call.call.getType());
  const Columns wanted = call.operand(0), results = call.define();
  const Column expected = call.scalar(1);
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      wave.value(results[0], lane) = 0;
      const auto address = place.address(wave, lane, 0, shape.bytes);
      char *memory =
          address ? wave.accessAtomically(Global, *address, shape.bytes, lane)
                  : nullptr;
      if (!memory)
        return;
      shape.load(wave, results, lane, memory);
      if (wave.value(results[0], lane) == wave.value(expected, lane))
        shape.store(wave, wanted, lane, memory);
    });
  });
}

void addBufferAccesses(Meanings &meanings) {
  using enum AtomicRMWInst::BinOp;
  meanings.add("llvm.amdgcn.make.buffer.rsrc", makeResource);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.load", load);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.store", store);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.swap", atomic<Xchg>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.add", atomic<Add>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.sub", atomic<Sub>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.and", atomic<And>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.or", atomic<Or>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.xor", atomic<Xor>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.smax", atomic<Max>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.smin", atomic<Min>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.umax", atomic<UMax>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.umin", atomic<UMin>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.fadd", atomic<FAdd>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.fmax", atomic<FMax>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.fmin", atomic<FMin>);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap", compareExchange);
}

} // namespace kernelscope::wave
