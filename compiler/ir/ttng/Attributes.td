// Attributes of `ttng`: layouts of tensor memory, cache policies.
#ifndef GLUOND_TTNG_ATTRIBUTES_TD
#define GLUOND_TTNG_ATTRIBUTES_TD

include "ir/ttng/Dialect.td"
include "ir/ttng/Enums.td"
include "ir/tt/Enums.td"
include "ir/ttg/AttrInterfaces.td"

def TTNG_CacheModifierParam : EnumParameter<TT_CacheModifier> {
  let defaultValue = "::gluond::tt::CacheModifier::NONE";
}
def TTNG_EvictionParam : EnumParameter<TTNG_CacheEvictionPriority> {
  let defaultValue = "::gluond::ttng::CacheEvictionPriority::NONE";
}

// Cache hints that only NVIDIA has: an L1 priority, an L2 policy for a fraction of lines, an L2 prefetch.
def TTNG_CachePolicyAttr : AttrDef<TTNG_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let parameters = (ins TTNG_CacheModifierParam:$cache_modifier, TTNG_EvictionParam:$l1, TTNG_EvictionParam:$l2_primary,
                        TTNG_EvictionParam:$l2_secondary, OptionalParameter<"::mlir::FloatAttr">:$l2_fraction,
                        OptionalParameter<"::mlir::IntegerAttr">:$l2_prefetch_size);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

// The memory space of a memory descriptor: tensor memory, 128 rows of 512 columns of 32 bits.
def TTNG_TensorMemorySpace : AttrDef<TTNG_Dialect, "TensorMemorySpace"> {
  let mnemonic = "tensor_memory";
}

def TTNG_TMEMLoadReduceModifierAttr : EnumAttr<TTNG_Dialect, TTNG_TMEMLoadReduceModifier, "redOp"> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNG_ScalesBlockRepOrderAttr : EnumAttr<TTNG_Dialect, TTNG_ScalesBlockRepOrder, "blockRepOrder"> {
  let assemblyFormat = "`<` $value `>`";
}

// `[[1, 0]]`; one CTA is left out.
def TTNG_CGAParam : AttrOrTypeParameter<"::gluond::ttg::CGAEncodingAttr", "rank-2 CGA layout"> {
  let parser = "::gluond::ttng::parseCGALayoutRankTwo($_parser)";
  let printer = "::gluond::ttg::printCGALayout($_printer, $_self)";
  let defaultValue = "::gluond::ttg::CGAEncodingAttr::get1CTALayout($_ctxt, 2)";
}

// Blocks of blockM x blockN, along M first; colStride elements from one to the next in a row.
def TTNG_TensorMemoryEncodingAttr : AttrDef<TTNG_Dialect, "TensorMemoryEncoding", [LayoutEncodingTrait]> {
  let mnemonic = "tensor_memory_encoding";
  let parameters = (ins "unsigned":$blockM, "unsigned":$blockN, "unsigned":$colStride, TTNG_CGAParam:$CGALayout,
                        DefaultValuedParameter<"bool", "false">:$twoCTAs,
                        DefaultValuedParameter<"bool", "false">:$fp4Padded);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

// Scales of block-scaled MMAs: pieces of 32 x 4 x 4 bytes, once for each of 4 warps.
def TTNG_TensorMemoryScalesEncodingAttr : AttrDef<TTNG_Dialect, "TensorMemoryScalesEncoding", [LayoutEncodingTrait]> {
  let mnemonic = "tensor_memory_scales_encoding";
  let parameters = (ins TTNG_CGAParam:$CGALayout,
      DefaultValuedParameter<"::gluond::ttng::TensorMemoryScalesBlockRepOrder",
                             "::gluond::ttng::TensorMemoryScalesBlockRepOrder::MN_THEN_K">:$blockRepOrder);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif
