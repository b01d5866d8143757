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
    InterfaceMethod<"The buffer read", "::mlir::Value", "getSrc", (ins)>
  ];
}

// The MMAs of the fifth generation of tensor cores, plain and block-scaled.
def MMAv5OpInterface : TTNG_Interface<"MMAv5OpInterface"> {
  defvar MemDesc = "::mlir::TypedValue<::gluond::ttg::MemDescType>";
  let methods = [
    InterfaceMethod<"Left operand", MemDesc, "getA">,
    InterfaceMethod<"Right operand", MemDesc, "getB">,
    InterfaceMethod<"Accumulator", MemDesc, "getD">,
    InterfaceMethod<"Whether it adds to the accumulator", "::mlir::Value", "getUseD">,
    InterfaceMethod<"The predicate", "::mlir::Value", "getPred">,
    InterfaceMethod<"Barriers signalled at the end", "::mlir::ValueRange", "getBarriers">,
    InterfaceMethod<"Their predicates", "::mlir::ValueRange", "getBarrierPreds">,
    InterfaceMethod<"Whether two CTAs work together", "bool", "getTwoCtas">
  ];
  let verify = [{ return ::gluond::ttng::verifyMMAv5Op($_op); }];
}

#endif
