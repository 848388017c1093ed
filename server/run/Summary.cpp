//===- Summary.cpp - What the elements of a buffer are like ---------------===//

#include "server/run/Summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace kernelscope::run {
namespace {

void addNumbers(Summary &to, const Statistics &range, double sum,
                size_t count) {
  if (!to.numbers)
    to.numbers = range;
  to.numbers->minimum = std::min(to.numbers->minimum, range.minimum);
  to.numbers->maximum = std::max(to.numbers->maximum, range.maximum);
  to.sum += sum;
  to.count += count;
}

void addElement(Summary &to, double value) {
  if (std::isnan(value))
    ++to.nans;
  else if (std::isinf(value))
    ++to.infinities;
  else
    addNumbers(to, {value, value, 0}, value, 1);
}

} // namespace

Summary summarize(const ArgumentValue &buffer,
                  const executor::OnProgress &onProgress) {
  // By their first element: the order of a sum decides how it is rounded.
  std::map<size_t, Summary> pieces;
  std::mutex mutex;
  forEachPiece(
      buffer.count(),
      [&](size_t begin, size_t end) {
        Summary part;
        for (size_t i = begin; i < end; ++i)
          addElement(part,
                     elementValue(buffer.info.element, buffer.bytes.data(), i));
        const std::lock_guard lock(mutex);
        pieces.emplace(begin, part);
      },
      onProgress);
  Summary all;
  for (const auto &[begin, part] : pieces) {
    all.nans += part.nans;
    all.infinities += part.infinities;
    if (part.numbers)
      addNumbers(all, *part.numbers, part.sum, part.count);
  }
  return all;
}

} // namespace kernelscope::run
