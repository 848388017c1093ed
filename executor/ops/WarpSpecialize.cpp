//===- WarpSpecialize.cpp - Partitions of the warps -----------------------===//
//
// Each partition of ttg.warp_specialize is an agent with a frame of its own;
// the agent that arrives runs the default region.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
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

Step planWarpSpecialize(Planner &planner, ttg::WarpSpecializeOp op) {
  Step own =
      planner.planRegion(op.getDefaultRegion(), planner.slots(op.getResults()));
  if (!own)
    return {};
  std::vector<Partition> partitions;
  for (auto [number, region] : llvm::enumerate(op.getPartitionRegions())) {
    std::optional<size_t> index = planner.planPartition(*region);
    if (!index)
      return {};
    Partition &made = partitions.emplace_back();
    made.index = *index;
    made.name = "partition" + std::to_string(number);
    const Plan &plan = *planner.plan.partitions[*index];
    for (auto [value, slot] :
         llvm::zip_equal(op.getExplicitCaptures(), plan.arguments))
      made.captures.push_back(
          {planner.slot(value), slot, planner.bytesOf(value)});
  }
  return
      [=, &plan = planner.plan, operation = op.getOperation()](Frame &frame) {
        SmallVector<Scheduler::Start> others;
        for (const Partition &partition : partitions) {
          Frame &inner = frame.partition(partition.index);
          inner.reset();
          for (const Partition::Capture &capture : partition.captures)
            std::memcpy(inner.at<char>(capture.to),
                        frame.at<char>(capture.from), capture.bytes);
          others.push_back(
              {partition.name,
               [&inner, &entry = plan.partitions[partition.index]->entry] {
                 return entry(inner) && inner.end();
               }});
        }
        return frame.program.scheduler.fork(operation, others,
                                            [&] { return own(frame); });
      };
}

} // namespace

void registerWarpSpecialize(Registry &r) {
  r.add<ttg::WarpSpecializeOp>(planWarpSpecialize);
}

} // namespace kernelscope::executor
