//===- LayoutView.h - the layouts of a place, for a panel to draw -*- C++
//-*-===//
//
// A layout travels as the bases of its linear map, never as a list of elements:
// the drawing code applies the xor of bases to what is visible.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LAYOUTVIEW_H
#define KERNELSCOPE_SERVER_FEATURES_LAYOUTVIEW_H

#include "server/analysis/Document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kernelscope {

/// A dimension and, for each of its bits, where that bit goes: one value for
/// each dimension of the other side.
struct MappedDim {
  std::string name;
  std::vector<std::vector<int32_t>> bases;
};

/// Where one tensor's or buffer's elements are.
struct PlacedTensor {
  std::string role;  ///< "%x, the operand"; empty for a type by itself.
  std::string type;  ///< As the document writes it.
  unsigned bits = 0; ///< Of an element in memory.
  std::string text;  ///< `describeLayout` of it.
  /// Places to elements: `register`, `lane`, ... or `offset`, `block`.
  std::vector<MappedDim> places;
  /// Elements to a place: `dim0`, `dim1`, ...; of places that hold the same,
  /// the one without any of `copies`.
  std::vector<MappedDim> elements;
  /// Xor of any of these with a place is a place that holds the same element.
  std::vector<std::vector<int32_t>> copies;
  /// After every `first` elements in memory lie `second` that are not used.
  std::vector<std::pair<unsigned, unsigned>> gaps;
};

/// How registers and shared memory exchange elements.
struct SharedAccessView {
  size_t registers = 0, memory = 0; ///< Numbers of tensors of the view.
  std::string text;                 ///< What it takes, in one line of Markdown.
  unsigned vectorMask = 0; ///< Bits of `register` that one access takes.
  /// Lanes that the memory serves at once.
  std::vector<std::vector<unsigned>> lanesTogether;
};

struct LayoutView {
  Span span;           ///< What it is about.
  std::string title;   ///< "ttg.convert_layout, line 12".
  unsigned banks = 32; ///< Of shared memory, of 32 bits.
  std::vector<PlacedTensor> tensors;
  std::optional<SharedAccessView> access;
};

/// The layouts at `offset`: of the value that is used there, of a type, of the
/// first tensor with an alias, else of the op's operands and results, those of
/// the same type once. Nothing where there is none.
std::optional<LayoutView> layoutView(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LAYOUTVIEW_H
