//===- BytePermutes.cpp - Bytes regrouped by v_perm_b32 -------------------===//

#include "passes/emit/BytePermutes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>
#include <optional>

using namespace llvm;

namespace {

/// A byte of a vector that is made otherwise than by shuffles, or that is
/// loaded alone; none for one that nothing has set.
struct Byte {
  Value *vector = nullptr;
  unsigned index = 0;
};
/// A 32-bit word of such a vector.
using Word = std::pair<Value *, unsigned>;

bool isBytes(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(8);
}

bool isRegrouping(const Value *value) {
  return isa<ShuffleVectorInst, InsertElementInst>(value) &&
         isBytes(value->getType());
}

/// Whether `value` is one byte that a load has filled a register with.
bool isLoadedByte(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && load->getType()->getPrimitiveSizeInBits() == 8;
}

/// The source of element `index` of `vector`; nothing if it is a scalar of its
/// own. Bytes that are loaded alone count as sources if `takesLoads`.
std::optional<Byte> sourceOf(Value *vector, unsigned index, bool takesLoads) {
  while (true) {
    if (isa<UndefValue>(vector))
      return Byte();
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
      const int from = shuffle->getMaskValue(index);
      if (from < 0)
        return Byte();
      const unsigned first =
          cast<FixedVectorType>(shuffle->getOperand(0)->getType())
              ->getNumElements();
      const bool isSecond = static_cast<unsigned>(from) >= first;
      vector = shuffle->getOperand(isSecond);
      index = isSecond ? from - first : from;
      continue;
    }
    auto *insert = dyn_cast<InsertElementInst>(vector);
    if (!insert)
      break;
    auto *place = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!place)
      return std::nullopt;
    if (place->getZExtValue() != index) {
      vector = insert->getOperand(0);
      continue;
    }
    if (takesLoads && isLoadedByte(insert->getOperand(1)))
      return Byte{insert->getOperand(1), 0};
    auto *extract = dyn_cast<ExtractElementInst>(insert->getOperand(1));
    auto *from =
        extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    if (!from)
      return std::nullopt;
    vector = extract->getVectorOperand();
    index = from->getZExtValue();
  }
  if (takesLoads && isLoadedByte(vector))
    return Byte{vector, 0};
  if (!isa<Instruction>(vector) ||
      cast<FixedVectorType>(vector->getType())->getNumElements() % 4)
    return std::nullopt;
  return Byte{vector, index};
}

class Permuter {
public:
  explicit Permuter(bool takesLoads) : takesLoads(takesLoads) {}

  /// Gives the users of `root` that do not regroup it further its words.
  void replace(Instruction *root) {
    SmallVector<Use *> uses;
    for (Use &use : root->uses())
      if (!isRegrouping(use.getUser()) &&
          !isa<ExtractElementInst>(use.getUser()))
        uses.push_back(&use);
    const unsigned count =
        cast<FixedVectorType>(root->getType())->getNumElements();
    SmallVector<Byte> bytes;
    for (unsigned i = 0; i < count && !uses.empty() && count % 4 == 0; ++i) {
      std::optional<Byte> byte = sourceOf(root, i, takesLoads);
      if (!byte)
        return;
      bytes.push_back(*byte);
    }
    if (bytes.empty() || !regroups(bytes))
      return;
    IRBuilder<> b(root->getNextNode());
    b.SetCurrentDebugLocation(root->getDebugLoc());
    Value *words =
        PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), count / 4));
    for (unsigned word = 0; word < count / 4; ++word)
      words = b.CreateInsertElement(
          words, make(b, ArrayRef(bytes).slice(size_t{4} * word, 4)), word);
    Value *result = b.CreateBitCast(words, root->getType());
    for (Use *use : uses)
      use->set(result);
  }

