//===- TensorMemory.cpp - Tensor memory and registers ---------------------===//
//
// ttng.tmem_load and ttng.tmem_store as tcgen05.ld and .st, and views: a
// descriptor of tensor memory is an address, an i32. What allocates is in
// ClaimTensorMemory.cpp. PTX ISA, "TensorCore 5th Generation Family
// Instructions".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/nvidia/TmaInstruction.h"
#include "passes/lower/nvidia/WgmmaRegisters.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

bool lower::isInTensorMemory(ttg::MemDescType memory) {
  return isa<ttng::TensorMemorySpaceAttr>(memory.getMemorySpace());
}

TensorMemoryMap lower::mapOf(ttg::MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  return {*layout, memory.getElementTypeBitWidth()};
}

StringRef lower::ctaGroupOf(Operation *op) {
  return ttng::lookupTwoCTAs(op).value_or(false) ? ".cta_group::2"
                                                 : ".cta_group::1";
}

Value lower::issuesForAll(lower::Builder &b, const TargetHooks &hooks,
                          Operation *op, Value predicate) {
  predicate =
      bothHold(b, predicate,
               b.bitAnd(isElected(b),
                        b.icmp(ICmp::eq, hooks.uniformWarpId(b), b.i32(0))));
  if (!ttng::lookupTwoCTAs(op).value_or(false))
    return predicate;
  return b.bitAnd(
      predicate,
      b.icmp(ICmp::eq, b.bitAnd(hooks.ctaId(b), b.i32(1)), b.i32(0)));
}

namespace {

//===----------------------------------------------------------------------===//
// Moves to and from registers
//===----------------------------------------------------------------------===//

/// The messages between a tensor and a buffer, for the warps of one op.
class Moves {
public:
  /// Failure, with an error on `op`, where no instruction does it.
  static FailureOr<Moves> of(lower::Builder &b, const TargetHooks &hooks,
                             Operation *op, RankedTensorType tensor,
                             ttg::MemDescType type, Value address) {
    TensorMemoryMap map = mapOf(type);
    LinearLayout registers = ttg::toLinearLayout(tensor);
    ArrayRef<int64_t> sizes = type.getAllocShape().take_back(2);
    for (auto [name, size] : llvm::zip_equal(registers.getOutDimNames(), sizes))
      registers = registers.resizeOut(name, size);
    auto plan = planTensorMemory(registers, map, b.getScope().registers);
    if (!plan)
      return op->emitOpError("moves registers of layout ")
             << tensor.getEncoding() << " to or from " << type
             << ", which matches no shape of tcgen05.ld and tcgen05.st";
    constexpr int32_t warpsOfGroup = 128 / rowsOfWarp;
    if (b.getScope().firstWarp % warpsOfGroup)
      return op->emitOpError("is run by warps from ")
             << b.getScope().firstWarp
             << " on; the first must be a multiple of " << warpsOfGroup
             << ", because a warp can access only its own 32 rows of tensor "
                "memory";
    // The rows that a warp sees, and what else depends on its number.
    Value warp = hooks.uniformWarpId(b);
    Value rows = b.mul(b.bitAnd(warp, b.i32(warpsOfGroup - 1)),
                       b.i32(TensorMemoryPlace{rowsOfWarp, 0}.bits()));
    address = b.add(address, rows);
    for (auto [bit, place] : llvm::enumerate(plan->warpBits))
      if (place.bits())
        address =
            b.add(address,
                  b.mul(b.bitAnd(b.lshr(warp, b.i32(static_cast<int32_t>(bit))),
                                 b.i32(1)),
                        b.i32(place.bits())));
    return Moves(std::move(*plan), address);
  }

