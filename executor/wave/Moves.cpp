//===- Moves.cpp - Instructions that compute nothing ----------------------===//
//
// Their results are columns of their operands. Casts that cut values into other
// pieces, and places that are not constant, are steps.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Decoder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kernelscope::wave {

/// The columns of the part of an aggregate that `indices` name.
static std::pair<size_t, size_t> partOf(Decoder &decoder, Type *type,
                                        ArrayRef<unsigned> indices) {
  size_t begin = 0;
  for (unsigned index : indices) {
    auto elementOf = [&](unsigned i) {
      return isa<StructType>(type) ? type->getStructElementType(i)
                                   : type->getArrayElementType();
    };
    for (unsigned i = 0; i < index; ++i)
      begin += decoder.fields(elementOf(i)).size();
    type = elementOf(index);
  }
  return {begin, decoder.fields(type).size()};
}

Columns repack(Decoder &decoder, const Columns &columns, ArrayRef<Field> from,
               ArrayRef<Field> to) {
  const bool sameCut =
      from.size() == to.size() && llvm::all_of(zip(from, to), [](auto pair) {
        auto [a, b] = pair;
        return a.scalar.bits == b.scalar.bits && a.offset == b.offset;
      });
  if (sameCut)
    return columns;
  Columns results = decoder.newColumns(to.size());
  for (auto [field, result] : zip_equal(to, results)) {
    // The pieces of the operand that it is made of: place in the result, and
    // what of the piece is there.
    struct Piece {
      Column column;
      unsigned right, left;
      uint64_t mask;
    };
    SmallVector<Piece, 4> pieces;
    for (auto [other, column] : zip_equal(from, columns)) {
      const uint64_t begin = std::max(field.offset, other.offset);
      const uint64_t end = std::min(field.offset + field.scalar.bits,
                                    other.offset + other.scalar.bits);
      if (begin < end)
        pieces.push_back({column, static_cast<unsigned>(begin - other.offset),
                          static_cast<unsigned>(begin - field.offset),
                          lowBits(static_cast<unsigned>(end - begin))});
    }
    decoder.emit([pieces, result = result](Wave &wave) {
      uint64_t *r = wave.column(result);
      wave.forLanes([&](unsigned lane) {
        uint64_t bits = 0;
        for (const Piece &piece : pieces)
          bits |= ((wave.value(piece.column, lane) >> piece.right) & piece.mask)
                  << piece.left;
        r[lane] = bits;
      });
    });
  }
  return results;
}

/// Element `index` of `vector`, or, with `inserted`, the vector with it there.
static Columns accessAt(Decoder &decoder, const Columns &vector, Column index,
                        std::optional<Column> inserted) {
  if (!inserted) {
    const Column to = decoder.newColumn();
    decoder.emit([=](Wave &wave) {
      wave.forLanes([&](unsigned lane) {
        const uint64_t at = wave.value(index, lane);
        wave.value(to, lane) =
            at < vector.size() ? wave.value(vector[at], lane) : 0;
      });
    });
    return {to};
  }
  Columns results = decoder.newColumns(vector.size());
  decoder.emit([=](Wave &wave) {
    for (auto [i, pair] : enumerate(zip_equal(results, vector))) {
      auto [to, from] = pair;
      wave.forLanes([&, i = i, to = to, from = from](unsigned lane) {
        wave.value(to, lane) =
            wave.value(wave.value(index, lane) == i ? *inserted : from, lane);
      });
    }
  });
  return results;
}

bool decodeMove(Decoder &decoder, const Instruction &instruction) {
  auto same = [&](Columns columns) {
    decoder.define(&instruction, std::move(columns));
    return true;
  };
  // The scalars of one element of a vector.
  auto width = [&](const Value *vector) {
    return decoder.fields(vector->getType()->getScalarType()).size();
  };
  auto isOneScalar = [&](size_t scalars) {
    if (scalars != 1)
      decoder.fail("the wave simulator finds elements of more than 64 bits "
                   "only at constant places of a vector");
    return scalars == 1;
  };
  switch (instruction.getOpcode()) {
  case Instruction::Freeze:
    return same(decoder.operand(instruction.getOperand(0)));
  case Instruction::BitCast:
    return same(repack(decoder, decoder.operand(instruction.getOperand(0)),
                       decoder.fields(instruction.getOperand(0)->getType()),
                       decoder.fields(instruction.getType())));
  case Instruction::ExtractValue: {
    const auto &extract = cast<ExtractValueInst>(instruction);
    auto [begin, size] =
        partOf(decoder, extract.getAggregateOperand()->getType(),
               extract.getIndices());
    Columns all = decoder.operand(extract.getAggregateOperand());
    return same(Columns(ArrayRef(all).slice(begin, size)));
  }
  case Instruction::InsertValue: {
    const auto &insert = cast<InsertValueInst>(instruction);
    auto [begin, size] = partOf(decoder, insert.getType(), insert.getIndices());
    Columns all = decoder.operand(insert.getAggregateOperand());
    llvm::copy(decoder.operand(insert.getInsertedValueOperand()),
               all.begin() + static_cast<ptrdiff_t>(begin));
    return same(all);
  }
  case Instruction::ExtractElement: {
    const auto &extract = cast<ExtractElementInst>(instruction);
    Columns all = decoder.operand(extract.getVectorOperand());
    const size_t size = width(extract.getVectorOperand());
    auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
    if (!index && !isOneScalar(size))
      return true;
    if (!index)
      return same(accessAt(decoder, all,
                           decoder.scalar(extract.getIndexOperand()),
                           std::nullopt));
    const size_t at = index->getZExtValue() * size;
    return same(at < all.size() ? Columns(ArrayRef(all).slice(at, size))
                                : Columns(size, decoder.constant(0)));
  }
  case Instruction::InsertElement: {
    Columns all = decoder.operand(instruction.getOperand(0));
    Columns inserted = decoder.operand(instruction.getOperand(1));
    auto *index = dyn_cast<ConstantInt>(instruction.getOperand(2));
    if (!index && !isOneScalar(inserted.size()))
      return true;
    if (!index)
      return same(accessAt(decoder, all,
                           decoder.scalar(instruction.getOperand(2)),
                           inserted[0]));
    const size_t at = index->getZExtValue() * inserted.size();
    if (at < all.size())
      llvm::copy(inserted, all.begin() + static_cast<ptrdiff_t>(at));
    return same(all);
  }
  case Instruction::ShuffleVector: {
    const auto &shuffle = cast<ShuffleVectorInst>(instruction);
    Columns both = decoder.operand(shuffle.getOperand(0));
    append_range(both, decoder.operand(shuffle.getOperand(1)));
    const size_t size = width(shuffle.getOperand(0));
    Columns results;
    for (int element : shuffle.getShuffleMask())
      for (size_t i = 0; i < size; ++i)
        results.push_back(element < 0
                              ? decoder.constant(0)
                              : both[static_cast<size_t>(element) * size + i]);
    return same(results);
  }
  default:
    return false;
  }
}

} // namespace kernelscope::wave
