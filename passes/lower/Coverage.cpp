//===- Coverage.cpp - Which ops have a lowering ---------------------------===//
//
// The patterns themselves say it; for ops that are rewritten before the
// conversion there is a table.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/Coverage.h"
#include "dialects/target/Instructions.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Partitions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <mutex>

using namespace mlir;

namespace kernelscope::lower {

namespace {

bool onEvery(const Target &) { return true; }
bool withMbarriers(const Target &target) {
  return target.isNvidia() && target.hasMbarriers;
}
bool countsCopies(const Target &target) {
  return target.isAmd() && !target.asyncCopyBits.empty();
}
bool withTma(const Target &target) { return target.hasTma; }
bool withDataMover(const Target &target) { return target.hasTensorDataMover; }
bool withTmaGather(const Target &target) { return target.hasTmaGather; }
bool withTensorMemory(const Target &target) { return target.hasTensorMemory(); }
bool withLaunchControl(const Target &target) {
  return target.hasClusterLaunchControl;
}

/// Ops that are gone before the conversion: a pass rewrites them, or they end
/// the region of an op that a pattern takes.
struct EarlierOps {
  StringLiteral pass;
  StringLiteral names; ///< Separated by blanks; `scf.*` is a whole dialect.
  bool (*isOn)(const Target &);
  bool inTtirOnly = false;
};

constexpr EarlierOps earlierOps[] = {
    {"rewrite-block-pointers", "tt.make_tensor_ptr tt.advance", onEvery, true},
    {"rewrite-descriptors-to-pointers, lower-descriptors-to-tma",
     "tt.make_tensor_descriptor tt.descriptor_load tt.descriptor_store "
     "tt.descriptor_gather tt.descriptor_scatter tt.descriptor_reduce",
     onEvery, true},
    {"lower-descriptors-to-tma",
     "tt.make_tensor_descriptor tt.descriptor_load tt.descriptor_store "
     "tt.descriptor_reduce",
     withTma},
    {"lower-descriptors-to-tma", "tt.descriptor_gather tt.descriptor_scatter",
     withTmaGather},
    {"lower-descriptors-to-tma",
     "tt.descriptor_load tt.descriptor_store tt.descriptor_gather "
     "tt.descriptor_scatter",
     withDataMover},
    {"decompose-scaled-products", "tt.dot_scaled", onEvery, true},
    {"the pipeline nvws-to-ttgir",
     "nvws.aref.create nvws.aref.buffer nvws.aref.phi nvws.aref.get.enter "
     "nvws.aref.get.exit nvws.aref.put.enter nvws.aref.put.exit "
     "nvws.descriptor_load nvws.descriptor_gather nvws.create_token "
     "nvws.producer_acquire nvws.producer_commit nvws.consumer_wait "
     "nvws.consumer_release nvws.warp_group nvws.warp_group.return "
     "nvws.warp_group.yield",
     withMbarriers},
    {"nvws-lower-aref, allocate-shared-memory",
     "nvws.clc_try_cancel ttng.clc_try_cancel_sync", withLaunchControl},
    {"lower-masks", "ttg.mask ttg.mask.return ttg.predicate_stage", onEvery},
    {"count-async-waits", "ttg.async_wait", countsCopies},
    {"claim-tensor-memory", "ttng.tmem_alloc", withTensorMemory},
    {"convert-scf-to-cf", "scf.*", onEvery},
    {"lower-warp-specialization",
     "ttg.warp_specialize ttg.warp_specialize.partitions ttg.warp_yield "
     "ttg.warp_return",
     hasPartitionBarriers},
    {"the op around them",
     "tt.reduce.return tt.scan.return tt.map_elementwise.return", onEvery},
    {"the patterns of MLIR and what is legal",
     "cf.br cf.cond_br cf.switch llvm.* builtin.*", onEvery},
};

bool isIn(StringRef op, StringRef names) {
  for (StringRef name : llvm::split(names, ' '))
    if (name == op || (name.consume_back("*") && op.starts_with(name)))
      return true;
  return false;
}

/// The names of all ops with a pattern for `target`.
llvm::StringSet<> opsWithPatterns(const Target &target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto hooks = createHooks(target, /*ctas=*/1);
  LowerToLLVMOptions options(&context);
  TypeConverter converter(&context, options, target);
  Patterns patterns(&context);
  populatePatterns(converter, patterns, *hooks);
  llvm::StringSet<> names;
  for (const auto &pattern : patterns.getNativePatterns())
    if (std::optional<OperationName> root = pattern->getRootKind())
      names.insert(root->getStringRef());
  return names;
}

} // namespace

bool hasLowering(StringRef op, const Target &target, bool hasLayouts) {
  for (const EarlierOps &row : earlierOps)
    if (row.isOn(target) && !(row.inTtirOnly && hasLayouts) &&
        isIn(op, row.names))
      return true;
  static std::mutex mutex;
  static std::map<std::string, llvm::StringSet<>, std::less<>> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = known.find(target.arch);
  if (entry == known.end())
    entry =
        known.emplace(std::string(target.arch), opsWithPatterns(target)).first;
  return entry->second.contains(op);
}

std::string describeGap(StringRef op, const Target &target) {
  std::string missing = describeMissingInstruction(op, target);
  return missing.empty()
             ? ("no lowering for '" + op + "' on " + target.arch + " yet").str()
             : missing;
}

} // namespace kernelscope::lower
