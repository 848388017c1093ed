//===- ProductDescriptor.cpp - What one tcgen05.mma computes --------------===//

#include "executor/wave/nvidia/ProductDescriptor.h"
#include "dialects/target/DescribedProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

Expected<ProductModifiers> ProductModifiers::parse(StringRef modifiers) {
  ProductModifiers made;
  SmallVector<StringRef> parts;
  modifiers.split(parts, '.', -1, /*KeepEmpty=*/false);
  bool hasScales = false;
  unsigned block = 0;
  for (StringRef part : parts) {
    if (part.consume_front("kind::")) {
      auto kind = StringSwitch<std::optional<ProductKind>>(part)
                      .Case("f16", ProductKind::F16)
                      .Case("tf32", ProductKind::TF32)
                      .Case("f8f6f4", ProductKind::F8F6F4)
                      .Case("i8", ProductKind::I8)
                      .Case("mxf8f6f4", ProductKind::MXF8F6F4)
                      .Case("mxf4", ProductKind::MXF4)
                      .Case("mxf4nvf4", ProductKind::MXF4NVF4)
                      .Default(std::nullopt);
      if (!kind)
        return createStringError("tcgen05.mma has no kind '" + part + "'");
      made.kind = *kind;
    } else if (part == "cta_group::2") {
      made.ctas = 2;
    } else if (part == "ws") {
      made.isWeightStationary = true;
    } else if (part == "sp" || part == "ashift") {
      return createStringError(
          "the wave simulator does not support tcgen05.mma with '." + part +
          "'");
    } else if (part == "block_scale") {
      hasScales = true;
    } else if (part.consume_front("scale_vec::")) {
      if (part.consumeInteger(10, made.scalesPerRow))
        return createStringError("tcgen05.mma has no '.scale_vec::" + part +
                                 "'");
    } else if (part == "block16" || part == "block32") {
      block = part == "block16" ? 16 : 32;
    }
  }
  if (made.isWeightStationary && made.ctas == 2)
    return createStringError(
        "tcgen05.mma has .ws and .cta_group::2; with .ws it must have "
        ".cta_group::1");
  if (hasScales != made.isScaled())
    return createStringError("tcgen05.mma has .block_scale if and only if its "
                             "kind is mxf8f6f4, mxf4 or mxf4nvf4");
  if (!hasScales)
    return made;
  const bool isNarrow = made.kind != ProductKind::MXF8F6F4;
  if (!made.scalesPerRow)
    made.scalesPerRow = (isNarrow ? 64 : 32) / (block ? block : 32);
  const bool fits = made.kind == ProductKind::MXF8F6F4 ? made.scalesPerRow == 1
                    : made.kind == ProductKind::MXF4
                        ? made.scalesPerRow == 2
                        : made.scalesPerRow == 2 || made.scalesPerRow == 4;
  if (!fits)
    return createStringError(
        "tcgen05.mma has %u scales for each row; kind mxf8f6f4 takes 1, mxf4 2 "
        "and mxf4nvf4 2 or 4",
        made.scalesPerRow);
  return made;
}

namespace {
/// Reads the fields of a descriptor and keeps the first error.
class Fields {
public:
  Fields(uint32_t bits) : bits(bits) {}

  uint32_t get(unsigned first, unsigned count) const {
    return (bits >> first) & ((1u << count) - 1);
  }
  /// Says that a field must have one of some values.
  void require(bool holds, const Twine &field, unsigned first, unsigned count,
               const Twine &needed) {
    if (holds || !error.empty())
      return;
    error = ("the instruction descriptor 0x" + Twine::utohexstr(bits) +
             " of tcgen05.mma has " + Twine(get(first, count)) + " as " +
             field + (count == 1 ? " (bit " : " (bits ") + Twine(first) +
             (count == 1 ? "" : " to " + std::to_string(first + count - 1)) +
             "); it must be " + needed)
                .str();
  }
  void requireZero(const Twine &field, unsigned first, unsigned count) {
    require(get(first, count) == 0, field, first, count, "0");
  }

