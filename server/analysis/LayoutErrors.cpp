//===- LayoutErrors.cpp - errors that many ops have of one layout ---------===//

#include "server/analysis/LayoutErrors.h"

#include "dialects/ttg/TTG.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace kernelscope;
using llvm::StringRef;

static constexpr llvm::StringLiteral atAlias = "the layout is defined here";
static constexpr llvm::StringLiteral atAliasOfPartition =
    "the layout is defined here; other partitions may have that many warps";

/// "layout has 4 warps; the op runs on 8".
static bool isOfWarps(StringRef message) {
  return message.contains(" has a layout that does not fit: ") &&
         message.contains("; the op runs on ");
}

/// What is wrong with the layout of an error whatever has it: "nvidia_mma of
/// version 2 has instrShape = [16, 64, 16]; it needs 2 values"; or what the
/// module or the warps say otherwise: "layout has 16 threads per warp; the
/// module's ttg.threads-per-warp is 32". Empty for other errors, for which the
/// op may be to blame.
static std::string reasonOf(StringRef message) {
  if (isOfWarps(message)) {
    auto [layout, warps] = message.split(" has a layout that does not fit: ")
                               .second.split("the op runs on ");
    return (layout + "the ops that use it run on " + warps).str();
  }
  // NvidiaMmaEncodingAttr::hasInstruction.
  StringRef fault = message.split(" has a layout that does not fit: ").second;
  if (fault.starts_with("nvidia_mma of version ") ||
      fault.starts_with("nvidia_mma has versionMajor "))
    return fault.str();
  if (!message.contains("; the module's ttg."))
    return "";
  if (message.contains(" has a layout that does not fit: "))
    return message.split(" has a layout that does not fit: ").second.str();
  if (message.contains(" has a layout for "))
    return ("layout is for " + message.split(" has a layout for ").second)
        .str();
  return "";
}

/// The type of "operand 0" or "result 1" that the error is about.
static mlir::Type typeAtFault(StringRef message, mlir::Operation *op) {
  StringRef value = message.split(" has a layout ").first;
  unsigned number = 0;
  auto [rest, digits] = value.rsplit(' ');
  if (digits.getAsInteger(10, number))
    return {};
  if (rest.ends_with("operand") && number < op->getNumOperands())
    return op->getOperand(number).getType();
  if (rest.ends_with("result") && number < op->getNumResults())
    return op->getResult(number).getType();
  return {};
}

void kernelscope::noteLayout(Diagnostic &error, mlir::Operation *op,
                             const Fragment &fragment, bool hasPartitions) {
  if (reasonOf(error.message).empty())
    return;
  mlir::Type type = typeAtFault(error.message, op);
  mlir::Attribute layout = type ? ttg::getEncoding(type) : mlir::Attribute();
  if (!layout)
    return;
  // A layout that is made of another one is its parent's.
  for (const auto &alias : fragment.state.getAttributeAliasDefs()) {
    bool isPart = false;
    mlir::AttrTypeWalker walker;
    walker.addWalk(
        [&](mlir::Attribute part) { isPart |= part == alias.value; });
    walker.walk(layout);
    if (!isPart || !alias.definition.loc.isValid() ||
        !llvm::isa<ttg::LayoutEncodingTrait>(alias.value))
      continue;
    StringRef message = hasPartitions && isOfWarps(error.message)
                            ? atAliasOfPartition
                            : atAlias;
    error.related.push_back(
        {fragment.span(alias.definition.loc), std::nullopt, message.str()});
    return;
  }
}

/// The note of `noteLayout`; the places in Python come after it. Null without.
static const RelatedInformation *noteAtAlias(const Diagnostic &error) {
  auto note = llvm::find_if(error.related, [](const auto &related) {
    return related.message == atAlias || related.message == atAliasOfPartition;
  });
  return note == error.related.end() ? nullptr : &*note;
}

void kernelscope::tellAtAliases(std::vector<Diagnostic> &diagnostics) {
  constexpr size_t mostUsers = 8;
  // A few ops may have the layout of another partition's warps.
  constexpr size_t fewestInPartitions = 4;
  std::map<std::pair<size_t, std::string>, std::vector<size_t>> users;
  for (auto [i, diagnostic] : llvm::enumerate(diagnostics))
    if (const RelatedInformation *note = noteAtAlias(diagnostic))
      users[{note->span->begin, reasonOf(diagnostic.message)}].push_back(i);
  if (users.empty())
    return;
  std::vector<Diagnostic> told;
  llvm::BitVector isTold(diagnostics.size());
  for (auto &[cause, own] : users) {
    if (own.size() < fewestInPartitions && llvm::all_of(own, [&](size_t i) {
          return noteAtAlias(diagnostics[i])->message == atAliasOfPartition;
        }))
      continue;
    for (size_t i : own)
      isTold.set(i);
    llvm::sort(own, [&](size_t a, size_t b) {
      return diagnostics[a].span.begin < diagnostics[b].span.begin;
    });
    Diagnostic error;
    error.span = *noteAtAlias(diagnostics[own.front()])->span;
    error.code = "verify.layout";
    error.message = cause.second;
    for (size_t i : llvm::ArrayRef(own).take_front(mostUsers))
      error.related.push_back(
          {diagnostics[i].span, std::nullopt, "used by this op"});
    if (own.size() > mostUsers)
      error.related.back().message +=
          ", and by " + std::to_string(own.size() - mostUsers) + " more";
    told.push_back(std::move(error));
  }
  size_t next = 0;
  llvm::erase_if(diagnostics, [&](auto &) { return isTold.test(next++); });
  llvm::append_range(diagnostics, told);
}
