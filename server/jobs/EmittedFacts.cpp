//===- EmittedFacts.cpp - the job that says what ops became ---------------===//

#include "server/jobs/EmittedFacts.h"

#include "dialects/target/Occupancy.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/Compile.h"
#include "passes/analysis/Coalescing.h"
#include "passes/emit/EmittedCode.h"
#include "passes/emit/Objects.h"
#include "passes/emit/ResourceUse.h"
#include "passes/lower/support/ConversionCost.h"
#include "server/jobs/Answers.h"
#include "server/jobs/JobIR.h"
#include "server/jobs/Preview.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace kernelscope;
using emit::InstructionClass;
using emit::InstructionCount;
using llvm::formatv;

namespace {

/// What the layouts say of the op on a line, before it is lowered.
struct LayoutFacts {
  /// Bits of an element of global memory; 0 for an op that accesses none.
  unsigned elementBits = 0;
  /// What a warp touches, by the elements of one access.
  std::map<unsigned, WarpAccess> global;
  std::optional<ttg::SharedAccess> shared;
  std::optional<lower::ConversionCost> conversion;
  /// Of an exchange through shared memory: the bytes that a CTA stores, what
  /// several threads store to the same place counted once.
  std::optional<uint64_t> exchanged;
  unsigned threads = 0; ///< Of the warps that execute it.
};

constexpr unsigned mostElements = 16;

/// Bytes of the distinct elements that a CTA holds.
uint64_t bytesPerCta(mlir::RankedTensorType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(type.getContext());
  unsigned bits = 0;
  for (mlir::StringAttr dim : {names.reg, names.lane, names.warp})
    bits += layout.getInDimSizeLog2(dim) -
            llvm::popcount(unsigned(layout.getZeroMask(dim)));
  return (uint64_t(1) << bits) * tt::bytesInMemory(type.getElementType());
}

std::optional<uint64_t> exchangedBytes(mlir::Operation *op) {
  // Its scratch memory may be smaller: then it is done in several rounds.
  if (auto conversion = llvm::dyn_cast<ttg::ConvertLayoutOp>(op))
    return bytesPerCta(conversion.getType());
  if (auto exchange = llvm::dyn_cast<ttg::ScratchOpInterface>(op))
    return exchange.getScratchBytes();
  return std::nullopt;
}

/// By line, from 1, of the module that is about to be lowered.
std::map<unsigned, LayoutFacts> readLayouts(mlir::ModuleOp module,
                                            const Target &target) {
  std::map<unsigned, LayoutFacts> lines;
  AxisInfoAnalysis axes(module);
  module.walk([&](mlir::Operation *op) {
    auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
    if (!place || lines.contains(place.getLine()))
      return;
    LayoutFacts facts;
    facts.threads =
        unsigned(ttg::lookupNumWarps(op).value_or(0)) * target.warpSize;
    if (auto global = llvm::dyn_cast<tt::GlobalAccessOpInterface>(op)) {
      tt::GlobalAccess access = global.getGlobalAccess();
      facts.elementBits = access.elementBits();
      for (unsigned elements = 1; elements <= mostElements; elements *= 2)
        if (auto found = warpAccess(access, axes, elements))
          facts.global[elements] = *found;
    }
    facts.shared = ttg::sharedAccessOf(op);
    facts.conversion = lower::conversionCost(op, target);
    facts.exchanged = exchangedBytes(op);
    if (facts.elementBits || facts.shared || op->getNumRegions() == 0 ||
        facts.threads)
      lines[place.getLine()] = std::move(facts);
  });
  return lines;
}

std::string describeBytes(uint64_t bytes) {
  return bytes % 1024 == 0 && bytes ? formatv("{0} KiB", bytes / 1024).str()
                                    : formatv("{0} bytes", bytes).str();
}

bool isGlobal(const InstructionCount &entry) {
  return entry.kind == InstructionClass::GlobalLoad ||
         entry.kind == InstructionClass::GlobalStore ||
         entry.kind == InstructionClass::AsyncCopy;
}

std::string counted(const InstructionCount &entry) {
  std::string name = entry.kind == InstructionClass::Barrier &&
                             !llvm::StringRef(entry.opcode).contains("mbarrier")
                         ? "barrier"
                         : emit::shortName(entry.opcode);
  // `cp.async` has its width as an operand.
  if (entry.kind == InstructionClass::AsyncCopy && entry.bytes &&
      llvm::StringRef(entry.opcode).starts_with("cp."))
    name += formatv(" of {0} bytes", entry.bytes);
  return entry.count == 1 ? name
                          : formatv("{0} x {1}", entry.count, name).str();
}

/// How the lanes of a warp meet global memory.
std::string describeWarp(const std::vector<InstructionCount> &code,
                         const LayoutFacts &facts) {
  for (const InstructionCount &entry : code) {
    if (!isGlobal(entry) || !facts.elementBits)
      continue;
    auto access =
        facts.global.find(std::max(1u, entry.bytes * 8 / facts.elementBits));
    if (access == facts.global.end())
      return "";
    return kernelscope::describeCoalescing(access->second);
  }
  return "";
}

std::string describePredicates(const std::vector<InstructionCount> &code,
                               const LayoutFacts &facts) {
  unsigned elements = 0;
  for (const InstructionCount &entry : code)
    if (isGlobal(entry) && facts.elementBits)
      elements += entry.predicated * entry.bytes * 8 / facts.elementBits;
  return elements == 0 ? ""
                       : formatv("{0} element{1} predicated", elements,
                                 elements == 1 ? "" : "s")
                             .str();
}

/// Whether the lanes of a conversion meet in banks; empty if its code is not
/// the one that the cost is of.
std::string describeConflicts(const std::vector<InstructionCount> &code,
                              const lower::ConversionCost &cost) {
  unsigned ways = 1, expected = 0, found = 0;
  for (const auto &side : {cost.store, cost.load})
    if (side) {
      ways = std::max(ways, side->ways());
      expected += side->instructions;
    }
  for (const InstructionCount &entry : code) {
    const bool isStore = entry.kind == InstructionClass::SharedStore;
    if (!isStore && entry.kind != InstructionClass::SharedLoad)
      continue;
    const auto &side = isStore ? cost.store : cost.load;
    if (!side || entry.bytes * 8 != side->vectorElements * cost.elementBits)
      return "";
    found += entry.count;
  }
  if (expected != found || !found)
    return "";
  return ways > 1 ? formatv(", {0}-way bank conflict", ways).str()
                  : ", no bank conflict";
}

/// Of a conversion or a reduction: the bytes that threads store and load again;
/// lanes that hold the same result store it to the same place. Of an access:
/// whether its lanes meet in banks, which the layouts say of ordinary accesses
/// alone.
std::string describeShared(const std::vector<InstructionCount> &code,
                           const LayoutFacts &facts) {
  uint64_t stored = 0;
  unsigned plain = 0;
  bool loads = false, isAsCosted = facts.shared.has_value();
  for (const InstructionCount &entry : code) {
    bool isStore = entry.kind == InstructionClass::SharedStore;
    bool isPlain = isStore || entry.kind == InstructionClass::SharedLoad;
    loads |= entry.kind == InstructionClass::SharedLoad ||
             entry.kind == InstructionClass::MatrixLoad;
    // `stmatrix` moves 4 bytes of each lane for each of its tiles.
    unsigned bytes = entry.bytes;
    if (entry.kind == InstructionClass::MatrixStore)
      bytes = 4 * (llvm::StringRef(entry.opcode).contains(".x4")   ? 4
                   : llvm::StringRef(entry.opcode).contains(".x2") ? 2
                                                                   : 1);
    if (isStore || entry.kind == InstructionClass::MatrixStore)
      stored += uint64_t(entry.count) * bytes * facts.threads;
    if (isPlain) {
      plain += entry.count;
      isAsCosted &= facts.shared && entry.bytes * 8 == facts.shared->bits();
    }
  }
  if (facts.shared) {
    if (!isAsCosted || plain != facts.shared->cost.instructions)
      return "";
    return facts.shared->cost.ways() > 1
               ? formatv("{0}-way bank conflict", facts.shared->cost.ways())
                     .str()
               : "no bank conflict";
  }
  if (!stored || !loads)
    return "";
  if (facts.exchanged)
    stored = std::min(stored, *facts.exchanged);
  return describeBytes(stored) + " through shared memory" +
         (facts.conversion ? describeConflicts(code, *facts.conversion) : "");
}

EmittedCode::Line describeLine(unsigned line,
                               const std::vector<InstructionCount> &code,
                               const LayoutFacts &facts) {
  constexpr size_t mostInLabel = 4;
  EmittedCode::Line text{line - 1, "", ""};
  std::vector<std::string> parts;
  size_t others = 0;
  for (const InstructionCount &entry : code) {
    text.details += formatv("- {0} x `{1}`", entry.count, entry.opcode);
    if (entry.predicated)
      text.details += formatv(", {0} predicated", entry.predicated);
    text.details += "\n";
    if (entry.kind == InstructionClass::Other)
      continue;
    if (parts.size() < mostInLabel)
      parts.push_back(counted(entry));
    else
      others += entry.count;
  }
  if (others)
    parts.push_back(formatv("{0} more", others));
  if (!parts.empty())
    for (const std::string &said :
         {describeWarp(code, facts), describePredicates(code, facts),
          describeShared(code, facts)})
      if (!said.empty()) {
        parts.push_back(said);
        text.details += "- " + said + "\n";
      }
  text.label = llvm::join(parts, ", ");
  return text;
}

std::string describeKernel(const KernelInfo &kernel, const Target &target) {
  std::string text =
      target.arch + ": " + describeBytes(kernel.sharedBytes) + " shared";
  if (!kernel.resources)
    return target.isNvidia() ? text + " (registers: no ptxas found)" : text;
  const ThreadResources &use = *kernel.resources;
  text +=
      formatv(", {0} registers, {1}", use.registers,
              use.spilledBytes ? describeBytes(use.spilledBytes) + " spilled"
                               : std::string("nothing spilled"));
  if (auto occupancy =
          occupancyOf(target, {kernel.warps, use.registers, kernel.sharedBytes,
                               use.wavesPerSimd}))
    text +=
        formatv(", {0} of {1} warps (limited by {2})", occupancy->warps,
                occupancy->maxWarps, llvm::join(occupancy->limits, " and "));
  return text;
}

} // namespace

