//===- MatrixTiles.cpp - Tensors in tiles of shared memory ----------------===//

#include "passes/lower/support/MatrixTiles.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/ByteTiles.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// What the gaps between elements are multiples of.
static unsigned alignmentOf(const SharedPlaces &places) {
  unsigned aligned = 128;
  for (auto [interval, padding] : places.gaps)
    aligned = std::min({aligned, interval, padding});
  return aligned;
}

std::optional<LoadMatrixPlan> lower::planTiles(const SharedPlaces &places,
                                               Type element) {
  if (places.owner)
    return std::nullopt;
  return planLoadMatrix(places.offsets, 8 * tt::bytesInMemory(element),
                        places.windowMask, alignmentOf(places));
}

std::optional<LoadMatrixPlan> lower::planByteTiles(const SharedPlaces &places,
                                                   Type element, bool isStore) {
  if (places.owner || tt::bytesInMemory(element) != 1)
    return std::nullopt;
  return planByteTiles(places.offsets, places.windowMask, alignmentOf(places),
                       isStore);
}

SmallVector<Value> lower::loadInTiles(lower::Builder &b,
                                      const TargetHooks &hooks,
                                      const SharedPlaces &places,
                                      const LoadMatrixPlan &plan, Type element,
                                      LoadWords load) {
  ttg::LayoutDims names(b.getContext());
  Type inMemory = memoryType(b, element);
  SmallVector<Value> elements(places.offsets.getInDimSize(names.reg));
  SharedPlaces rows = places;
  rows.offsets = plan.rows;
  visitShared(b, hooks, rows, inMemory, /*maxElements=*/1,
              [&](Value row, const SharedVector &at) {
                ArrayRef<unsigned> registers = plan.registers[at.front()];
                size_t inWord = registers.size() / plan.tiles;
                for (auto [tile, word] : llvm::enumerate(load(row, plan.tiles)))
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
                         ArrayRef<Value> elements, StoreWords store) {
  SmallVector<Value> stored = toMemory(b, elements);
  SharedPlaces rows = places;
  rows.offsets = plan.rows;
  visitShared(b, hooks, rows, stored.front().getType(), /*maxElements=*/1,
              [&](Value row, const SharedVector &at) {
                ArrayRef<unsigned> registers = plan.registers[at.front()];
                size_t inWord = registers.size() / plan.tiles;
                SmallVector<Value> words;
                for (size_t tile = 0; tile < plan.tiles; ++tile)
                  words.push_back(joinBits(
                      b, pick(stored, registers.slice(tile * inWord, inWord)),
                      b.intType(32)));
                store(row, words);
              });
}

SmallVector<Value> lower::loadInTiles(lower::Builder &b,
                                      const TargetHooks &hooks,
                                      const SharedPlaces &places,
                                      const LoadMatrixPlan &plan,
                                      Type element) {
  return loadInTiles(b, hooks, places, plan, element,
                     [&](Value row, unsigned words) {
                       return hooks.loadTiles(b, row, words, plan.isTransposed);
                     });
}

void lower::storeInTiles(lower::Builder &b, const TargetHooks &hooks,
                         const SharedPlaces &places, const LoadMatrixPlan &plan,
                         ArrayRef<Value> elements) {
  storeInTiles(b, hooks, places, plan, elements,
               [&](Value row, ArrayRef<Value> words) {
                 hooks.storeTiles(b, row, words, plan.isTransposed);
               });
}