  /// The tensor's elements, of LLVM type `element`; what the rows reduce to
  /// goes to `reduced` where there is a `reduction`, such as ".min.abs".
  SmallVector<Value> load(lower::Builder &b, Type element) const {
    SmallVector<Value> words;
    for (const auto &message : plan.messages) {
      Ptx ptx(b);
      SmallVector<std::string> names;
      for (unsigned i = 0; i < wordsOf(message); ++i)
        names.push_back(ptx.output(32));
      std::string from = addressOf(ptx, message);
      words.append(ptx.emit(
          llvm::formatv("tcgen05.ld.sync.aligned{0}.x{1}{2}.b32 {{{3}}, {4};",
                        plan.shape, plan.repeat,
                        plan.isPacked ? ".pack::16b" : "",
                        llvm::join(names, ", "), from)
              .str()));
    }
    // What is in the words may be used only after the wait.
    Ptx wait(b);
    addChanged(wait, words);
    words = wait.emit("tcgen05.wait::ld.sync.aligned;");

    SmallVector<Value> elements(plan.sources.size());
    const Value *word = words.begin();
    for (const auto &message : plan.messages)
      for (size_t i = 0; i < message.registers.size(); i += perWord(), ++word)
        for (auto [j, value] : llvm::enumerate(split(b, *word, element)))
          elements[message.registers[i + j]] = value;
    for (auto [r, source] : llvm::enumerate(plan.sources))
      elements[r] = elements[source];
    return elements;
  }

  /// Where the i1 `predicate`, the same in a warp, holds; it may be null.
  void store(lower::Builder &b, ArrayRef<Value> elements,
             Value predicate) const {
    for (const auto &message : plan.messages) {
      Ptx ptx(b);
      SmallVector<std::string> names;
      std::string to = addressOf(ptx, message);
      for (size_t i = 0; i < message.registers.size(); i += perWord()) {
        SmallVector<Value> ofWord;
        for (size_t j = 0; j < perWord(); ++j)
          ofWord.push_back(elements[message.registers[i + j]]);
        names.push_back(ptx.input(join(b, ofWord), "r"));
      }
      std::string guard = ptx.predicate(predicate);
      ptx.emit(llvm::formatv(
                   "{0}tcgen05.st.sync.aligned{1}.x{2}{3}.b32 {4}, {{{5}};",
                   guard, plan.shape, plan.repeat,
                   plan.isPacked ? ".unpack::16b" : "", to,
                   llvm::join(names, ", "))
                   .str());
    }
    Ptx(b).emit("tcgen05.wait::st.sync.aligned;");
  }

private:
  Moves(TensorMemoryPlan plan, Value address)
      : plan(std::move(plan)), address(address) {}

  size_t perWord() const { return plan.bitsOfElements.size(); }
  size_t wordsOf(const TensorMemoryPlan::Message &message) const {
    return message.registers.size() / perWord();
  }

  /// "[$1 + 64]", with the half of the warp that is elsewhere after it.
  std::string addressOf(Ptx &ptx,
                        const TensorMemoryPlan::Message &message) const {
    std::string text = llvm::formatv("[{0} + {1}]", ptx.input(address, "r"),
                                     message.place.bits());
    if (plan.halfOffset)
      text += ", " + std::to_string(*plan.halfOffset);
    return text;
  }

  Value join(lower::Builder &b, ArrayRef<Value> elements) const {
    IntegerType i32 = b.intType(32);
    if (perWord() * bitWidth(elements.front().getType()) == 32)
      return perWord() == 1 ? b.toBits(elements.front())
                            : joinBits(b, elements, i32);
    Value word = b.i32(0);
    for (auto [bit, element] : llvm::zip_equal(plan.bitsOfElements, elements))
      word = b.bitOr(word, b.shl(b.zext(i32, b.toBits(element)),
                                 b.i32(static_cast<int32_t>(bit))));
    return word;
  }

  SmallVector<Value> split(lower::Builder &b, Value word, Type element) const {
    const unsigned bits = bitWidth(element);
    if (bits == 32)
      return {b.fromBits(element, word)};
    if (perWord() * bits == 32)
      return splitBits(b, word, element, perWord());
    SmallVector<Value> elements;
    for (unsigned bit : plan.bitsOfElements)
      elements.push_back(b.fromBits(
          element, b.trunc(b.intType(bits),
                           b.lshr(word, b.i32(static_cast<int32_t>(bit))))));
    return elements;
  }

