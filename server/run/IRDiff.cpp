//===- IRDiff.cpp - How two texts of IR differ ----------------------------===//
//
// Lines are aligned without their names, by the longest common subsequence.
// Then the names of aligned lines are matched in their order: a line whose
// names were matched otherwise before has changed.
//
//===----------------------------------------------------------------------===//

#include "server/run/IRDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace kernelscope::run {
namespace {

struct Line {
  StringRef text;
  std::string shape; ///< the text with its names left out
  SmallVector<StringRef, 8> names;
};

bool isNameChar(char c) { return isAlnum(c) || c == '_' || c == '#'; }

Line readLine(StringRef text) {
  Line line{text, {}, {}};
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    line.shape += c;
    ++i;
    // %value, ^block, #alias; `#ttg.blocked` is an attribute.
    if (c != '%' && c != '^' && c != '#')
      continue;
    const StringRef name = text.substr(i).take_while(isNameChar);
    if (name.empty() ||
        (c == '#' && text.substr(i + name.size()).starts_with(".")))
      continue;
    line.names.push_back(text.substr(i - 1, name.size() + 1));
    i += name.size();
  }
  return line;
}

std::vector<Line> readLines(StringRef text) {
  std::vector<Line> lines;
  for (StringRef line : split(text.rtrim(), '\n'))
    lines.push_back(readLine(line));
  return lines;
}

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// Pairs of lines with the same shape, in order, as many as there can be.
Pairs align(ArrayRef<Line> before, ArrayRef<Line> after) {
  auto same = [&](size_t i, size_t j) {
    return before[i].shape == after[j].shape;
  };
  Pairs pairs;
  size_t begin = 0, endBefore = before.size(), endAfter = after.size();
  while (begin < std::min(endBefore, endAfter) && same(begin, begin)) {
    pairs.emplace_back(begin, begin);
    ++begin;
  }
  Pairs tail;
  while (std::min(endBefore, endAfter) > begin &&
         same(endBefore - 1, endAfter - 1))
    tail.emplace_back(--endBefore, --endAfter);
  // Texts with more differences than this are not read line by line.
  constexpr size_t most = size_t{1} << 26;
  const size_t rows = endBefore - begin, columns = endAfter - begin;
  if (rows && columns && rows * columns <= most) {
    // longest[i][j]: of what is left from line i and line j on.
    std::vector<uint32_t> longest((rows + 1) * (columns + 1), 0);
    auto at = [&](size_t i, size_t j) -> uint32_t & {
      return longest[i * (columns + 1) + j];
    };
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        at(i, j) = same(begin + i, begin + j)
                       ? at(i + 1, j + 1) + 1
                       : std::max(at(i + 1, j), at(i, j + 1));
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
      if (same(begin + i, begin + j))
        pairs.emplace_back(begin + i++, begin + j++);
      else
        at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
    }
  }
  pairs.insert(pairs.end(), tail.rbegin(), tail.rend());
  return pairs;
}

/// Removes pairs whose names stand for other things than in pairs before.
void matchNames(ArrayRef<Line> before, ArrayRef<Line> after, Pairs &pairs) {
  StringMap<StringRef> matched;
  erase_if(pairs, [&](const auto &pair) {
    bool changed = false;
    for (auto [old, made] :
         zip_equal(before[pair.first].names, after[pair.second].names))
      changed |= matched.try_emplace(made, old).first->second != old;
    return changed;
  });
}

} // namespace

std::string diffIR(StringRef beforeText, StringRef afterText) {
  const std::vector<Line> before = readLines(beforeText),
                          after = readLines(afterText);
  Pairs pairs = align(before, after);
  matchNames(before, after, pairs);

  struct Row {
    char mark;
    StringRef text;
    size_t before, after;
  };
  std::vector<Row> rows;
  size_t i = 0, j = 0;
  auto advance = [&](size_t toBefore, size_t toAfter) {
    for (; i < toBefore; ++i)
      rows.push_back({'-', before[i].text, i, j});
    for (; j < toAfter; ++j)
      rows.push_back({'+', after[j].text, i, j});
  };
  for (const auto &[old, made] : pairs) {
    advance(old, made);
    rows.push_back({' ', after[j].text, i++, j++});
  }
  advance(before.size(), after.size());

  constexpr size_t context = 2;
  std::vector<bool> shown(rows.size());
  for (size_t row = 0; row < rows.size(); ++row)
    if (rows[row].mark != ' ')
      for (size_t near = row - std::min(row, context);
           near < std::min(rows.size(), row + context + 1); ++near)
        shown[near] = true;
  std::string text;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!shown[row])
      continue;
    if (row == 0 || !shown[row - 1])
      text += formatv("@@ line {0} before, line {1} after\n",
                      rows[row].before + 1, rows[row].after + 1);
    text += rows[row].mark;
    text += rows[row].text;
    text += '\n';
  }
  return text;
}

} // namespace kernelscope::run