  std::string error;

private:
  uint32_t bits;
};
} // namespace

static void decodeType(Fields &fields, const ProductModifiers &modifiers,
                       const char *name, unsigned first,
                       ProductOperand &operand) {
  using enum MatrixElement;
  struct Type {
    uint32_t code;
    MatrixElement element;
  };
  static constexpr Type halves[] = {{0, F16}, {1, BF16}};
  static constexpr Type singles[] = {{2, TF32}};
  static constexpr Type small[] = {
      {0, E4M3}, {1, E5M2}, {3, E2M3}, {4, E3M2}, {5, E2M1}};
  static constexpr Type integers[] = {{0, I8}, {1, I8}};
  static constexpr Type narrow[] = {{1, E2M1}};
  ArrayRef<Type> types;
  const char *needed = nullptr;
  switch (modifiers.kind) {
  case ProductKind::F16:
    types = halves, needed = "0 for f16 or 1 for bf16";
    break;
  case ProductKind::TF32:
    types = singles, needed = "2 for tf32";
    break;
  case ProductKind::I8:
    types = integers, needed = "0 for u8 or 1 for s8";
    break;
  case ProductKind::F8F6F4:
  case ProductKind::MXF8F6F4:
    types = small,
    needed = "0 for e4m3, 1 for e5m2, 3 for e2m3, 4 for e3m2 or 5 for e2m1";
    break;
  case ProductKind::MXF4:
  case ProductKind::MXF4NVF4:
    types = narrow, needed = "1 for e2m1";
    break;
  }
  const uint32_t code = fields.get(first, 3);
  const Type *type =
      find_if(types, [&](const Type &row) { return row.code == code; });
  fields.require(type != types.end(), Twine("the type of ") + name, first, 3,
                 needed);
  if (type == types.end())
    return;
  operand.element = type->element;
  operand.isUnsigned = modifiers.kind == ProductKind::I8 && code == 0;
}

/// The type of D.
static void decodeResult(Fields &fields, ProductKind kind,
                         ProductDescriptor &made) {
  const uint32_t code = fields.get(4, 2);
  if (kind == ProductKind::I8) {
    fields.require(code == 2, "the type of D", 4, 2, "2 for s32");
    made.d = MatrixElement::I32;
  } else if (kind == ProductKind::TF32) {
    fields.require(code == 1, "the type of D", 4, 2, "1 for f32");
  } else {
    fields.require(code < 2, "the type of D", 4, 2, "0 for f16 or 1 for f32");
    made.d = code == 0 ? MatrixElement::F16 : MatrixElement::F32;
  }
}

/// Which sizes there are.
static void checkShape(Fields &fields, const ProductModifiers &modifiers,
                       const ProductDescriptor &made) {
  const unsigned firstOfM = modifiers.isScaled() ? 27 : 24,
                 bitsOfM = modifiers.isScaled() ? 2 : 5;
  if (modifiers.isWeightStationary) {
    fields.require(made.m == 32 || made.m == 64 || made.m == 128, "M / 16",
                   firstOfM, bitsOfM, "2, 4 or 8 with .ws");
    fields.require(made.n == 64 || made.n == 128 || made.n == 256, "N / 8", 17,
                   6, "8, 16 or 32 with .ws");
    return;
  }
  if (modifiers.isScaled()) {
    const bool isPair = modifiers.ctas == 2;
    fields.require(
        made.m == 128 || (isPair && made.m == 256), "M / 128", firstOfM,
        bitsOfM, isPair ? "1 or 2 with .cta_group::2" : "1 with .cta_group::1");
    const unsigned step = isPair ? 16 : 8;
    fields.require(
        made.n > 0 && made.n <= 256 && made.n % step == 0, "N / 8", 17, 6,
        isPair ? "an even number up to 32 with .cta_group::2" : "from 1 to 32");
    return;
  }
  const DescribedProduct *product = findDescribedProduct(
      MatrixUnit::Tcgen05, made.a.element, made.b.element, made.d);
  // bf16 into f16 has no row, nor has f16 by bf16.
  if (!product)
    product = findDescribedProduct(MatrixUnit::Tcgen05, MatrixElement::F16,
                                   MatrixElement::F16, MatrixElement::F32);
  fields.require(!product->columnsFor(modifiers.ctas, made.m).empty(), "M / 16",
                 firstOfM, bitsOfM,
                 modifiers.ctas == 2 ? "8 or 16 with .cta_group::2"
                                     : "4 or 8 with .cta_group::1");
  fields.require(product->hasTile(modifiers.ctas, made.m, made.n), "N / 8", 17,
                 6,
                 "an eighth of " + product->columnsFor(modifiers.ctas, made.m));
}

