//===- CopyRows.cpp - Which warps load which rows -------------------------===//

#include "passes/ttgir/CopyRows.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/ttgir/Coalesce.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Whether products read the result of `load` as it is, or transposed.
static bool isOperand(Operation *load) {
  return !load->use_empty() &&
         llvm::all_of(load->getUsers(), [](Operation *user) {
           return isa<tt::DotOpInterface>(user) ||
                  (isa<tt::TransOp>(user) &&
                   llvm::all_of(user->getUsers(),
                                llvm::IsaPred<tt::DotOpInterface>));
         });
}

/// `type` as `blocked` divides it, but with the rows in another order: the bits
/// of the row's number go to the warps first, then to the lanes and the
/// registers.
static Attribute withSpreadRows(RankedTensorType type,
                                ttg::BlockedEncodingAttr blocked) {
  const LinearLayout before =
      ttg::toLinearLayout(type.cloneWithEncoding(blocked));
  MLIRContext *context = type.getContext();
  ttg::LayoutDims names(context);
  const StringAttr row = ttg::tensorDims(context, 2)[blocked.getOrder()[1]];
  std::vector<LinearLayout::Bases> bases;
  for (StringAttr dim : {names.reg, names.lane, names.warp, names.block})
    bases.emplace_back(dim, before.getBases(dim));
  const unsigned place = blocked.getOrder()[1];
  int32_t next = 1;
  for (unsigned dim : {2, 1, 0})
    for (std::vector<int32_t> &basis : bases[dim].second)
      if (basis[place] != 0) {
        basis[place] = next;
        next *= 2;
      }
  // Each bit of the row had one place.
  std::string error;
  auto after = next == before.getOutDimSize(row)
                   ? LinearLayout::create(bases, before.getOutDimSizes(), error)
                   : std::nullopt;
  return after ? Attribute(ttg::LinearEncodingAttr::get(context, *after))
               : Attribute(blocked);
}

/// `blocked` for `load`, but a thread has no more neighbours than it can copy
/// at once: the next ones are copied by the next lane then, and lie behind
/// them.
static ttg::BlockedEncodingAttr asCopied(tt::LoadOp load,
                                         ttg::BlockedEncodingAttr blocked,
                                         const ThreadCounts &threads,
                                         const AxisInfoAnalysis &axes,
                                         const Target &target) {
  auto type = cast<RankedTensorType>(load.getType());
  const unsigned bits = 8 * tt::bytesInMemory(type.getElementType()),
                 fastest = blocked.getOrder()[0];
  int64_t together =
      std::min<int64_t>(blocked.getSizePerThread()[fastest],
                        axes.accessElements(load.getPtr(), fastest, bits));
  if (Value mask = load.getMask())
    together = std::min<int64_t>(together, axes.maskRun(mask, fastest));
  for (unsigned width : llvm::reverse(target.asyncCopyBits))
    if (width <= together * bits && width % bits == 0)
      return cast<ttg::BlockedEncodingAttr>(
          blockedLayout(type, blocked.getOrder(), width / bits, threads));
  return blocked;
}

void ttgir::spreadRowsOverWarps(
    const AxisInfoAnalysis &axes, const ThreadCounts &threads,
    const Target &target,
    llvm::MapVector<Operation *, Attribute> &accessLayouts) {
  for (auto &[op, layout] : accessLayouts) {
    auto found = asBlockedLoad(op, layout);
    if (found && found->type.getRank() == 2 &&
        isa<scf::ForOp>(op->getParentOp()) && isOperand(found->load))
      layout = withSpreadRows(found->type, asCopied(found->load, found->layout,
                                                    threads, axes, target));
  }
}
