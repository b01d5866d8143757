// The interfaces of encodings. toLinearLayout() (Layouts.h) says how a layout places elements.
#ifndef GLUOND_TTG_ATTRINTERFACES_TD
#define GLUOND_TTG_ATTRINTERFACES_TD

include "mlir/IR/OpBase.td"

class TTG_AttrInterface<string name> : AttrInterface<name> {
  let cppNamespace = "::gluond::ttg";
}

// Every layout.
def LayoutEncodingTrait : TTG_AttrInterface<"LayoutEncodingTrait"> {
  let methods = [
    InterfaceMethod<"How the CTAs of a cluster divide the tensor", "::gluond::ttg::CGAEncodingAttr", "getCGALayout">,
    InterfaceMethod<"Number of tensor dimensions", "unsigned", "getRank", (ins), [{}],
                    [{ return $_attr.getCGALayout().getRank(); }]>
  ];
}

// Layouts of shared memory.
def SharedEncodingTrait : TTG_AttrInterface<"SharedEncodingTrait"> {
  let methods = [InterfaceMethod<"Bytes a buffer must be aligned to", "int32_t", "getAlignment", (ins), [{}],
                                 [{ return 16; }]>];
}

// Layouts over registers, lanes, warps and CTAs.
def DistributedEncodingTrait : TTG_AttrInterface<"DistributedEncodingTrait">;

// Layouts of the results of matrix units.
def MmaEncodingTrait : TTG_AttrInterface<"MmaEncodingTrait">;

#endif