private:
  /// Whether any word is not simply one of another vector.
  static bool regroups(ArrayRef<Byte> bytes) {
    for (auto [i, byte] : enumerate(bytes)) {
      const Byte &first = bytes[i - i % 4];
      if (byte.vector && (byte.vector != first.vector || first.index % 4 ||
                          byte.index != first.index + i % 4))
        return true;
    }
    return false;
  }

  Value *load(Word word) {
    Value *&value = words[word];
    if (value)
      return value;
    auto *source = cast<Instruction>(word.first);
    IRBuilder<> b(source->getParent(), *source->getInsertionPointAfterDef());
    if (isLoadedByte(source))
      return value = b.CreateZExt(b.CreateBitCast(source, b.getInt8Ty()),
                                  b.getInt32Ty());
    const unsigned count =
        cast<FixedVectorType>(source->getType())->getNumElements() / 4;
    Value *all =
        b.CreateBitCast(source, FixedVectorType::get(b.getInt32Ty(), count));
    return value = b.CreateExtractElement(all, word.second);
  }

  /// Selectors: 0 to 3 are the bytes of `low`, 4 to 7 those of `high`.
  static Value *permute(IRBuilder<> &b, Value *high, Value *low,
                        std::array<unsigned, 4> selectors) {
    uint32_t mask = 0;
    for (auto [i, selector] : enumerate(selectors))
      mask |= selector << 8 * i;
    return b.CreateIntrinsic(Intrinsic::amdgcn_perm, {},
                             {high, low, b.getInt32(mask)});
  }

  Value *make(IRBuilder<> &b, ArrayRef<Byte> bytes) {
    SmallVector<Word> sources;
    for (const Byte &byte : bytes)
      if (byte.vector && !is_contained(sources, wordOf(byte)))
        sources.push_back(wordOf(byte));
    if (sources.empty())
      return PoisonValue::get(b.getInt32Ty());
    std::array<unsigned, 4> selectors{};
    if (sources.size() <= 2) {
      Value *low = load(sources.front()), *high = load(sources.back());
      bool isWhole = sources.size() == 1;
      for (auto [i, byte] : enumerate(bytes)) {
        if (!byte.vector) {
          selectors[i] = i;
          continue;
        }
        selectors[i] =
            byte.index % 4 + (wordOf(byte) == sources.front() ? 0 : 4);
        isWhole &= selectors[i] == i;
      }
      return isWhole ? low : permute(b, high, low, selectors);
    }
    // Two bytes of each half, from one word or from two.
    Value *low = half(b, bytes[0], bytes[1], selectors[0], selectors[1]),
          *high = half(b, bytes[2], bytes[3], selectors[2], selectors[3]);
    selectors[2] += 4;
    selectors[3] += 4;
    return permute(b, high, low, selectors);
  }

  /// A word with both bytes, at the places returned. Those of two words come
  /// with their neighbours, which a word nearby often needs.
  Value *half(IRBuilder<> &b, Byte first, Byte second, unsigned &firstAt,
              unsigned &secondAt) {
    if (!first.vector)
      first = second;
    if (!second.vector)
      second = first;
    if (!first.vector)
      return PoisonValue::get(b.getInt32Ty());
    if (wordOf(first) == wordOf(second)) {
      firstAt = first.index % 4;
      secondAt = second.index % 4;
      return load(wordOf(first));
    }
    const unsigned i = first.index % 4, j = second.index % 4;
    firstAt = i % 2;
    secondAt = 2 + j % 2;
    Value *&pair = pairs[{b.GetInsertBlock(),
                          {{wordOf(first), i / 2}, {wordOf(second), j / 2}}}];
    if (!pair)
      pair = permute(b, load(wordOf(second)), load(wordOf(first)),
                     {i / 2 * 2, i / 2 * 2 + 1, j / 2 * 2 + 4, j / 2 * 2 + 5});
    return pair;
  }

  static Word wordOf(const Byte &byte) { return {byte.vector, byte.index / 4}; }

  using Half = std::pair<Word, unsigned>;
  bool takesLoads;
  DenseMap<Word, Value *> words;
  DenseMap<std::pair<BasicBlock *, std::pair<Half, Half>>, Value *> pairs;
};

} // namespace

void kernelscope::emit::permuteBytes(Function &function, bool takesLoads) {
  SmallVector<WeakTrackingVH> roots;
  for (Instruction &instruction : instructions(function))
    if (isRegrouping(&instruction))
      roots.emplace_back(&instruction);
  Permuter permuter(takesLoads);
  for (const WeakTrackingVH &root : roots)
    permuter.replace(cast<Instruction>(root));
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(roots);
}
