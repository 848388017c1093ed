//===- TensorMemoryShapes.cpp - What tcgen05.ld and .st move --------------===//

#include "dialects/target/TensorMemoryShapes.h"

using namespace kernelscope;

static constexpr TensorMemoryShape movementShapes[] = {
    {".32x32b", 32, 1, 128, {{{1}, {2}, {4}, {8}, {16}}}, {}, 0},
    {".16x256b",
     16,
     8,
     32,
     {{{0, 2}, {0, 4}, {1}, {2}, {4}}},
     {{{0, 1}, {8}}},
     2},
    {".16x128b", 16, 4, 64, {{{0, 1}, {0, 2}, {1}, {2}, {4}}}, {{{8}}}, 1},
    {".16x64b", 16, 2, 128, {{{8}, {0, 1}, {1}, {2}, {4}}}, {}, 0},
    {".16x32bx2",
     16,
     1,
     128,
     {{{1}, {2}, {4}, {8}, placeInInstruction}},
     {},
     0},
};

llvm::ArrayRef<TensorMemoryShape> kernelscope::tensorMemoryShapes() {
  return movementShapes;
}