  TensorMemoryPlan plan;
  Value address;
};

/// What the rows of a tensor that a thread holds whole reduce to.
Value reduceRow(lower::Builder &b, ttng::TMEMLoadOp op,
                ArrayRef<Value> elements) {
  const bool isMin = *op.getRedOp() == ttng::TMEMLoadReduceModifier::MIN,
             propagates = op.getNaN().value_or(false);
  std::string name = std::string("llvm.") + (isMin ? "min" : "max") +
                     (propagates ? "imum" : "num") + ".f32";
  Value result;
  for (Value element : elements) {
    if (op.getAbs().value_or(false))
      element = b.intrinsic("llvm.fabs.f32", element.getType(), {element});
    result = result ? b.intrinsic(name, element.getType(), {result, element})
                    : element;
  }
  return result;
}

class TensorMemoryLoadPattern : public lower::Pattern<ttng::TMEMLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TMEMLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    RankedTensorType type = op.getType();
    auto moves =
        Moves::of(b, hooks, op, type, op.getSrc().getType(), adaptor.getSrc());
    if (failed(moves))
      return failure();
    SmallVector<Value> elements =
        moves->load(b, converter.convertElement(type.getElementType()));
    SmallVector<Value> results{packElements(b, converter, elements, type)};
    if (op.getToken())
      results.push_back(b.i32(0));
    if (op.getRed()) {
      // The verifier has seen that a thread has all of its row, and no other.
      auto red = cast<RankedTensorType>(op.getRed().getType());
      int32_t copies = ttg::toLinearLayout(red).getInDimSize(
          ttg::LayoutDims(b.getContext()).reg);
      results.push_back(packElements(
          b, converter, SmallVector<Value>(copies, reduceRow(b, op, elements)),
          red));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

class TensorMemoryStorePattern : public lower::Pattern<ttng::TMEMStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TMEMStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto moves = Moves::of(b, hooks, op, op.getSrc().getType(),
                           op.getDst().getType(), adaptor.getDst());
    if (failed(moves))
      return failure();
    Value predicate = adaptor.getPred();
    if (tt::constantOf(op.getPred()) == 1)
      predicate = {};
    moves->store(b, unpackElements(b, adaptor.getSrc()), predicate);
    if (op.getToken())
      rewriter.replaceOp(op, b.i32(0));
    else
      rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value viewOf(lower::Builder &b, ttg::MemDescIndexOp op,
             ttg::MemDescIndexOp::Adaptor adaptor) {
  return b.add(adaptor.getSrc(),
               b.mul(adaptor.getIndex(), b.i32(mapOf(op.getType()).columns())));
}

Value viewOf(lower::Builder &b, ttng::TMEMSubSliceOp op,
             ttng::TMEMSubSliceOp::Adaptor adaptor) {
  ttg::MemDescType type = op.getSrc().getType();
  TensorMemoryMap map = mapOf(type);
  const int64_t ring = type.getRank() - 2, dim = op.getDim();
  auto offset = static_cast<int32_t>(op.getOffset());
  if (dim < ring)
    return b.add(adaptor.getSrc(), b.i32(offset * map.columns()));
  // The verifier has seen that it is a whole number of columns.
  auto place =
      map.placeOf({dim == ring ? offset : 0, dim == ring ? 0 : offset});
  return b.add(adaptor.getSrc(), b.i32(place->bits()));
}

Value viewOf(lower::Builder &, ttg::MemDescReinterpretOp,
             ttg::MemDescReinterpretOp::Adaptor adaptor) {
  return adaptor.getSrc();
}

/// Replaces a view of tensor memory; those of shared memory have patterns of
/// their own.
template <typename Op> class ViewPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isInTensorMemory(op.getType()))
      return failure();
    lower::Builder b(op, rewriter);
    rewriter.replaceOp(op, viewOf(b, op, adaptor));
    return success();
  }
};

} // namespace

void lower::populateTensorMemoryPatterns(const TypeConverter &converter,
                                         Patterns &patterns,
                                         const TargetHooks &hooks) {
  patterns
      .add<TensorMemoryLoadPattern, TensorMemoryStorePattern,
           ViewPattern<ttg::MemDescIndexOp>, ViewPattern<ttng::TMEMSubSliceOp>,
           ViewPattern<ttg::MemDescReinterpretOp>>(converter, hooks);
  populateTensorCorePatterns(converter, patterns, hooks);
  populateTensorCopyPatterns(converter, patterns, hooks);
}
