//===- Arithmetic.h - What instructions compute ----------------*- C++ -*-===//
//
// Operations on registers by name and type. The names are those of PTX where
// both vendors have the operation; Ptx.cpp and Amdgcn.cpp map opcodes to them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_ASSEMBLY_ARITHMETIC_H
#define KERNELSCOPE_EXECUTOR_ASSEMBLY_ARITHMETIC_H

#include "executor/assembly/Text.h"
#include "executor/plan/SmallFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace kernelscope::executor::assembly {

/// How an instruction reads a register, in its low bits.
struct Type {
  enum Kind : uint8_t {
    Bits,
    Unsigned,
    Signed,
    E2M1,
    E2M3,
    E3M2,
    E4M3,
    E5M2,
    E8M0, ///< a scale: a power of two, no sign
    F16,
    BF16,
    TF32,
    F32,
    F64
  } kind = Bits;
  unsigned bits = 32; ///< of one lane
  unsigned lanes = 1;

  bool isFloat() const { return kind >= E2M1; }
  unsigned width() const { return bits * lanes; }
};

/// The type that an opcode names, "s32", "f16x2", "b64"; none when it is not
/// one.
std::optional<Type> typeOf(llvm::StringRef name);

/// The low `bits` bits of `value`; and with the sign of the highest of them.
uint64_t truncate(uint64_t value, unsigned bits);
int64_t signExtend(uint64_t value, unsigned bits);

/// A float in the low bits of `value`, and a number as a float of `type`. To
/// E8M0, F32 and F64 it rounds as <cfenv> says.
double decode(Type type, uint64_t value);
uint64_t encode(Type type, double number,
                Rounding rounding = Rounding::NearestEven,
                bool saturate = false);

/// Reads the values of the sources, writes those of the results.
using Compute = std::function<void(const uint64_t *from, uint64_t *to)>;

/// How floats are rounded on the way.
struct FloatMode {
  bool flush = false;    ///< subnormal inputs and results of f32 are zero
  bool saturate = false; ///< results are clamped to 0 to 1
  bool relu = false;     ///< negative results are zero
  int direction = 0;     ///< of f32 and f64: FE_TONEAREST, FE_UPWARD, ...
};

/// While it lives, C++ rounds in a direction of <cfenv>.
class RoundIn {
public:
  explicit RoundIn(int direction);
  ~RoundIn();
  RoundIn(const RoundIn &) = delete;

private:
  int before;
};

/// What an instruction does: `sources` values make `results`. The types are for
/// constants among the operands.
struct Meaning {
  Compute compute;
  Type type;
  unsigned sources = 0, results = 1;
  /// PTX's carry is one more source or result, which the text does not have.
  bool readsCarry = false, writesCarry = false;
  /// The result's old value is one more source.
  bool readsResult = false;
};

/// The operation `name` on `type`, lane by lane; none when there is none.
std::optional<Meaning> findOperation(llvm::StringRef name, Type type,
                                     FloatMode mode = {});

/// A comparison of two values of `type`: eq, ne, lt, le, gt, ge, with a u at
/// the end if it holds for unordered floats; num and nan. None for others.
std::optional<std::function<bool(uint64_t, uint64_t)>>
findComparison(llvm::StringRef name, Type type);

/// What a PTX instruction does that selects among values, or compares them.
std::optional<Meaning> meaningOfPtxSelection(const Instruction &instruction);

/// What an AMDGCN instruction does, without the suffix of its encoding, that
/// reads or writes the bits of the lanes.
std::optional<Meaning> meaningOfLaneBits(llvm::StringRef opcode,
                                         const Instruction &instruction);

/// The meaning of an instruction of either language; none when it is in no
/// table.
std::optional<Meaning> meaningOfPtx(const Instruction &instruction);
std::optional<Meaning> meaningOfAmdgcn(const Instruction &instruction);

} // namespace kernelscope::executor::assembly

#endif // KERNELSCOPE_EXECUTOR_ASSEMBLY_ARITHMETIC_H
