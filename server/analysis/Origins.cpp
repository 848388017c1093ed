//===- Origins.cpp - what the text says of where ops come from ------------===//

#include "server/analysis/Origins.h"

#include "server/analysis/ParseMessages.h"
#include "server/analysis/StateCopy.h"

using namespace kernelscope;
using mlir::FileLineColLoc;
using mlir::Location;

void kernelscope::relocate(Fragment &fragment) {
  mlir::MLIRContext *context = fragment.top->getContext();
  auto file = mlir::StringAttr::get(context, bufferName);
  for (const auto &definition : fragment.state.getOpDefs()) {
    Location location = definition.op->getLoc();
    auto place = llvm::dyn_cast<FileLineColLoc>(location);
    if (place && place.getFilename() == file)
      continue;
    fragment.origins.try_emplace(definition.op, location);
    definition.op->setLoc(locationAt(fragment, definition.loc.Start));
  }
}

std::optional<Location> Origins::of(mlir::Operation *op, size_t name) {
  if (auto read = fragment.origins.find(op); read != fragment.origins.end())
    return read->second;
  SyntaxId id = syntax.statementAt(name);
  if (id == noSyntax || syntax.statement(id).name.begin != name ||
      !fragment.state.getOpDef(op))
    return std::nullopt;
  const Token *alias = syntax.locationOf(syntax.statement(id));
  if (!alias)
    return std::nullopt;
  if (mlir::LocationAttr location = plain.of(*alias, *op->getContext()))
    return location;
  if (aliases.empty())
    for (const auto &definition : fragment.state.getAttributeAliasDefs())
      if (auto value =
              llvm::dyn_cast_if_present<mlir::LocationAttr>(definition.value))
        aliases[definition.name] = value;
  mlir::LocationAttr location =
      aliases.lookup(syntax.text(*alias).drop_front());
  return location ? std::optional<Location>(location) : std::nullopt;
}
