//===- WarpSpecialize.cpp - Partitions of the warps -----------------------===//
//
// Each partition of ttg.warp_specialize, or of nvws.warp_group, is an agent
// with a frame of its own; the agent that arrives runs the default region.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/ttg/TTG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include "executor/sanitize/Watch.h"
#include "mlir/Transforms/RegionUtils.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// A partition's place in the plan, and the values that it is passed: from
/// slots of this frame to slots of its own.
struct Partition {
  struct Capture {
    Slot from, to;
    size_t bytes;
  };
  size_t index;
  SmallVector<Capture> captures;
  std::string name;
};

/// A region for other warps, the values that it knows as `inside`, and what is
/// passed for them.
struct RegionOfWarps {
  Region *region;
  SmallVector<Value> inside, outside;
};

/// Runs `own` on the agent that arrives and each of `regions` on one of its
/// own.
Step planAgents(Planner &planner, Operation *op, Step own,
                ArrayRef<RegionOfWarps> regions) {
  if (!own)
    return {};
  std::vector<Partition> partitions;
  for (auto [number, warps] : llvm::enumerate(regions)) {
    std::optional<size_t> index =
        planner.planPartition(*warps.region, warps.inside);
    if (!index)
      return {};
    Partition &made = partitions.emplace_back();
    made.index = *index;
    made.name = "partition" + std::to_string(number);
    const Plan &plan = *planner.plan.partitions[*index];
    for (auto [value, slot] : llvm::zip_equal(warps.outside, plan.arguments))
      made.captures.push_back(
          {planner.slot(value), slot, planner.bytesOf(value)});
  }
  return [=, &plan = planner.plan](Frame &frame) {
    SmallVector<Scheduler::Start> others;
    SmallVector<std::unique_ptr<sanitize::Watch>> watches;
    for (const Partition &partition : partitions) {
      Frame &inner = frame.partition(partition.index);
      inner.reset();
      if (frame.watch)
        watches.push_back(frame.watch->fork());
      inner.setWatch(frame.watch ? watches.back().get() : nullptr);
      for (const Partition::Capture &capture : partition.captures)
        std::memcpy(inner.at<char>(capture.to), frame.at<char>(capture.from),
                    capture.bytes);
      others.push_back(
          {frame.program.cluster
               ? partition.name + " of CTA " + std::to_string(frame.cta)
               : partition.name,
           [&inner, &entry = plan.partitions[partition.index]->entry] {
             return entry(inner) && inner.end();
           }});
    }
    const bool done =
        frame.program.scheduler.fork(op, others, [&] { return own(frame); });
    if (!done)
      return false;
    for (const auto &ended : watches)
      frame.watch->join(*ended);
    return true;
  };
}

Step planWarpSpecialize(Planner &planner, ttg::WarpSpecializeOp op) {
  SmallVector<RegionOfWarps> regions;
  for (Region *region : op.getPartitionRegions())
    regions.push_back({region,
                       llvm::to_vector_of<Value>(region->getArguments()),
                       llvm::to_vector(op.getExplicitCaptures())});
  return planAgents(
      planner, op,
      planner.planRegion(op.getDefaultRegion(), planner.slots(op.getResults())),
      regions);
}

/// The first region returns the results; all may use values from outside.
Step planWarpGroup(Planner &planner, nvws::WarpGroupOp op) {
  SmallVector<RegionOfWarps> regions;
  for (Region &region : op.getPartitionRegions().drop_front()) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(region, region, used);
    regions.push_back({&region, used.takeVector(), {}});
    regions.back().outside = regions.back().inside;
  }
  return planAgents(planner, op,
                    planner.planRegion(op.getPartitionRegions().front(),
                                       planner.slots(op.getResults())),
                    regions);
}

} // namespace

void registerWarpSpecialize(Registry &r) {
  r.add<ttg::WarpSpecializeOp>(planWarpSpecialize);
  r.add<nvws::WarpGroupOp>(planWarpGroup);
}

} // namespace kernelscope::executor
