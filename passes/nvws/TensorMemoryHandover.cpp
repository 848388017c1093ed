//===- TensorMemoryHandover.cpp - Tensor memory in turn -------------------===//

#include "passes/nvws/TensorMemoryHandover.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/nvws/Rings.h"
#include "passes/nvws/TensorMemoryChain.h"
#include "passes/nvws/TripCount.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::nvws;

std::optional<int32_t> TensorMemoryHandover::holderOf(Operation *access) {
  DenseI32ArrayAttr marked = partitionOf(access);
  return marked && !marked.empty() ? Holder(marked[0]) : std::nullopt;
}

/// Whether a second stage of the ring of `aref` fits tensor memory beside all
/// other buffers.
static bool fitsTwice(ArefCreateOp aref) {
  auto function = aref->getParentOfType<tt::FuncOp>();
  std::optional<Target> target = ttg::lookupTarget(function);
  unsigned columns = target ? target->tensorMemoryColumns : 0;
  auto sizeOf = [&](ttg::AllocOpInterface op) {
    return op.getAllocSpace() == ttg::MemorySpace::Tensor
               ? op.getAllocSize().value_or(columns)
               : 0;
  };
  Operation *ring = aref.getBuffers().front().getDefiningOp();
  uint64_t used = sizeOf(cast<ttg::AllocOpInterface>(ring));
  function->walk([&](ttg::AllocOpInterface op) { used += sizeOf(op); });
  return used <= columns;
}

bool TensorMemoryHandover::isNeeded() {
  if (!alloc.getToken())
    return false;
  bool isInside = false;
  forEachAccess(memory, [&](Operation *access) {
    Holder holder = holderOf(access);
    holders.insert(holder);
    if (holder && kindOf(access) == AsyncOp::TC5MMA)
      productHolders.insert(*holder);
    isInside |= partitioned->isAncestor(access);
  });
  return isInside && holders.size() > 1;
}

LogicalResult TensorMemoryHandover::run() {
  if (failed(checkTokens()))
    return failure();
  bool isInside = partitioned->isAncestor(alloc);
  Operation *first = firstAccess(alloc.getToken(), alloc->getBlock());
  if (!first)
    return refuse(alloc, "is shared by partitions, but no access takes its "
                         "token; tokens must order the accesses");
  aref = createReference(isInside ? partitioned.getOperation() : alloc,
                         alloc.getType(), /*depth=*/1);
  MarkedBuilder at(OpBuilder(alloc), alloc.getLoc(),
                   isInside ? first : nullptr);
  if (isInside)
    now.holder = holderOf(first);
  if (now.holder)
    at.setPartition(*now.holder);
  take(enterPut(at, aref));
  if (alloc.getSrc())
    at.make<ttng::TMEMStoreOp>(
        Type(), now.buffer, Value(), alloc.getSrc(),
        at.make<arith::ConstantOp>(at.b.getBoolAttr(true)));
  now.last = alloc;
  if (failed(follow(alloc.getToken(), alloc->getBlock())))
    return failure();
  finish();
  auto made = aref.getDefiningOp<ArefCreateOp>();
  bool isRing =
      !isa<ttng::TensorMemoryScalesEncodingAttr>(alloc.getType().getEncoding());
  alloc.erase();
  if (isRing && puts.areOverwritten() && fitsTwice(made))
    setStages(made, 2);
  return success();
}

InFlightDiagnostic TensorMemoryHandover::refuse(Operation *op, StringRef why) {
  InFlightDiagnostic error = op->emitOpError() << why;
  error.attachNote(alloc.getLoc()) << "allocated here";
  return error;
}

LogicalResult TensorMemoryHandover::checkTokens() {
  LogicalResult result = success();
  forEachAccess(memory, [&](Operation *access) {
    OpOperand *token = dependenceOf(access);
    bool isOfToken = token && rootOf(orderedMemoryOf(access)) == memory;
    if (succeeded(result) && !isOfToken)
      result = refuse(access, "accesses tensor memory that partitions share "
                              "without a token; it must take the token of "
                              "the access before it");
  });
  return result;
}

//===----------------------------------------------------------------------===//
// From hand to hand
//===----------------------------------------------------------------------===//

void TensorMemoryHandover::take(const Handed &region) {
  now.token = region.token;
  now.buffer = region.buffer;
  now.last = region.token.getDefiningOp();
  now.block = now.last->getBlock();
  now.kind = AsyncOp::NONE;
}

LogicalResult TensorMemoryHandover::joinSide(Operation *op) {
  if (!now.holder)
    return success();
  auto [side, isNew] = sides.try_emplace(*now.holder, now.isPut);
  for (auto &[other, isPut] : sides)
    if (side->second != now.isPut ||
        (other != *now.holder && isPut == now.isPut))
      return refuse(op, "passes tensor memory among more than two partitions; "
                        "a reference connects only two");
  return success();
}

void TensorMemoryHandover::exitAt(MarkedBuilder &at) {
  Handed region{aref, now.buffer, now.token};
  if (now.isPut)
    exitPut(at, region, {now.kind});
  else
    exitGet(at, region, {now.kind});
  // The other side gets what was there before.
  puts.noteFirst(now.fresh, nullptr);
}

MarkedBuilder TensorMemoryHandover::exit() {
  OpBuilder b(alloc.getContext());
  b.setInsertionPointAfter(now.last);
  MarkedBuilder at(b, alloc.getLoc(), now.holder ? now.last : nullptr);
  if (now.holder)
    at.setPartition(*now.holder);
  exitAt(at);
  return at;
}

