//===- BufferAref.cpp - References with several stages --------------------===//
//
// `nvws-buffer-aref`: references that TMA fills and one partition reads
// together become one, and get as many stages as are asked for and fit shared
// memory.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/Passes.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/Rings.h"

using namespace mlir;
using namespace kernelscope;
using nvws::AsyncOp;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSBUFFERAREF
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// A reference with one put, by TMA, and one get, none of which has a stage.
struct LoadedAref {
  nvws::ArefCreateOp aref;
  nvws::ArefPutEnterOp put;
  nvws::ArefPutExitOp putExit;
  nvws::ArefGetEnterOp get;
  nvws::ArefGetExitOp getExit;

  static std::optional<LoadedAref> of(nvws::ArefCreateOp aref) {
    LoadedAref made{aref, {}, {}, {}, {}};
    for (Operation *user : aref.getResult().getUsers()) {
      auto take = [&](auto &slot) {
        using Op = std::remove_reference_t<decltype(slot)>;
        auto op = dyn_cast<Op>(user);
        if (!op || slot || op.getStage())
          return false;
        slot = op;
        return true;
      };
      if (!take(made.put) && !take(made.putExit) && !take(made.get) &&
          !take(made.getExit))
        return std::nullopt;
    }
    if (!made.put || !made.putExit || !made.get || !made.getExit ||
        made.put->getBlock() != made.putExit->getBlock() ||
        made.get->getBlock() != made.getExit->getBlock())
      return std::nullopt;
    ArrayAttr kinds = made.putExit.getAsyncOps();
    bool isLoaded =
        kinds.size() == 1 &&
        cast<nvws::AsyncOpAttr>(kinds[0]).getValue() == AsyncOp::TMALoad;
    return isLoaded ? std::optional(made) : std::nullopt;
  }

  bool isInSharedMemory() {
    return llvm::all_of(aref.getBuffers(), [](Value buffer) {
      auto alloc = buffer.getDefiningOp<ttg::LocalAllocOp>();
      return alloc && !alloc.getSrc();
    });
  }
};

/// Whether `op` may wait for, or signal, another partition.
bool isSignal(Operation *op) {
  return (isa_and_nonnull<nvws::NVWSDialect>(op->getDialect()) &&
          !isa<nvws::DescriptorLoadOp, nvws::DescriptorGatherOp,
               nvws::ArefBufferOp>(op)) ||
         op->getNumRegions() != 0 || !ttg::barrierActionsOf(op).empty();
}

/// Whether nothing between two ops of a block waits for, or signals, another
/// partition of the same owner as `first`.
bool canMeet(Operation *first, Operation *second, Operation *except) {
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    if (!op)
      return false;
    if (op != except && nvws::partitionOf(op) == nvws::partitionOf(first) &&
        isSignal(op))
      return false;
  }
  return true;
}

/// `a` and `b` in the order of two of their ops; nothing if they are in
/// different blocks.
template <typename Op> std::optional<std::pair<Op, Op>> inOrder(Op a, Op b) {
  if (a->getBlock() != b->getBlock())
    return std::nullopt;
  return a->isBeforeInBlock(b) ? std::pair(a, b) : std::pair(b, a);
}

/// The ops from `get` up to `end`, in the same block, of the partition that has
/// `get`; nothing if they cannot come after `end` because ops of others need
/// them, or wait for them.
std::optional<SmallVector<Operation *>> opsToSink(Operation *get,
                                                  Operation *end) {
  SmallVector<Operation *> sunk;
  for (Operation *op = get; op != end; op = op->getNextNode()) {
    if (nvws::partitionOf(op) == nvws::partitionOf(get)) {
      if (op != get && isSignal(op))
        return std::nullopt;
      sunk.push_back(op);
    } else if (llvm::any_of(op->getOperands(), [&](Value operand) {
                 return llvm::is_contained(sunk, operand.getDefiningOp());
               })) {
      return std::nullopt;
    }
  }
  return sunk;
}

/// Whether the puts and the gets of two references can be one region each: they
/// follow each other, in the same partitions and as often.
bool canCombine(LoadedAref &a, LoadedAref &b) {
  auto same = [](Operation *x, Operation *y) {
    return x->getBlock() == y->getBlock() &&
           nvws::partitionOf(x) == nvws::partitionOf(y) &&
           x->getAttr("loop.stage") == y->getAttr("loop.stage");
  };
  if (!same(a.put, b.put) || !same(a.putExit, b.putExit) ||
      !same(a.get, b.get) || !same(a.getExit, b.getExit) ||
      a.aref->getBlock() != b.aref->getBlock() ||
      a.getExit.getAsyncOps() != b.getExit.getAsyncOps() ||
      nvws::countStages(a.aref.getType()) !=
          nvws::countStages(b.aref.getType()) ||
      !a.put->isBeforeInBlock(b.put))
    return false;
  auto gets = inOrder(a.get, b.get);
  auto exits = inOrder(a.getExit, b.getExit);
  if (!gets || !exits)
    return false;
  // One by one, in the order of the text, the get follows the whole put.
  if (auto first = inOrder<Operation *>(gets->first, b.putExit);
      first && first->first == gets->first &&
      (!b.putExit->isBeforeInBlock(exits->first) ||
       !opsToSink(gets->first, b.putExit)))
    return false;
  return gets->second->isBeforeInBlock(exits->first) &&
         canMeet(a.put, b.put, a.putExit) &&
         canMeet(gets->first, gets->second, nullptr) &&
         canMeet(exits->first, exits->second, nullptr);
}

