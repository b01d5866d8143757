// Encodings: the layouts of tensors and buffers. Each has the fields of the struct of the same name in compiler/layout,
// and toLayout() / fromLayout() (Layouts.h) go between the two.
#ifndef GLUOND_TTG_ATTRIBUTES_TD
#define GLUOND_TTG_ATTRIBUTES_TD

include "ir/ttg/Dialect.td"
include "ir/ttg/AttrBase.td"
include "ir/ttg/AttrInterfaces.td"

def UIntArray : ArrayRefParameter<"unsigned">;
def CGAParam : AttrParameter<"::gluond::ttg::CGAEncodingAttr", "CGA layout">;

class TTG_Encoding<string name, string text, list<Trait> traits> : AttrDef<TTG_Dialect, name, traits> {
  let mnemonic = text;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
// With a CGALayout parameter, getCGALayout() is the accessor.
class TTG_Shared<string name, string text>
    : TTG_Encoding<name, text, [SharedEncodingTrait, LayoutEncodingTrait]>;
class TTG_Distributed<string name, string text, list<Trait> more = []>
    : TTG_Encoding<name, text, !listconcat([DistributedEncodingTrait, LayoutEncodingTrait], more)>;

def BlockedEncodingAttr : TTG_Distributed<"BlockedEncoding", "blocked"> {
  let parameters = (ins UIntArray:$sizePerThread, UIntArray:$threadsPerWarp, UIntArray:$warpsPerCTA, UIntArray:$order,
                        CGAParam:$CGALayout);
}

def SliceEncodingAttr : TTG_Distributed<"SliceEncoding", "slice"> {
  let parameters = (ins "unsigned":$dim, "::gluond::ttg::DistributedEncodingTrait":$parent);
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getRank() const;
  }];
}

class TTG_LinearBase<string name, string text> : TTG_Distributed<name, text> {
  let parameters = (ins LinearLayoutParam:$linearLayout);
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getRank() const { return static_cast<unsigned>(getLinearLayout().outs().size()); }
  }];
}
def LinearEncodingAttr : TTG_LinearBase<"LinearEncoding", "linear">;
// Its warp bases may move along several dimensions.
def GenericLinearEncodingAttr : TTG_LinearBase<"GenericLinearEncoding", "generic_linear">;

def NvidiaMmaEncodingAttr : TTG_Distributed<"NvidiaMmaEncoding", "nvidia_mma", [MmaEncodingTrait]> {
  let parameters = (ins "unsigned":$versionMajor, "unsigned":$versionMinor, UIntArray:$warpsPerCTA,
                        CGAParam:$CGALayout, UIntArray:$instrShape);
  let extraClassDeclaration = [{
    bool isTuring() const { return getVersionMajor() == 2 && getVersionMinor() == 1; }
    bool isAmpere() const { return getVersionMajor() == 2; }
    bool isHopper() const { return getVersionMajor() == 3; }
  }];
}

def AMDMfmaEncodingAttr : TTG_Distributed<"AMDMfmaEncoding", "amd_mfma", [MmaEncodingTrait]> {
  let parameters = (ins "unsigned":$version, UIntArray:$warpsPerCTA, UIntArray:$instrShape, "bool":$isTransposed,
                        CGAParam:$CGALayout, UIntArray:$tilesPerWarp, "unsigned":$elementBitWidth);
  let extraClassDeclaration = [{
    bool hasUnitTilesPerWarp() const {
      return ::llvm::all_of(getTilesPerWarp(), [](unsigned tiles) { return tiles == 1; });
    }
  }];
}

def AMDWmmaEncodingAttr : TTG_Distributed<"AMDWmmaEncoding", "amd_wmma", [MmaEncodingTrait]> {
  let parameters = (ins "unsigned":$version, LinearLayoutParam:$ctaLayout, "bool":$isTransposed, CGAParam:$CGALayout,
                        UIntArray:$instrShape);
  let extraClassDeclaration = [{
    bool isEqualIgnoringCGALayout(AMDWmmaEncodingAttr other) const {
      return getVersion() == other.getVersion() && getCtaLayout() == other.getCtaLayout() &&
             getInstrShape() == other.getInstrShape() && getIsTransposed() == other.getIsTransposed();
    }
  }];
}

def DotOperandEncodingAttr : TTG_Distributed<"DotOperandEncoding", "dot_op"> {
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent, DefaultValuedParameter<"unsigned", "0">:$kWidth);
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getRank() const;
  }];
}

def SwizzledSharedEncodingAttr : TTG_Shared<"SwizzledSharedEncoding", "swizzled_shared"> {
  let parameters = (ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase, UIntArray:$order,
                        CGAParam:$CGALayout);
}

def AMDRotatingSharedEncodingAttr : TTG_Shared<"AMDRotatingSharedEncoding", "amd_rotating_shared"> {
  let parameters = (ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase, UIntArray:$order,
                        CGAParam:$CGALayout);
}

def PaddedSharedEncodingAttr : TTG_Shared<"PaddedSharedEncoding", "padded_shared"> {
  let parameters = (ins UIntArray:$intervals, UIntArray:$paddings, LinearLayoutParam:$linearComponent);
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getRank() const { return static_cast<unsigned>(getLinearComponent().outs().size()); }
    // Dimensions from the one that offsets move along first; those they never move along come last.
    ::llvm::SmallVector<unsigned> getOrder() const;
    unsigned getMinInterval() const { return *::llvm::min_element(getIntervals()); }
  }];
}

def SharedLinearEncodingAttr : TTG_Shared<"SharedLinearEncoding", "shared_linear"> {
  let parameters = (ins LinearLayoutParam:$linearLayout, "unsigned":$layoutAlignment);
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getRank() const { return static_cast<unsigned>(getLinearLayout().outs().size()); }
    int32_t getAlignment() const { return static_cast<int32_t>(getLayoutAlignment()); }
  }];
}

def NVMMASharedEncodingAttr : TTG_Shared<"NVMMASharedEncoding", "nvmma_shared"> {
  let parameters = (ins "unsigned":$swizzlingByteWidth, "bool":$transposed, "unsigned":$elementBitWidth,
                        "bool":$fp4Padded, CGAParam:$CGALayout);
  let extraClassDeclaration = [{
    int32_t getAlignment() const {
      return 128 * static_cast<int32_t>(getSwizzlingByteWidth() ? getSwizzlingByteWidth() / 16 : 1);
    }
  }];
}

def PartitionedSharedEncodingAttr : TTG_Shared<"PartitionedSharedEncoding", "partitioned_shared"> {
  let parameters = (ins "unsigned":$numPartitions, "unsigned":$numGroups, "unsigned":$partitionDim,
                        "::gluond::ttg::SharedEncodingTrait":$partitionLayout);
  let extraClassDeclaration = [{
    CGAEncodingAttr getCGALayout() const;
    unsigned getNumLogicalPieces() const { return getNumPartitions() * getNumGroups(); }
  }];
}

// The memory space of a memory descriptor: shared memory.
def TTG_SharedMemorySpace : AttrDef<TTG_Dialect, "SharedMemorySpace"> {
  let mnemonic = "shared_memory";
}

#endif
