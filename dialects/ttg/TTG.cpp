//===- TTG.cpp - The Triton GPU dialect -----------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttg/InferLayout.h"
#include "dialects/ttg/LayoutCache.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

#include "dialects/ttg/TTGAttrInterfaces.cpp.inc"
#include "dialects/ttg/TTGDialect.cpp.inc"
#include "dialects/ttg/TTGEnums.cpp.inc"
#include "dialects/ttg/TTGOpInterfaces.cpp.inc"

namespace {
/// The names that layouts get at the top of a file: `#blocked`, `#shared1`, ...
struct Aliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    StringRef name =
        TypeSwitch<Attribute, StringRef>(attribute)
            .Case([](MmaEncodingTrait) { return "mma"; })
            .Case([](SharedEncodingTrait) { return "shared"; })
            .Case([](BlockedEncodingAttr) { return "blocked"; })
            .Case([](LinearEncodingAttr) { return "linear"; })
            .Case([](GenericLinearEncodingAttr) { return "generic_linear"; })
            .Case([](SharedMemorySpaceAttr) { return "smem"; })
            .Default(StringRef());
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/ttg/TTGOps.cpp.inc"
      >();
  addInterfaces<Aliases, InferLayout, LayoutCache>();
}

LogicalResult TTGDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  return verifyLaunchAttribute(op, attribute);
}

Attribute ttg::getEncoding(Type type) {
  if (auto memory = dyn_cast<MemDescType>(type))
    return memory.getEncoding();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getEncoding();
  return {};
}