/// Makes `a` the reference of the buffers of both; `b` goes.
void combine(LoadedAref &a, LoadedAref &b) {
  SmallVector<Value> buffers(a.aref.getBuffers());
  llvm::append_range(buffers, b.aref.getBuffers());
  nvws::ArefCreateOp later = a.aref->isBeforeInBlock(b.aref) ? b.aref : a.aref;
  OpBuilder at(later);
  SmallVector<Type> types(ValueRange(buffers).getTypes());
  auto aref = nvws::ArefCreateOp::create(
      at, a.aref.getLoc(), nvws::ArefType::get(at.getContext(), types),
      buffers);
  auto enter = [&](auto first, auto second, auto earlier) {
    using Enter = decltype(first);
    nvws::MarkedBuilder b(earlier);
    SmallVector<Type> given(first.getBuffers().getTypes());
    llvm::append_range(given, second.getBuffers().getTypes());
    auto made = b.template make<Enter>(given, first.getToken().getType(),
                                       aref.getResult(), Value(), Value());
    size_t split = first.getBuffers().size();
    for (auto [old, now] : llvm::zip(first.getBuffers(), made.getBuffers()))
      old.replaceAllUsesWith(now);
    for (auto [old, now] :
         llvm::zip(second.getBuffers(), made.getBuffers().drop_front(split)))
      old.replaceAllUsesWith(now);
    return made;
  };
  Operation *firstGet = inOrder(a.get, b.get)->first;
  if (auto order = inOrder<Operation *>(firstGet, b.putExit);
      order && order->first == firstGet) {
    SmallVector<Operation *> sunk = *opsToSink(firstGet, b.putExit);
    for (Operation *op : llvm::reverse(sunk))
      op->moveAfter(b.putExit);
  }
  auto put = enter(a.put, b.put, a.put);
  auto get = enter(a.get, b.get, inOrder(a.get, b.get)->first);
  auto exit = [&](auto later, Value token) {
    nvws::MarkedBuilder b(later);
    return b.template make<decltype(later)>(aref.getResult(), token, Value(),
                                            later.getAsyncOps());
  };
  auto putExit = exit(b.putExit, put.getToken());
  auto getExit = exit(inOrder(a.getExit, b.getExit)->second, get.getToken());
  for (Operation *old : std::initializer_list<Operation *>{
           a.putExit, b.putExit, a.getExit, b.getExit, a.put, b.put, a.get,
           b.get, a.aref, b.aref})
    old->erase();
  a = {aref, put, putExit, get, getExit};
}

int64_t bytesOf(Operation *alloc) {
  auto allocates = cast<ttg::AllocOpInterface>(alloc);
  return allocates.getAllocSpace() == ttg::MemorySpace::Shared
             ? allocates.getAllocSize().value_or(0)
             : 0;
}

class NvwsBufferAref
    : public kernelscope::impl::NvwsBufferArefBase<NvwsBufferAref> {
public:
  using NvwsBufferArefBase::NvwsBufferArefBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      buffer(function);
  }

private:
  void buffer(tt::FuncOp function) const {
    std::vector<LoadedAref> loaded;
    function.walk([&](nvws::ArefCreateOp aref) {
      if (auto one = LoadedAref::of(aref); one && one->isInSharedMemory())
        loaded.push_back(*one);
    });
    for (size_t i = 0; i < loaded.size(); ++i)
      for (size_t j = i + 1; j < loaded.size();) {
        bool isFirst = canCombine(loaded[i], loaded[j]);
        if (!isFirst && !canCombine(loaded[j], loaded[i])) {
          ++j;
          continue;
        }
        if (!isFirst)
          std::swap(loaded[i], loaded[j]);
        combine(loaded[i], loaded[j]);
        loaded.erase(loaded.begin() + static_cast<int64_t>(j));
      }
    deepen(function, loaded);
  }

  /// As many stages as are asked for, if they fit beside all other buffers.
  void deepen(tt::FuncOp function, std::vector<LoadedAref> &loaded) const {
    llvm::erase_if(loaded, [](LoadedAref &one) {
      return nvws::countStages(one.aref.getType()) != 1;
    });
    if (loaded.empty())
      return;
    int64_t others = 0, stage = 0, scratch = 0;
    function.walk([&](Operation *op) {
      if (isa<ttg::AllocOpInterface>(op))
        others += bytesOf(op);
      if (auto exchanges = dyn_cast<ttg::ScratchOpInterface>(op))
        scratch = std::max<int64_t>(scratch, exchanges.getScratchBytes());
    });
    for (LoadedAref &one : loaded)
      for (Value buffer : one.aref.getBuffers())
        stage += bytesOf(buffer.getDefiningOp());
    if (stage == 0)
      return;
    std::optional<Target> target = ttg::lookupTarget(function);
    // Barriers take 16 bytes for each stage of each reference.
    int64_t perStage = stage + 16 * static_cast<int64_t>(loaded.size());
    int64_t depth = numStages;
    if (target && target->maxSharedBytes != 0)
      depth = std::min(depth, (static_cast<int64_t>(target->maxSharedBytes) -
                               others + stage - scratch) /
                                  perStage);
    if (depth <= 1)
      return;
    for (LoadedAref &one : loaded)
      nvws::setStages(one.aref, depth);
  }
};

} // namespace
