//===- Plan.h - A kernel resolved into steps -------------------*- C++ -*-===//
//
// A kernel is planned once: each value gets a slot of fixed size, each op a
// step, a closure that knows its slots and element types. Running a program is
// calling the steps in order on a frame, which holds the bytes of all slots.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_H
#define KERNELSCOPE_EXECUTOR_PLAN_H

#include "executor/Element.h"
#include "executor/Memory.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <functional>
#include <string>

namespace kernelscope::executor {

class Frame;
constexpr size_t slotAlignment = 64;
using Slot = uint32_t;

/// What one op does to a frame. False: it left a fault.
using Step = std::function<bool(Frame &)>;

/// The ops of a block, less its terminator.
using Body = std::vector<Step>;

/// How a value is stored: `count` elements in row-major order of `shape`.
struct Storage {
  Element element;
  llvm::SmallVector<int64_t, 4> shape;
  size_t count = 1;
};

/// One tensor in shared memory as a memdesc sees it: `strides` in elements.
struct View {
  static constexpr unsigned maxRank = 8;
  char *base = nullptr; ///< first element
  int64_t strides[maxRank] = {};
};

/// A tensor in global memory as a tensor descriptor sees it.
struct Descriptor {
  static constexpr unsigned maxRank = 5;
  int64_t address = 0;
  int64_t shape[maxRank] = {};
  int64_t strides[maxRank] = {}; ///< in elements
  bool padWithNan = false;
};

/// The slots and steps of a kernel and the functions that it calls.
struct Plan {
  struct SlotInfo {
    size_t offset = 0; ///< into the frame's bytes
    size_t bytes = 0;
  };
  std::vector<SlotInfo> slots;
  size_t frameBytes = 0;
  /// Values of constants, copied to each new frame.
  std::vector<std::pair<Slot, std::vector<char>>> constants;
  std::vector<Slot> arguments;
  std::deque<Body> bodies;
  Step entry;
  /// Programs must run one after another: there are atomics or prints.
  bool inOrder = false;
};

/// The state of one program of the grid.
class Frame {
public:
  Frame(const Plan &plan, Memory &memory, llvm::raw_ostream *print);

  template <typename T> T *at(Slot slot) {
    return reinterpret_cast<T *>(pointers[slot]);
  }
  /// Runs all steps of `body`.
  bool run(const Body &body) {
    for (const Step &step : body)
      if (!step(*this))
        return false;
    return true;
  }
  /// Records what is wrong with `op` and returns false.
  bool fault(mlir::Operation *op, const llvm::Twine &message);
  /// Zeroed memory that lives until the program ends.
  char *allocate(size_t bytes);
  /// Starts the program at `id`.
  void reset(const uint32_t (&id)[3]);
  /// "program (x, y, z)".
  std::string programName() const;

  Memory &memory;
  llvm::raw_ostream *print;
  uint32_t programId[3] = {};
  uint32_t gridSize[3] = {};
  /// Elements per scalar while a combine region runs on many at once.
  size_t lanes = 1;
  mlir::Operation *faultOp = nullptr;
  std::string faultMessage;

private:
  std::vector<char *> pointers;
  std::unique_ptr<char[]> bytes;
  std::vector<std::unique_ptr<char[]>> allocations;
};

/// Builds the plan: gives slots to values and steps to ops.
class Planner {
public:
  explicit Planner(Plan &plan) : plan(plan) {}

  /// Plans `function` as the kernel of the plan.
  llvm::LogicalResult planKernel(mlir::FunctionOpInterface function);

  /// The storage of a value of `type`; an error on `op` when there is none.
  std::optional<Storage> storageOf(mlir::Type type, mlir::Operation *op);
  /// The storage of `value`, whose type has been accepted before.
  const Storage &storage(mlir::Value value);
  /// The slot of `value`; made when it is first asked for.
  Slot slot(mlir::Value value);
  /// A slot of `bytes` bytes that belongs to no value.
  Slot scratch(size_t bytes);
  /// Bytes of the slot of `value`.
  size_t bytesOf(mlir::Value value) { return plan.slots[slot(value)].bytes; }
  /// Sets the bytes that `slot` has in every frame.
  void setConstant(Slot slot, std::vector<char> bytes) {
    plan.constants.emplace_back(slot, std::move(bytes));
  }
  /// Plans the ops of `block`, less its terminator. Null after an error.
  const Body *planBlock(mlir::Block &block);
  /// Plans a body of one or more blocks that ends in returns: `terminators` are
  /// given where values of `returnSlots` go.
  Step planRegion(mlir::Region &region, llvm::ArrayRef<Slot> returnSlots);
  /// A step that assigns `from` to `to`, all at once.
  Step assign(mlir::ValueRange from, llvm::ArrayRef<Slot> to);
  llvm::SmallVector<Slot> slots(mlir::ValueRange values);
  /// The function that a call names, planned once: argument slots, result
  /// slots, and the step that runs it. Null after an error on `call`.
  struct Function {
    llvm::SmallVector<Slot> arguments, results;
    Step run;
    bool planning = true;
  };
  const Function *planFunction(mlir::FunctionOpInterface function,
                               mlir::Operation *call);

  /// Plans a region whose arguments are scalars so that it runs on up to
  /// `elements` of them at once. When it cannot (an op in it is not
  /// elementwise), it runs on one and `onMany` is false.
  struct Combine {
    llvm::SmallVector<Slot> arguments, results;
    const Body *body = nullptr;
    bool onMany = false;
  };
  std::optional<Combine> planCombine(mlir::Region &region, size_t elements);

  Plan &plan;

private:
  llvm::DenseMap<mlir::Value, Slot> slotOf;
  llvm::DenseMap<mlir::Type, Storage> storageOfType;
  llvm::DenseMap<mlir::Operation *, Function> functions;
  /// Elements per scalar of the slots made now.
  size_t capacity = 1;
};

/// Makes the step of an op, or a null step after an error on it.
using OpPlanner = std::function<Step(Planner &, mlir::Operation *)>;

/// Planners by op name.
class Registry {
public:
  struct Entry {
    OpPlanner plan;
    /// It acts on each element alone, so that it runs on many scalars at once.
    bool elementwise = false;
  };
  static const Registry &get();
  const Entry *find(llvm::StringRef name) const;

  void add(llvm::StringRef name, OpPlanner plan) {
    entries[name] = {std::move(plan), false};
  }
  void addElementwise(llvm::StringRef name, OpPlanner plan) {
    entries[name] = {std::move(plan), true};
  }
  /// A planner that takes the op's class.
  template <typename OpT> void add(Step (*plan)(Planner &, OpT)) {
    add(OpT::getOperationName(), [plan](Planner &planner, mlir::Operation *op) {
      return plan(planner, llvm::cast<OpT>(op));
    });
  }

private:
  llvm::StringMap<Entry> entries;
};

// The ops of one concept each, in the file of that name.
void registerInteger(Registry &registry);
void registerFloat(Registry &registry);
void registerConvert(Registry &registry);
void registerShape(Registry &registry);
void registerAccess(Registry &registry);
void registerAtomic(Registry &registry);
void registerReduce(Registry &registry);
void registerControl(Registry &registry);
void registerShared(Registry &registry);
void registerDot(Registry &registry);
void registerDescriptor(Registry &registry);
void registerAmd(Registry &registry);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_H
