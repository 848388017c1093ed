//===- Columns.cpp - Buffers whose elements name columns ------------------===//

#include "server/run/Columns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "server/run/IndexTerms.h"
#include "server/run/Summands.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

/// An index that the kernel compares with a bound: `index` < `below`.
struct Column {
  Sum index;
  Value below;
};

/// The indices that `kernel` says are less than an argument or a constant.
std::vector<Column> columnsOf(FunctionOpInterface kernel) {
  using P = arith::CmpIPredicate;
  std::vector<Column> columns;
  kernel->walk([&](arith::CmpIOp compare) {
    Value index = compare.getLhs(), below = compare.getRhs();
    if (llvm::is_contained({P::sgt, P::ugt}, compare.getPredicate()))
      std::swap(index, below);
    else if (!llvm::is_contained({P::slt, P::ult}, compare.getPredicate()))
      return;
    if (scalarArgumentOf(below, kernel) || tt::constantOf(below))
      columns.push_back({sumOf(index), below});
  });
  return columns;
}

/// The load that `value` comes from, if it is one that is not atomic.
tt::GlobalAccessOpInterface loadOf(Value value) {
  auto load =
      dyn_cast_or_null<tt::GlobalAccessOpInterface>(value.getDefiningOp());
  return load && !load.getGlobalAccess().isAtomic &&
                 getElementTypeOrSelf(value.getType()).isSignlessInteger()
             ? load
             : tt::GlobalAccessOpInterface();
}

class Marker {
public:
  Marker(FunctionOpInterface kernel, std::vector<ArgumentInfo> &arguments)
      : kernel(kernel), arguments(arguments), columns(columnsOf(kernel)) {}

  void mark() {
    std::vector<Address> addresses;
    llvm::DenseSet<Operation *> inAddresses;
    kernel->walk([&](tt::GlobalAccessOpInterface op) {
      const tt::GlobalAccess access = op.getGlobalAccess();
      if (std::optional<Address> address = addressOf(access, kernel))
        addresses.push_back(std::move(*address));
      for (tt::GlobalAccessOpInterface load :
           sourceLoads({access.addresses, access.base}))
        if (load != op)
          inAddresses.insert(load);
    });
    for (const Column &column : columns)
      if (column.index.summands.size() == 1)
        if (auto load = loadOf(column.index.summands.front());
            load && inAddresses.contains(load))
          markLoaded(load, column.below);
    for (const Address &address : addresses)
      for (Value label : address.index.summands)
        if (auto load = loadOf(label))
          markInAddress(load, label, address, addresses);
    kernel->walk([&](arith::CmpIOp compare) { markCompared(compare); });
  }

private:
  /// `label`, which `load` gives, is in `address` where another has a column.
  void markInAddress(tt::GlobalAccessOpInterface load, Value label,
                     const Address &address, ArrayRef<Address> addresses) {
    const std::optional<Sum> row = address.index.without(Sum{{label}, 0});
    for (const Address &other : addresses) {
      if (other.buffer != address.buffer)
        continue;
      for (const Column &column : columns)
        if (std::optional<Sum> rest = other.index.without(column.index);
            rest && rest->hasSameSummands(*row))
          markLoaded(load, column.below);
    }
  }

  /// `compare` may ask whether a label is equal to a column.
  void markCompared(arith::CmpIOp compare) {
    using P = arith::CmpIPredicate;
    if (!llvm::is_contained({P::eq, P::ne}, compare.getPredicate()))
      return;
    for (auto [left, right] : {std::pair(compare.getLhs(), compare.getRhs()),
                               std::pair(compare.getRhs(), compare.getLhs())}) {
      const Sum label = sumOf(left), index = sumOf(right);
      if (label.summands.size() != 1 || index.summands.empty())
        continue;
      auto load = loadOf(label.summands.front());
      if (!load)
        continue;
      for (const Column &column : columns)
        if (column.index.hasSameSummands(index))
          markLoaded(load, column.below);
      if (auto range = index.summands.front().getDefiningOp<tt::MakeRangeOp>();
          range && index.summands.size() == 1)
        limit(load, int64_t(range.getEnd()));
    }
  }

  /// The result of `load` is less than `bound`.
  void markLoaded(tt::GlobalAccessOpInterface load, Value bound) {
    if (std::optional<int64_t> constant = tt::constantOf(bound))
      limit(load, *constant);
    else if (auto source = addressOf(load.getGlobalAccess(), kernel))
      arguments[source->buffer.getArgNumber()].below.insert(
          scalarArgumentOf(bound, kernel).getArgNumber());
  }
  void limit(tt::GlobalAccessOpInterface load, int64_t bound) {
    auto source = addressOf(load.getGlobalAccess(), kernel);
    if (!source || bound < 1)
      return;
    int64_t &most = arguments[source->buffer.getArgNumber()].indices;
    most = most ? std::min(most, bound) : bound;
  }

  FunctionOpInterface kernel;
  std::vector<ArgumentInfo> &arguments;
  std::vector<Column> columns;
};

} // namespace

void markColumns(FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments) {
  Marker(kernel, arguments).mark();
}

} // namespace kernelscope::run
