//===- Layouts.h - Layout attributes as linear layouts ----------*- C++ -*-===//
//
// The one place that knows what an encoding means: each becomes the linear map
// that passes, the executor and the editor's features work with.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_LAYOUTS_H
#define KERNELSCOPE_DIALECTS_TTG_LAYOUTS_H

#include "dialects/layout/LinearLayout.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace kernelscope::ttg {

/// The names of the dimensions of layouts. In-dims of a distributed layout are
/// register, lane, warp and block; of a shared one offset and block.
struct LayoutDims {
  explicit LayoutDims(mlir::MLIRContext *context)
      : reg(mlir::StringAttr::get(context, "register")),
        lane(mlir::StringAttr::get(context, "lane")),
        warp(mlir::StringAttr::get(context, "warp")),
        block(mlir::StringAttr::get(context, "block")),
        offset(mlir::StringAttr::get(context, "offset")) {}

  mlir::StringAttr reg, lane, warp, block, offset;
};

/// "dim0" to "dim<rank - 1>", the out-dims of every layout.
llvm::SmallVector<mlir::StringAttr> tensorDims(mlir::MLIRContext *context,
                                               unsigned rank);

/// The layout of a tensor (or of an allocation, for a shared encoding) of
/// `shape`. Nothing, and `error` says why, for an encoding that has no layout,
/// or where the shape does not fit it: another rank, a size that is not a power
/// of two, or smaller than an indivisible tile. A padded encoding gives its
/// linear part: offsets without the gaps.
std::optional<LinearLayout> toLinearLayout(llvm::ArrayRef<int64_t> shape,
                                           mlir::Attribute encoding,
                                           std::string &error);

/// The layout of a verified tensor or memdesc type. That of a memdesc is its
/// allocation's, without the leading dimension of a ring of buffers. An error
/// here ends the process: text from a file goes through the verifier first.
LinearLayout toLinearLayout(mlir::ShapedType type);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_LAYOUTS_H
