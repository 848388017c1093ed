//===- PlaceScales.cpp - Scales to the threads that need them -------------===//
//
// `place-scales`: amdg.upcast_mxfp takes its scales in any layout. Triton 3.7
// and older fetches them from other lanes as it lowers the op.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/amdg/ScaleAxis.h"
#include "dialects/ttg/Layouts.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_PLACESCALES
#include "passes/Passes.h.inc"

/// The scales of the elements that each thread has of `result`.
static RankedTensorType scalesWhereNeeded(amdg::UpcastMXFPOp op) {
  RankedTensorType result = op.getResult().getType(),
                   scale = op.getScale().getType();
  const unsigned k = amdg::depthAxis(result),
                 last = static_cast<unsigned>(result.getRank()) - 1;
  LinearLayout elements = ttg::toLinearLayout(result);
  SmallVector<LinearLayout::Bases> bases;
  for (const LinearLayout::Dim &in : elements.getInDims()) {
    std::vector<std::vector<int32_t>> all = elements.getBases(in.name);
    for (std::vector<int32_t> &basis : all) {
      basis[k] /= amdg::elementsPerMXFPScale;
      std::swap(basis[k], basis[last]);
    }
    bases.emplace_back(in.name, std::move(all));
  }
  SmallVector<LinearLayout::NamedValue> outs;
  for (auto [name, size] :
       llvm::zip_equal(elements.getOutDimNames(), scale.getShape()))
    outs.emplace_back(name, static_cast<int32_t>(size));
  std::string error;
  std::optional<LinearLayout> needed = LinearLayout::create(bases, outs, error);
  if (!needed)
    return scale;
  MLIRContext *context = op.getContext();
  return RankedTensorType::get(
      scale.getShape(), scale.getElementType(),
      ttg::LinearEncodingAttr::get(
          context, needed->removeZeroBases(ttg::LayoutDims(context).reg)));
}

namespace {

struct PlaceScales : impl::PlaceScalesBase<PlaceScales> {
  void runOnOperation() override {
    getOperation()->walk([](amdg::UpcastMXFPOp op) {
      if (!op.getScale().getType().getEncoding())
        return;
      RankedTensorType needed = scalesWhereNeeded(op);
      if (needed == op.getScale().getType())
        return;
      OpBuilder b(op);
      op.getScaleMutable().assign(
          ttg::ConvertLayoutOp::create(b, op.getLoc(), needed, op.getScale()));
    });
  }
};

} // namespace

} // namespace kernelscope
