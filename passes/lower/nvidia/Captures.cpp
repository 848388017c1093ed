//===- Captures.cpp - What partitions are passed --------------------------===//

#include "passes/lower/nvidia/Captures.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Partitions.h"

using namespace mlir;

namespace kernelscope::lower {

void storeCaptures(Builder &b, ttg::WarpSpecializeOp op, Value isFirst,
                   const TypeConverter &converter, const TargetHooks &hooks) {
  Value base = sharedMemoryOf(b, op);
  unsigned offset = 0;
  for (Value capture : op.getExplicitCaptures()) {
    if (!isPassedInMemory(capture))
      continue;
    Value converted = UnrealizedConversionCastOp::create(
                          b.getBuilder(), op.getLoc(),
                          converter.convertType(capture.getType()), capture)
                          .getResult(0);
    for (Value field : toMemory(b, unpackElements(b, converted))) {
      hooks.storeShared(
          b, b.gep(b.intType(8), base, b.i32(static_cast<int32_t>(offset))),
          {field}, isFirst);
      offset += captureFieldBytes;
    }
  }
}

SmallVector<Value> loadCaptures(Builder &b, ttg::WarpSpecializeOp op,
                                const TypeConverter &converter,
                                const TargetHooks &hooks) {
  Value base = sharedMemoryOf(b, op);
  unsigned offset = 0;
  SmallVector<Value> captures;
  for (Value capture : op.getExplicitCaptures()) {
    if (!isPassedInMemory(capture)) {
      Operation *known = capture.getDefiningOp();
      captures.push_back(known ? b.getBuilder().clone(*known)->getResult(0)
                               : capture);
      continue;
    }
    Type converted = converter.convertType(capture.getType());
    SmallVector<Value> fields;
    for (Type type : fieldTypes(converted)) {
      Value pointer =
          b.gep(b.intType(8), base, b.i32(static_cast<int32_t>(offset)));
      fields.push_back(fromMemory(
          b, type,
          hooks.loadShared(b, pointer, memoryType(b, type), 1).front()));
      offset += captureFieldBytes;
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
