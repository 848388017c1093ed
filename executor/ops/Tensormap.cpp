//===- Tensormap.cpp - Descriptors that the device writes -----------------===//
//
// Scratch memory of a program, and tensor descriptors kept there. The 128 bytes
// of one hold the executor's own record, after a mark.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Access.h"
#include "executor/ops/Shared.h"
#include <array>

using namespace mlir;

namespace kernelscope::executor {
namespace {

constexpr uint64_t mark = 0x70616d726f736e74; // "tnsormap"
using Tensormap = std::array<char, 128>;
static_assert(sizeof(mark) + sizeof(Descriptor) <= sizeof(Tensormap));

/// Each run of the op produces the same bytes, cleared; in a cluster, those
/// that the CTAs share are the first one's.
Step planScratch(Planner &planner, ttg::GlobalScratchAllocOp op) {
  const size_t bytes = std::max<int32_t>(0, op.getNbytes());
  return [bytes, storage = planner.scratch(bytes),
          known = planner.scratch(sizeof(int64_t)),
          shared = op.getSharedClusterState() ? op.getOperation() : nullptr,
          to = planner.slot(op.getResult())](Frame &frame) {
    if (shared && frame.program.cluster) {
      auto found = frame.program.sharedScratch.find(shared);
      if (found != frame.program.sharedScratch.end()) {
        *frame.at<int64_t>(to) = found->second;
        return true;
      }
    }
    int64_t &address = *frame.at<int64_t>(known);
    char *data = frame.at<char>(storage);
    if (!address)
      address = frame.memory.addBuffer({data, bytes});
    std::memset(data, 0, bytes);
    if (shared && frame.program.cluster)
      frame.program.sharedScratch[shared] = address;
    *frame.at<int64_t>(to) = address;
    return true;
  };
}

/// Bytes of an element, by its code in PTX's `tensormap.replace.elemtype`, and
/// how many of its values are in one.
struct CodedElement {
  int64_t bytes, values;
};
CodedElement codedElement(uint32_t code) {
  static constexpr CodedElement elements[] = {
      {1, 1}, {2, 1}, {4, 1}, {4, 1}, {8, 1}, {8, 1}, {2, 1}, {4, 1},
      {4, 1}, {8, 1}, {2, 1}, {4, 1}, {4, 1}, {1, 2}, {1, 2}, {1, 2}};
  return elements[std::min<size_t>(code, std::size(elements) - 1)];
}

Step planCreate(Planner &planner, ttng::TensormapCreateOp op) {
  return [to = planner.slot(op.getDescPtr()),
          base = planner.slot(op.getGlobalAddress()),
          sizes = planner.slots(op.getGlobalDim()),
          strides = planner.slots(op.getGlobalStride()),
          steps = planner.slots(op.getElementStride()),
          element = codedElement(op.getElemType()),
          padWithNan = op.getFillMode() == 1,
          operation = op.getOperation()](Frame &frame) {
    Descriptor made;
    made.address = *frame.at<int64_t>(base);
    made.padWithNan = padWithNan;
    const size_t rank = sizes.size();
    for (size_t fastest = 0; fastest < rank; ++fastest) {
      const size_t dim = rank - 1 - fastest;
      made.shape[dim] = *frame.at<uint32_t>(sizes[fastest]);
      made.steps[dim] = std::clamp<uint32_t>(
          *frame.at<uint32_t>(steps[fastest]), 1, UINT8_MAX);
      if (fastest == 0) {
        made.shape[dim] /= element.values;
        made.strides[dim] = 1;
        continue;
      }
      const int64_t bytes = *frame.at<int64_t>(strides[fastest - 1]);
      if (bytes % 16)
        return frame.fault(operation, frame.programName() + ": global_stride[" +
                                          Twine(fastest - 1) + "] is " +
                                          Twine(bytes) +
                                          " bytes; TMA needs a multiple of 16");
      made.strides[dim] = bytes / element.bytes;
    }
    Tensormap map = {};
    std::memcpy(map.data(), &mark, sizeof(mark));
    std::memcpy(map.data() + sizeof(mark), &made, sizeof(made));
    return storeElement(frame, operation, {}, 0, *frame.at<int64_t>(to), map);
  };
}

Step planReinterpret(Planner &planner, ttng::ReinterpretTensorDescOp op) {
  return [from = planner.slot(op.getRawDesc()),
          to = planner.slot(op.getResult()),
          operation = op.getOperation()](Frame &frame) {
    Tensormap map;
    if (!loadElement(frame, operation, {}, 0, *frame.at<int64_t>(from), map))
      return false;
    uint64_t found;
    std::memcpy(&found, map.data(), sizeof(found));
    if (found != mark)
      return frame.fault(operation,
                         frame.programName() +
                             ": no ttng.tensormap_create has written a "
                             "descriptor to this memory");
    std::memcpy(frame.at<Descriptor>(to), map.data() + sizeof(mark),
                sizeof(Descriptor));
    return true;
  };
}

} // namespace

void registerTensormap(Registry &r) {
  r.add<ttg::GlobalScratchAllocOp>(planScratch);
  r.add<ttng::TensormapCreateOp>(planCreate);
  r.add<ttng::ReinterpretTensorDescOp>(planReinterpret);
  r.add("ttng.tensormap_fenceproxy_acquire", planNothing);
}

} // namespace kernelscope::executor
