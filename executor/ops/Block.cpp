//===- Block.cpp - Blocks of tensors in global memory ---------------------===//
//
// Ordinary blocks are boxes; gathered ones have rows from anywhere; im2col ones
// have the pixels of a box, line by line, as rows (PTX ISA, "im2col mode").
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Block.h"
#include "dialects/ttng/TTNG.h"
#include "executor/PixelWalk.h"
#include "executor/plan/Strided.h"
#include "executor/sanitize/Watch.h"
#include <limits>

using namespace mlir;

namespace kernelscope::executor {

size_t Block::count() const {
  size_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Block::Row Block::pixel(int64_t index) const {
  // Dimensions are batch, those of the image, channel. From the pixel at
  // `first`, lines are filled from the last dimension of the image on.
  SmallVector<int64_t, 5> at(first.begin(), first.end());
  const int last = static_cast<int>(first.size()) - 2;
  int64_t carry = index;
  for (int dim = last; dim > 0; --dim)
    at[dim] = walkPixels(at[dim], tensor.lower[dim - 1],
                         tensor.shape[dim] + tensor.upper[dim - 1],
                         tensor.steps[dim], carry);
  at[0] += carry;
  Row row{at[0] * tensor.strides[0], at[0] >= 0 && at[0] < tensor.shape[0]};
  for (int dim = 1; dim <= last; ++dim) {
    const int64_t place = at[dim] + (*window)[dim - 1];
    row.offset += place * tensor.strides[dim];
    row.inside &= place >= 0 && place < tensor.shape[dim];
  }
  return row;
}

Block::Row Block::row(int64_t index) const {
  if (window)
    return pixel(index);
  if (rows) {
    const int64_t at = (*rows)[index];
    return {at * tensor.strides[0], at >= 0 && at < tensor.shape[0]};
  }
  Row row{0, true};
  for (int dim = static_cast<int>(shape.size()) - 2; dim >= 0; --dim) {
    const int64_t at =
        first[dim] + index % shape[dim] * int64_t{tensor.steps[dim]};
    index /= shape[dim];
    row.offset += at * tensor.strides[dim];
    row.inside &= at >= 0 && at < tensor.shape[dim];
  }
  return row;
}

template <typename Fn, typename Outside>
bool Block::forEach(Fn fn, Outside outside) const {
  const int64_t columns = shape.back();
  const int64_t lines = static_cast<int64_t>(count()) / columns;
  const size_t inner = first.size() - 1;
  for (int64_t line = 0; line < lines; ++line) {
    const Row begin = row(line);
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t at = first[inner] + column * int64_t{tensor.steps[inner]};
      const bool inside = begin.inside && at >= 0 && at < tensor.shape[inner];
      const int64_t address =
          tensor.address + (begin.offset + at * tensor.strides[inner]) *
                               static_cast<int64_t>(elementBytes);
      const size_t i = line * columns + column;
      if (!isMoved.empty() && !isMoved[i])
        continue;
      if (!(inside ? fn(i, address) : outside(i)))
        return false;
    }
  }
  return true;
}

bool Block::read(Frame &frame, char *values) const {
  return withBytes(elementBytes, [&]<typename T>() {
    T *to = reinterpret_cast<T *>(values);
    const T padding = tensor.padWithNan ? static_cast<T>(nan) : T();
    return forEach(
        [&](size_t i, int64_t address) {
          return loadElement(frame, op, shape, i, address, to[i]);
        },
        [&](size_t i) {
          to[i] = padding;
          return true;
        });
  });
}

bool Block::write(Frame &frame, const char *values) const {
  return withBytes(elementBytes, [&]<typename T>() {
    const T *from = reinterpret_cast<const T *>(values);
    return forEach(
        [&](size_t i, int64_t address) {
          return storeElement(frame, op, shape, i, address, from[i]);
        },
        [](size_t) { return true; });
  });
}

bool Block::combine(Frame &frame, const char *values,
                    const Combiner &with) const {
  return withBytes(elementBytes, [&]<typename T>() {
    return forEach(
        [&](size_t i, int64_t address) {
          T old, combined;
          if (!loadElement(frame, op, shape, i, address, old,
                           /*isAtomic=*/true))
            return false;
          with(reinterpret_cast<const char *>(&old), values + i * sizeof(T),
               reinterpret_cast<char *>(&combined));
          return storeElement(frame, op, shape, i, address, combined,
                              /*isAtomic=*/true);
        },
        [](size_t) { return true; });
  });
}

void Block::note(Frame &frame, bool isStore, sanitize::Moment end,
                 bool isAtomic) const {
  sanitize::Watch *watch = frame.watch;
  if (!watch || !watch->isOneOfSeveral() ||
      frame.program.memory.isReadOnly(tensor.address))
    return;
  forEach(
      [&](size_t, int64_t address) {
        watch->accessGlobal(op, address, isStore, end, isAtomic);
        return true;
      },
      [](size_t) { return true; });
}

Block BlockSource::at(Frame &frame) const {
  Block block{
      op, *frame.at<Descriptor>(descriptor), {}, {}, {}, shape, elementBytes,
      nan};
  auto values = [&](ArrayRef<Slot> slots, auto element) {
    return llvm::map_to_vector<5>(slots, [&](Slot slot) {
      return int64_t{*frame.at<decltype(element)>(slot)};
    });
  };
  block.first = values(indices, int32_t());
  if (rows) {
    block.rows.emplace(shape[0]);
    for (auto [i, row] : llvm::enumerate(*block.rows))
      row =
          wideRows ? frame.at<int32_t>(*rows)[i] : frame.at<int16_t>(*rows)[i];
    // A gather names only the column that its rows begin at.
    block.first.insert(block.first.begin(), 0);
  }
  block.first.resize(rank, 0);
  block.first.back() =
      llvm::divideFloorSigned(block.first.back(), indicesPerElement);
  if (window) {
    const auto offsets = values(*window, int16_t());
    block.window.emplace(offsets.begin(), offsets.end());
  }
  return block;
}

std::optional<BlockSource> planBlock(Planner &planner, Operation *op,
                                     const BlockOperands &operands) {
  auto type = dyn_cast<tt::TensorDescInterface>(operands.descriptor.getType());
  const std::optional<Element> element =
      type ? elementOf(type.getElementType()) : std::nullopt;
  if (!element || type.getShape().empty() ||
      type.getShape().size() > Descriptor::maxRank ||
      *element >= Element::View ||
      operands.indices.size() > Descriptor::maxRank) {
    op->emitError("the CPU executor does not run '")
        << op->getName() << "' through " << operands.descriptor.getType();
    return std::nullopt;
  }
  BlockSource block;
  block.op = op;
  block.descriptor = planner.slot(operands.descriptor);
  block.indices = planner.slots(operands.indices);
  block.shape = SmallVector<int64_t, 4>(type.getShape());
  block.rank = block.shape.size();
  block.elementBytes = sizeOf(*element);
  block.nan = 0;
  if (isFloat(*element))
    withFloat(*element, [&]<typename T>() {
      const auto nan = T::store(std::numeric_limits<double>::quiet_NaN());
      std::memcpy(&block.nan, &nan, sizeof(nan));
    });
  if (operands.rows) {
    const Storage &rows = planner.storage(operands.rows);
    block.rows = planner.slot(operands.rows);
    block.wideRows = rows.element == Element::I32;
    block.shape[0] = static_cast<int64_t>(rows.count);
  }
  if (operands.window) {
    block.window = planner.slots(*operands.window);
    block.rank = block.indices.size();
  }
  return block;
}

Combiner planReduction(Operation *op, tt::DescriptorReduceKind kind,
                       Value descriptor) {
  using Kind = tt::DescriptorReduceKind;
  Type type =
      cast<tt::TensorDescInterface>(descriptor.getType()).getElementType();
  const Element element = elementOf(type).value_or(Element::Token);
  const bool isUnsigned = type.isUnsignedInteger();
  // PTX ISA, "red": memory counts up to the value, or down from it.
  if ((kind == Kind::INC || kind == Kind::DEC) && isInt(element))
    return withInt(element, [&]<typename T>() -> Combiner {
      return [=](const char *a, const char *b, char *result) {
        typename T::Storage old, limit, next;
        std::memcpy(&old, a, sizeof(old));
        std::memcpy(&limit, b, sizeof(limit));
        if (kind == Kind::INC)
          next = old >= limit ? 0 : T::store(old + 1);
        else
          next = old == 0 || old > limit ? limit : T::store(old - 1);
        std::memcpy(result, &next, sizeof(next));
      };
    });
  std::optional<tt::RMWOp> same;
  switch (kind) {
  case Kind::ADD:
    same = tt::RMWOp::ADD;
    break;
  case Kind::MIN:
    same = isUnsigned ? tt::RMWOp::UMIN : tt::RMWOp::MIN;
    break;
  case Kind::MAX:
    same = isUnsigned ? tt::RMWOp::UMAX : tt::RMWOp::MAX;
    break;
  case Kind::AND:
    same = tt::RMWOp::AND;
    break;
  case Kind::OR:
    same = tt::RMWOp::OR;
    break;
  case Kind::XOR:
    same = tt::RMWOp::XOR;
    break;
  default:
    break;
  }
  Combiner combiner = same ? planCombiner(element, *same) : Combiner();
  if (!combiner)
    op->emitError("the CPU executor cannot combine ")
        << type << " by " << tt::stringifyDescriptorReduceKind(kind);
  return combiner;
}

} // namespace kernelscope::executor
