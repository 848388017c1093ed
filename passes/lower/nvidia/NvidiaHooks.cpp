//===- NvidiaHooks.cpp - What NVIDIA's GPUs do their own way --------------===//
//
// Special registers, shuffles, barriers, predicated memory accesses as inline
// PTX, and the approximate instructions of the math unit.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Atom.h"
#include "passes/lower/nvidia/L2Policy.h"
#include "passes/lower/nvidia/PackedCasts.h"
#include "passes/lower/nvidia/PredicatedAccess.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/Partitions.h"
#include "passes/lower/support/TargetHooks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// The qualifiers of an op's `cachePolicy`: an operator or an eviction priority
/// of L1, a policy of L2, and how much more L2 fetches.
std::string qualifiers(ttng::CachePolicyAttr policy) {
  std::string text;
  if (policy.getCacheModifier() != tt::CacheModifier::NONE)
    text += "." + tt::stringifyCacheModifier(policy.getCacheModifier()).str();
  if (policy.getL1() != ttng::CachePriority::NONE)
    text += ".L1::" + ttng::stringifyCachePriority(policy.getL1()).str();
  if (policy.getL2Primary() != ttng::CachePriority::NONE)
    text += ".L2::cache_hint";
  return text + prefetchQualifier(policy);
}

/// An access takes one of `.volatile`, a cache operator and an eviction
/// priority of L1; of several, the one that binds most. A policy of L2 goes
/// with the last two (PTX ISA, "ld", "st").
std::string qualifiers(const MemoryOptions &options) {
  if (options.isVolatile)
    return ".volatile";
  if (auto policy = dyn_cast_or_null<ttng::CachePolicyAttr>(options.policy))
    return qualifiers(policy);
  std::string hint =
      options.evict == tt::EvictionPolicy::NORMAL ? "" : ".L2::cache_hint";
  if (options.cache != tt::CacheModifier::NONE)
    return "." + tt::stringifyCacheModifier(options.cache).str() + hint;
  if (options.evict == tt::EvictionPolicy::NORMAL)
    return "";
  return ".L1::" + tt::stringifyEvictionPolicy(options.evict).str() + hint;
}

Value l2PolicyOf(Builder &b, const MemoryOptions &options) {
  return options.isVolatile ? Value()
                            : createL2Policy(b, options.policy, options.evict);
}

class NvidiaClusterHooks : public ClusterHooks {
public:
  void barrier(Builder &b) const override {
    if (b.getScope().isWholeBlock) {
      b.intrinsic("llvm.nvvm.barrier.cluster.arrive.aligned", {}, {});
      b.intrinsic("llvm.nvvm.barrier.cluster.wait.aligned", {}, {});
      return;
    }
    // `lower-cluster-barriers` knows how these warps reach the other CTAs.
    auto op = ttng::ClusterBarrierOp::create(b.getBuilder(), b.getLoc(),
                                             /*relaxed=*/false);
    if (auto region = b.getScope().besidePartitions)
      ExecutionScope::noteBesidePartitions(op, *region);
  }

  Value sharedOf(Builder &b, Value pointer, Value cta) const override {
    // PTX ISA, "State Spaces": .shared::cluster.
    constexpr unsigned sharedCluster = 7;
    return b.intrinsic("llvm.nvvm.mapa.shared.cluster",
                       b.pointerType(sharedCluster), {pointer, cta});
  }
};

class NvidiaHooks : public TargetHooks {
public:
  using TargetHooks::TargetHooks;

  Value ctaId(Builder &b) const override {
    return getCtas() == 1 ? b.i32(0) : specialRegister(b, "cluster.ctarank");
  }

  Value programId(Builder &b, unsigned axis) const override {
    // A program is a cluster where there are clusters.
    return specialRegister(
        b, axisName(getCtas() == 1 ? "ctaid" : "clusterid", axis));
  }

  Value numPrograms(Builder &b, unsigned axis) const override {
    return specialRegister(
        b, axisName(getCtas() == 1 ? "nctaid" : "nclusterid", axis));
  }

  void barrier(Builder &b) const override {
    const ExecutionScope &scope = b.getScope();
    Value id = b.i32(static_cast<int32_t>(scope.barrier));
    auto threads = static_cast<int32_t>(scope.warps * getTarget().warpSize);
    if (scope.warps == 1)
      warpBarrier(b);
    else if (scope.isWholeBlock && scope.barrier == switchBarrier)
      // Not `aligned`: warps come here from different places.
      b.intrinsic("llvm.nvvm.barrier.cta.sync.all", {}, {id});
    else if (scope.isWholeBlock)
      b.intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", {}, {id});
    else
      b.intrinsic("llvm.nvvm.barrier.cta.sync.aligned.count", {},
                  {id, b.i32(threads)});
  }

