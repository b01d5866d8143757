// Enumerations of `ttg`.
#ifndef GLUOND_TTG_ENUMS_TD
#define GLUOND_TTG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The memories that a barrier orders.
def TTG_AddrSpace : I32BitEnumAttr<"AddrSpace", "", [
    I32BitEnumAttrCase<"None", 0b0000, "none">, I32BitEnumAttrCase<"Local", 0b0001, "local">,
    I32BitEnumAttrCase<"GlobalRead", 0b0010, "global_read">, I32BitEnumAttrCase<"GlobalWrite", 0b0100, "global_write">,
    I32BitEnumAttrCase<"TensorRead", 0b1000, "tensor_read">, I32BitEnumAttrCase<"TensorWrite", 0b10000, "tensor_write">,
    I32BitEnumAttrCase<"All", 0b11111, "all">]> {
  let cppNamespace = "::gluond::ttg";
}

#endif
