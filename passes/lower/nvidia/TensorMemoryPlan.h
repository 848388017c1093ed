//===- TensorMemoryPlan.h - Registers to tensor memory ----------*- C++ -*-===//
//
// Which tcgen05.ld or .st moves a tensor between registers and tensor memory,
// computed from the two linear maps alone. No IR is created here. PTX ISA,
// "Tensor Memory and Register Load/Store", "Data Movement Shape".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYPLAN_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYPLAN_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/target/TensorMemoryShapes.h"

namespace kernelscope::lower {

/// How tensor memory has a matrix: `layout` is that of an allocation (in-dims
/// row, col and block, columns in elements of `elementBits`, out-dims those of
/// the matrix).
class TensorMemoryMap {
public:
  TensorMemoryMap(const LinearLayout &layout, unsigned elementBits);

  /// Where the first CTA has what is at the given indices of the matrix, as
  /// `element` of its column; nothing where another CTA has it, or where
  /// `element` is null and it is not the first.
  std::optional<TensorMemoryPlace> placeOf(llvm::ArrayRef<int32_t> indices,
                                           int32_t *element = nullptr) const;
  /// The indices of what lies at a place, as element `element` of its column.
  llvm::SmallVector<int32_t> indicesAt(TensorMemoryPlace place,
                                       int32_t element = 0) const;
  /// Elements that fit in a column.
  int32_t perColumn() const { return 32 / elementBits; }
  /// The columns of one matrix.
  int32_t columns() const;

private:
  LinearLayout layout, inverse;
  int32_t elementBits;
  mlir::StringAttr row, col, block;
};

/// The messages that move a tensor.
struct TensorMemoryPlan {
  /// ".32x32b", and so on, of which a message has `repeat`.
  llvm::StringRef shape;
  unsigned repeat = 1;
  /// Two columns with 16 bits each go to one register.
  bool isPacked = false;
  /// The columns from what the first half of a warp moves to what the second
  /// does; only .16x32bx2 says it.
  std::optional<int32_t> halfOffset;
  /// In which bits of a 32-bit word each of its elements is, the lowest.
  llvm::SmallVector<unsigned> bitsOfElements;

  struct Message {
    TensorMemoryPlace place;
    /// The tensor's registers, word by word.
    llvm::SmallVector<unsigned> registers;
  };
  std::vector<Message> messages;
  /// For each register of the tensor the one in `messages` that holds the same
  /// element.
  llvm::SmallVector<unsigned> sources;
  /// How far each bit of the warp id moves all messages; without the rows
  /// that the warp sees.
  llvm::SmallVector<TensorMemoryPlace> warpBits;
};

/// The plan for `registers` (in-dims register, lane, warp, block), whose
/// out-dims have the sizes of the map's. Nothing if no message has these lanes.
/// A message takes half of a thread's `limit` registers at most, and a quarter
/// where one of 128 is not enough: they must follow one another, and ptxas
/// spills, or fails, if that leaves too few for the rest. 0 stands for 256.
std::optional<TensorMemoryPlan> planTensorMemory(const LinearLayout &registers,
                                                 const TensorMemoryMap &memory,
                                                 unsigned limit = 0);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYPLAN_H