Json kernelscope::emittedFactsJob(const PreviewRequest &request,
                                  JobProgress &progress) {
  progress.stage("parse");
  Json failure;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseRequest(request, failure);
  if (!module)
    return failure;
  llvm::Expected<Target> target =
      Target::parse(archOf(*module, std::nullopt, request));
  if (!target)
    return jobError(JobFailure::InvalidUsage,
                    llvm::toString(target.takeError()));

  std::map<unsigned, LayoutFacts> layouts;
  CompileOptions options;
  options.kernel = request.kernel;
  if (llvm::Error error = readChoices(*module, request, target->arch, options))
    return jobError(JobFailure::InvalidUsage, llvm::toString(std::move(error)));
  options.onStage = [&](llvm::StringRef stage) { progress.stage(stage.str()); };
  options.onTtgir = [&](mlir::ModuleOp ttgir) {
    layouts = readLayouts(ttgir, *target);
  };
  IRDiagnostics diagnostics(progress);
  auto artifact =
      compile(*module, *target, assemblyOf(target->vendor), options);
  if (failed(artifact))
    return diagnostics.failure();
  if (!target->isNvidia())
    emit::readAmdUse(artifact->output, artifact->kernels);
  else if (emit::findCudaTool("ptxas") &&
           failed(emit::assembleCubin(artifact->output, *target, *module,
                                      artifact->kernels)))
    return diagnostics.failure();

  EmittedCode facts;
  facts.arch = target->arch;
  for (auto &[line, code] :
       emit::countInstructions(artifact->output, artifact->lines))
    facts.lines.push_back(describeLine(line, code, layouts[line]));
  for (const KernelInfo &kernel : artifact->kernels)
    facts.kernels.push_back({kernel.name, describeKernel(kernel, *target)});
  return facts;
}
