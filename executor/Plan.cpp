//===- Plan.cpp - A kernel resolved into steps ----------------------------===//
//
// Slots, frames, and the planning of blocks, regions and functions.
//
//===----------------------------------------------------------------------===//

#include "executor/Plan.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<Element> elementOf(Type type) {
  if (isa<IndexType>(type))
    return Element::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    case 64:
      return Element::I64;
    default:
      return std::nullopt;
    }
  }
  if (isa<Float16Type>(type))
    return Element::F16;
  if (isa<BFloat16Type>(type))
    return Element::BF16;
  if (isa<Float32Type>(type))
    return Element::F32;
  if (isa<Float64Type>(type))
    return Element::F64;
  if (isa<Float8E5M2Type>(type))
    return Element::F8E5M2;
  if (isa<Float8E4M3FNType>(type))
    return Element::F8E4M3FN;
  if (isa<Float8E5M2FNUZType>(type))
    return Element::F8E5M2FNUZ;
  if (isa<Float8E4M3FNUZType>(type))
    return Element::F8E4M3FNUZ;
  if (isa<tt::PointerType>(type))
    return Element::Pointer;
  if (isa<tt::TensorDescType>(type))
    return Element::Descriptor;
  if (isa<ttg::AsyncTokenType>(type))
    return Element::Token;
  return std::nullopt;
}

size_t sizeOf(Element element) {
  switch (element) {
  case Element::I1:
  case Element::I8:
  case Element::F8E5M2:
  case Element::F8E4M3FN:
  case Element::F8E5M2FNUZ:
  case Element::F8E4M3FNUZ:
    return 1;
  case Element::I16:
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::I32:
  case Element::F32:
    return 4;
  case Element::I64:
  case Element::F64:
  case Element::Pointer:
    return 8;
  case Element::View:
    return sizeof(View);
  case Element::Descriptor:
    return sizeof(Descriptor);
  case Element::Token:
    return 0;
  }
  llvm_unreachable("every element has a size");
}

size_t bytesInMemory(Type type) {
  std::optional<Element> element = elementOf(type);
  return element && *element < Element::View ? sizeOf(*element) : 0;
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

Frame::Frame(const Plan &plan, Memory &memory, llvm::raw_ostream *print)
    : memory(memory), print(print) {
  bytes = std::make_unique<char[]>(plan.frameBytes + slotAlignment);
  const auto start = reinterpret_cast<uintptr_t>(bytes.get());
  char *base = bytes.get() + (-start & (slotAlignment - 1));
  pointers.reserve(plan.slots.size());
  for (const Plan::SlotInfo &slot : plan.slots)
    pointers.push_back(base + slot.offset);
  for (const auto &[slot, value] : plan.constants)
    std::memcpy(pointers[slot], value.data(), value.size());
}

bool Frame::fault(Operation *op, const Twine &message) {
  faultOp = op;
  faultMessage = message.str();
  return false;
}

char *Frame::allocate(size_t size) {
  allocations.push_back(std::make_unique<char[]>(size));
  return allocations.back().get();
}

void Frame::reset(const uint32_t (&id)[3]) {
  std::copy(std::begin(id), std::end(id), programId);
  allocations.clear();
  lanes = 1;
}

std::string Frame::programName() const {
  return llvm::formatv("program ({0}, {1}, {2})", programId[0], programId[1],
                       programId[2]);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<Storage> Planner::storageOf(Type type, Operation *op) {
  auto found = storageOfType.find(type);
  if (found != storageOfType.end())
    return found->second;
  Storage storage;
  std::optional<Element> element;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = elementOf(tensor.getElementType());
    storage.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    if (tensor.hasStaticShape())
      storage.count = tensor.getNumElements();
    else
      element.reset();
  } else if (auto memdesc = dyn_cast<ttg::MemDescType>(type)) {
    if (memdesc.getRank() <= View::maxRank &&
        elementOf(memdesc.getElementType()))
      element = Element::View;
  } else {
    element = elementOf(type);
  }
  if (!element) {
    op->emitError("the CPU executor has no storage for a value of type ")
        << type;
    return std::nullopt;
  }
  storage.element = *element;
  return storageOfType.try_emplace(type, storage).first->second;
}

const Storage &Planner::storage(Value value) {
  slot(value);
  return storageOfType.find(value.getType())->second;
}

Slot Planner::scratch(size_t bytes) {
  Plan::SlotInfo info;
  info.offset = plan.frameBytes;
  info.bytes = bytes;
  plan.frameBytes += llvm::alignTo(bytes, slotAlignment);
  plan.slots.push_back(info);
  return plan.slots.size() - 1;
}

Slot Planner::slot(Value value) {
  auto found = slotOf.find(value);
  if (found != slotOf.end())
    return found->second;
  auto storage = storageOfType.find(value.getType());
  assert(storage != storageOfType.end() && "planBlock checks the types first");
  const Slot made = scratch(storage->second.count *
                            sizeOf(storage->second.element) * capacity);
  slotOf[value] = made;
  return made;
}

SmallVector<Slot> Planner::slots(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return slot(value); });
}

