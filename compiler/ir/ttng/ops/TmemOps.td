// Tensor memory.
#ifndef GLUOND_TTNG_TMEMOPS_TD
#define GLUOND_TTNG_TMEMOPS_TD

include "ir/ttng/OpBase.td"

def TTNG_TMEMWaitOp : TTNG_Op<"tmem_wait"> {
  let summary = "Waits for the warp's loads from or stores to tensor memory";
  let arguments = (ins TTNG_TMEMWaitKind:$kind);
  let assemblyFormat = "$kind attr-dict";
  let hasVerifier = 1;
}

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [AttrSizedResultSegments]> {
  let summary = "Loads a tensor, and with redOp the minima or maxima of its rows";
  let arguments = (ins Arg<TTG_MemDescType, "", TensorRead>:$src, Optional<TTG_AsyncToken>:$dep,
      OptionalAttr<TTNG_TMEMLoadReduceModifierAttr>:$redOp, OptionalAttr<BoolAttr>:$abs, OptionalAttr<BoolAttr>:$NaN);
  let results = (outs TT_Tensor:$result, Optional<TTG_AsyncToken>:$token, Optional<TT_Tensor>:$red);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Type":$token, "::mlir::Value":$src, "::mlir::Value":$dep), [{
      build($_builder, $_state, result, token, ::mlir::Type(), src, dep, nullptr, nullptr, nullptr);
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src), [{
      build($_builder, $_state, result, ::mlir::Type(), src, ::mlir::Value());
    }]>
  ];
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token)) attr-dict `:` qualified(type($src)) `->` type($result) (`,` type($red)^)?
  }];
  let extraClassDeclaration = "::mlir::RankedTensorType getType() { return getResult().getType(); }";
  let hasVerifier = 1;
}

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store", [PredicatedOpInterface]> {
  let summary = "Stores a tensor";
  let arguments = (ins Arg<TTG_MemDescType, "", TensorWrite>:$dst, Optional<TTG_AsyncToken>:$dep, TT_Tensor:$src, I1:$pred);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let builders = [OpBuilder<(ins "::mlir::Value":$dst, "::mlir::Value":$src, "::mlir::Value":$pred), [{
    build($_builder, $_state, ::mlir::Type(), dst, ::mlir::Value(), src, pred);
  }]>];
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Allocates a buffer, with contents if given";
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs TTG_MemDescType:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "::gluond::ttg::MemDescType getType() { return getResult().getType(); }";
  let hasVerifier = 1;
}

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure, MemDescViewTrait]> {
  let summary = "Part of a buffer along one dimension";
  let arguments = (ins TTG_MemDescType:$src, I32Attr:$offset, DefaultValuedAttr<I32Attr, "1">:$dim);
  let results = (outs TTG_MemDescType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$alloc, "int":$offset, "int":$size, "int":$dim)>];
  let assemblyFormat = "$src `` custom<SliceStart>(attr-dict) `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy"> {
  let summary = "Copies from shared memory; scales once for each of 4 warps";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src, Arg<TTG_MemDescType, "", TensorWrite>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` qualified(type(operands))";
  let hasVerifier = 1;
}

#endif
