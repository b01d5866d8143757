// Traits and op interfaces of `ttg`.
#ifndef GLUOND_TTG_TRAITS_TD
#define GLUOND_TTG_TRAITS_TD

include "ir/tt/Traits.td"

class TTG_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::gluond::ttg";
}
def VerifyMemDescLayoutsTrait : TTG_Trait<"VerifyMemDescLayoutsTrait">;
def MemDescViewTrait : TTG_Trait<"MemDescViewTrait">;
def LocalLoadTrait : TTG_Trait<"LocalLoadTrait">;
def MemWaitOpTrait : TTG_Trait<"MemWaitOpTrait">;
def GlobalToLocalCopyTrait : TTG_Trait<"GlobalToLocalCopyTrait">;

def InferMemDescTypeUpToEquivalence : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
    return ::gluond::ttg::areEquivalentMemDescTypes(inferred, actual);
  }
}]>;

// An op that signals or awaits mbarriers, of whichever vendor.
def MBarrierOpInterface : OpInterface<"MBarrierOpInterface"> {
  let cppNamespace = "::gluond::ttg";
  let methods = [
    InterfaceMethod<"The barrier, or null", "::mlir::TypedValue<::gluond::ttg::MemDescType>", "getBarrier", (ins),
                    [{}], [{ return {}; }]>,
    InterfaceMethod<"All its barriers", "::llvm::SmallVector<::mlir::Value>", "getBarriers", (ins), [{}], [{
      if (::mlir::Value barrier = $_op.getBarrier()) return {barrier};
      return {};
    }]>
  ];
  let verify = [{ return ::gluond::ttg::verifyMBarrierOp($_op); }];
}

#endif
