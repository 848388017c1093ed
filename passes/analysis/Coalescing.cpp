//===- Coalescing.cpp - How a warp's addresses meet memory ----------------===//

#include "passes/analysis/Coalescing.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>
#include <vector>

using namespace kernelscope;

std::optional<WarpAccess>
kernelscope::warpAccess(const tt::GlobalAccess &access,
                        const AxisInfoAnalysis &axes, unsigned elements) {
  auto tensor =
      llvm::dyn_cast<mlir::RankedTensorType>(access.addresses.getType());
  std::string error;
  auto layout = tensor ? ttg::toLinearLayout(tensor.getShape(),
                                             tensor.getEncoding(), error)
                       : std::nullopt;
  AxisInfo info = axes.get(access.addresses);
  if (!layout || tensor.getRank() == 0 || info.getRank() != tensor.getRank())
    return std::nullopt;

  const unsigned rank = tensor.getRank();
  const unsigned fastest =
      llvm::max_element(info.getAxes(),
                        [](const Axis &a, const Axis &b) {
                          return a.contiguity < b.contiguity;
                        }) -
      info.getAxes().begin();
  const unsigned bytes = access.elementBits() / 8;
  // An element's place: the run of neighbours it is in, and where in that.
  using Place = std::vector<int64_t>;
  std::set<Place> places, segments;
  ttg::LayoutDims dims(tensor.getContext());
  for (int32_t lane = 0, end = layout->getInDimSize(dims.lane); lane < end;
       ++lane) {
    auto first = layout->apply({{dims.lane, lane}});
    for (unsigned next = 0; next < elements; ++next) {
      Place place;
      int64_t inRun = 0;
      for (unsigned dim = 0; dim < rank; ++dim) {
        const Axis &axis = info[dim];
        int64_t at = first[dim].second + (dim == fastest ? next : 0);
        if (dim == fastest && axis.contiguity > axis.constancy) {
          inRun = (at & ((int64_t(1) << axis.contiguity) - 1)) * bytes;
          at >>= axis.contiguity;
        } else {
          at >>= axis.constancy; // equal addresses
        }
        place.push_back(at);
      }
      place.push_back(inRun);
      places.insert(place);
      place.back() = inRun / segmentBytes;
      segments.insert(std::move(place));
    }
  }
  return WarpAccess{
      unsigned(segments.size()),
      unsigned(llvm::divideCeil(places.size() * bytes, segmentBytes))};
}

std::string kernelscope::describeCoalescing(const WarpAccess &access) {
  if (access.isCoalesced())
    return "coalesced";
  return llvm::formatv("not coalesced: up to {0} segments of {1} bytes instead "
                       "of {2}",
                       access.segments, segmentBytes, access.fewest);
}
