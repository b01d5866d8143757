// Enumerations of `ttng`.
#ifndef GLUOND_TTNG_ENUMS_TD
#define GLUOND_TTNG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTNG_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::gluond::ttng";
}
// These stand only inside other attributes and so have no integer attribute of their own.
class TTNG_InnerEnum<string name, string text, list<I32EnumAttrCase> cases> : TTNG_Enum<name, text, cases> {
  let genSpecializedAttr = 0;
}

def TTNG_CacheEvictionPriority : TTNG_InnerEnum<"CacheEvictionPriority", "NVIDIA cache eviction priority", [
    I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"EVICT_NORMAL", 1, "evict_normal">,
    I32EnumAttrCase<"EVICT_UNCHANGED", 2, "evict_unchanged">, I32EnumAttrCase<"EVICT_FIRST", 3, "evict_first">,
    I32EnumAttrCase<"EVICT_LAST", 4, "evict_last">, I32EnumAttrCase<"NO_ALLOCATE", 5, "no_allocate">]>;

def TTNG_TMEMWaitKind : TTNG_Enum<"TMEMWaitKind", "tensor memory wait kind", [
    I32EnumAttrCase<"LOAD", 0, "load">, I32EnumAttrCase<"STORE", 1, "store">]>;

def TTNG_TMEMLoadReduceModifier : TTNG_InnerEnum<"TMEMLoadReduceModifier", "", [
    I32EnumAttrCase<"MIN", 1, "min">, I32EnumAttrCase<"MAX", 2, "max">]>;

def TTNG_PackedArithOpKind : TTNG_Enum<"PackedArithOpKind", "packed arithmetic operation", [
    I32EnumAttrCase<"ADD", 0, "add">, I32EnumAttrCase<"SUB", 1, "sub">, I32EnumAttrCase<"MUL", 2, "mul">,
    I32EnumAttrCase<"FMA", 3, "fma">, I32EnumAttrCase<"MIN", 4, "min">, I32EnumAttrCase<"MAX", 5, "max">]>;

def TTNG_ScalesBlockRepOrder : TTNG_InnerEnum<"TensorMemoryScalesBlockRepOrder", "", [
    I32EnumAttrCase<"MN_THEN_K", 0, "mnThenK">, I32EnumAttrCase<"K_THEN_MN", 1, "kThenMn">]>;

#endif
