// Shared memory: buffers, views of them, loads, stores and asynchronous copies; scratch in global memory.
#ifndef GLUOND_TTG_MEMORYOPS_TD
#define GLUOND_TTG_MEMORYOPS_TD

include "ir/ttg/OpBase.td"

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [MemWaitOpTrait]> {
  let summary = "Waits until at most `num` groups of asynchronous copies are in flight";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let summary = "Closes a group of asynchronous copies";
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    GlobalToLocalCopyTrait, AttrSizedOperandSegments, PredicatedOpInterface,
    OptionalTypesMatchWith<"infer mask type from src type", "src", "mask", "::gluond::tt::i1SameShape($_self)">,
    OptionalTypesMatchWith<"infer other type from src type", "src", "other", "::gluond::tt::pointeeType($_self)">]> {
  let summary = "Starts a copy from global to shared memory";
  let arguments = (ins Arg<TT_PtrTensor, "", GlobalRead>:$src, Arg<TTG_MemDescType, "", SharedWrite>:$result,
      Optional<I1Tensor>:$mask, Optional<TT_Type>:$other, OptionalAttr<AnyAttr>:$cachePolicy,
      DefaultValuedAttr<BoolAttr, "false">:$isVolatile, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)? `` custom<Hinted>(attr-dict) `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Allocates a buffer in shared memory, with contents if given";
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, CArg<"::mlir::Value", "{}">:$src), [{
    build($_builder, $_state, result, src, ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "Ends the life of a buffer; without it, it ends with its last use";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

class TTG_ViewOp<string mnemonic, list<Trait> more = []>
    : TTG_Op<mnemonic, !listconcat([Pure, MemDescViewTrait], more)> {
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}

def TTG_MemDescIndexOp : TTG_ViewOp<"memdesc_index"> {
  let summary = "Element i along the first dimension";
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = "$src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TTG_MemDescSubsliceOp : TTG_ViewOp<"memdesc_subslice"> {
  let summary = "A box of a buffer at constant offsets";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TTG_MemDescTransOp : TTG_ViewOp<"memdesc_trans", [TransposeOpInterface, InferMemDescTypeUpToEquivalence,
                                                      SameOperandsAndResultElementType]> {
  let summary = "The buffer with its dimensions permuted";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let hasFolder = 1;
}

def TTG_MemDescReshapeOp : TTG_ViewOp<"memdesc_reshape", [SameOperandsAndResultElementType]> {
  let summary = "The buffer under another shape";
  let arguments = (ins TTG_MemDescType:$src);
  let hasVerifier = 1;
}

def TTG_MemDescReinterpretOp : TTG_ViewOp<"memdesc_reinterpret"> {
  let summary = "The same memory as another type, shape and layout";
  let arguments = (ins TTG_MemDescType:$src);
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TTG_LocalLoadOp : TTG_Op<"local_load", [LocalLoadTrait]> {
  let summary = "Loads a tensor from shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
    build($_builder, $_state, result, src, ::mlir::Value());
  }]>];
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "Stores a tensor to shared memory";
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDescType, "", SharedWrite>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
}

def TTG_LocalGatherOp : TTG_Op<"local_gather", [LocalLoadTrait]> {
  let summary = "Loads elements picked along an axis by index";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src, TT_IntTensor:$indices, I32Attr:$axis,
                       Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "Stores elements to places picked along an axis by index";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$dst, TT_Tensor:$values, TT_IntTensor:$indices,
                       I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict `:` qualified(type($dst)) `,` type($indices) `,`
    type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    TypesMatchWith<"result type matches values type", "values", "result", "$_self">,
    OptionalTypesMatchWith<"mask type matches values type", "values", "mask", "::gluond::tt::i1SameShape($_self)">]> {
  let summary = "Combines elements atomically with places picked along an axis; gives the old values";
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, Arg<TTG_MemDescType, "", SharedReadWrite>:$dst, TT_Tensor:$values,
                       TT_IntTensor:$indices, Optional<I1Tensor>:$mask, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "Allocates global memory of the program's own";
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment, OptionalAttr<UnitAttr>:$third_party_allocation,
                       OptionalAttr<UnitAttr>:$shared_cluster_state);
  let results = (outs Arg<TT_Ptr, "", [MemAlloc<GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

#endif