Step Planner::assign(ValueRange from, ArrayRef<Slot> to) {
  struct Copy {
    Slot to, from;
    size_t bytes;
  };
  SmallVector<Copy> staged, direct;
  for (auto [value, target] : llvm::zip_equal(from, to)) {
    const Slot source = slot(value);
    const size_t bytes = plan.slots[source].bytes;
    if (source == target || bytes == 0)
      continue;
    // A source that another copy overwrites is saved first.
    if (llvm::is_contained(to, source)) {
      const Slot saved = scratch(bytes);
      staged.push_back({saved, source, bytes});
      direct.push_back({target, saved, bytes});
    } else {
      direct.push_back({target, source, bytes});
    }
  }
  staged.append(direct);
  return [copies = std::move(staged)](Frame &frame) {
    for (const Copy &copy : copies)
      std::memcpy(frame.at<char>(copy.to), frame.at<char>(copy.from),
                  copy.bytes);
    return true;
  };
}

//===----------------------------------------------------------------------===//
// Blocks, regions, functions
//===----------------------------------------------------------------------===//

const Body *Planner::planBlock(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (!storageOf(argument.getType(), block.getParentOp()))
      return nullptr;
  Body &body = plan.bodies.emplace_back();
  for (Operation &op : block.without_terminator()) {
    const Registry::Entry *entry =
        Registry::get().find(op.getName().getStringRef());
    if (!entry) {
      op.emitError("the CPU executor does not run '") << op.getName() << "'";
      return nullptr;
    }
    for (Type type : op.getResultTypes())
      if (!storageOf(type, &op))
        return nullptr;
    Step step = entry->plan(*this, &op);
    if (!step)
      return nullptr;
    body.push_back(std::move(step));
  }
  return &body;
}

Step Planner::planRegion(Region &region, ArrayRef<Slot> returnSlots) {
  constexpr int returned = -1, failed = -2;
  // A block's body and the choice of the next block.
  struct BlockPlan {
    const Body *body;
    std::function<int(Frame &)> next;
  };
  DenseMap<Block *, int> index;
  for (Block &block : region)
    index.try_emplace(&block, index.size());
  auto blocks = std::make_shared<std::vector<BlockPlan>>();
  auto jump = [&](Block *target,
                  ValueRange values) -> std::function<int(Frame &)> {
    for (BlockArgument argument : target->getArguments())
      if (!storageOf(argument.getType(), region.getParentOp()))
        return {};
    Step pass = assign(values, slots(target->getArguments()));
    return [pass, to = index[target]](Frame &frame) {
      return pass(frame) ? to : failed;
    };
  };
  for (Block &block : region) {
    const Body *body = planBlock(block);
    if (!body)
      return {};
    Operation *terminator = block.getTerminator();
    std::function<int(Frame &)> next;
    if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
      next = jump(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(terminator)) {
      auto yes = jump(branch.getTrueDest(), branch.getTrueDestOperands());
      auto no = jump(branch.getFalseDest(), branch.getFalseDestOperands());
      if (yes && no)
        next = [yes, no,
                condition = slot(branch.getCondition())](Frame &frame) {
          return *frame.at<uint8_t>(condition) ? yes(frame) : no(frame);
        };
    } else if (terminator->hasTrait<OpTrait::ReturnLike>() ||
               isa<tt::ReturnOp>(terminator)) {
      Step pass = assign(terminator->getOperands(), returnSlots);
      next = [pass](Frame &frame) { return pass(frame) ? returned : failed; };
    } else {
      terminator->emitError("the CPU executor does not run '")
          << terminator->getName() << "'";
    }
    if (!next)
      return {};
    blocks->push_back({body, std::move(next)});
  }
  return [blocks](Frame &frame) {
    int at = 0;
    while (at >= 0)
      at = frame.run(*(*blocks)[at].body) ? (*blocks)[at].next(frame) : failed;
    return at == returned;
  };
}

