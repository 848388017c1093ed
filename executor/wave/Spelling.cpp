//===- Spelling.cpp - LLVM IR of other releases ---------------------------===//
//
// LLVM 23 writes floats as `f0x3FB8AA3B`, `+inf` and `+qnan`, and decimal
// numbers that are not exact.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Spelling.h"
#include "executor/wave/Scalar.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

/// The kind of float that a word names.
static std::optional<Scalar::Kind> kindNamed(StringRef word) {
  using enum Scalar::Kind;
  return word == "half"     ? std::optional(F16)
         : word == "bfloat" ? std::optional(BF16)
         : word == "float"  ? std::optional(F32)
         : word == "double" ? std::optional(F64)
                            : std::nullopt;
}

/// A float as LLVM 22 writes its bits: that of an f32 as a double's.
static std::string writeBits(Scalar::Kind kind, uint64_t bits) {
  if (kind == Scalar::Kind::F16 || kind == Scalar::Kind::BF16)
    return formatv("0x{0}{1:X-4}", kind == Scalar::Kind::F16 ? "H" : "R", bits);
  if (kind == Scalar::Kind::F32)
    bits = std::bit_cast<uint64_t>(double(FloatCodec::load(bits)));
  return formatv("0x{0:X-16}", bits);
}

/// What stands for `word`, a constant of the kind; none if it stays.
static std::optional<std::string> respellConstant(Scalar::Kind kind,
                                                  StringRef word) {
  StringRef digits = word;
  uint64_t bits = 0;
  if (digits.consume_front("f0x"))
    return digits.getAsInteger(16, bits) ? std::nullopt
                                         : std::optional(writeBits(kind, bits));
  const double sign = word.starts_with("-") ? -1.0 : 1.0;
  auto write = [&](double value) {
    return withCodec(kind, [&]<typename Codec>() {
      return writeBits(kind, Codec::store(value));
    });
  };
  if (word == "+inf" || word == "-inf")
    return write(sign * INFINITY);
  if (word == "+qnan" || word == "-qnan")
    return write(sign * NAN);
  double value = 0;
  if (kind == Scalar::Kind::F32 && word.contains('.') &&
      word.trim("+-.e0123456789").empty() && !word.getAsDouble(value) &&
      double(static_cast<float>(value)) != value)
    return write(value);
  return std::nullopt;
}

static void respellLine(StringRef line, std::string &out) {
  static constexpr StringLiteral between = " ,()[]<>{}";
  // Operands after the first have no type of their own.
  std::optional<Scalar::Kind> kind;
  while (!line.empty()) {
    const size_t length = std::min(line.find_first_of(between), line.size());
    const StringRef word = line.take_front(length);
    if (auto named = kindNamed(word))
      kind = named;
    std::optional<std::string> other;
    if (kind && !word.empty())
      other = respellConstant(*kind, word);
    out += other ? *other : word.str();
    line = line.drop_front(length);
    if (!line.empty()) {
      out += line.front();
      line = line.drop_front();
    }
  }
}

/// Replaces each `from`.
static void replaceEach(std::string &text, StringRef from, StringRef to) {
  std::string result;
  StringRef rest = text;
  while (true) {
    auto [before, after] = rest.split(from);
    result += before;
    if (before.size() == rest.size())
      break;
    result += to;
    rest = after;
  }
  text = std::move(result);
}

std::string respell(StringRef text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    if (line.starts_with(" "))
      respellLine(line, out);
    else
      out += line;
    out += '\n';
    text = rest;
  }
  // What is not declared, LLVM declares by its own types.
  if (StringRef(out).contains("\ndeclare "))
    replaceEach(out, "@llvm.amdgcn.", "@amdgcn.");
  // Only intrinsics may have it.
  replaceEach(out, " immarg", "");
  replaceEach(out, ", target_mem: none", "");
  return out;
}

} // namespace kernelscope::wave
