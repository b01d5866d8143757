// The `tt` dialect, and the two interfaces through which its ops query the dialect of an encoding
// about layouts.
#pragma once

#include "ir/tt/Types.h"

#include <mlir/IR/Dialect.h>
#include <mlir/IR/DialectInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include "ir/tt/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/tt/Attributes.h.inc"

namespace gluond::tt {

struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "<GlobalMemory>"; }
};

// Result encodings of shape ops. Implemented by the dialects that define encodings (ttg, gluon) and
// found through `encoding.getDialect()`. Every function fails (reporting at `loc` if given) if no
// encoding fits, and never crashes on ill-formed input.
class InferLayoutInterface : public mlir::DialectInterface::Base<InferLayoutInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InferLayoutInterface)
  using Loc = std::optional<mlir::Location>;
  using Shape = llvm::ArrayRef<int64_t>;
  using Encoding = mlir::FailureOr<mlir::Attribute>;
  InferLayoutInterface(mlir::Dialect* dialect) : Base(dialect) {}

  virtual Encoding trans(mlir::Attribute operand, Shape shape, llvm::ArrayRef<int32_t> order,
                         Loc loc) const = 0;
  virtual Encoding reduce(mlir::Attribute operand, unsigned axis, Loc loc) const = 0;
  virtual Encoding expandDims(mlir::Attribute operand, unsigned axis, Loc loc) const = 0;
  // `hint` may be null; with allowReorder it is kept if it makes the reshape free.
  virtual Encoding reshape(Shape from, mlir::Attribute encoding, Shape to, mlir::Attribute hint,
                           bool allowReorder, Loc loc) const = 0;
  virtual Encoding join(mlir::Attribute operand, Shape shape, Loc loc) const = 0;
  virtual Encoding split(mlir::Attribute operand, Shape shape, Loc loc) const = 0;
  // Returns the encoding of single values along `axis` for that of packed pairs (forward), or the
  // inverse.
  virtual Encoding fp4ToFp(Shape shape, unsigned axis, mlir::Attribute encoding, bool forward,
                           Loc loc) const = 0;
  // Whether operand `index` may have its encoding if the result has `result`.
  virtual mlir::LogicalResult verifyDotOperand(mlir::Attribute operand, unsigned index,
                                               mlir::Attribute result, Loc loc) const = 0;
  // The checks below report errors through `op`.
  virtual mlir::LogicalResult verifyDotOperands(mlir::Operation* op, mlir::Attribute a,
                                                mlir::Attribute b) const = 0;
  // Scales may be null.
  virtual mlir::LogicalResult verifyDotScaledOperands(mlir::Operation* op, mlir::Attribute a,
                                                      mlir::Attribute b, mlir::Attribute aScale,
                                                      mlir::Attribute bScale) const {
    return mlir::success();
  }
  virtual mlir::LogicalResult verifyCat(mlir::Operation* op) const = 0;
  // Whether both map every element of `shape` to the same places.
  virtual mlir::LogicalResult verifyEqual(Shape shape, mlir::Attribute expected,
                                          mlir::Attribute got, Loc loc,
                                          bool ignoreRegisterBroadcast = false) const = 0;
  // Whether `to` only repeats, within each thread, the elements of `from`. Reports nothing.
  virtual bool isBroadcast(mlir::RankedTensorType from, mlir::RankedTensorType to) const = 0;
};

// Checks a layout against the number of warps, lanes and CTAs of its context. Implemented by ttg.
class VerifyLayoutInterface : public mlir::DialectInterface::Base<VerifyLayoutInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyLayoutInterface)
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
  VerifyLayoutInterface(mlir::Dialect* dialect) : Base(dialect) {}
  virtual mlir::LogicalResult verifyTensor(mlir::Attribute layout, mlir::RankedTensorType type,
                                           mlir::Operation* op, EmitError emitError) const = 0;
  virtual mlir::LogicalResult verifyMemDesc(mlir::Attribute layout, mlir::Type type,
                                            mlir::Operation* op, EmitError emitError) const = 0;
};

// The op that a cache policy is attached to.
enum class CachePolicyUse { Load, Store };

// Implemented by dialects with cache policy attributes (tt, ttng).
class CachePolicyInterface : public mlir::DialectInterface::Base<CachePolicyInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CachePolicyInterface)
  CachePolicyInterface(mlir::Dialect* dialect) : Base(dialect) {}
  virtual mlir::LogicalResult
  verifyCachePolicy(mlir::Attribute policy, CachePolicyUse use,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const = 0;
};
// `policy` may be null, which is valid.
mlir::LogicalResult verifyCachePolicy(mlir::Operation* op, mlir::Attribute policy,
                                      CachePolicyUse use);
mlir::LogicalResult verifyCacheModifier(CacheModifier modifier, CachePolicyUse use,
                                        llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

// Allows inline assembly to take operands of another dialect's types (ttg's memory descriptors).
class InlineAsmInterface : public mlir::DialectInterface::Base<InlineAsmInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineAsmInterface)
  using Effects =
      llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;
  InlineAsmInterface(mlir::Dialect* dialect) : Base(dialect) {}
  virtual void operandEffects(mlir::OpOperand& operand, Effects& effects) const = 0;
  virtual mlir::LogicalResult verifyOperand(mlir::OpOperand& operand, bool pure) const = 0;
};
// Calls the interface of the dialect of every operand's type.
mlir::LogicalResult verifyInlineAsmOperands(mlir::Operation* op, bool pure);
void inlineAsmEffects(mlir::Operation* op, bool pure, InlineAsmInterface::Effects& effects);

// Returns the interface of an encoding's dialect, or null if it has none.
const InferLayoutInterface* inferLayout(mlir::Attribute encoding);

} // namespace gluond::tt
