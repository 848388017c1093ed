//===- WarpSpecialize.cpp - Different code on different warps -------------===//

#include "dialects/ttg/TTG.h"

#include "dialects/layout/Counted.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

WarpSpecializePartitionsOp WarpSpecializeOp::getPartitionOp() {
  Region &holder = getPartitionOpHolder();
  if (holder.empty() || holder.front().empty())
    return {};
  return dyn_cast<WarpSpecializePartitionsOp>(holder.front().front());
}

RegionRange WarpSpecializeOp::getPartitionRegions() {
  if (auto partitions = getPartitionOp())
    return partitions.getPartitionRegions();
  return MutableArrayRef<Region>();
}

OperandRange WarpSpecializeOp::getExplicitCaptures() {
  if (auto partitions = getPartitionOp())
    return partitions.getExplicitCaptures();
  return getOperation()->getOperands();
}

unsigned WarpSpecializeOp::getTotalPartitionWarps() {
  unsigned warps = 0;
  for (int32_t numWarps : getPartitionNumWarps())
    warps += numWarps;
  return warps;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void WarpSpecializeOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent()) {
    successors.emplace_back(&getDefaultRegion());
    successors.emplace_back(&getPartitionOpHolder());
    return;
  }
  // Only the default region returns results; partitions end where they are.
  if (point.getTerminatorPredecessorOrNull()->getParentRegion() ==
      &getDefaultRegion())
    successors.emplace_back(getOperation(), getResults());
}

void WarpSpecializePartitionsOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    for (Region &region : getPartitionRegions())
      successors.emplace_back(&region, region.getArguments());
}

OperandRange
WarpSpecializePartitionsOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getExplicitCaptures();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(captures, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*result.addRegion()))
    return failure();

  OperationState partitions(
      parser.getEncodedSourceLoc(parser.getCurrentLocation()),
      WarpSpecializePartitionsOp::getOperationName());
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(
      ("partition" + Twine(numWarps.size())).str()))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                                 /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*partitions.addRegion(), arguments))
      return failure();
  }

  FunctionType type;
  if (parser.parseColonType(type) ||
      parser.resolveOperands(captures, type.getInputs(), loc,
                             partitions.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));

  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToStart(&result.addRegion()->emplaceBlock());
  builder.create(partitions);
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  OperandRange captures = getExplicitCaptures();
  printer << '(' << captures << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [i, region, numWarps] :
       llvm::enumerate(getPartitionRegions(), getPartitionNumWarps())) {
    printer.printNewline();
    printer << "partition" << i << '(';
    llvm::interleaveComma(
        region->getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << numWarps << ") ";
    printer.printRegion(*region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(captures.getTypes(), getResultTypes());
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LogicalResult WarpSpecializeOp::verify() {
  ArrayRef<int32_t> numWarps = getPartitionNumWarps();
  for (auto [i, warps] : llvm::enumerate(numWarps))
    if (warps <= 0 || !llvm::isPowerOf2_32(warps) || warps > 64)
      return emitOpError() << "has partition " << i << " with num_warps("
                           << warps
                           << "); it must be a power of two of at most 64";
  if (auto startIds = getWarpGroupStartIds();
      startIds && startIds->size() != numWarps.size())
    return emitOpError() << "has " << startIds->size()
                         << " warpGroupStartIds; it needs " << numWarps.size()
                         << ", one per partition";
  if ((*this)->getParentOfType<WarpSpecializeOp>())
    return emitOpError() << "is inside another ttg.warp_specialize";
  std::optional<int> outside = lookupNumWarps(getOperation());
  if (outside && *outside % 4 != 0)
    return emitOpError() << "runs on " << counted(*outside, "warp")
                         << "; warp specialisation needs a multiple of 4";
  return success();
}

LogicalResult WarpSpecializeOp::verifyRegions() {
  auto partitions = getPartitionOp();
  if (!partitions || !llvm::hasSingleElement(getPartitionOpHolder().front()))
    return emitOpError()
           << "must hold one ttg.warp_specialize.partitions in its "
              "second region";
  size_t regions = partitions.getPartitionRegions().size();
  if (regions != getPartitionNumWarps().size())
    return emitOpError()
           << "must have one value in 'partitionNumWarps' per partition ("
           << regions << "), but it has " << getPartitionNumWarps().size();
  return success();
}

LogicalResult WarpSpecializePartitionsOp::verify() {
  for (auto [i, region] : llvm::enumerate(getPartitionRegions())) {
    if (region.getNumArguments() != getNumOperands())
      return emitOpError() << "has partition " << i << " with "
                           << region.getNumArguments()
                           << " arguments; it is passed " << getNumOperands();
    for (auto [j, argument, passed] :
         llvm::enumerate(region.getArgumentTypes(), getOperandTypes()))
      if (argument != passed)
        return emitOpError()
               << "has partition " << i << " with argument " << j << " of type "
               << argument << "; it is passed " << passed;
  }
  return success();
}

LogicalResult WarpYieldOp::verify() {
  TypeRange given = getValues().getTypes();
  TypeRange needed = (*this)->getParentOp()->getResultTypes();
  if (given != needed)
    return emitOpError() << "yields (" << given
                         << "); the ttg.warp_specialize around it returns ("
                         << needed << ")";
  return success();
}
