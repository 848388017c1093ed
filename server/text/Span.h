//===- Span.h - a range of bytes of a document ------------------*- C++ -*-===//
//
// The only kind of coordinate that is used below LSP.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_TEXT_SPAN_H
#define KERNELSCOPE_SERVER_TEXT_SPAN_H

#include <cstddef>

namespace kernelscope {

/// The bytes `[begin, end)` of a document.
struct Span {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  /// Whether `offset` is inside or at the very end, where an editor's cursor
  /// still belongs to the word before it.
  bool touches(size_t offset) const { return begin <= offset && offset <= end; }
  bool contains(size_t offset) const { return begin <= offset && offset < end; }
  bool contains(Span other) const {
    return begin <= other.begin && other.end <= end;
  }
  friend bool operator==(const Span &, const Span &) = default;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_TEXT_SPAN_H
