// Asynchronous copies by tensor descriptor (TMA).
#ifndef GLUOND_TTNG_TMAOPS_TD
#define GLUOND_TTNG_TMAOPS_TD

include "ir/ttng/OpBase.td"

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [
    AttrSizedOperandSegments, TTNG_HasBarrier, PredicatedOpInterface, TMALoadLikeOpInterface]> {
  let summary = "Copies a block to shared memory; `offsets` for im2col descriptors";
  let arguments = (ins Arg<TT_AnyTensorDesc, "", GlobalRead>:$desc, Variadic<I32>:$coord, Variadic<I16>:$offsets,
      Arg<TTG_MemDescType, "", SharedWrite>:$barrier, Arg<TTG_MemDescType, "", SharedWrite>:$result, I1:$pred,
      UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy, DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let builders = [OpBuilder<(ins "::mlir::Value":$desc, "::mlir::ValueRange":$coord, "::mlir::Value":$barrier,
                                 "::mlir::Value":$result, "::mlir::Value":$pred, CArg<"bool", "false">:$multicast,
                                 CArg<"::mlir::Attribute", "{}">:$cachePolicy, CArg<"bool", "false">:$isVolatile), [{
    multicast &= ::gluond::ttng::hasCGABroadcast(::mlir::cast<::gluond::ttg::MemDescType>(result.getType()));
    build($_builder, $_state, desc, coord, ::mlir::ValueRange(), barrier, result, pred, multicast, cachePolicy, isVolatile);
  }]>];
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred
    attr-dict `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global", [TMAStoreLikeOpInterface]> {
  let summary = "Copies a block from shared memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalReadWrite>:$desc, Variadic<I32>:$coord,
                       Arg<TTG_MemDescType, "", SharedRead>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let builders = [OpBuilder<(ins "::mlir::Value":$desc, "::mlir::ValueRange":$coord, "::mlir::Value":$src), [{
    build($_builder, $_state, desc, coord, src, ::mlir::Attribute());
  }]>];
  let assemblyFormat = "$desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
  let hasVerifier = 1;
}

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce", [TMAStoreLikeOpInterface]> {
  let summary = "Combines a block of shared memory with global memory, each element atomically";
  let arguments = (ins TT_DescriptorReduceKind:$kind, Arg<TT_TensorDescType, "", GlobalReadWrite>:$desc,
                       Variadic<I32>:$coord, Arg<TTG_MemDescType, "", SharedRead>:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let extraClassDeclaration = [{
    static bool isSupportedReduceKind(::gluond::tt::DescriptorReduceKind kind, ::mlir::Type elementType);
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather", [TTNG_HasBarrier, PredicatedOpInterface, TMALoadLikeOpInterface]> {
  let summary = "Copies chosen rows to shared memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalRead>:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
      Arg<TTG_MemDescType, "", SharedWrite>:$barrier, Arg<TTG_MemDescType, "", SharedWrite>:$result, I1:$pred,
      UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict `:` type(operands)
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter", [TMAStoreLikeOpInterface]> {
  let summary = "Copies chosen rows from shared memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalReadWrite>:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
                       Arg<TTG_MemDescType, "", SharedRead>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait", [MemWaitOpTrait]> {
  let summary = "Waits until at most `pendings` copies from shared memory are in flight, or still read it";
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
}

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "A descriptor behind a pointer";
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [
    MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>, AttrSizedOperandSegments]> {
  let summary = "Writes a descriptor to global memory";
  let arguments = (ins TT_PtrType:$desc_ptr, TT_PtrType:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
      Variadic<I64>:$global_stride, Variadic<I32>:$element_stride,
      ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<15>]>:$elem_type,
      ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<2>]>:$interleave_layout,
      ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<3>]>:$swizzle_mode,
      ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = "int32_t getRank() { return static_cast<int32_t>(getBoxDim().size()); }";
  let hasVerifier = 1;
}

def TTNG_TensormapFenceproxyAcquireOp
    : TTNG_Op<"tensormap_fenceproxy_acquire", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Lets copies see a descriptor written on the device";
  let arguments = (ins TT_PtrType:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif
