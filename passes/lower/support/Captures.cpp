//===- Captures.cpp - What partitions are passed --------------------------===//

#include "passes/lower/support/Captures.h"
#include "mlir/IR/IRMapping.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Partitions.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {
/// Where the fields of captures are, in their order.
class FieldPlaces {
public:
  FieldPlaces(Builder &b, ttg::WarpSpecializeOp op)
      : base(sharedMemoryOf(b, op)), narrow(captureBytes(op, 8)) {}

  Value next(Builder &b, Type type) {
    const unsigned bytes = captureFieldBytes(bitWidth(type));
    unsigned &end = bytes == 8 ? wide : narrow;
    end += bytes;
    return b.gep(b.intType(8), base, b.i32(static_cast<int32_t>(end - bytes)));
  }

private:
  Value base;
  unsigned wide = 0, narrow;
};
} // namespace

void storeCaptures(Builder &b, ttg::WarpSpecializeOp op, Value isFirst,
                   const TypeConverter &converter, const TargetHooks &hooks) {
  FieldPlaces places(b, op);
  for (Value capture : op.getExplicitCaptures()) {
    if (!isPassedInMemory(capture))
      continue;
    Value converted = UnrealizedConversionCastOp::create(
                          b.getBuilder(), op.getLoc(),
                          converter.convertType(capture.getType()), capture)
                          .getResult(0);
    for (Value field : toMemory(b, unpackElements(b, converted)))
      hooks.storeShared(b, places.next(b, field.getType()), {field}, isFirst);
  }
}

SmallVector<Value> loadCaptures(Builder &b, ttg::WarpSpecializeOp op,
                                const TypeConverter &converter,
                                const TargetHooks &hooks) {
  FieldPlaces places(b, op);
  SmallVector<Value> captures;
  IRMapping repeated;
  for (Value capture : op.getExplicitCaptures()) {
    if (auto ops = repeatedOps(capture)) {
      for (Operation *known : *ops)
        if (!repeated.contains(known))
          b.getBuilder().clone(*known, repeated);
      captures.push_back(repeated.lookupOrDefault(capture));
      continue;
    }
    Type converted = converter.convertType(capture.getType());
    SmallVector<Value> fields;
    for (Type type : fieldTypes(converted)) {
      Type stored = memoryType(b, type);
      fields.push_back(fromMemory(
          b, type,
          hooks.loadShared(b, places.next(b, stored), stored, 1).front()));
    }
    Value packed = packElements(b, converter, fields, capture.getType());
    captures.push_back(
        UnrealizedConversionCastOp::create(b.getBuilder(), op.getLoc(),
                                           capture.getType(), packed)
            .getResult(0));
  }
  return captures;
}

} // namespace kernelscope::lower
