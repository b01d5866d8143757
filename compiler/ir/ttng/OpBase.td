// The definitions that the op files of `ttng` share.
#ifndef GLUOND_TTNG_OPBASE_TD
#define GLUOND_TTNG_OPBASE_TD

include "ir/ttg/OpBase.td"
include "ir/ttng/Attributes.td"
include "ir/ttng/Traits.td"
include "ir/ttng/Types.td"

def TensorMemory : Resource<"::gluond::ttng::TensorMemory">;
defvar TensorRead = [MemRead<TensorMemory>];
defvar TensorWrite = [MemWrite<TensorMemory>];

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait, VerifyMemDescLayoutsTrait])>;

// The barrier is an operand of another name, or of the name the interface asks for.
def TTNG_NamesItsBarrier : DeclareOpInterfaceMethods<MBarrierOpInterface, ["getBarrier"]>;
def TTNG_HasBarrier : DeclareOpInterfaceMethods<MBarrierOpInterface>;

#endif
