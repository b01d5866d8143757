// What a worker keeps between kernels: the MLIR context with the dialects loaded, interned language types, what was
// already translated between the two, and the prelude. One thread at a time; contexts are independent of each other.
#pragma once

#include "codegen/Prelude.h"
#include "codegen/QuickVerify.h"
#include "codegen/WellKnown.h"
#include "language/Type.h"
#include "language/TypeContext.h"
#include "layout/Layout.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/MLIRContext.h>

#include <memory>
#include <optional>
#include <utility>

namespace gluond::codegen {

class CodegenContext {
public:
  explicit CodegenContext(Interner& names);
  ~CodegenContext();
  CodegenContext(const CodegenContext&) = delete;
  CodegenContext& operator=(const CodegenContext&) = delete;

  mlir::MLIRContext& mlir() { return *mlir_; }
  language::TypeContext& types() { return types_; }
  Interner& names() { return names_; }
  const WellKnown& wellKnown() const { return wellKnown_; }
  Prelude& prelude() { return prelude_; }
  QuickVerifier& verifier() { return verifier_; }

  // Triton's type.to_ir(builder). Types of one handle only; of a tensor descriptor: the descriptor itself. Null when a
  // layout in it is not well-formed (takeLayoutError says why) or does not fit the rest (takeTypeError).
  mlir::Type irType(const language::Type* type);
  // Triton's layout._to_ir(builder); null likewise. Layouts of types are interned, so that their address is the key;
  // others should be (TypeContext::layout).
  mlir::Attribute encoding(const language::LayoutObject* layout);
  // The other way round (layout_to_gluon); null when Gluon has no name for it.
  const language::LayoutObject* layoutOf(mlir::Attribute encoding, bool isRubin = false);

  // What MLIR looks up by hashing all there is to them, kept at hand: an integer of its own type, a tensor of i1.
  mlir::IntegerAttr integer(const llvm::APInt& value);
  mlir::Type truthType(mlir::RankedTensorType type);

  struct LayoutProblem {
    const language::LayoutObject* layout;
    layout::LayoutError error;
  };
  std::optional<LayoutProblem> takeLayoutError() { return std::exchange(layoutError_, std::nullopt); }
  std::optional<std::string> takeTypeError() { return std::exchange(typeError_, std::nullopt); }

private:
  mlir::Type makeIrType(const language::Type* type);
  mlir::Attribute makeEncoding(const language::LayoutObject& layout);

  std::unique_ptr<mlir::MLIRContext> mlir_;
  Interner& names_;
  WellKnown wellKnown_;
  language::TypeContext types_;
  language::Heap heap_; // of layouts made from encodings
  Prelude prelude_;
  QuickVerifier verifier_;
  mlir::Type scalars_[language::scalarKindCount];
  llvm::DenseMap<const language::LayoutObject*, mlir::Attribute> encodings_;
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, const language::LayoutObject*> layouts_;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, mlir::IntegerAttr> integers_;
  llvm::DenseMap<mlir::Type, mlir::Type> truths_;
  std::optional<LayoutProblem> layoutError_;
  std::optional<std::string> typeError_;
};

} // namespace gluond::codegen
