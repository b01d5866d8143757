// Loads, stores and atomics through pointers.
#ifndef GLUOND_TT_MEMORYOPS_TD
#define GLUOND_TT_MEMORYOPS_TD

include "ir/tt/OpBase.td"

def TT_LoadOp : TT_Op<"load", [
    SameLoadStoreOperandsAndResultShape, SameLoadStoreOperandsAndResultEncoding, AttrSizedOperandSegments,
    PredicatedOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>, TT_ResultOfPtr, TT_MaskOfPtr<1>,
    TypesMatchWith<"other matches ptr type", "ptr", "other", "::gluond::tt::pointeeType($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()">]> {
  let summary = "Loads from a pointer or a tensor of pointers";
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
                       OptionalAttr<AnyAttr>:$cachePolicy, DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$ptr (`,` $mask^)? (`,` $other^)? `` custom<Hinted>(attr-dict) `:` type($ptr)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store", [
    SameLoadStoreOperandsShape, SameLoadStoreOperandsEncoding, PredicatedOpInterface,
    TT_ValueOfPtr, TT_MaskOfPtr<2>]> {
  let summary = "Stores through a pointer or a tensor of pointers";
  let arguments = (ins Arg<TT_PtrLike, "", GlobalWrite>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
                       OptionalAttr<AnyAttr>:$cachePolicy, UnitAttr:$ignore_cta);
  let assemblyFormat = "$ptr `,` $value (`,` $mask^)? `` custom<Hinted>(attr-dict) `:` type($ptr)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait", [MemoryEffects<GlobalReadWrite>]> {
  let summary = "Waits for the grids this one depends on";
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyLaunchDependentsOp
    : TT_Op<"grid_dependency_launch_dependents", [MemoryEffects<GlobalWrite>]> {
  let summary = "Lets the grids that depend on this one begin";
  let assemblyFormat = "attr-dict";
}

// A polling load synchronizes even when its value is not used, so it counts as a write too.
def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    AtomicOpInterface, SameLoadStoreOperandsAndResultShape, SameLoadStoreOperandsAndResultEncoding,
    PredicatedOpInterface, TT_ResultOfPtr, TT_MaskOfPtr<1>]> {
  let summary = "Atomic load";
  let arguments = (ins Arg<TT_PtrLike, "", GlobalReadWrite>:$ptr, Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    AtomicOpInterface, SameLoadStoreOperandsShape, SameLoadStoreOperandsEncoding,
    PredicatedOpInterface, TT_ValueOfPtr, TT_MaskOfPtr<2>]> {
  let summary = "Atomic store";
  let arguments = (ins Arg<TT_PtrLike, "", GlobalWrite>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
                       TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    SameOperandsAndResultEncoding, TT_PtrOf_<"expected", "expected">,
    TypesMatchWith<"result type matches expected shape", "expected", "result", "::gluond::tt::i1SameShape($_self)">]> {
  let summary = "Loads until the value is the expected one, or time is out";
  let arguments = (ins Arg<TT_PtrLike, "", GlobalReadWrite>:$ptr, TT_IntLike:$expected, Optional<I64>:$timeout,
                       TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:` qualified(type($ptr)) `,`
    type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    AtomicOpInterface, SameOperandsAndResultShape, SameOperandsAndResultEncoding,
    PredicatedOpInterface, TT_PtrOf_<"value", "val">,
    TypesMatchWith<"mask type matches value type", "val", "mask", "::gluond::tt::i1SameShape($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()">]> {
  let summary = "Atomic read-modify-write; gives the old value";
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, Arg<TT_PtrLike, "", GlobalReadWrite>:$ptr, TT_Type:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    AtomicOpInterface, SameOperandsAndResultShape, SameOperandsAndResultEncoding, TT_PtrOf_<"cmp", "cmp">,
    TT_PtrOf_<"value", "val">]> {
  let summary = "Atomic compare-and-swap; gives the old value";
  let arguments = (ins Arg<TT_PtrLike, "", GlobalReadWrite>:$ptr, TT_Type:$cmp, TT_Type:$val, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

#endif
