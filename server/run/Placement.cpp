//===- Placement.cpp - Strides and shapes that keep elements apart --------===//

#include "server/run/Placement.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

/// The summands of the addresses of an access.
IndexTerms addressOf(const tt::GlobalAccess &access, IndexAnalysis &analysis) {
  IndexTerms terms = analysis.of(access.addresses);
  if (access.base)
    for (const auto &[arguments, term] : analysis.of(access.base))
      terms.try_emplace(arguments, term);
  return terms;
}

/// The summands of every address that the kernel uses.
std::vector<IndexTerms> addressesOf(FunctionOpInterface kernel,
                                    IndexAnalysis &analysis) {
  std::vector<IndexTerms> addresses;
  kernel->walk([&](Operation *op) {
    if (auto access = dyn_cast<tt::GlobalAccessOpInterface>(op))
      addresses.push_back(addressOf(access.getGlobalAccess(), analysis));
    if (auto descriptor = dyn_cast<tt::MakeTensorDescOp>(op)) {
      IndexTerms terms = analysis.of(descriptor.getBase());
      for (auto [size, stride] :
           llvm::zip(descriptor.getShape(), descriptor.getStrides())) {
        const int64_t reach = std::max<int64_t>(1, analysis.largest(size)) - 1;
        if (BlockArgument argument = scalarArgumentOf(stride, kernel))
          terms[{argument.getArgNumber()}] = {1, reach};
        else
          terms.try_emplace({}, IndexTerm{1, 0}).first->second.reach +=
              analysis.largest(stride) * reach;
      }
      addresses.push_back(std::move(terms));
    }
  });
  return addresses;
}

/// The least value of stride `stride` with which a step along it passes
/// everything that strides after it in the signature, and the rest of the
/// index, can reach; 0 when no address uses it.
int64_t leastStride(unsigned stride, const llvm::SmallBitVector &strides,
                    ArrayRef<IndexTerms> addresses,
                    const IndexAnalysis &analysis) {
  int64_t least = 0;
  for (const IndexTerms &terms : addresses) {
    int64_t inner = 0;
    for (const auto &[arguments, term] : terms)
      if (llvm::none_of(arguments, [&](unsigned argument) {
            return strides.test(argument) && argument <= stride;
          }))
        inner += analysis.span(arguments, term);
    for (const auto &[arguments, term] : terms) {
      if (!llvm::is_contained(arguments, stride) || term.reach == 0)
        continue;
      std::vector<unsigned> others = arguments;
      llvm::erase(others, stride);
      const int64_t unit = std::max<int64_t>(1, analysis.unit(others, term));
      least = std::max<int64_t>(least, llvm::divideCeil(inner + 1, unit));
    }
  }
  return least;
}

} // namespace

void chooseStrides(FunctionOpInterface kernel, ArrayRef<ArgumentInfo> arguments,
                   const llvm::SmallBitVector &strides, IndexAnalysis &analysis,
                   std::vector<double> &scalars) {
  constexpr int64_t huge = int64_t{1} << 26;
  const std::vector<double> before = scalars;
  // Indices may depend on strides, so what they reach is asked again.
  for (int round = 0; round < 2; ++round) {
    analysis.forget();
    const std::vector<IndexTerms> addresses = addressesOf(kernel, analysis);
    for (size_t index = strides.size(); index-- > 0;) {
      if (!strides.test(index))
        continue;
      const int64_t least = leastStride(index, strides, addresses, analysis);
      scalars[index] =
          least == 0 || least > huge
              ? before[index]
              : double(llvm::alignTo(least, arguments[index].divisibility));
    }
  }
  analysis.forget();
}

std::optional<SmallVector<Value>> coordinatesOf(Operation *op) {
  auto list = [](ValueRange values) {
    return SmallVector<Value>(values.begin(), values.end());
  };
  return llvm::TypeSwitch<Operation *, std::optional<SmallVector<Value>>>(op)
      .Case<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp,
            amdg::AsyncTDMCopyGlobalToLocalOp,
            amdg::AsyncTDMCopyLocalToGlobalOp>(
          [&](auto op) { return list(op.getIndices()); })
      .Case<ttng::AsyncTMACopyGlobalToLocalOp,
            ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp>(
          [&](auto op) { return list(op.getCoord()); })
      .Case<tt::DescriptorGatherOp, tt::DescriptorScatterOp,
            ttng::AsyncTMAGatherOp, ttng::AsyncTMAScatterOp>(
          [&](auto op) { return SmallVector<Value>{Value(), op.getYOffset()}; })
      .Default([](Operation *) { return std::nullopt; });
}