const Planner::Function *Planner::planFunction(FunctionOpInterface function,
                                               Operation *call) {
  auto [entry, isNew] = functions.try_emplace(function.getOperation());
  if (!isNew) {
    if (entry->second.planning) {
      call->emitError("the CPU executor does not run recursive calls");
      return nullptr;
    }
    return &entry->second;
  }
  if (function.isExternal()) {
    call->emitError("function '")
        << function.getName() << "' has no body to run";
    return nullptr;
  }
  Function made;
  for (BlockArgument argument : function.getArguments())
    if (!storageOf(argument.getType(), function))
      return nullptr;
  made.arguments = slots(function.getArguments());
  for (Type type : function.getResultTypes()) {
    std::optional<Storage> storage = storageOf(type, function);
    if (!storage)
      return nullptr;
    made.results.push_back(scratch(storage->count * sizeOf(storage->element)));
  }
  made.run = planRegion(function.getFunctionBody(), made.results);
  if (!made.run)
    return nullptr;
  made.planning = false;
  // Planning the body may have added functions and moved this one.
  return &(functions[function.getOperation()] = std::move(made));
}

std::optional<Planner::Combine> Planner::planCombine(Region &region,
                                                     size_t elements) {
  Block &block = region.front();
  bool onMany = region.hasOneBlock();
  block.walk([&](Operation *op) {
    if (op == block.getTerminator())
      return;
    const Registry::Entry *entry =
        Registry::get().find(op->getName().getStringRef());
    onMany &= entry && entry->elementwise && op->getBlock() == &block;
    for (Value operand : op->getOperands())
      onMany &= operand.getParentBlock() == &block;
  });
  for (Value value : block.getTerminator()->getOperands())
    onMany &= value.getParentBlock() == &block;

  Combine combine;
  combine.onMany = onMany;
  const size_t outer = std::exchange(capacity, onMany ? elements : 1);
  combine.body = planBlock(block);
  if (combine.body) {
    combine.arguments = slots(block.getArguments());
    combine.results = slots(block.getTerminator()->getOperands());
  }
  capacity = outer;
  if (!combine.body)
    return std::nullopt;
  return combine;
}

LogicalResult Planner::planKernel(FunctionOpInterface function) {
  const Function *kernel = planFunction(function, function);
  if (!kernel)
    return failure();
  plan.arguments.assign(kernel->arguments.begin(), kernel->arguments.end());
  plan.entry = kernel->run;
  return success();
}

//===----------------------------------------------------------------------===//
// Registry
//===----------------------------------------------------------------------===//

const Registry &Registry::get() {
  static const Registry registry = [] {
    Registry made;
    registerInteger(made);
    registerFloat(made);
    registerConvert(made);
    registerShape(made);
    registerAccess(made);
    registerAtomic(made);
    registerReduce(made);
    registerControl(made);
    registerShared(made);
    registerDot(made);
    registerDescriptor(made);
    registerAmd(made);
    return made;
  }();
  return registry;
}

const Registry::Entry *Registry::find(StringRef name) const {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

} // namespace kernelscope::executor
