//===- FloatConversions.cpp - To and from small floats --------------------===//
//
// `v_cvt_*` of AMD's ISA documents. Their intrinsics name the number of
// elements, the type that they give and the one that they take.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "executor/wave/MatrixProducts.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

namespace {
/// An element as conversions name it.
struct Format {
  unsigned bits;
  double (*read)(uint64_t);
  /// With `saturates` what is too large becomes the largest number, else the
  /// infinity or NaN that the format has.
  uint64_t (*write)(double, bool saturates);
};
} // namespace

/// Of a type without infinities, what rounds to more than the largest number is
/// NaN unless it saturates.
template <typename Float> static uint64_t encode(double x, bool saturates) {
  const bool hasInfinity = std::isinf(Float::encode(INFINITY).decode());
  if (!saturates && !hasInfinity) {
    const double top = Float::raw(Float::maxFiniteBits).decode();
    const double half =
        (top - Float::raw(Float::maxFiniteBits - 1).decode()) / 2;
    const double beyond = std::abs(x) - top;
    if (beyond > half || (beyond == half && Float::maxFiniteBits % 2))
      x = NAN;
  }
  return Float::encode(x, executor::Rounding::NearestEven, saturates).bits;
}

static Format formatNamed(StringRef name, bool isFnuz) {
  using namespace executor;
  auto reader = [](MatrixElement element) {
    return matrixElementReader(element);
  };
  if (name == "f32")
    return {32, reader(MatrixElement::F32),
            [](double x, bool) { return FloatCodec::store(x); }};
  if (name == "f16")
    return {16, reader(MatrixElement::F16),
            [](double x, bool) { return HalfCodec::store(x); }};
  if (name == "bf16")
    return {16, reader(MatrixElement::BF16),
            [](double x, bool) { return BFloatCodec::store(x); }};
  if (name == "fp8")
    return isFnuz
               ? Format{8, reader(MatrixElement::E4M3FNUZ), encode<F8E4M3FNUZ>}
               : Format{8, reader(MatrixElement::E4M3), encode<F8E4M3FN>};
  if (name == "bf8")
    return isFnuz
               ? Format{8, reader(MatrixElement::E5M2FNUZ), encode<F8E5M2FNUZ>}
               : Format{8, reader(MatrixElement::E5M2), encode<F8E5M2>};
  // It has no NaN either, so that there is nothing but the largest number.
  return {4, reader(MatrixElement::E2M1),
          [](double x, bool) { return encode<F4E2M1FN>(x, true); }};
}

/// The elements of some 32-bit words.
static Columns cutWords(Decoder &decoder, const Columns &words, unsigned bits,
                        size_t first, size_t count) {
  SmallVector<Field> from, to;
  for (size_t i = 0; i < words.size(); ++i)
    from.push_back({{Scalar::Kind::Int, 32, 0}, 32 * i});
  for (size_t i = 0; i < count; ++i)
    to.push_back({{Scalar::Kind::Int, bits, 0}, (first + i) * bits});
  return repack(decoder, words, from, to);
}

