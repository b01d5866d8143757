// The definitions that the op files of `amdg` share.
#ifndef GLUOND_AMDG_OPBASE_TD
#define GLUOND_AMDG_OPBASE_TD

include "ir/amdg/Dialect.td"
include "ir/ttg/OpBase.td"

def L2Cache : Resource<"::gluond::amdg::L2Cache">;

class AMDG_Op<string mnemonic, list<Trait> traits = []> : Op<AMDG_Dialect, mnemonic, traits>;

// An op with a mask or predicate operand.
// An op on an mbarrier, which its accessor getBarrier() gives.
defvar OnBarrier = DeclareOpInterfaceMethods<MBarrierOpInterface, ["getBarrier"]>;

// A tensor of pointed-to values, the scalar pointer it is read through, and a tensor of offsets.
class PointsTo<string value> : TypesMatchWith<value # " element type matches the pointed type of ptr", value, "ptr",
                                              "::gluond::amdg::pointerToElement($_self)">;
class OffsetsOf<string value> : TypesMatchWith<value # " and offsets have the same shape", value, "offsets",
                                               "::gluond::amdg::i32SameShape($_self)">;
// Operands that may be missing match anything.
class MaskOf<string value> : OptionalTypesMatchWith<value # " and mask have the same shape", value, "mask",
                                                    "::gluond::tt::i1SameShape($_self)">;

#endif
