//===- PatchedText.cpp - a text with edits, and the way back --------------===//

#include "server/analysis/PatchedText.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;

std::vector<ShortForm> kernelscope::asBlanks(llvm::ArrayRef<Span> spans) {
  std::vector<ShortForm> blanks;
  blanks.reserve(spans.size());
  for (Span span : spans)
    blanks.push_back({span, " "});
  return blanks;
}

void PatchedText::copy(llvm::StringRef source, Span span) {
  if (span.empty())
    return;
  pieces.push_back({buffer.size(), span.begin, span.size()});
  buffer += source.substr(span.begin, span.size());
}

void PatchedText::copy(llvm::StringRef source, Span span,
                       llvm::ArrayRef<const Patch *> patches) {
  size_t position = span.begin;
  auto first = llvm::partition_point(patches, [&](const Patch *patch) {
    return patch->span.begin < span.begin;
  });
  for (const Patch *patch : llvm::make_range(first, patches.end())) {
    if (patch->span.begin > span.end)
      break;
    if (patch->span.begin < position)
      continue;
    copy(source, {position, patch->span.begin});
    for (const Patch::Insertion &insertion : patch->insertions) {
      if (insertion.copy.empty())
        insert(insertion.text);
      else
        copy(source, insertion.copy);
    }
    position = patch->span.end;
  }
  if (position < span.end)
    copy(source, {position, span.end});
}

void PatchedText::comeFrom(const PatchedText &other) {
  pieces = other.pieces;
  cuts = other.cuts;
}

void PatchedText::shorten(llvm::ArrayRef<ShortForm> forms) {
  std::string shorter;
  shorter.reserve(buffer.size());
  cuts.reserve(forms.size());
  size_t taken = 0;
  for (const Piece &piece : pieces) {
    auto form = llvm::partition_point(forms, [&](const ShortForm &one) {
      return one.span.begin < piece.source;
    });
    for (; form != forms.end() && form->span.end <= piece.source + piece.length;
         ++form) {
      size_t begin = piece.begin + form->span.begin - piece.source;
      if (begin < taken)
        continue;
      shorter.append(buffer, taken, begin - taken);
      taken = begin + form->span.size();
      size_t word = shorter.size();
      shorter += form->word;
      cuts.push_back({{word, shorter.size()}, {begin, taken}});
    }
  }
  shorter.append(buffer, taken);
  buffer = std::move(shorter);
}

PatchedText::Cuts::const_iterator PatchedText::cutAfter(size_t offset) const {
  return llvm::partition_point(
      cuts, [&](const Cut &cut) { return cut.word.begin <= offset; });
}

size_t PatchedText::toWhole(size_t offset, Cuts::const_iterator after) const {
  if (after == cuts.begin())
    return offset;
  const auto &[word, whole] = *std::prev(after);
  if (offset == word.begin)
    return whole.begin;
  return whole.end + offset - std::min(offset, word.end);
}

size_t PatchedText::toShort(size_t offset) const {
  auto after = llvm::partition_point(
      cuts, [&](const Cut &cut) { return cut.whole.begin <= offset; });
  if (after == cuts.begin())
    return offset;
  const auto &[word, whole] = *std::prev(after);
  return offset < whole.end ? word.begin : word.end + offset - whole.end;
}

const PatchedText::Piece *PatchedText::pieceBefore(size_t offset) const {
  auto after = llvm::partition_point(
      pieces, [&](const Piece &piece) { return piece.begin <= offset; });
  return after == pieces.begin() ? nullptr : &*std::prev(after);
}

size_t PatchedText::wholeToSource(size_t offset) const {
  if (pieces.empty())
    return 0;
  const Piece *piece = pieceBefore(offset);
  if (!piece)
    return pieces.front().source;
  return piece->source + std::min(offset - piece->begin, piece->length);
}

size_t PatchedText::toSource(size_t offset) const {
  return wholeToSource(toWhole(offset));
}

Span PatchedText::toSource(Span span) const {
  auto after = cutAfter(span.begin);
  bool hasCut = after != cuts.end() && after->word.begin <= span.end;
  span = {toWhole(span.begin, after),
          hasCut ? toWhole(span.end) : toWhole(span.end, after)};
  const Piece *first = pieceBefore(span.begin);
  // Most words are in one piece.
  if (first && span.end - first->begin <= first->length) {
    size_t begin = first->source + (span.begin - first->begin);
    return {begin, begin + span.size()};
  }
  size_t begin = wholeToSource(span.begin), end = wholeToSource(span.end);
  return {begin, end < begin ? begin + span.size() : end};
}

bool PatchedText::isCopy(size_t offset) const {
  offset = toWhole(offset);
  const Piece *piece = pieceBefore(offset);
  return piece && offset - piece->begin < piece->length;
}

std::optional<size_t> PatchedText::fromSource(size_t offset) const {
  // The first copy is the one in the place of the original, except for names
  // of blanked statements, which exist once.
  for (const Piece &piece : pieces)
    if (piece.source <= offset && offset < piece.source + piece.length)
      return toShort(piece.begin + (offset - piece.source));
  return std::nullopt;
}
