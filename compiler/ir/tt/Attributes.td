// Attributes of `tt`.
#ifndef GLUOND_TT_ATTRIBUTES_TD
#define GLUOND_TT_ATTRIBUTES_TD

include "ir/tt/Dialect.td"
include "ir/tt/Enums.td"

// Hints for the caches on a load, store or copy; they never change what a program means.
def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let parameters = (ins EnumParameter<TT_CacheModifier>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicy>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