Expected<ProductDescriptor>
ProductDescriptor::decode(const ProductModifiers &modifiers, uint32_t bits) {
  Fields fields(bits);
  ProductDescriptor made;
  const ProductKind kind = modifiers.kind;
  const bool isNarrow =
      kind == ProductKind::MXF4 || kind == ProductKind::MXF4NVF4;
  fields.require(fields.get(2, 1) == 0, "its sparsity", 2, 1,
                 "0: the wave simulator does not support sparse matrices");
  decodeType(fields, modifiers, "A", 7, made.a);
  decodeType(fields, modifiers, "B", 10, made.b);
  made.a.isNegated = fields.get(13, 1) != 0;
  made.b.isNegated = fields.get(14, 1) != 0;
  made.a.isTransposed = fields.get(15, 1) != 0;
  made.b.isTransposed = fields.get(16, 1) != 0;
  made.n = fields.get(17, 6) * 8;
  made.k = isNarrow                    ? 64
           : kind == ProductKind::F16  ? 16
           : kind == ProductKind::TF32 ? 8
                                       : 32;
  if (kind == ProductKind::I8)
    fields.requireZero("a negation of integers", 13, 2);
  if (isNarrow)
    fields.requireZero("a transposition of 4-bit elements", 15, 2);
  for (const ProductOperand *operand : {&made.a, &made.b})
    if (operand->isTransposed)
      fields.require(bitsOf(operand->element) >= 8, "a transposition", 15, 2,
                     "0 for elements of 4 and 6 bits");
  fields.requireZero("a reserved field", 6, 1);
  if (modifiers.isScaled()) {
    made.m = fields.get(27, 2) * 128;
    made.hasExponentScales = fields.get(23, 1) != 0;
    made.scaleOfB = fields.get(4, 2);
    made.scaleOfA = fields.get(29, 2);
    fields.requireZero("a reserved field", 0, 2);
    fields.requireZero("a reserved field", 3, 1);
    fields.requireZero("a reserved field", 24, 3);
    fields.require(made.hasExponentScales || modifiers.scalesPerRow == 4,
                   "the type of scales", 23, 1,
                   "1 for ue8m0 unless each row has 4 scales");
    fields.require(fields.get(31, 1) == 0, "the choice of K", 31, 1,
                   "0: the wave simulator does not support a K of 96");
    const char *places = modifiers.scalesPerRow == 1   ? "0 to 3"
                         : modifiers.scalesPerRow == 2 ? "0 or 2"
                                                       : "0";
    fields.require(made.scaleOfA % modifiers.scalesPerRow == 0,
                   "the id of A's scales", 29, 2, places);
    fields.require(made.scaleOfB % modifiers.scalesPerRow == 0,
                   "the id of B's scales", 4, 2, places);
  } else {
    made.m = fields.get(24, 5) * 16;
    made.saturates = fields.get(3, 1) != 0;
    decodeResult(fields, kind, made);
    fields.require(!made.saturates || kind == ProductKind::I8, "its saturation",
                   3, 1, "0 except for integers");
    fields.requireZero("a reserved field", 23, 1);
    fields.requireZero("a reserved field", 29, 1);
  }
  checkShape(fields, modifiers, made);
  if (!fields.error.empty())
    return createStringError(fields.error);
  return made;
}

} // namespace kernelscope::wave::nvidia
