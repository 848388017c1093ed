//===- Arguments.cpp - The arguments of a kernel --------------------------===//
//
// Reads signatures, and finds which buffers a kernel loads from and stores to.
//
//===----------------------------------------------------------------------===//

#include "server/run/Arguments.h"
#include "server/run/ElementRoles.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "executor/plan/Values.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using kernelscope::executor::Element;

namespace kernelscope::run {
namespace {

/// The scratch memory that `pointer` points into; null where it is none that
/// the kernel allocates.
Value scratchOf(Value pointer) {
  while (auto add = pointer.getDefiningOp<tt::AddPtrOp>())
    pointer = add.getPtr();
  return pointer.getDefiningOp<ttg::GlobalScratchAllocOp>() ? pointer : Value();
}

/// The values that `value` becomes by passing through `use`: results that are
/// pointers into the same buffer, or block arguments that it is given to.
void follow(OpOperand &use, llvm::SetVector<Value> &reached) {
  Operation *op = use.getOwner();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use))
      reached.insert(argument);
    if (OpResult result = loop.getTiedLoopResult(&use))
      reached.insert(result);
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    if (auto argument =
            branch.getSuccessorBlockArgument(use.getOperandNumber()))
      reached.insert(*argument);
    return;
  }
  if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(op)) {
    for (Region &region : partitions->getRegions())
      if (use.getOperandNumber() < region.getNumArguments())
        reached.insert(region.getArgument(use.getOperandNumber()));
    return;
  }
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    // What a region yields becomes a result of the enclosing op, or goes to the
    // next iteration of its loop.
    Operation *parent = op->getParentOp();
    for (Value result : parent->getResults())
      if (result.getType() == use.get().getType())
        reached.insert(result);
    for (Region &region : parent->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (argument.getType() == use.get().getType())
          reached.insert(argument);
    return;
  }
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    if (auto callee =
            dyn_cast_if_present<FunctionOpInterface>(call.resolveCallable()))
      if (!callee.isExternal())
        reached.insert(callee.getArgument(use.getOperandNumber()));
    return;
  }
  // A descriptor that the kernel writes leads from the memory that it is in.
  if (auto create = dyn_cast<ttng::TensormapCreateOp>(op))
    if (Value scratch = scratchOf(create.getDescPtr()))
      reached.insert(scratch);
  for (Value result : op->getResults())
    if (isa<tt::PointerType, tt::TensorDescInterface>(
            getElementTypeOrSelf(result.getType())))
      reached.insert(result);
}

using Metadata = ArgumentInfo::Metadata;

/// The arguments from `first` on are sizes in `sizeBits` and strides in i64.
bool areSizesAndStrides(FunctionOpInterface kernel, size_t first, unsigned rank,
                        unsigned sizeBits) {
  if (first + size_t{2} * rank > kernel.getNumArguments())
    return false;
  for (unsigned i = 0; i < 2 * rank; ++i)
    if (!kernel.getArgument(first + i).getType().isInteger(i < rank ? sizeBits
                                                                    : 64))
      return false;
  return true;
}

/// Marks them as what descriptor `index` says, and names them unless `isCopy`.
void markSizesAndStrides(std::vector<ArgumentInfo> &arguments, size_t index,
                         size_t first, unsigned rank, bool isCopy) {
  for (unsigned i = 0; i < 2 * rank; ++i) {
    ArgumentInfo &scalar = arguments[first + i];
    const bool isStride = i >= rank;
    scalar.metadata = {index, rank,
                       isStride ? Metadata::Kind::Stride : Metadata::Kind::Size,
                       i % rank};
    // Older releases give them the descriptor's name.
    scalar.name = arguments[index].name + (isCopy ? ".host" : "") +
                  (isStride ? ".stride." : ".shape.") +
                  std::to_string(i % rank);
  }
}

/// Marks the scalars after descriptor `index` that repeat what it says: Triton
/// passes its sizes in i32 and then its strides in i64. Where a pass has made a
/// pointer of it, sizes and strides in i64 and one or two options come first.
void markMetadata(FunctionOpInterface kernel, size_t index,
                  std::vector<ArgumentInfo> &arguments) {
  if (arguments[index].isDescriptor()) {
    const unsigned rank = arguments[index].rank;
    if (areSizesAndStrides(kernel, index + 1, rank, 32))
      markSizesAndStrides(arguments, index, index + 1, rank, false);
    return;
  }
  for (unsigned rank = 1; rank <= executor::Descriptor::maxRank; ++rank) {
    const size_t option = index + 1 + size_t{2} * rank;
    size_t end = option;
    while (end < arguments.size() &&
           kernel.getArgument(end).getType().isInteger(1))
      ++end;
    if (end == option || !areSizesAndStrides(kernel, index + 1, rank, 64) ||
        !areSizesAndStrides(kernel, end, rank, 32))
      continue;
    markSizesAndStrides(arguments, index, index + 1, rank, false);
    markSizesAndStrides(arguments, index, end, rank, true);
    for (size_t i = option; i < end; ++i) {
      arguments[i].metadata = {index, rank, Metadata::Kind::Option};
      arguments[i].name = arguments[index].name +
                          (i == option ? ".padding" : ".roundF32ToTF32");
    }
    return;
  }
}

/// Dimensions of the tensor that `descriptor` describes: as many as its block
/// has, or as the copies of an im2col descriptor have coordinates.
unsigned rankOf(BlockArgument descriptor) {
  auto type = cast<tt::TensorDescInterface>(descriptor.getType());
  if (isa<ttng::TensorDescIm2ColType>(descriptor.getType())) {
    for (Value value : valuesOf(descriptor))
      for (Operation *user : value.getUsers())
        if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(user))
          return copy.getCoord().size();
    return 4;
  }
  return type.getShape().size();
}

} // namespace