void TensorMemoryHandover::enter(MarkedBuilder &at, Holder holder) {
  if (holder)
    at.setPartition(*holder);
  now.isPut = !now.isPut;
  now.holder = holder;
  take(now.isPut ? enterPut(at, aref) : enterGet(at, aref));
  if (now.isPut)
    now.fresh.push_back(now.last);
}

LogicalResult TensorMemoryHandover::hand(Operation *op, Operation *access) {
  exit();
  Holder holder = holderOf(access);
  MarkedBuilder at(OpBuilder(op), alloc.getLoc(), holder ? access : nullptr);
  enter(at, holder);
  return joinSide(op);
}

void TensorMemoryHandover::finish() {
  now.fresh.clear();
  MarkedBuilder at = exit();
  auto other = llvm::find_if(sides, [](auto &side) { return !side.second; });
  if (!now.isPut || other == sides.end())
    return;
  enter(at, other->first);
  exitAt(at);
}

//===----------------------------------------------------------------------===//
// Along the tokens
//===----------------------------------------------------------------------===//

LogicalResult TensorMemoryHandover::follow(Value token, Block *block) {
  while (true) {
    tail = token;
    Operation *next = nextOf(token, block);
    if (!next || next->hasTrait<OpTrait::IsTerminator>()) {
      if (!next && !token.use_empty())
        return refuse(
            token.use_begin()->getOwner(),
            "is one of several ops after the same access to tensor memory that "
            "partitions share; a token can have only one user");
      return success();
    }
    FailureOr<Value> after = failure();
    if (dependenceOf(next))
      after = followAccess(next);
    else if (isa<scf::ForOp, scf::WhileOp>(next))
      after = followLoop(next, token);
    else if (auto branch = dyn_cast<scf::IfOp>(next))
      after = followBranch(branch, token);
    else
      return refuse(next,
                    "passes on the token of tensor memory that "
                    "partitions share; only scf.for, scf.while and scf.if can");
    if (failed(after))
      return failure();
    if (!*after)
      return success();
    token = *after;
  }
}

FailureOr<Value> TensorMemoryHandover::followAccess(Operation *access) {
  if (holderOf(access) != now.holder && failed(hand(access, access)))
    return failure();
  if (failed(joinSide(access)))
    return failure();
  Value buffer = bufferBefore(access);
  for (OpOperand &operand : access->getOpOperands())
    if (rootOf(operand.get()) == memory) {
      if (operand.get() == memory)
        puts.noteWhole(access);
      operand.set(viewLike(operand.get(), buffer, access));
    }
  clearDependence(access);
  puts.noteFirst(now.fresh, access);
  now.last = access;
  now.kind = kindOf(access);
  return tokenOf(access);
}

Value TensorMemoryHandover::bufferBefore(Operation *access) {
  if (now.block != access->getBlock()) {
    MarkedBuilder at(access);
    now.buffer = at.make<ArefBufferOp>(TypeRange(now.buffer.getType()), aref,
                                       now.token, Value())
                     .getBuffers()
                     .front();
    now.block = access->getBlock();
  }
  return now.buffer;
}

Value TensorMemoryHandover::viewLike(Value view, Value buffer,
                                     Operation *access) {
  if (view == memory)
    return buffer;
  Operation *op = view.getDefiningOp();
  Value source = viewLike(op->getOperand(0), buffer, access);
  OpBuilder b(access);
  Operation *made = b.clone(*op);
  copyMarks(access, made);
  made->setOperand(0, source);
  retype(source, source.getType());
  return made->getResult(0);
}

FailureOr<Value> TensorMemoryHandover::followLoop(Operation *loop,
                                                  Value token) {
  auto carried = carriedBy(loop, token);
  if (!carried)
    return refuse(loop, "uses the token of tensor memory that partitions "
                        "share without carrying it");
  Block *body = carried->inside.getOwner();
  Operation *first = firstAccess(carried->inside, body);
  if (!first)
    return refuse(loop, "carries the token of tensor memory that partitions "
                        "share, but has no access to it");
  // What code before the partitions does is done when they start.
  if (loop == partitioned.getOperation() && !now.holder)
    now.holder = holderOf(first);
  else if (now.holder != holderOf(first) && failed(hand(loop, first)))
    return failure();
  if (failed(joinSide(loop)))
    return failure();
  carried->init->set(now.token);
  State before = now;
  now.token = carried->inside;
  now.block = nullptr;
  // A product of the turn before may still be going on.
  if (now.holder && productHolders.contains(*now.holder))
    now.kind = AsyncOp::TC5MMA;
  if (failed(follow(carried->inside, body)))
    return failure();
  if (carried->next->get() != tail)
    return refuse(loop, "carries a token of tensor memory that partitions "
                        "share, but not that of its last access");
  if (now.holder != before.holder &&
      failed(hand(carried->next->getOwner(), first)))
    return failure();
  if (now.isPut != before.isPut)
    return refuse(loop, "leaves tensor memory with a partition other than the "
                        "one it came from; partitions must take turns");
  // The next turn has it first, or what comes after the loop.
  SmallVector<Operation *, 2> entered = now.fresh;
  puts.noteFirst(entered, first);
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted || !runsAtLeastOnce(counted))
    now.fresh.append(before.fresh);
  carried->next->set(now.token);
  now.token = carried->after;
  now.block = nullptr;
  now.last = loop;
  if (before.kind == AsyncOp::TC5MMA)
    now.kind = before.kind;
  return Value(carried->after);
}
