// Op interfaces of `ttng`.
#ifndef GLUOND_TTNG_TRAITS_TD
#define GLUOND_TTNG_TRAITS_TD

include "ir/ttg/Traits.td"

class TTNG_Interface<string name, list<Interface> bases = []> : OpInterface<name, bases> {
  let cppNamespace = "::gluond::ttng";
}

def TMAOpInterface : TTNG_Interface<"TMAOpInterface"> {
  let methods = [InterfaceMethod<"The descriptor", "::mlir::Value", "getDesc", (ins)>];
}

def TMALoadLikeOpInterface : TTNG_Interface<"TMALoadLikeOpInterface", [TMAOpInterface]> {
  let methods = [
    InterfaceMethod<"The buffer written", "::mlir::Value", "getResult", (ins)>,
    InterfaceMethod<"Signalled when the data is there", "::mlir::Value", "getBarrier", (ins)>,
    InterfaceMethod<"The predicate", "::mlir::Value", "getPred", (ins)>,
    InterfaceMethod<"Whether one read serves several CTAs", "bool", "getMulticast", (ins)>
  ];
}

def TMAStoreLikeOpInterface : TTNG_Interface<"TMAStoreLikeOpInterface", [TMAOpInterface]> {
  let methods = [
    InterfaceMethod<"The buffer read", "::mlir::Value", "getSrc", (ins)>,
    InterfaceMethod<"Its operand", "::mlir::OpOperand&", "getSrcMutable", (ins)>
  ];
}

// The MMAs of the fifth generation of tensor cores, plain and block-scaled.
def MMAv5OpInterface : TTNG_Interface<"MMAv5OpInterface"> {
  defvar MemDesc = "::mlir::TypedValue<::gluond::ttg::MemDescType>";
  let methods = [
    InterfaceMethod<"Left operand", MemDesc, "getA">,
    InterfaceMethod<"Right operand", MemDesc, "getB">,
    InterfaceMethod<"Accumulator", MemDesc, "getAccumulator">,
    InterfaceMethod<"Replaces it", "void", "setAccumulator", (ins "::mlir::Value":$accumulator)>,
    InterfaceMethod<"Whether it adds to the accumulator", "::mlir::Value", "useAccumulator">,
    InterfaceMethod<"Replaces that", "void", "setUseAccumulator", (ins "::mlir::Value":$flag)>,
    InterfaceMethod<"The predicate", "::mlir::Value", "getPredicate">,
    InterfaceMethod<"Replaces it", "void", "setPredicate", (ins "::mlir::Value":$pred)>,
    InterfaceMethod<"Barriers signalled at the end", "::mlir::ValueRange", "getCompletionBarriers">,
    InterfaceMethod<"Their predicates", "::mlir::ValueRange", "getCompletionBarrierPreds">,
    InterfaceMethod<"Buffers whose CTAs are signalled too", "::llvm::SmallVector<::mlir::Value>", "getCompletionDescs">,
    InterfaceMethod<"Signals one more barrier", "void", "addCompletionBarrier",
                    (ins "::mlir::Value":$barrier, "::mlir::Value":$pred)>,
    InterfaceMethod<"Whether it signals the CTAs that share its operands", "bool", "getMulticast">,
    InterfaceMethod<"The token it waits for", "::mlir::Value", "getAccDep">,
    InterfaceMethod<"Its operand", "::mlir::MutableOperandRange", "getAccDepMutable">,
    InterfaceMethod<"The token of its write", "::mlir::Value", "getToken">,
    InterfaceMethod<"Whether it works on after the instruction", "bool", "isAsync">,
    InterfaceMethod<"Makes it do so", "void", "setIsAsync", (ins "bool":$isAsync)>,
    InterfaceMethod<"Whether two CTAs work together", "bool", "getTwoCtas">
  ];
  let verify = [{ return ::gluond::ttng::verifyMMAv5Op($_op); }];
}

#endif