llvm::SetVector<Value> valuesOf(Value pointer) {
  llvm::SetVector<Value> reached;
  reached.insert(pointer);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses())
      follow(use, reached);
  return reached;
}

void findAccesses(Value pointer, ArgumentInfo &info) {
  for (Value value : valuesOf(pointer)) {
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      // What writes a descriptor does not access what that describes.
      auto create = dyn_cast<ttng::TensormapCreateOp>(op);
      if (scratchOf(create ? create.getDescPtr() : use.get()))
        continue;
      if (auto access = dyn_cast<tt::GlobalAccessOpInterface>(op))
        info.isAtomic |= access.getGlobalAccess().isAtomic;
      // What a loop waits for is a flag.
      if (auto load = dyn_cast<tt::LoadOp>(op))
        info.isAtomic |= load.getIsVolatile();
      if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
        SmallVector<MemoryEffects::EffectInstance> instances;
        effects.getEffects(instances);
        // What is stored through a descriptor reads the descriptor alone,
        // unless it combines with what is there.
        const bool combines =
            isa<tt::DescriptorReduceOp, ttng::AsyncTMAReduceOp>(op);
        const bool readsMemory =
            combines || !isa<tt::TensorDescInterface>(use.get().getType()) ||
            llvm::none_of(instances, [&](const auto &effect) {
              return effect.getValue() == use.get() &&
                     isa<MemoryEffects::Write>(effect.getEffect());
            });
        info.isAtomic |= combines;
        for (const MemoryEffects::EffectInstance &effect : instances) {
          // An effect without an operand is not an effect on a value that is
          // stored.
          if (effect.getValue() && effect.getValue() != use.get())
            continue;
          info.loaded |=
              readsMemory && isa<MemoryEffects::Read>(effect.getEffect());
          // The write of a poll only keeps it in its place.
          info.stored |= isa<MemoryEffects::Write>(effect.getEffect()) &&
                         !isa<tt::AtomicPollOp>(op);
        }
      }
    }
  }
}

/// The name that Python last gave to each argument. Where two have the same,
/// as after `p = x` and `p = y`, the names of the parameters.
static std::vector<std::string> namesOf(FunctionOpInterface kernel) {
  std::vector<std::string> names, parameters;
  llvm::StringMap<unsigned> count;
  for (BlockArgument argument : kernel.getArguments()) {
    std::string name = "arg" + std::to_string(argument.getArgNumber());
    auto named = argument.getLoc()->findInstanceOf<NameLoc>();
    names.push_back(named ? named.getName().str() : name);
    ++count[names.back()];
    while (named) {
      name = named.getName().str();
      named = named.getChildLoc()->findInstanceOf<NameLoc>();
    }
    parameters.push_back(name);
  }
  for (auto [name, parameter] : llvm::zip(names, parameters))
    if (count[name] > 1)
      name = parameter;
  return names;
}

llvm::Expected<std::vector<ArgumentInfo>>
describeArguments(FunctionOpInterface kernel) {
  std::vector<ArgumentInfo> arguments;
  const std::vector<std::string> names = namesOf(kernel);
  for (BlockArgument argument : kernel.getArguments()) {
    ArgumentInfo info;
    info.name = names[argument.getArgNumber()];
    Type type = argument.getType();
    if (auto pointer = dyn_cast<tt::PointerType>(type)) {
      info.isPointer = true;
      type = pointer.getPointeeType();
      findAccesses(argument, info);
    }
    if (auto descriptor = dyn_cast<tt::TensorDescInterface>(type)) {
      info.isPointer = true;
      info.block = descriptor.getShape().vec();
      info.rank = rankOf(argument);
      type = descriptor.getElementType();
      findAccesses(argument, info);
    }
    const std::optional<Element> element = executor::elementOf(type);
    if (!element || *element >= Element::Pointer) {
      std::string text;
      llvm::raw_string_ostream(text) << argument.getType();
      return llvm::createStringError(
          "argument '" + info.name + "' of kernel '" + kernel.getName() +
          "' has type " + text +
          "; a run can pass numbers, and pointers to and descriptors of "
          "numbers");
    }
    info.element = *element;
    llvm::raw_string_ostream(info.dtype) << type;
    if (auto divisibility = kernel.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), "tt.divisibility"))
      info.divisibility = std::max<int64_t>(1, divisibility.getInt());
    arguments.push_back(std::move(info));
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isPointer)
      markMetadata(kernel, i, arguments);
  markElements(kernel, arguments);
  return arguments;
}

uint64_t bytesMoved(const Launch &launch) {
  uint64_t bytes = 0;
  for (const ArgumentValue &argument : launch.arguments)
    if (argument.info.isPointer)
      bytes +=
          argument.bytes.size() * (argument.info.loaded + argument.info.stored);
  return bytes;
}

/// Strides of a dense tensor, in elements.
std::vector<int64_t> denseStrides(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

std::vector<executor::Argument> executorArguments(Launch &launch) {
  std::vector<executor::Argument> arguments;
  for (ArgumentValue &argument : launch.arguments) {
    executor::Buffer buffer{argument.bytes.data(), argument.bytes.size(),
                            !argument.info.stored};
    buffer.isNeverLoaded = !argument.info.loaded;
    buffer.name = argument.info.name;
    if (argument.behind)
      std::get<executor::Buffer>(arguments[argument.behind->argument])
          .pointees.push_back(buffer);
    else if (argument.info.isDescriptor())
      arguments.push_back(executor::TensorDescriptor{
          buffer, argument.shape, denseStrides(argument.shape)});
    else if (argument.info.isPointer)
      arguments.push_back(buffer);
    else
      arguments.push_back(argument.scalar);
  }
  return arguments;
}

} // namespace kernelscope::run