  void warpBarrier(Builder &b) const override {
    b.intrinsic("llvm.nvvm.bar.warp.sync", {}, {b.i32(-1)});
  }

  const ClusterHooks *cluster() const override {
    static const NvidiaClusterHooks hooks;
    return getTarget().hasClusters() ? &hooks : nullptr;
  }

  Value ballot(Builder &b, Value predicate) const override {
    return b.intrinsic("llvm.nvvm.vote.ballot.sync", b.intType(32),
                       {b.i32(-1), predicate});
  }

  Value reduceWarp(Builder &b, WarpReduction reduction,
                   Value value) const override {
    // sm_80 and later, which are all that have `cp.async`.
    if (!getTarget().hasCpAsync())
      return {};
    static constexpr StringLiteral names[] = {"add",  "min", "max", "umin",
                                              "umax", "and", "or",  "xor"};
    return b.intrinsic(
        ("llvm.nvvm.redux.sync." + names[static_cast<unsigned>(reduction)])
            .str(),
        b.intType(32), {value, b.i32(-1)});
  }

  SmallVector<Value> loadGlobal(Builder &b, Value pointer, Type element,
                                unsigned count, Value predicate,
                                ValueRange other,
                                const MemoryOptions &options) const override {
    return loadPredicated(b, "ld.global" + qualifiers(options), pointer,
                          element, count, predicate, other,
                          l2PolicyOf(b, options));
  }

  void storeGlobal(Builder &b, Value pointer, ValueRange values,
                   Value predicate,
                   const MemoryOptions &options) const override {
    storePredicated(b, "st.global" + qualifiers(options), pointer, values,
                    predicate, l2PolicyOf(b, options));
  }

  SmallVector<Value> loadShared(Builder &b, Value pointer, Type element,
                                unsigned count,
                                Value predicate) const override {
    if (predicate)
      return loadPredicated(b, "ld.shared", pointer, element, count, predicate,
                            {});
    // Through LLVM, which then knows the memory that is read.
    AccessWords words = wordsFor(bitWidth(element) * count, bitWidth(element));
    Type word = b.intType(words.bits);
    unsigned alignment = words.bits * words.count / 8;
    if (words.count == 1)
      return unpackWords(b, {b.load(word, pointer, alignment)}, element, count);
    Value vector = b.load(b.vectorType(word, words.count), pointer, alignment);
    return unpackWords(b, b.splitVector(vector), element, count);
  }

  void storeShared(Builder &b, Value pointer, ValueRange values,
                   Value predicate) const override {
    if (predicate)
      return storePredicated(b, "st.shared", pointer, values, predicate);
    unsigned elementBits = bitWidth(values[0].getType());
    AccessWords words = wordsFor(elementBits * values.size(), elementBits);
    SmallVector<Value> packed = packWords(b, values, words);
    b.store(packed.size() == 1 ? packed[0] : b.makeVector(packed), pointer,
            words.bits * words.count / 8);
  }

  TileInstructions tileInstructions() const override {
    // `stmatrix` came with clusters.
    return {.loads = true, .stores = getTarget().hasMbarriers};
  }

  SmallVector<Value> loadTiles(Builder &b, Value row, unsigned tiles,
                               bool isTransposed) const override {
    Type word = b.intType(32);
    Value loaded = b.intrinsic(
        llvm::formatv("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{0}{1}.b16.p3",
                      tiles, isTransposed ? ".trans" : "")
            .str(),
        tiles == 1 ? word : b.structType(SmallVector<Type>(tiles, word)),
        {row});
    return tiles == 1 ? SmallVector<Value>{loaded} : b.splitStruct(loaded);
  }

  void storeTiles(Builder &b, Value row, ArrayRef<Value> words,
                  bool isTransposed) const override {
    Ptx ptx(b);
    std::string to = ptx.input(row, "r");
    SmallVector<std::string> stored;
    for (Value word : words)
      stored.push_back(ptx.input(word, "r"));
    // One word is a list too.
    ptx.emit(llvm::formatv("stmatrix.sync.aligned.m8n8.x{0}{1}.shared.b16 "
                           "[{2}], {{{3}};",
                           words.size(), isTransposed ? ".trans" : "", to,
                           llvm::join(stored, ", "))
                 .str());
  }

  bool hasPermuteBytes() const override { return true; }

  Value permuteBytes(Builder &b, Value low, Value high,
                     Value selector) const override {
    return b.intrinsic("llvm.nvvm.prmt", b.intType(32), {low, high, selector});
  }

  SmallVector<Value> convertFloats(Builder &b, ArrayRef<Value> x, Type from,
                                   Type to, bool toZero) const override {
    return packedCast(b, getTarget(), x, from, to, toZero);
  }

