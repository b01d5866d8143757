// Warps: barriers, warp specialization.
#ifndef GLUOND_TTG_WARPOPS_TD
#define GLUOND_TTG_WARPOPS_TD

include "ir/ttg/OpBase.td"

// The default region runs on the warps already there and captures freely; each partition region runs on warps of its own
// and sees only the captures. Since MLIR isolates whole ops, the partitions hang under an op of their own.
def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize", [
    RecursiveMemoryEffects, RecursivelySpeculatable, AsyncRegions,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Different code on different groups of warps at the same time";
  let arguments = (ins DenseI32ArrayAttr:$partitionNumWarps, OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
                       OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
                       OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region MinSizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::llvm::ArrayRef<int32_t>":$partitionNumWarps)>,
    // Makes the partitions' op with that many empty regions as well.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::llvm::ArrayRef<int32_t>":$partitionNumWarps,
                   "unsigned":$numPartitionRegions)>
  ];
  let extraClassDeclaration = [{
    WarpSpecializePartitionsOp getPartitionOp();
    ::mlir::RegionRange getPartitionRegions();
    unsigned getTotalPartitionWarps();
  }];
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

def TTG_WarpSpecializePartitionsOp : TTG_Op<"warp_specialize.partitions", [
    IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable, Terminator, HasParent<"WarpSpecializeOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "Holds the partitions of a warp_specialize";
  let arguments = (ins Variadic<AnyType>:$explicitCaptures);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TTG_WarpYieldOp : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">,
                                            DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>]> {
  let summary = "Ends a default region; its operands are the results of the warp_specialize";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike,
                                              HasParent<"WarpSpecializePartitionsOp">]> {
  let summary = "Ends a partition";
  let assemblyFormat = "attr-dict";
}

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "All threads of the CTA meet, and see each other's accesses to the given memories";
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool hasAddrSpace(AddrSpace space) { return bitEnumContainsAll(getAddrSpace(), space); }
  }];
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "The number of this warp";
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

#endif
