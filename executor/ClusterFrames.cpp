//===- ClusterFrames.cpp - The CTAs that run a program --------------------===//

#include "executor/ClusterFrames.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

/// Puts the arguments' values into the frame's slots.
static void bindArguments(Frame &frame, const Plan &plan,
                          ArrayRef<Argument> arguments) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    char *slot = frame.at<char>(plan.arguments[index]);
    const size_t bytes = plan.slots[plan.arguments[index]].bytes;
    if (const auto *scalar = std::get_if<Scalar>(&argument)) {
      std::memcpy(slot, &scalar->bits, std::min(bytes, sizeof(scalar->bits)));
      continue;
    }
    const int64_t address = Memory::addressOf(index);
    if (const auto *tensor = std::get_if<TensorDescriptor>(&argument)) {
      Descriptor descriptor;
      descriptor.address = address;
      std::copy(tensor->shape.begin(), tensor->shape.end(), descriptor.shape);
      std::copy(tensor->strides.begin(), tensor->strides.end(),
                descriptor.strides);
      descriptor.padWithNan = tensor->padWithNan;
      auto copy = [](const auto &from, auto &to) {
        std::copy_n(from.begin(), std::min(from.size(), std::size(to)), to);
      };
      copy(tensor->lower, descriptor.lower);
      copy(tensor->upper, descriptor.upper);
      copy(tensor->steps, descriptor.steps);
      for (uint8_t &step : descriptor.steps)
        step = std::max<uint8_t>(step, 1);
      std::memcpy(slot, &descriptor, sizeof(descriptor));
    } else {
      std::memcpy(slot, &address, sizeof(address));
    }
  }
}

ClusterFrames::ClusterFrames(FunctionOpInterface kernel, const Plan &plan,
                             RunningProgram &running,
                             ArrayRef<Argument> arguments)
    : kernel(kernel), plan(plan), running(running) {
  if (plan.ctas > 1) {
    running.cluster = std::make_unique<Cluster>(plan.ctas);
    running.scheduler.nameFirst("CTA 0");
  }
  for (unsigned cta = 0; cta < plan.ctas; ++cta) {
    frames.push_back(std::make_unique<Frame>(plan, running));
    frames.back()->cta = cta;
    bindArguments(*frames.back(), plan, arguments);
  }
}

void ClusterFrames::run(sanitize::Sanitizer *sanitizer) {
  for (auto &frame : frames)
    frame->reset();
  watches.clear();
  if (sanitizer) {
    frames.front()->setWatch(&sanitizer->first());
    for (size_t cta = 1; cta < frames.size(); ++cta) {
      watches.push_back(sanitizer->first().fork(cta));
      frames[cta]->setWatch(watches.back().get());
    }
  }
  auto runOne = [this](Frame &frame) {
    return plan.entry(frame) && frame.end();
  };
  if (frames.size() == 1) {
    runOne(*frames.front());
    return;
  }
  SmallVector<Scheduler::Start> others;
  for (auto &frame : llvm::drop_begin(frames))
    others.push_back({"CTA " + std::to_string(frame->cta),
                      [&, frame = frame.get()] { return runOne(*frame); }});
  running.scheduler.fork(kernel, others,
                         [&] { return runOne(*frames.front()); });
}

} // namespace kernelscope::executor