std::vector<int64_t> guessShape(BlockArgument descriptor,
                                const ArgumentInfo &info,
                                IndexAnalysis &analysis) {
  // TMA needs rows of a multiple of 16 bytes.
  constexpr int64_t multiple = 16, rowsNamed = 1 + int64_t(unboundedInteger),
                    largestExtent = 1 << 13;
  // The last of the block's dimensions are the tensor's; an image has others.
  std::vector<int64_t> block(info.rank, 1);
  const size_t shared = std::min(info.block.size(), block.size());
  std::copy_n(info.block.end() - shared, shared, block.end() - shared);
  std::vector<int64_t> shape = block;
  for (Value value : valuesOf(descriptor))
    for (Operation *user : value.getUsers()) {
      auto coordinates = coordinatesOf(user);
      if (!coordinates || coordinates->size() != shape.size())
        continue;
      for (auto [dim, at] : llvm::enumerate(*coordinates)) {
        const int64_t end = at ? analysis.largest(at) + block[dim] : rowsNamed;
        shape[dim] = std::max(shape[dim], std::min(end, largestExtent));
      }
    }
  for (auto [size, inBlock] : llvm::zip(shape, block))
    if (size > inBlock + multiple)
      size = llvm::alignDown(size - 1, multiple);
  shape.back() = llvm::alignTo(shape.back(), multiple);
  return shape;
}

/// Each of `placing` becomes at least what the rest of `places` reaches, in
/// whole `unit`s.
static void keepApart(ArrayRef<IndexTerms> places,
                      const llvm::SmallBitVector &placing,
                      llvm::function_ref<int64_t(unsigned)> unit,
                      IndexAnalysis &analysis, std::vector<double> &scalars) {
  for (unsigned index : placing.set_bits()) {
    llvm::SmallBitVector alone(placing.size());
    alone.set(index);
    const int64_t least = leastStride(index, alone, places, analysis);
    if (least > 0 && least <= (1 << 20))
      scalars[index] =
          std::max(scalars[index],
                   static_cast<double>(llvm::alignTo(least, unit(index))));
  }
  analysis.forget();
}

void keepStoresApart(FunctionOpInterface kernel,
                     ArrayRef<ArgumentInfo> arguments,
                     const llvm::SmallBitVector &placing,
                     IndexAnalysis &analysis, std::vector<double> &scalars) {
  if (placing.none())
    return;
  std::vector<IndexTerms> places;
  kernel->walk([&](tt::GlobalAccessOpInterface op) {
    const tt::GlobalAccess access = op.getGlobalAccess();
    if (access.writes)
      places.push_back(addressOf(access, analysis));
  });
  keepApart(
      places, placing,
      [&](unsigned index) { return arguments[index].divisibility; }, analysis,
      scalars);
}

void keepBlocksApart(FunctionOpInterface kernel,
                     const llvm::SmallBitVector &placing,
                     IndexAnalysis &analysis, std::vector<double> &scalars) {
  std::vector<IndexTerms> places;
  int64_t widest = 1; // of the blocks that are placed
  kernel->walk([&](Operation *op) {
    for (Type type : op->getOperandTypes())
      if (auto descriptor = dyn_cast<tt::TensorDescInterface>(type))
        for (int64_t size : descriptor.getShape())
          widest = std::max<int64_t>(widest, llvm::PowerOf2Ceil(size));
    for (Value place : coordinatesOf(op).value_or(SmallVector<Value>()))
      if (place)
        places.push_back(analysis.of(place));
  });
  keepApart(
      places, placing, [&](unsigned) { return widest; }, analysis, scalars);
}

} // namespace kernelscope::run