  SmallVector<Value> unpackFp4(Builder &b, ArrayRef<Value> bytes,
                               Type to) const override {
    return unpackedFp4(b, bytes, to);
  }

  Value math(Builder &b, MathFunction function, Value x) const override {
    if (!x.getType().isF32())
      return {};
    auto unary = [&](StringRef name, Value operand) {
      return b.intrinsic(name, b.getBuilder().getF32Type(), {operand});
    };
    auto scaled = [&](double factor, Value operand) {
      return b.fmul(operand, b.floatConstant(operand.getType(), factor));
    };
    constexpr double log2e = 1.4426950408889634, ln2 = 0.6931471805599453;
    switch (function) {
    // Denormals become zero, which saves three instructions; of exp they are
    // kept, as Triton does.
    case MathFunction::Exp2:
      return unary("llvm.nvvm.ex2.approx.ftz.f32", x);
    case MathFunction::Exp:
      return unary("llvm.nvvm.ex2.approx.f32", scaled(log2e, x));
    case MathFunction::Sqrt:
      return unary("llvm.nvvm.sqrt.approx.ftz.f", x);
    case MathFunction::PreciseSqrt:
      return unary("llvm.nvvm.sqrt.rn.f", x);
    case MathFunction::Rsqrt:
      return unary("llvm.nvvm.rsqrt.approx.ftz.f", x);
    case MathFunction::Log2:
      return unary("llvm.nvvm.lg2.approx.f", x);
    case MathFunction::Log:
      return scaled(ln2, unary("llvm.nvvm.lg2.approx.f", x));
    }
    return {};
  }

  Value divide(Builder &b, Value x, Value y, bool precise) const override {
    if (precise || !x.getType().isF32())
      return b.fdiv(x, y);
    return b.intrinsic("llvm.nvvm.div.full", x.getType(), {x, y});
  }

  unsigned maxAtomicElements(tt::RMWOp operation, Type element) const override {
    return maxElementsOfAtom(getTarget(), operation, element);
  }

  SmallVector<Value> atomicRMWGlobal(Builder &b, tt::RMWOp operation,
                                     const AtomicOrder &order, Value pointer,
                                     ValueRange values,
                                     Value predicate) const override {
    return emitAtom(b, getTarget(), operation, order, pointer, values,
                    predicate);
  }

  void print(Builder &b, StringRef format,
             ValueRange arguments) const override {
    b.callFunction("vprintf", b.intType(32),
                   {b.text(format),
                    arguments.empty() ? b.zero(b.pointerType(Generic))
                                      : b.onStack(llvm::to_vector(arguments))});
  }

  void failAssertion(Builder &b, StringRef message,
                     const SourcePlace &place) const override {
    b.callFunction("__assertfail", {},
                   {b.text(message), b.text(place.file),
                    b.i32(static_cast<int32_t>(place.line)),
                    b.text(place.function), b.i64(/*bytes of a char*/ 1)});
  }

  Value nanoseconds(Builder &b) const override {
    return b.intrinsic("llvm.nvvm.read.ptx.sreg.globaltimer", b.intType(64),
                       {});
  }

  StringRef syncScope(tt::MemSyncScope scope) const override {
    return scope == tt::MemSyncScope::CTA   ? "block"
           : scope == tt::MemSyncScope::GPU ? "device"
                                            : "";
  }

  std::string libraryFunction(StringRef name, bool isDouble) const override {
    return ("__nv_" + name + (isDouble ? "" : "f")).str();
  }

protected:
  Value blockThreadId(Builder &b) const override {
    return specialRegister(b, "tid.x");
  }

  Value uniform(Builder &b, Value value) const override {
    // The shuffle shows ptxas that all lanes agree.
    return shuffleIdx(b, value, b.i32(0));
  }

  Value shuffle32(Builder &b, Shuffle kind, Value value,
                  Value operand) const override {
    StringRef name = kind == Shuffle::Xor ? "llvm.nvvm.shfl.sync.bfly.i32"
                                          : "llvm.nvvm.shfl.sync.idx.i32";
    // The last operand clamps at the warp's end.
    return b.intrinsic(name, b.intType(32),
                       {b.i32(-1), value, operand, b.i32(31)});
  }

private:
  static std::string axisName(StringRef name, unsigned axis) {
    return (name + "." + StringRef("xyz").substr(axis, 1)).str();
  }

  static Value specialRegister(Builder &b, StringRef name) {
    return b.intrinsic(("llvm.nvvm.read.ptx.sreg." + name).str(), b.intType(32),
                       {});
  }
};

} // namespace

std::unique_ptr<TargetHooks> createNvidiaHooks(const Target &target,
                                               unsigned ctas) {
  return std::make_unique<NvidiaHooks>(target, ctas);
}

} // namespace kernelscope::lower
