//===- Tcgen05.cpp - What threads request from the tensor core ------------===//
//
// Products and copies are done in the order in which they are issued, when no
// warp can continue without them. PTX ISA, "TensorCore 5th Generation Family
// Instructions".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Cta.h"
#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/TensorCore.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

//===----------------------------------------------------------------------===//
// CTAs
//===----------------------------------------------------------------------===//

TensorUnit &TensorUnit::of(Wave &wave) { return wave.group.cta->tensorUnit(); }

unsigned takeCtaGroup(PtxCall &call) {
  const bool isSingle = call.opcode.take("cta_group::1"),
             isPair = call.opcode.take("cta_group::2");
  if (isSingle == isPair)
    call.fail(": it must have one of .cta_group::1 and .cta_group::2");
  return isPair ? 2 : 1;
}

unsigned firstOfGroup(Wave &wave, unsigned ctas) {
  return ctas == 2 ? wave.group.rank & ~1u : wave.group.rank;
}

bool agreesWithGroup(Wave &wave, unsigned ctas) {
  const unsigned last = firstOfGroup(wave, ctas) + ctas - 1;
  unsigned &used = TensorUnit::of(wave).ctas;
  if (last >= wave.group.cluster().size())
    wave.fail("uses .cta_group::2 in a cluster of " +
              Twine(wave.group.cluster().size()) +
              "; the other CTA of the pair must exist");
  else if (used && used != ctas)
    wave.fail("uses .cta_group::" + Twine(ctas) +
              " after .cta_group::" + Twine(used) +
              "; all tcgen05 instructions of a kernel must use the same one");
  else
    used = ctas;
  return used == ctas;
}

/// The memories of the CTAs that an instruction is for.
static SmallVector<CtaMemories, 2> memoriesOf(Wave &wave, unsigned ctas) {
  SmallVector<CtaMemories, 2> memories;
  const unsigned first = firstOfGroup(wave, ctas);
  for (unsigned i = 0; i < ctas; ++i) {
    Workgroup &group = wave.group.cluster().group(first + i);
    auto onRead = [&wave, base = group.ldsBase()](uint32_t at, uint32_t bytes) {
      checkOrder(wave, base + at, bytes, /*lane=*/0, /*isStore=*/false);
    };
    memories.push_back({{group.lds, onRead}, &group.cta->tensorUnit().memory});
  }
  return memories;
}

/// Has the tensor core do `work`, for which it has the memories of CTAs, when
/// its time has come.
template <typename Fn>
static void issueToCore(Wave &wave, unsigned ctas, Fn work) {
  if (!agreesWithGroup(wave, ctas))
    return;
  const uint64_t core = placeOfUnit(wave, Unit::TensorCore);
  wave.group.cluster().issue(wave, asWorkOf(wave, core, [=](Wave &owner) {
                               if (Error error = work(memoriesOf(owner, ctas)))
                                 owner.fail(toString(std::move(error)));
                             }));
}

