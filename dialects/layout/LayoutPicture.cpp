//===- LayoutPicture.cpp - which thread holds which element, drawn --------===//

#include "dialects/layout/LayoutPicture.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using mlir::StringAttr;
using Places = llvm::ArrayRef<LinearLayout::NamedValue>;

static int32_t valueOf(Places places, llvm::StringRef name) {
  for (auto [dim, value] : places)
    if (dim.getValue() == name)
      return value;
  return 0;
}

/// `T5:0-3` for a run of places from `first`, as far as `count` elements go.
static std::string drawCell(const LinearLayout &layout, Places first,
                            int64_t count) {
  auto range = [&](int32_t from) {
    return std::to_string(from) +
           (count > 1 ? "-" + std::to_string(from + count - 1) : "");
  };
  auto has = [&](llvm::StringRef name) {
    return llvm::any_of(layout.getInDims(), [&](const LinearLayout::Dim &dim) {
      return dim.name.getValue() == name;
    });
  };
  auto sizeOf = [&](llvm::StringRef name) {
    for (const LinearLayout::Dim &dim : layout.getInDims())
      if (dim.name.getValue() == name)
        return dim.size();
    return 1;
  };
  std::string text;
  if (sizeOf("block") > 1)
    text += "B" + std::to_string(valueOf(first, "block")) + " ";
  if (sizeOf("partition") > 1)
    text += "P" + std::to_string(valueOf(first, "partition")) + " ";
  if (has("row"))
    return text + std::to_string(valueOf(first, "row")) + "," +
           range(valueOf(first, "col"));
  if (has("offset"))
    return text + range(valueOf(first, "offset"));
  int32_t thread =
      valueOf(first, "warp") * sizeOf("lane") + valueOf(first, "lane");
  return text + "T" + std::to_string(thread) + ":" +
         range(valueOf(first, "register"));
}

/// How many elements in a row always go together: the in-dim that counts in a
/// cell (registers, offsets or columns) steps by one along the last dimension.
static int64_t cellSize(const LinearLayout &inverse, StringAttr last,
                        StringAttr counted) {
  int64_t size = 1;
  for (unsigned bit = 0; bit < inverse.getInDimSizeLog2(last); ++bit) {
    for (const LinearLayout::Dim &out : inverse.getOutDims())
      if (inverse.getBasis(last, bit, out.name) !=
          (out.name == counted ? int32_t(1) << bit : 0))
        return size;
    size *= 2;
  }
  return size;
}

/// Whether any other input reaches into the low bits that a cell counts up.
static int64_t wholeCells(const LinearLayout &inverse, StringAttr last,
                          StringAttr counted, int64_t size) {
  for (const LinearLayout::Dim &in : inverse.getInDims())
    for (unsigned bit = 0; bit < in.log2; ++bit) {
      if (in.name == last && int64_t(1) << bit < size)
        continue;
      int32_t basis = inverse.getBasis(in.name, bit, counted);
      if (basis)
        size = std::min<int64_t>(size, basis & -basis);
    }
  return size;
}

std::optional<LayoutPicture> kernelscope::drawLayout(const LinearLayout &layout,
                                                     unsigned maxRows,
                                                     unsigned maxCells) {
  if (layout.getOutDims().empty() || layout.getInDims().empty() ||
      !layout.isSurjective())
    return std::nullopt;
  LinearLayout inverse = layout.pseudoinvert();
  llvm::ArrayRef<LinearLayout::Dim> dims = layout.getOutDims();
  const LinearLayout::Dim &columnDim = dims.back();
  // The in-dim that a cell counts: `register`, `offset`, or `col` after `row`.
  StringAttr counted = layout.getInDims().front().name;
  if (counted.getValue() == "row" && layout.getInDims().size() > 1)
    counted = layout.getInDims()[1].name;
  int64_t width = wholeCells(inverse, columnDim.name, counted,
                             cellSize(inverse, columnDim.name, counted));

  LayoutPicture picture;
  int64_t allRows = dims.size() > 1 ? dims[dims.size() - 2].size() : 1;
  int64_t allColumns = columnDim.size();
  // A vector is drawn in as many rows as it takes.
  bool isVector = dims.size() == 1;
  int64_t perRow = std::min<int64_t>(allColumns, width * maxCells);
  picture.rows = std::min<int64_t>(
      maxRows, isVector ? (allColumns + perRow - 1) / perRow : allRows);
  picture.columns = perRow;
  picture.isWhole =
      picture.rows * picture.columns == layout.getTotalOutDimSize();

  std::vector<std::vector<std::string>> cells;
  size_t widest = 0;
  for (int64_t row = 0; row < picture.rows; ++row) {
    std::vector<std::string> &line = cells.emplace_back();
    for (int64_t column = 0; column < perRow; column += width) {
      llvm::SmallVector<LinearLayout::NamedValue> element;
      if (isVector) {
        element.push_back(
            {columnDim.name, static_cast<int32_t>(row * perRow + column)});
      } else {
        element.push_back(
            {dims[dims.size() - 2].name, static_cast<int32_t>(row)});
        element.push_back({columnDim.name, static_cast<int32_t>(column)});
      }
      line.push_back(drawCell(layout, inverse.apply(element), width));
      widest = std::max(widest, line.back().size());
    }
  }
  for (const std::vector<std::string> &line : cells) {
    std::string text;
    for (const std::string &cell : line)
      text += (text.empty() ? "" : "  ") + cell +
              std::string(widest - cell.size(), ' ');
    picture.text += llvm::StringRef(text).rtrim().str() + "\n";
  }
  return picture;
}
