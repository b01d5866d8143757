// The definitions that the op files of `ttg` and of the vendors' dialects share.
#ifndef GLUOND_TTG_OPBASE_TD
#define GLUOND_TTG_OPBASE_TD

include "ir/tt/OpBase.td"
include "ir/ttg/Enums.td"
include "ir/ttg/Types.td"
include "ir/ttg/Attributes.td"
include "ir/ttg/Traits.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def SharedMemory : Resource<"::gluond::ttg::SharedMemory">;
defvar SharedRead = [MemRead<SharedMemory>];
defvar SharedWrite = [MemWrite<SharedMemory>];
defvar SharedReadWrite = [MemRead<SharedMemory>, MemWrite<SharedMemory>];

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait, VerifyMemDescLayoutsTrait])>;

#endif
