//===- LayoutPicture.h - which thread holds which element, drawn ----------===//
#ifndef KERNELSCOPE_DIALECTS_LAYOUT_LAYOUTPICTURE_H
#define KERNELSCOPE_DIALECTS_LAYOUT_LAYOUTPICTURE_H

#include "dialects/layout/LinearLayout.h"

namespace kernelscope {

/// A part of a tensor, drawn as text.
struct LayoutPicture {
  /// Lines of cells in columns, the last two dimensions of the tensor as rows
  /// and columns, all others at 0.
  std::string text;
  int64_t rows = 0, columns = 0; ///< Elements that are drawn.
  bool isWhole = true;           ///< False: the tensor has more elements.
};

/// Draws at most `maxRows` rows of at most `maxCells` cells. A cell is the
/// elements next to each other in a row that one thread holds in registers next
/// to each other: `T5:0-3` is thread 5 of its CTA with its registers 0 to 3,
/// `B1 T5:0` one of CTA 1. Of a layout of shared memory it is the offset in
/// elements, of tensor memory the lane and column. Of copies the first is
/// shown. Nothing for a layout that leaves elements without a place.
std::optional<LayoutPicture> drawLayout(const LinearLayout &layout,
                                        unsigned maxRows = 16,
                                        unsigned maxCells = 16);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_LAYOUTPICTURE_H
