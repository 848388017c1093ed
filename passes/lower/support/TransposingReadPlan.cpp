//===- TransposingReadPlan.cpp - LDS by transposing reads -----------------===//

#include "passes/lower/support/TransposingReadPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;

/// Whether the lowest bits of the lane step through a piece, and nothing else
/// does.
static bool lanesStepThroughPieces(const TransposingRead &read,
                                   const LinearLayout &offsets,
                                   StringAttr lane) {
  const int32_t within = (1 << read.elementsLog2) - 1;
  for (const LinearLayout::Dim &in : offsets.getInDims())
    for (unsigned bit = 0; bit < in.log2; ++bit) {
      const int32_t found = offsets.getBasis(in.name, bit).front();
      if (in.name == lane && bit < read.elementsLog2 ? found != 1 << bit
                                                     : (found & within) != 0)
        return false;
    }
  return true;
}

std::optional<TransposingReadPlan>
lower::planTransposingRead(const TransposingRead &read,
                           const LinearLayout &offsets, int32_t windowMask,
                           unsigned aligned) {
  const ttg::LayoutDims names(offsets.getInDims().front().name.getContext());
  const unsigned elements = 1u << read.elementsLog2;
  const SmallVector<TransposedBit> pieceBits = read.pieceBits();
  const unsigned lanes = offsets.getInDimSizeLog2(names.lane);
  if (aligned < elements || (windowMask & int32_t(elements - 1)) ||
      lanes < pieceBits.size() ||
      !lanesStepThroughPieces(read, offsets, names.lane))
    return std::nullopt;

  // What a lane receives at once, and the reads; other registers are copies.
  SmallVector<unsigned> received, reads;
  const auto copies = static_cast<unsigned>(offsets.getZeroMask(names.reg));
  for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(names.reg); ++bit)
    if (!(copies >> bit & 1))
      (received.size() < read.elementsLog2 ? received : reads).push_back(bit);
  if (received.size() < read.elementsLog2)
    return std::nullopt;

  auto step = [&](StringAttr in, unsigned bit) {
    return static_cast<uint64_t>(offsets.getBasis(in, bit).front());
  };
  SmallVector<LinearLayout::NamedValue> ins;
  SmallVector<uint64_t> columns;
  ins.push_back({names.reg, int32_t(1) << reads.size()});
  for (unsigned bit : reads)
    columns.push_back(step(names.reg, bit));
  ins.push_back({names.lane, int32_t(1) << lanes});
  for (auto [isOfElement, bit] : pieceBits)
    columns.push_back(isOfElement ? step(names.reg, received[bit])
                                  : step(names.lane, bit));
  for (unsigned bit = pieceBits.size(); bit < lanes; ++bit)
    columns.push_back(step(names.lane, bit));
  for (StringAttr in : {names.warp, names.block}) {
    ins.push_back({in, offsets.getInDimSize(in)});
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(in); ++bit)
      columns.push_back(step(in, bit));
  }

  TransposingReadPlan plan{
      LinearLayout::fromColumns(ins, offsets.getOutDimSizes(), columns), {}};
  auto spread = [](ArrayRef<unsigned> bits, unsigned number) {
    unsigned result = 0;
    for (auto [from, to] : enumerate(bits))
      result |= (number >> from & 1) << to;
    return result;
  };
  for (unsigned i = 0; i < 1u << reads.size(); ++i) {
    SmallVector<unsigned> &registers = plan.registers.emplace_back();
    for (unsigned element = 0; element < elements; ++element)
      registers.push_back(spread(reads, i) | spread(received, element));
  }
  return plan;
}
