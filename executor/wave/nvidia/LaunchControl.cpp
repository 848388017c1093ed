//===- LaunchControl.cpp - Work of clusters that have not started ---------===//
//
// PTX ISA, "clusterlaunchcontrol". A request takes over the cluster that would
// start next. The bits of a response are not documented; here all that it says
// is in its lower half.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/SharedRaces.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

constexpr uint64_t responseBytes = 16;
/// Where a response has the id of the first CTA along each axis, and a bit that
/// there is one.
constexpr std::array<unsigned, 3> ctaIdBits{31, 16, 16}, ctaIdShifts{0, 31, 47};
constexpr uint64_t isCanceled = uint64_t{1} << 63;

static uint64_t takeOverNext(WaitingClusters &waiting) {
  if (waiting.empty())
    return 0;
  uint64_t response = isCanceled;
  for (auto [id, shift] : zip_equal(waiting.front(), ctaIdShifts))
    response |= uint64_t{id} << shift;
  waiting.pop_front();
  return response;
}

/// `clusterlaunchcontrol.try_cancel.async... [to], [barrier]`: the response
/// completes on the barrier, in each CTA of the cluster if it is multicast.
static void tryCancel(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool isForAll = opcode.take("multicast::cluster::all");
  const bool isKnown = opcode.take("async") && opcode.take("b128") &&
                       opcode.take("mbarrier::complete_tx::bytes");
  takeSpace(opcode);
  if (!call.isUnderstood() || !isKnown || call.numOperands() != 2)
    return call.fail();
  const Column to = call.scalar(0), barrier = call.scalar(1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const uint64_t target = wave.value(to, lane) & ~apertureMask,
                     told = wave.value(barrier, lane) & ~apertureMask;
      auto work = [=](Wave &owner) {
        const Workgroup &group = owner.group;
        const std::array<uint64_t, 2> response{
            takeOverNext(group.launch.waiting), 0};
        for (unsigned rank = 0; rank < group.cluster().size(); ++rank) {
          if (!isForAll && rank != group.rank)
            continue;
          auto inCta = [&](uint64_t address) {
            return rank * sharedWindow + address % sharedWindow;
          };
          char *memory = owner.access(ClusterShared, inCta(target),
                                      responseBytes, lane, /*isStore=*/true);
          if (!memory)
            return;
          std::memcpy(memory, response.data(), responseBytes);
          changeBarrier(owner, inCta(told),
                        [](MBarrier &b) { return b.complete(responseBytes); });
        }
      };
      wave.group.cluster().issue(wave, asWorkOf(wave, told, work));
    });
  });
}

/// `clusterlaunchcontrol.query_cancel.QUERY.b128 to, response`: what `answer`
/// says of a response.
template <typename Answer> static void query(PtxCall &call, Answer answer) {
  if (!call.opcode.take("b128") || !call.isUnderstood() ||
      call.numOperands() != 2)
    return call.fail();
  const Column to = call.scalar(0), response = call.scalar(1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      wave.value(to, lane) = answer(wave.value(response, lane));
    });
  });
}

/// `is_canceled.pred`
static void queryIsCanceled(PtxCall &call) {
  query(call,
        [](uint64_t bits) -> uint64_t { return (bits & isCanceled) != 0; });
}

/// `get_first_ctaid::x.b32`; the response must be one of a cluster that was
/// taken over.
template <unsigned axis> static void queryCtaId(PtxCall &call) {
  query(call, [](uint64_t bits) {
    return bits & isCanceled
               ? bits >> ctaIdShifts[axis] & lowBits(ctaIdBits[axis])
               : lowBits(32);
  });
}

void addLaunchControl(PtxMeanings &meanings) {
  const std::string query = "clusterlaunchcontrol.query_cancel.";
  meanings.add("clusterlaunchcontrol.try_cancel", tryCancel);
  meanings.add(query + "is_canceled", queryIsCanceled);
  meanings.add(query + "get_first_ctaid::x", queryCtaId<0>);
  meanings.add(query + "get_first_ctaid::y", queryCtaId<1>);
  meanings.add(query + "get_first_ctaid::z", queryCtaId<2>);
}

} // namespace kernelscope::wave::nvidia