/// The same for work on the memories of each CTA by itself.
static void issueToEach(Wave &wave, unsigned ctas,
                        std::function<Error(const CtaMemories &)> work) {
  issueToCore(wave, ctas,
              [work = std::move(work)](ArrayRef<CtaMemories> all) -> Error {
                for (const CtaMemories &cta : all)
                  if (Error error = work(cta))
                    return error;
                return Error::success();
              });
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// `tcgen05.alloc.cta_group::N.sync.aligned.shared::cta.b32 [to], columns`.
static void allocate(PtxCall &call) {
  const unsigned ctas = takeCtaGroup(call);
  call.opcode.take("sync");
  call.opcode.take("aligned");
  const unsigned space = takeSpace(call.opcode);
  if (!call.isUnderstood() || call.numOperands() != 2)
    return call.fail();
  const Column to = call.scalar(0), columns = call.scalar(1);
  call.emit([=](Wave &wave) {
    if (!isWholeWarp(wave, "tcgen05.alloc") || !agreesWithGroup(wave, ctas))
      return;
    auto address = TensorUnit::of(wave).memory.allocate(
        static_cast<uint32_t>(wave.uniform(columns)));
    if (!address)
      return wave.fail(toString(address.takeError()));
    if (!*address)
      return wave.pause(/*again=*/true);
    const uint32_t bits = **address;
    if (char *memory = wave.access(space, wave.uniform(to), sizeof bits,
                                   /*lane=*/0, /*isStore=*/true))
      std::memcpy(memory, &bits, sizeof bits);
  });
}

static void deallocate(PtxCall &call) {
  const unsigned ctas = takeCtaGroup(call);
  call.opcode.take("sync");
  call.opcode.take("aligned");
  if (!call.isUnderstood() || call.numOperands() != 2)
    return call.fail();
  const Column address = call.scalar(0), columns = call.scalar(1);
  call.emit([=](Wave &wave) {
    if (!isWholeWarp(wave, "tcgen05.dealloc") || !agreesWithGroup(wave, ctas))
      return;
    if (Error error = TensorUnit::of(wave).memory.deallocate(
            static_cast<uint32_t>(wave.uniform(address)),
            static_cast<uint32_t>(wave.uniform(columns))))
      wave.fail(toString(std::move(error)));
  });
}

static void relinquish(PtxCall &call) {
  takeCtaGroup(call);
  call.opcode.take("sync");
  call.opcode.take("aligned");
  if (!call.isUnderstood())
    return;
  call.emit([](Wave &wave) {
    if (isWholeWarp(wave, "tcgen05.relinquish_alloc_permit"))
      TensorUnit::of(wave).memory.relinquish();
  });
}

//===----------------------------------------------------------------------===//
// Work of the tensor core
//===----------------------------------------------------------------------===//

/// `tcgen05.mma.cta_group.kind{...} [d], a, b, descriptor, {[scales],
/// [scales]}, {disabled lanes}, accumulates{, scale of D}`.
static void multiplyMatrices(PtxCall &call) {
  auto modifiers = ProductModifiers::parse(
      StringRef(call.instruction.opcode).drop_front(call.name.size()));
  if (!modifiers)
    return call.fail(": " + toString(modifiers.takeError()));
  const auto &operands = call.instruction.operands;
  size_t next = 4;
  Columns scales, disabled;
  if (modifiers->isScaled() && operands.size() > next + 2) {
    scales = {call.scalar(next), call.scalar(next + 1)};
    next += 2;
  } else if (operands.size() > next && operands[next].size() > 1) {
    disabled = call.parts(next++);
    if (disabled.size() != size_t{4} * modifiers->ctas)
      return call.fail(": the mask of lanes that it leaves out must have " +
                       Twine(4 * modifiers->ctas) + " registers");
  }
  if (operands.size() <= next || operands.size() > next + 2 ||
      modifiers->isScaled() == scales.empty())
    return call.fail();
  TensorCoreProduct base;
  base.modifiers = *modifiers;
  const Column accumulates = call.scalar(next++);
  if (operands.size() > next) {
    constexpr uint64_t mostOfScale = 15;
    const auto scale = call.number(next);
    const bool canScale = modifiers->kind <= ProductKind::TF32;
    if (!scale || *scale > mostOfScale || !canScale)
      return call.fail(": the scale of D must be a number up to 15, and the "
                       "kind f16 or tf32");
    base.scaleOfD = static_cast<unsigned>(*scale);
  }
  const bool isInTensorMemory = operands[1][0].isAddress;
  const Column d = call.scalar(0), a = call.scalar(1), b = call.scalar(2),
               descriptor = call.scalar(3);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      auto word = [&](Column column) {
        return static_cast<uint32_t>(wave.value(column, lane));
      };
      TensorCoreProduct product = base;
      product.descriptor = word(descriptor);
      product.d = word(d);
      if (isInTensorMemory)
        product.tensorA = word(a);
      else
        product.sharedA = wave.value(a, lane);
      product.sharedB = wave.value(b, lane);
      product.accumulates = word(accumulates) & 1;
      if (!scales.empty()) {
        product.scalesOfA = word(scales[0]);
        product.scalesOfB = word(scales[1]);
      }
      for (auto [bits, column] : zip(product.disabledLanes, disabled))
        bits = word(column);
      const unsigned ctas = product.modifiers.ctas;
      if (!agreesWithGroup(wave, ctas))
        return;
      if (Error error = check(product, memoriesOf(wave, ctas)))
        return wave.fail(toString(std::move(error)), lane);
      issueToCore(wave, ctas, [=](ArrayRef<CtaMemories> memories) {
        return multiply(product, memories);
      });
    });
  });
}

