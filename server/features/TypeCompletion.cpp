//===- TypeCompletion.cpp - builtin types and what is in them -------------===//

#include "server/features/TypeCompletion.h"

#include "server/features/ScopeValues.h"
#include "server/features/ValueCompletion.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

using namespace kernelscope;
using llvm::StringRef;

static bool takesAnything(StringRef constraint) {
  return constraint.empty() || constraint.contains("any ");
}

static void addScalars(std::vector<CompletionItem> &items,
                       const CompletionPlace &place, StringRef constraint) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (StringRef name : {"i1", "i8", "i16", "i32", "i64", "index", "f16",
                         "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"})
    if (name.starts_with(place.prefix) &&
        fitsConstraint(mlir::parseType(name, &context), constraint))
      items.push_back(
          {name.str(), CompletionKind::Type, "", "", "", false, ""});
}

std::vector<CompletionItem>
kernelscope::builtinTypesAt(const CompletionPlace &place,
                            StringRef constraint) {
  std::vector<CompletionItem> items;
  addScalars(items, place, constraint);
  for (StringRef type : {"tensor", "vector"})
    if (type.starts_with(place.prefix) &&
        (takesAnything(constraint) || constraint.contains(type) ||
         constraint.contains("-like")))
      items.push_back({type.str(), CompletionKind::Type, "", "",
                       (type + "<$1>").str(), true, ""});
  return items;
}

std::vector<CompletionItem>
kernelscope::dialectTypesAt(const CompletionPlace &place,
                            StringRef constraint) {
  std::vector<CompletionItem> items;
  StringRef typed = place.prefix;
  typed.consume_front("!");
  const std::string named = withoutTensors(constraint);
  for (const Doc &doc : getDocs()) {
    bool fits = takesAnything(constraint) ||
                StringRef(named).contains(doc.summary) ||
                (constraint.contains("tensor descriptor") &&
                 StringRef(doc.name).contains("tensordesc"));
    if (doc.kind == DocKind::Type && fits &&
        StringRef(doc.name).starts_with(typed))
      items.push_back(
          {"!" + doc.name.str(), CompletionKind::Type, doc.summary.str(),
           doc.description.str(),
           "!" + doc.name.str() + (doc.signature.empty() ? "" : "<$1>"), true,
           ""});
  }
  return items;
}

std::vector<CompletionItem>
kernelscope::contentsAt(const CompletionPlace &place, const TypeSlot &slot) {
  std::vector<CompletionItem> items;
  for (const CompletionItem &type : typesInUse(place, slot.owner)) {
    StringRef inside = StringRef(type.label).split('<').second;
    if (inside.consume_back(">") &&
        inside.starts_with((slot.typed + place.prefix).str()))
      items.push_back({inside.drop_front(slot.typed.size()).str(),
                       CompletionKind::Type, type.detail, "", "", false, ""});
  }
  addScalars(items, place, "");
  if (slot.isTensor() && place.prefix.empty())
    items.push_back({"!tt.ptr", CompletionKind::Type, "pointer to a scalar", "",
                     "!tt.ptr<$1>", true, ""});
  return items;
}
