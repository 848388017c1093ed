//===- MatrixTiles.cpp - Tensors in tiles of shared memory ----------------===//

#include "passes/lower/support/MatrixTiles.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

std::optional<LoadMatrixPlan> lower::planTiles(const SharedPlaces &places,
                                               Type element) {
  constexpr unsigned rowBits = 128;
  if (places.owner)
    return std::nullopt;
  unsigned bits = 8 * tt::bytesInMemory(element), aligned = rowBits;
  for (auto [interval, padding] : places.gaps)
    aligned = std::min({aligned, interval, padding});
  return planLoadMatrix(places.offsets, bits, places.windowMask, aligned);
}

SmallVector<Value> lower::loadInTiles(lower::Builder &b,
                                      const TargetHooks &hooks,
                                      const SharedPlaces &places,
                                      const LoadMatrixPlan &plan,
                                      Type element) {
  ttg::LayoutDims names(b.getContext());
  Type inMemory = memoryType(b, element);
  SmallVector<Value> elements(places.offsets.getInDimSize(names.reg));
  SharedPlaces rows = places;
  rows.offsets = plan.rows;
  visitShared(b, hooks, rows, inMemory, /*maxElements=*/1,
              [&](Value row, const SharedVector &load) {
                ArrayRef<unsigned> registers = plan.registers[load.front()];
                size_t inWord = registers.size() / plan.tiles;
                for (auto [tile, word] : llvm::enumerate(hooks.loadTiles(
                         b, row, plan.tiles, plan.isTransposed)))
                  for (auto [r, value] :
                       llvm::zip_equal(registers.slice(tile * inWord, inWord),
                                       splitBits(b, word, inMemory, inWord)))
                    elements[r] = fromMemory(b, element, value);
              });
  auto copies = static_cast<unsigned>(places.offsets.getZeroMask(names.reg));
  for (auto [r, value] : llvm::enumerate(elements))
    if (!value)
      value = elements[r & ~copies];
  return elements;
}

void lower::storeInTiles(lower::Builder &b, const TargetHooks &hooks,
                         const SharedPlaces &places, const LoadMatrixPlan &plan,
                         ArrayRef<Value> elements) {
  SmallVector<Value> stored = toMemory(b, elements);
  SharedPlaces rows = places;
  rows.offsets = plan.rows;
  visitShared(b, hooks, rows, stored.front().getType(), /*maxElements=*/1,
              [&](Value row, const SharedVector &store) {
                ArrayRef<unsigned> registers = plan.registers[store.front()];
                size_t inWord = registers.size() / plan.tiles;
                SmallVector<Value> words;
                for (size_t tile = 0; tile < plan.tiles; ++tile)
                  words.push_back(joinBits(
                      b, pick(stored, registers.slice(tile * inWord, inWord)),
                      b.intType(32)));
                hooks.storeTiles(b, row, words, plan.isTransposed);
              });
}
