//===- Atom.cpp - Atomic updates of global memory by PTX's atom -----------===//
//
// LLVM knows no atomics of vectors, and none with a predicate.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/Atom.h"
#include "dialects/tt/TT.h"
#include "passes/lower/nvidia/Ptx.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

/// Vectors, and bf16, came with Hopper (PTX ISA, "atom").
bool hasVectors(const Target &target) { return target.hasMbarriers; }

/// PTX's name of an operation on integers, all but the width.
constexpr std::pair<tt::RMWOp, StringLiteral> integerForms[] = {
    {tt::RMWOp::AND, ".and.b"},  {tt::RMWOp::OR, ".or.b"},
    {tt::RMWOp::XOR, ".xor.b"},  {tt::RMWOp::ADD, ".add.u"},
    {tt::RMWOp::MAX, ".max.s"},  {tt::RMWOp::MIN, ".min.s"},
    {tt::RMWOp::UMAX, ".max.u"}, {tt::RMWOp::UMIN, ".min.u"},
    {tt::RMWOp::XCHG, ".exch.b"}};

/// How `operation` on `element` is written, ".add.f32": empty where PTX has no
/// such instruction.
std::string suffixOf(tt::RMWOp operation, Type element) {
  if (operation == tt::RMWOp::FADD)
    return element.isF16()    ? ".add.noftz.f16"
           : element.isBF16() ? ".add.noftz.bf16"
           : element.isF32()  ? ".add.f32"
           : element.isF64()  ? ".add.f64"
                              : "";
  unsigned bits = bitWidth(element);
  bool isBits = operation == tt::RMWOp::XCHG || element.isInteger();
  if (isBits && (bits == 32 || bits == 64))
    for (auto [form, name] : integerForms)
      if (form == operation)
        return (name + Twine(bits)).str();
  return "";
}

StringRef orderName(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::RELAXED:
    return ".relaxed";
  case tt::MemSemantic::ACQUIRE:
    return ".acquire";
  case tt::MemSemantic::RELEASE:
    return ".release";
  case tt::MemSemantic::ACQUIRE_RELEASE:
    break;
  }
  return ".acq_rel";
}

StringRef scopeName(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA   ? ".cta"
         : scope == tt::MemSyncScope::GPU ? ".gpu"
                                          : ".sys";
}

} // namespace

unsigned maxElementsOfAtom(const Target &target, tt::RMWOp operation,
                           Type element) {
  if (operation != tt::RMWOp::FADD || element.isF64())
    return 1;
  if (element.isF32())
    return hasVectors(target) ? 4 : 1;
  return hasVectors(target) ? 8 : element.isF16() ? 2 : 1;
}

SmallVector<Value> emitAtom(Builder &b, const Target &target,
                            tt::RMWOp operation, const AtomicOrder &order,
                            Value pointer, ValueRange values, Value predicate) {
  Type element = values.front().getType();
  std::string suffix = suffixOf(operation, element);
  if (suffix.empty() || (element.isBF16() && !hasVectors(target)))
    return {};
  SmallVector<Value> words =
      llvm::map_to_vector(values, [&](Value value) { return b.toBits(value); });
  unsigned width = bitWidth(element);
  bool isPair = values.size() > 1 && !hasVectors(target);
  if (isPair) {
    suffix += "x2";
    width *= 2;
    words = {b.bitcast(b.intType(width), b.makeVector(words))};
  } else if (values.size() > 1) {
    // ".add.v4.f32", ".add.noftz.v8.f16"
    suffix.insert(suffix.rfind('.'), ".v" + std::to_string(values.size()));
  }

  Ptx ptx(b);
  SmallVector<std::string> old, updates;
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    old.push_back(ptx.output(width));
    if (predicate)
      text += llvm::formatv("mov.b{0} {1}, 0x0;\n\t", width, old.back());
  }
  for (Value word : words)
    updates.push_back(ptx.input(word, Ptx::constraintOf(width)));
  std::string address = ptx.input(pointer, "l");
  text += llvm::formatv("{0}atom.global{1}{2}{3} {4}, [{5}], {6};",
                        ptx.predicate(predicate), scopeName(order.scope),
                        orderName(order.semantic), suffix, Ptx::group(old),
                        address, Ptx::group(updates));
  SmallVector<Value> found = ptx.emit(text);
  if (isPair)
    found = b.splitVector(
        b.bitcast(b.vectorType(b.intType(width / 2), 2), found.front()));
  for (Value &value : found)
    value = b.fromBits(element, value);
  return found;
}

} // namespace kernelscope::lower
