// Types of `ttg`.
#ifndef GLUOND_TTG_TYPES_TD
#define GLUOND_TTG_TYPES_TD

include "ir/ttg/Dialect.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def TTG_AsyncToken : TypeDef<TTG_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "Links an asynchronous operation to what waits for it";
}

// A buffer, or part of one, in shared or tensor memory. `allocShape` is the shape of what was allocated; it may have
// more leading dimensions (pipeline stages) than `shape`.
def TTG_MemDescType : TypeDef<TTG_Dialect, "MemDesc", [ShapedTypeInterface]> {
  let mnemonic = "memdesc";
  let summary = "Memory descriptor";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace, "bool":$mutableMemory,
                        ArrayRefParameter<"int64_t">:$allocShape);
  let builders = [TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
      "::mlir::Attribute":$memorySpace, CArg<"bool", "false">:$mutableMemory,
      CArg<"::llvm::ArrayRef<int64_t>", "{}">:$allocShape), [{
    return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace, mutableMemory,
                 allocShape.empty() ? shape : allocShape);
  }]>];
  let extraClassDeclaration = [{
    MemDescType cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return get(shape.value_or(getShape()), elementType, getEncoding(), getMemorySpace(), getMutableMemory(),
                 getAllocShape());
    }
    bool hasRank() const { return true; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTG_TensorOrMemDesc : Type<CPred<"::mlir::isa<::mlir::RankedTensorType, ::gluond::ttg::MemDescType>($_self)">,
                               "TensorOrMemDesc instance">;

#endif
