//===- EmittedCode.h - what the lines of a text became ----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_EMITTEDCODE_H
#define KERNELSCOPE_SERVER_ANALYSIS_EMITTEDCODE_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace kernelscope {

/// What a compilation of a text made of its lines and kernels, in words. A job
/// works it out when a user asks; features show it beside the text.
struct EmittedCode {
  struct Line {
    size_t line = 0;     ///< Of the text, from zero.
    std::string label;   ///< For the end of the line; may be empty.
    std::string details; ///< Markdown.
  };
  struct Kernel {
    std::string name;  ///< Without `@`.
    std::string title; ///< Shared memory, registers, spills, occupancy.
  };
  std::string arch;
  std::vector<Line> lines; ///< In order.
  std::vector<Kernel> kernels;

  /// Null where nothing was made of the line.
  const Line *find(size_t line) const {
    auto it = std::lower_bound(
        lines.begin(), lines.end(), line,
        [](const Line &entry, size_t wanted) { return entry.line < wanted; });
    return it != lines.end() && it->line == line ? &*it : nullptr;
  }
  const Kernel *find(std::string_view kernel) const {
    auto it =
        std::find_if(kernels.begin(), kernels.end(),
                     [&](const Kernel &entry) { return entry.name == kernel; });
    return it == kernels.end() ? nullptr : &*it;
  }
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_EMITTEDCODE_H
