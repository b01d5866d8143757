// Barriers and warp specialization: control flow, text, checks, canonicalization.
#include "chips/Occupancy.h"
#include "ir/ttg/Ops.h"

#include <llvm/ADT/BitVector.h>
#include <mlir/IR/PatternMatch.h>

#include <numeric>

using namespace mlir;

namespace gluond::ttg {

// ---------------------------------------------------------------- regions

WarpSpecializePartitionsOp WarpSpecializeOp::getPartitionOp() {
  return cast<WarpSpecializePartitionsOp>(getPartitionOpHolder().front().front());
}
RegionRange WarpSpecializeOp::getPartitionRegions() {
  return getPartitionOp().getPartitionRegions();
}
unsigned WarpSpecializeOp::getTotalPartitionWarps() {
  auto warps = getPartitionNumWarps();
  return static_cast<unsigned>(std::accumulate(warps.begin(), warps.end(), 0));
}

void WarpSpecializeOp::getSuccessorRegions(RegionBranchPoint point,
                                           SmallVectorImpl<RegionSuccessor>& successors) {
  if (point.isParent()) {
    successors.emplace_back(&getDefaultRegion());
    successors.emplace_back(&getPartitionOpHolder());
  } else if (point.getTerminatorPredecessorOrNull()->getParentRegion() == &getDefaultRegion()) {
    successors.emplace_back(getOperation(), getResults());
  }
}

// Captures enter every partition; nothing leaves them.
void WarpSpecializePartitionsOp::getSuccessorRegions(RegionBranchPoint point,
                                                     SmallVectorImpl<RegionSuccessor>& successors) {
  if (point.isParent())
    for (Region& region : getPartitionRegions())
      successors.emplace_back(&region, region.getArguments());
}
OperandRange WarpSpecializePartitionsOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getExplicitCaptures();
}

// ---------------------------------------------------------------- building and text

void WarpSpecializeOp::build(OpBuilder& builder, OperationState& state, TypeRange resultTypes,
                             ArrayRef<int32_t> partitionNumWarps) {
  build(builder, state, resultTypes, builder.getDenseI32ArrayAttr(partitionNumWarps),
        DenseI32ArrayAttr(), DenseI32ArrayAttr(), DenseI32ArrayAttr());
}

void WarpSpecializeOp::build(OpBuilder& builder, OperationState& state, TypeRange resultTypes,
                             ArrayRef<int32_t> partitionNumWarps, unsigned numPartitionRegions) {
  build(builder, state, resultTypes, partitionNumWarps);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.regions.back().get());
  WarpSpecializePartitionsOp::create(builder, state.location, /*explicitCaptures=*/ValueRange(),
                                     numPartitionRegions);
}

ParseResult WarpSpecializeOp::parse(OpAsmParser& parser, OperationState& result) {
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  SMLoc captureLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(captures, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*result.addRegion()))
    return failure();

  OperationState partitions(parser.getEncodedSourceLoc(parser.getCurrentLocation()),
                            WarpSpecializePartitionsOp::getOperationName());
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(("partition" + Twine(numWarps.size())).str()))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*partitions.addRegion(), arguments))
      return failure();
  }
  FunctionType types;
  if (parser.parseColonType(types) ||
      parser.resolveOperands(captures, types.getInputs(), captureLoc, partitions.operands))
    return failure();
  result.addTypes(types.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  Block& holder = result.addRegion()->emplaceBlock();
  holder.push_back(Operation::create(partitions));
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter& printer) {
  WarpSpecializePartitionsOp partitions = getPartitionOp();
  printer << '(';
  printer.printOperands(partitions.getExplicitCaptures());
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [i, region] : llvm::enumerate(partitions.getPartitionRegions())) {
    printer.printNewline();
    printer << "partition" << i << '(';
    llvm::interleaveComma(region.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << (i < getPartitionNumWarps().size() ? getPartitionNumWarps()[i] : 0)
            << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(partitions.getExplicitCaptures().getTypes(), getResultTypes());
}

void BarrierOp::print(OpAsmPrinter& printer) {
  printer << ' ' << (getAddrSpace() == AddrSpace::All ? "all" : stringifyAddrSpace(getAddrSpace()));
}

ParseResult BarrierOp::parse(OpAsmParser& parser, OperationState& result) {
  auto spaces = AddrSpace::None;
  do {
    std::string keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&keyword)) return failure();
    auto space = symbolizeAddrSpace(keyword);
    if (!space) return parser.emitError(loc) << "unknown addrSpace '" << keyword << "'";
    spaces = spaces | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  result.addAttribute(getAddrSpaceAttrName(result.name),
                      AddrSpaceAttr::get(parser.getContext(), spaces));
  return success();
}

// ---------------------------------------------------------------- checks

