// The definitions that the op files of `tt` share.
#ifndef GLUOND_TT_OPBASE_TD
#define GLUOND_TT_OPBASE_TD

include "ir/tt/Types.td"
include "ir/tt/Attributes.td"
include "ir/tt/Traits.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def GlobalMemory : Resource<"::gluond::tt::GlobalMemory">;
defvar GlobalRead = [MemRead<GlobalMemory>];
defvar GlobalWrite = [MemWrite<GlobalMemory>];
defvar GlobalReadWrite = [MemRead<GlobalMemory>, MemWrite<GlobalMemory>];

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat(traits, [TensorSizeTrait, VerifyTensorLayoutsTrait])>;

// One tensor in, one out; element by element.
defvar TT_ElementwiseCast = [Elementwise, SameOperandsAndResultShape, SameOperandsAndResultEncoding, Pure];
defvar TT_ElementwiseMath = [Elementwise, SameOperandsAndResultType, Pure];

// Types that follow from a pointer's: the mask of `n` other operands is the (n+1)th, where there is one.
def TT_ResultOfPtr : TypesMatchWith<"result matches ptr type", "ptr", "result", "::gluond::tt::pointeeType($_self)">;
def TT_ValueOfPtr : TypesMatchWith<"value type matches ptr type", "ptr", "value",
                                     "::gluond::tt::pointeeType($_self)">;
class TT_MaskOfPtr<int others> : TypesMatchWith<"mask type matches ptr type", "ptr", "mask",
    "::gluond::tt::i1SameShape(::gluond::tt::pointeeType($_self))",
    "($_op.getOperands().size() <= " # others # ") || std::equal_to<>()">;
class TT_PtrOf_<string what, string of> : TypesMatchWith<"ptr type matches " # what # " type", of, "ptr",
    "::gluond::tt::pointerSameShape($_self)">;

#endif