/// `tcgen05.cp.cta_group.shape{.multicast}{.to.from} [a], descriptor`.
static void copyFromShared(PtxCall &call) {
  const unsigned ctas = takeCtaGroup(call);
  auto copy = TensorMemoryCopy::parse(
      StringRef(call.instruction.opcode).drop_front(call.name.size()));
  if (!copy || call.numOperands() != 2)
    return call.fail();
  const Column address = call.scalar(0), descriptor = call.scalar(1);
  call.emit([=, copy = *copy](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      issueToEach(
          wave, ctas,
          [=, to = static_cast<uint32_t>(wave.value(address, lane)),
           from = wave.value(descriptor, lane)](const CtaMemories &cta) {
            return copyMatrix(*cta.tensor, copy, to, cta.shared, from);
          });
    });
  });
}

static void shift(PtxCall &call) {
  const unsigned ctas = takeCtaGroup(call);
  if (!call.opcode.take("down") || !call.isUnderstood() ||
      call.numOperands() != 1)
    return call.fail();
  const Column address = call.scalar(0);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      issueToEach(
          wave, ctas,
          [to = static_cast<uint32_t>(wave.value(address, lane))](
              const CtaMemories &cta) { return cta.tensor->shiftDown(to); });
    });
  });
}

/// `tcgen05.commit.cta_group.mbarrier::arrive::one{.shared::cluster}
/// {.multicast::cluster}.b64 [barrier]{, CTAs}`: arrives when all that was
/// issued before is done, in each of some CTAs at the same place.
static void commit(PtxCall &call) {
  const unsigned ctas = takeCtaGroup(call);
  const bool isMulticast = call.opcode.take("multicast::cluster");
  call.opcode.take("mbarrier::arrive::one");
  takeSpace(call.opcode);
  if (!call.isUnderstood() || call.numOperands() != (isMulticast ? 2 : 1))
    return call.fail();
  const Column address = call.scalar(0),
               mask = isMulticast ? call.scalar(1) : call.decoder.constant(0);
  call.emit([=](Wave &wave) {
    if (!agreesWithGroup(wave, ctas))
      return;
    wave.forLanes([&](unsigned lane) {
      const uint64_t place = wave.value(address, lane) & ~apertureMask;
      SmallVector<uint64_t> targets;
      if (!isMulticast)
        targets.push_back(place);
      for (uint64_t rest = wave.value(mask, lane) & lowBits(16); rest;
           rest &= rest - 1) {
        const auto rank = static_cast<unsigned>(countr_zero(rest));
        if (rank >= wave.group.cluster().size())
          return wave.fail("commits to CTA " + Twine(rank) +
                               " of a cluster that has " +
                               Twine(wave.group.cluster().size()),
                           lane);
        targets.push_back(rank * sharedWindow + place % sharedWindow);
      }
      for (uint64_t target : targets)
        requireBarrier(wave, target);
      // Triton invalidates a barrier that has no more waits without waiting for
      // the outstanding arrivals.
      auto arrive = [=](Wave &owner) {
        for (uint64_t target : targets)
          if (readBarrier(owner.group.cluster(), target))
            changeBarrier(owner, target,
                          [](MBarrier &barrier) { return barrier.arrive(1); });
      };
      // What was issued to the core earlier is done then.
      const uint64_t core = placeOfUnit(wave, Unit::TensorCore);
      wave.group.cluster().issue(wave, asWorkOf(wave, core, arrive));
    });
  });
}

void addTensorCoreInstructions(PtxMeanings &meanings) {
  meanings.add("tcgen05.alloc", allocate);
  meanings.add("tcgen05.dealloc", deallocate);
  meanings.add("tcgen05.relinquish_alloc_permit", relinquish);
  meanings.add("tcgen05.mma", multiplyMatrices);
  meanings.add("tcgen05.cp", copyFromShared);
  meanings.add("tcgen05.shift", shift);
  meanings.add("tcgen05.commit", commit);
  meanings.add("tcgen05.fence::before_thread_sync", doNothing);
  meanings.add("tcgen05.fence::after_thread_sync", doNothing);
}

} // namespace kernelscope::wave::nvidia
