//===- Summary.cpp - What the elements of a buffer are like ---------------===//

#include "server/run/Summary.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <algorithm>
#include <cmath>

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

Summary summarize(const ArgumentValue &buffer) {
  constexpr size_t piece = size_t(1) << 16; // a thread's
  const size_t count = buffer.count();
  std::vector<Summary> pieces(llvm::divideCeil(count, piece));
  auto summarizePiece = [&](size_t number) {
    const size_t end = std::min(count, (number + 1) * piece);
    for (size_t i = number * piece; i < end; ++i)
      addElement(pieces[number],
                 elementValue(buffer.info.element, buffer.bytes.data(), i));
  };
  if (pieces.size() == 1)
    summarizePiece(0); // threads would only have to start
  else
    llvm::parallelFor(0, pieces.size(), summarizePiece);
  Summary all;
  for (const Summary &part : pieces) {
    all.nans += part.nans;
    all.infinities += part.infinities;
    if (part.numbers)
      addNumbers(all, *part.numbers, part.sum, part.count);
  }
  return all;
}

} // namespace kernelscope::run
