// What a worker keeps between kernels: the MLIR context with the dialects loaded, interned language types, and what
// was already translated between the two. One thread at a time.
#pragma once

#include "language/Type.h"
#include "language/TypeContext.h"
#include "support/Interner.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/Attributes.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/Types.h>

namespace gluond::codegen {

class CodegenContext {
public:
  explicit CodegenContext(Interner& names);
  ~CodegenContext();
  CodegenContext(const CodegenContext&) = delete;
  CodegenContext& operator=(const CodegenContext&) = delete;

  mlir::MLIRContext& mlir() { return mlir_; }
  language::TypeContext& types() { return types_; }
  Interner& names() { return names_; }

  // Triton's type.to_ir(builder). Types of one handle only; of a tensor descriptor: the descriptor itself.
  mlir::Type irType(const language::Type* type);
  // Triton's layout._to_ir(builder). The layout may be any object; equal ones share one attribute.
  mlir::Attribute encoding(const language::LayoutObject* layout);
  // The other way round (layout_to_gluon); null when Gluon has no name for it.
  const language::LayoutObject* layoutOf(mlir::Attribute encoding);

private:
  mlir::Type makeIrType(const language::Type* type);
  mlir::Attribute makeEncoding(const language::LayoutObject& layout);

  mlir::MLIRContext mlir_;
  Interner& names_;
  language::TypeContext types_;
  language::Heap heap_; // of layouts made from encodings
  mlir::Type scalars_[language::scalarKindCount];
  llvm::DenseMap<const language::LayoutObject*, mlir::Attribute> encodings_;
  llvm::DenseMap<mlir::Attribute, const language::LayoutObject*> layouts_;
};

} // namespace gluond::codegen
