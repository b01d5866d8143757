// Traits and op interfaces shared by all our dialects. Traits verify in the order an op lists them: keep Triton's order,
// it decides which of several mistakes is reported.
#ifndef GLUOND_TT_TRAITS_TD
#define GLUOND_TT_TRAITS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class TT_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::gluond::tt";
}
def TensorSizeTrait : TT_Trait<"TensorSizeTrait">;
def VerifyTensorLayoutsTrait : TT_Trait<"VerifyTensorLayoutsTrait">;
def SameOperandsEncoding : TT_Trait<"SameOperandsEncoding">;
def SameResultsType : TT_Trait<"SameResultsType">;
def SameOperandsAndResultEncoding : TT_Trait<"SameOperandsAndResultEncoding">;
def SameLoadStoreOperandsShape : TT_Trait<"SameLoadStoreOperandsShape">;
def SameLoadStoreOperandsAndResultShape : TT_Trait<"SameLoadStoreOperandsAndResultShape">;
def SameLoadStoreOperandsEncoding : TT_Trait<"SameLoadStoreOperandsEncoding">;
def SameLoadStoreOperandsAndResultEncoding : TT_Trait<"SameLoadStoreOperandsAndResultEncoding">;
def AsyncRegions : TT_Trait<"AsyncRegions">;

// Result types are inferred; one with an equivalent layout under another name is as good.
def InferTensorTypeUpToEquivalence : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
    return ::gluond::tt::areEquivalentTensorTypes(inferred, actual);
  }
}]>;

class TT_Interface<string name, list<Interface> bases = []> : OpInterface<name, bases> {
  let cppNamespace = "::gluond::tt";
}

def TransposeOpInterface : TT_Interface<"TransposeOpInterface"> {
  let methods = [
    InterfaceMethod<"What is transposed", "::mlir::Value", "getSrc", (ins)>,
    InterfaceMethod<"Result dimension i is source dimension order[i]", "::llvm::ArrayRef<int32_t>", "getOrder", (ins)>
  ];
  let verify = [{ return ::gluond::tt::verifyTransposeOp($_op); }];
}

def DotOpInterface : TT_Interface<"DotOpInterface"> {
  let methods = [
    InterfaceMethod<"Left operand", "::mlir::Value", "getA", (ins)>,
    InterfaceMethod<"Right operand", "::mlir::Value", "getB", (ins)>,
    InterfaceMethod<"Result", "::mlir::Value", "getD", (ins)>,
    InterfaceMethod<"Whether the contracted dimensions of A and B agree", "bool", "verifyDims", (ins), [{}], [{
      return ::gluond::tt::dotContractionAgrees($_op.getA(), $_op.getB());
    }]>,
    InterfaceMethod<"Whether the accumulator has A's rows and B's columns", "bool", "verifyOutputDims", (ins), [{}], [{
      return ::gluond::tt::dotResultAgrees($_op.getA(), $_op.getB(), $_op->getOperand(2));
    }]>
  ];
  let verify = [{ return ::gluond::tt::verifyDotOp($_op); }];
}

def TT_DescriptorOpInterface : TT_Interface<"DescriptorOpInterface"> {
  let methods = [InterfaceMethod<"The descriptor", "::mlir::TypedValue<::gluond::tt::TensorDescType>", "getDesc", (ins)>];
}

def TT_DescriptorStoreLikeOpInterface
    : TT_Interface<"DescriptorStoreLikeOpInterface", [TT_DescriptorOpInterface]> {
  let methods = [
    InterfaceMethod<"What is stored", "::mlir::TypedValue<::mlir::RankedTensorType>", "getSrc", (ins)>
  ];
}

def TT_DescriptorLoadLikeOpInterface
    : TT_Interface<"DescriptorLoadLikeOpInterface", [TT_DescriptorOpInterface]>;

// An op with a mask or predicate. False does not mean "no effect": a masked copy may still fill with zeros, an MMA may
// still signal.
def PredicatedOpInterface : TT_Interface<"PredicatedOpInterface"> {
  let methods = [InterfaceMethod<"The mask or predicate, or null", "::mlir::Value", "getPredicateOperand", (ins), [{}], [{
    if constexpr (requires { $_op.getMask(); })
      return $_op.getMask();
    else
      return $_op.getPred();
  }]>];
}

// An op whose result layout may be pinned: layout passes then leave it alone.
def EfficientLayoutOpInterface : TT_Interface<"EfficientLayoutOpInterface"> {
  let methods = [InterfaceMethod<"Whether it is pinned", "bool", "getEfficientLayout", (ins)>];
}

def AtomicOpInterface : TT_Interface<"AtomicOpInterface"> {
  let methods = [
    InterfaceMethod<"Pointers accessed", "::mlir::Value", "getPtr", (ins)>,
    InterfaceMethod<"Ordering", "::gluond::tt::MemSemantic", "getMemSemantic", (ins), [{}], [{ return $_op.getSem(); }]>
  ];
}

#endif