static void convert(const Call &call) {
  Decoder &decoder = call.decoder;
  StringRef name = call.name;
  name.consume_front("llvm.amdgcn.cvt.");
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  // scalef32.pk8.fp8.f32
  const bool isScaled = parts.front().starts_with("scale");
  const bool hasFloatScale = parts.front() == "scalef32";
  if (isScaled)
    parts.erase(parts.begin());
  size_t count = 1;
  if (parts.front().consume_front("pk")) {
    if (parts.front().empty() || parts.front().getAsInteger(10, count))
      count = 2;
    parts.erase(parts.begin());
  }
  const bool isFnuz =
      hasMatrixUnit(decoder.target(), MatrixUnit::MfmaCdna3Only);
  const Format to = formatNamed(parts[0], isFnuz),
               from = formatNamed(parts[1], isFnuz);
  const bool isNarrowing = to.bits < from.bits;
  const bool isWhole = count > 2; // 8 elements: all of the operand and result

  // Operands: the old value of a result that is written in part, the elements,
  // a scale, which part.
  unsigned next = 0;
  Columns old;
  const bool hasOld = isNarrowing && !isWhole;
  // Without scales it is after the elements.
  const unsigned oldAt = isScaled ? 0 : 2;
  if (hasOld)
    old = call.words(oldAt);
  if (hasOld && isScaled)
    ++next;
  Columns elements;
  const unsigned last = call.numOperands() - 1;
  size_t part = 0;
  if (!isWhole && last > 0)
    part = call.immediate(last);
  const unsigned narrow = isNarrowing ? to.bits : from.bits;
  // A part is a half of the word; of 4 bits and of single elements a byte.
  const size_t skipped = part * (narrow == 4 || count == 1 ? 8 : 16) / narrow;
  if (isNarrowing && !isWhole && from.bits == 32)
    for (size_t i = 0; i < count; ++i)
      elements.push_back(call.scalar(next++));
  else
    elements = cutWords(decoder, call.words(next++), from.bits,
                        isNarrowing || isWhole ? 0 : skipped, count);
  std::optional<Column> scale;
  if (isScaled)
    scale = call.scalar(next);
  // An integer scale is that of one of the lower 16 lanes: its byte 0, or for
  // the upper lanes byte 1. Of 8-bit floats only with bit 3 of the selector.
  const bool hasScaleWord = isScaled && !hasFloatScale;
  bool hasUpperScale = false;
  if (hasScaleWord) {
    const uint64_t selector = call.immediate(last);
    if (selector != 0 && (selector != 8 || narrow == 4)) {
      decoder.fail("the wave simulator does not support scale selector " +
                   std::to_string(selector) + " of this conversion");
      return;
    }
    hasUpperScale = narrow == 4 || selector == 8;
  }

  Columns results = decoder.newColumns(count);
  for (auto [result, element] : zip_equal(results, elements))
    decoder.emit([=, result = result, element = element](Wave &wave) {
      wave.forLanes([&](unsigned lane) {
        double value = from.read(wave.value(element, lane));
        if (scale) {
          const uint64_t bits =
              wave.value(*scale, hasScaleWord ? lane & 15 : lane);
          const unsigned shift = hasFloatScale                  ? 23
                                 : hasUpperScale && (lane & 16) ? 8
                                                                : 0;
          // Of a float only the exponent counts.
          const int biased = static_cast<int>((bits >> shift) & 0xff);
          const int exponent = biased - 127;
          value = biased == 255
                      ? NAN
                      : std::ldexp(value, isNarrowing ? -exponent : exponent);
        }
        wave.value(result, lane) = to.write(value, wave.saturates);
      });
    });

  // The results as the words of the call.
  const uint64_t bits = call.resultBits();
  SmallVector<Field> cut, whole;
  for (uint64_t at = 0; at < bits; at += to.bits)
    cut.push_back({{Scalar::Kind::Int, to.bits, 0}, at});
  Columns all = results;
  if (hasOld) {
    all = cutWords(decoder, old, to.bits, 0, cut.size());
    for (size_t i = 0; i < count && skipped + i < all.size(); ++i)
      all[skipped + i] = results[i];
  }
  if (all.size() != cut.size()) {
    decoder.fail("the wave simulator does not support this conversion");
    return;
  }
  call.define(repack(decoder, all, cut, decoder.fields(call.call.getType())));
}

/// Two f16 of an f32 each, towards zero.
static void packTowardsZero(const Call &call) {
  const Columns to = call.defineScalars(2);
  for (unsigned i : {0u, 1u})
    call.decoder.unary(to[i], call.scalar(i), [](uint64_t x) -> uint64_t {
      return executor::F16::encode(FloatCodec::load(x),
                                   executor::Rounding::TowardZero)
          .bits;
    });
}

void addFloatConversions(Meanings &meanings) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const char *small : {"fp8", "bf8", "fp4"})
      for (const char *large : {"f32", "f16", "bf16"})
        for (const char *head :
             {"pk.", "scalef32.pk.", "scalef32.pk8.", "scale.pk8."}) {
          all.push_back(std::string(head) + small + "." + large);
          all.push_back(std::string(head) + large + "." + small);
        }
    all.emplace_back("f32.fp8");
    all.emplace_back("f32.bf8");
    return all;
  }();
  for (const std::string &name : names)
    meanings.add("llvm.amdgcn.cvt." + name, convert);
  meanings.add("llvm.amdgcn.cvt.pkrtz", packTowardsZero);
}

} // namespace kernelscope::wave
