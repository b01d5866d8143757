// Accesses to global memory through a scalar base pointer and a tensor of 32-bit offsets, and masked accesses.
#ifndef GLUOND_AMDG_BUFFEROPS_TD
#define GLUOND_AMDG_BUFFEROPS_TD

include "ir/amdg/OpBase.td"

// Any dialect's; the type makes it readable before a colon.
def CachePolicy : Attr<CPred<"true">, "cache policy"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let valueType = NoneType;
  let convertFromStorage = "$_self";
  let constBuilderCall = "$0";
}

def AMDG_BufferLoadOp : AMDG_Op<"buffer_load", [
    SameLoadStoreOperandsAndResultEncoding, AttrSizedOperandSegments, PredicatedOpInterface, PointsTo<"result">,
    OffsetsOf<"result">, MaskOf<"result">,
    OptionalTypesMatchWith<"result and other have the same type", "result", "other", "$_self">]> {
  let summary = "Loads elements at offsets from a pointer";
  let arguments = (ins Arg<TT_Ptr, "", GlobalRead>:$ptr, I32Tensor:$offsets, Optional<I32>:$stride,
                       OptionalAttr<CachePolicy>:$cachePolicy, Optional<TT_BoolTensor>:$mask, Optional<TT_Tensor>:$other,
                       DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $ptr `[` $offsets `]` (`,` $mask^)? (`,` $other^)? (`stride` `=` $stride^)? `` custom<Hinted>(attr-dict) `:`
    custom<AccessTypes>(type($ptr), type($result))
  }];
}

def AMDG_BufferLoadToLocalOp : AMDG_Op<"buffer_load_to_local", [
    AttrSizedOperandSegments, PredicatedOpInterface,
    TypesMatchWith<"dest element type matches pointee type of ptr", "dest", "ptr",
                   "::gluond::amdg::pointerToElement($_self)">,
    OptionalTypesMatchWith<"infer mask shape from offsets", "offsets", "mask", "::gluond::tt::i1SameShape($_self)">,
    OptionalTypesMatchWith<"other matches shape and layout of offsets and the element type matches the pointee type "
                           "of ptr", "offsets", "other",
                           "::mlir::cast<::mlir::TensorType>($_self).clone(::gluond::tt::pointeeType($ptr.getType()))">
  ]> {
  let summary = "Starts a copy of elements at offsets from a pointer to shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$dest, Arg<TT_Ptr, "", GlobalRead>:$ptr,
                       I32Tensor:$offsets, Optional<TT_BoolTensor>:$mask, Optional<TT_Tensor>:$other,
                       Optional<I32>:$stride, OptionalAttr<CachePolicy>:$cachePolicy,
                       DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $ptr `[` $offsets `]` (`mask` `=` $mask^)? (`other` `=` $other^)? (`stride` `=` $stride^)?
    (`cachePolicy` `=` $cachePolicy^)? `into` $dest
    attr-dict `:` custom<PointerType>(type($ptr)) `[` type($offsets) `]` type($other) `->` type($dest)
  }];
  let hasVerifier = 1;
}

def AMDG_BufferAtomicRMWOp : AMDG_Op<"buffer_atomic_rmw", [
    AttrSizedOperandSegments, SameLoadStoreOperandsAndResultEncoding, PredicatedOpInterface,
    TypesMatchWith<"result element type matches the value type", "result", "value", "$_self">, PointsTo<"result">,
    OffsetsOf<"result">, MaskOf<"result">, PointsTo<"value">, OffsetsOf<"value">, MaskOf<"value">]> {
  let summary = "Combines values atomically with elements at offsets from a pointer";
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, Arg<TT_Ptr, "", GlobalReadWrite>:$ptr, I32Tensor:$offsets,
                       TT_Tensor:$value, Optional<I32>:$stride, TT_MemSemantic:$sem, TT_MemSyncScope:$scope,
                       Optional<TT_BoolTensor>:$mask);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $value `,` $ptr `[` $offsets `]` (`,` $mask^)? (`stride` `=` $stride^)?
    attr-dict `:` custom<AccessTypes>(type($ptr), type($result))
  }];
}

def AMDG_BufferAtomicCASOp : AMDG_Op<"buffer_atomic_cas", [
    SameLoadStoreOperandsAndResultEncoding,
    TypesMatchWith<"result element type matches the val type", "result", "val", "$_self">,
    TypesMatchWith<"result element type matches the cmp type", "result", "cmp", "$_self">, PointsTo<"result">,
    OffsetsOf<"result">, OffsetsOf<"val">,
    TypesMatchWith<"val and cmp have the same shape", "val", "cmp", "$_self">]> {
  let summary = "Exchanges elements at offsets from a pointer where they equal what is expected";
  let arguments = (ins Arg<TT_Ptr, "", GlobalReadWrite>:$ptr, I32Tensor:$offsets, TT_Tensor:$cmp, TT_Tensor:$val,
                       Optional<I32>:$stride, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $cmp `,` $val `,` $ptr `[` $offsets `]` (`stride` `=` $stride^)? attr-dict `:`
    custom<AccessTypes>(type($ptr), type($result))
  }];
}

def AMDG_BufferStoreOp : AMDG_Op<"buffer_store", [
    AttrSizedOperandSegments, SameLoadStoreOperandsEncoding, PredicatedOpInterface, PointsTo<"value">, OffsetsOf<"value">,
    MaskOf<"value">]> {
  let summary = "Stores elements at offsets from a pointer";
  let arguments = (ins TT_Tensor:$value, Arg<TT_Ptr, "", GlobalWrite>:$ptr, I32Tensor:$offsets, Optional<I32>:$stride,
                       OptionalAttr<CachePolicy>:$cachePolicy, Optional<TT_BoolTensor>:$mask,
                       DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let assemblyFormat = [{
    $value `,` $ptr `[` $offsets `]` (`,` $mask^)? (`stride` `=` $stride^)? `` custom<Hinted>(attr-dict) `:`
    custom<AccessTypes>(type($ptr), type($value))
  }];
}

def AMDG_AsyncCopyLocalToGlobalOp : AMDG_Op<"async_copy_local_to_global", [
    PredicatedOpInterface,
    OptionalTypesMatchWith<"infer mask type from dst type", "dst", "mask", "::gluond::tt::i1SameShape($_self)">]> {
  let summary = "Starts a copy from shared to global memory";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src, Arg<TT_PtrTensor, "", GlobalWrite>:$dst,
                       Optional<I1Tensor>:$mask, OptionalAttr<CachePolicy>:$cachePolicy,
                       DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $dst (`mask` $mask^)? (`cachePolicy` `=` $cachePolicy^)? attr-dict `:` qualified(type($src)) `->`
    type($dst)
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncWaitOp : AMDG_Op<"async_wait", [MemWaitOpTrait]> {
  let summary = "Waits until at most `num_inst` asynchronous instructions are in flight";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num_inst);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

#endif
