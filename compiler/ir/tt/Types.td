// Types of `tt` and the operand constraints made of them.
#ifndef GLUOND_TT_TYPES_TD
#define GLUOND_TT_TYPES_TD

include "ir/tt/Dialect.td"
include "ir/tt/Enums.td"

// The block that a tensor descriptor of any kind moves.
def TT_TensorDescInterface : TypeInterface<"TensorDescInterface"> {
  let cppNamespace = "::gluond::tt";
  let methods = [
    InterfaceMethod<"Block shape", "::llvm::ArrayRef<int64_t>", "getShape", (ins)>,
    InterfaceMethod<"Element type, with its sign", "::mlir::Type", "getElementType", (ins)>,
    InterfaceMethod<"Shared memory encoding, or null", "::mlir::Attribute", "getSharedLayout", (ins)>,
    InterfaceMethod<"The block as a tensor", "::mlir::RankedTensorType", "getBlockType", (ins), "", [{
      return ::mlir::RankedTensorType::get($_type.getShape(), $_type.getElementType());
    }]>,
    InterfaceMethod<"The block as a tensor of signless elements", "::mlir::RankedTensorType",
                    "getSignlessBlockType", (ins), "", [{
      return ::mlir::RankedTensorType::get($_type.getShape(), ::gluond::tt::signless($_type.getElementType()));
    }]>
  ];
}

class TT_TypeDef<string name, string text, list<Trait> traits = []> : TypeDef<TT_Dialect, name, traits> {
  let mnemonic = text;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_PtrType : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "Pointer to a scalar";
  let parameters = (ins "::mlir::Type":$pointeeType, "::gluond::tt::PtrAddrSpace":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
      CArg<"::gluond::tt::PtrAddrSpace", "::gluond::tt::PtrAddrSpace::Global">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
}

// Builders of both descriptor types (the other is ttng's im2col one); integer elements can be given a sign.
defvar TT_DescriptorBuilders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                    "::mlir::Attribute":$sharedLayout), [{
      return $_get(elementType.getContext(), shape, elementType, sharedLayout);
    }]>,
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                    "::mlir::Attribute":$sharedLayout, "bool":$isSigned), [{
      return $_get(elementType.getContext(), shape, ::gluond::tt::withSign(elementType, isSigned), sharedLayout);
    }]>
];

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc", [TT_TensorDescInterface]> {
  let summary = "Descriptor of a tiled tensor in global memory";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$sharedLayout);
  let builders = TT_DescriptorBuilders;
}

// Constraints.
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def I4 : I<4>;
def TT_Int : AnyTypeOf<[I1, I4, I8, I16, I32, I64], "integer">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_I64Like : AnyTypeOf<[I64, I64Tensor]>;

class TT_PtrOf<list<Type> pointees> : DialectType<TT_Dialect,
    And<[CPred<"::mlir::isa<::gluond::tt::PointerType>($_self)">,
         Concat<"[](::mlir::Type pointeeType) { return ",
                SubstLeaves<"$_self", "pointeeType", AnyTypeOf<pointees>.predicate>,
                "; }(::mlir::cast<::gluond::tt::PointerType>($_self).getPointeeType())">]>,
    "ptr", "::gluond::tt::PointerType">;
def TT_Ptr : TT_PtrOf<[AnyType]>;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;

def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Type : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike]>;
def TT_AnyTensorDesc : Type<CPred<"::mlir::isa<::gluond::tt::TensorDescInterface>($_self)">,
                            "tensor descriptor type", "::gluond::tt::TensorDescInterface">;

#endif