LogicalResult WarpSpecializeOp::verify() {
  Region& holder = getPartitionOpHolder();
  if (holder.front().empty() || !isa<WarpSpecializePartitionsOp>(holder.front().front()))
    return emitOpError(
        "expected to find only a `ttg.warp_specialize.partitions` op inside its second region");
  auto numWarps = getPartitionNumWarps();
  if (getPartitionRegions().size() != numWarps.size())
    return emitOpError("has ") << getPartitionRegions().size()
                               << " partitions but `partitionNumWarps` has " << numWarps.size()
                               << " elements";
  for (auto [i, warps] : llvm::enumerate(numWarps))
    if (warps <= 0 || !llvm::isPowerOf2_32(static_cast<uint32_t>(warps)))
      return emitOpError("partition #")
             << i << " number of warps (" << warps << ") must be a power of 2";
  if (auto starts = getWarpGroupStartIds(); starts && starts->size() != numWarps.size())
    return emitOpError("has ") << starts->size() << " warp group start IDs but expected "
                               << numWarps.size();
  if ((*this)->getParentOfType<WarpSpecializeOp>())
    return emitOpError("cannot be nested inside another `ttg.warp_specialize` op");
  if (auto warps = lookupNumWarps(*this); warps && *warps % chips::warpsOfGroup != 0)
    return mlir::emitError(getLoc())
           << "warp-specialized kernels requires num_warps to be a multiple of 4";
  return success();
}

LogicalResult WarpSpecializePartitionsOp::verify() {
  for (auto [i, region] : llvm::enumerate(getPartitionRegions())) {
    if (region.getNumArguments() != getNumOperands())
      return emitOpError("partition region #") << i << " has " << region.getNumArguments()
                                               << " arguments but expected " << getNumOperands();
    for (auto [j, argument, capture] :
         llvm::enumerate(region.getArgumentTypes(), getOperandTypes()))
      if (argument != capture)
        return emitOpError("partition region #")
               << i << " argument #" << j << " has type " << argument
               << " but corresponding capture has type " << capture;
  }
  return success();
}

LogicalResult WarpYieldOp::verify() {
  Operation* parent = (*this)->getParentOp();
  if (getNumOperands() != parent->getNumResults())
    return emitOpError("has ") << getNumOperands() << " operands but parent op expected "
                               << parent->getNumResults();
  for (auto [i, expected, given] : llvm::enumerate(parent->getResultTypes(), getOperandTypes()))
    if (expected != given)
      return emitOpError("operand #")
             << i << " has type " << given << " but parent op expected " << expected;
  return success();
}

// ---------------------------------------------------------------- canonicalization

LogicalResult WarpSpecializeOp::canonicalize(WarpSpecializeOp op, PatternRewriter& rewriter) {
  // Removes unused results.
  llvm::BitVector unused(op.getNumResults());
  for (OpResult result : op.getResults())
    if (result.use_empty()) unused.set(result.getResultNumber());
  if (unused.none()) return failure();
  for (Block& block : op.getDefaultRegion())
    if (auto yield = dyn_cast<WarpYieldOp>(block.getTerminator()))
      rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(unused); });
  SmallVector<Type> types;
  SmallVector<Value> used;
  for (OpResult result : op.getResults())
    if (!unused.test(result.getResultNumber())) {
      types.push_back(result.getType());
      used.push_back(result);
    }
  OperationState state(op.getLoc(), op->getName(), /*operands=*/{}, types, op->getAttrs());
  state.addRegion()->takeBody(op.getDefaultRegion());
  state.addRegion()->takeBody(op.getPartitionOpHolder());
  Operation* replacement = rewriter.create(state);
  for (auto [before, after] : llvm::zip_equal(used, replacement->getResults()))
    rewriter.replaceAllUsesWith(before, after);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult WarpSpecializePartitionsOp::canonicalize(WarpSpecializePartitionsOp op,
                                                       PatternRewriter& rewriter) {
  // Captures that no partition uses go, and so do second captures of a value.
  llvm::BitVector removed(op.getNumOperands());
  DenseMap<Value, unsigned> first;
  for (OpOperand& capture : op->getOpOperands()) {
    unsigned index = capture.getOperandNumber();
    if (llvm::all_of(op.getPartitionRegions(),
                     [&](Region& region) { return region.getArgument(index).use_empty(); })) {
      removed.set(index);
      continue;
    }
    auto [known, inserted] = first.try_emplace(capture.get(), index);
    if (inserted) continue;
    rewriter.modifyOpInPlace(op, [&] {
      for (Region& region : op.getPartitionRegions())
        rewriter.replaceAllUsesWith(region.getArgument(index), region.getArgument(known->second));
    });
    removed.set(index);
  }
  if (removed.none()) return failure();
  rewriter.modifyOpInPlace(op, [&] {
    for (Region& region : op.getPartitionRegions())
      region.front().eraseArguments(removed);
    op->eraseOperands(removed);
  });
  return success();
}

} // namespace gluond::ttg
