// Makes types. One thread at a time; a codegen worker keeps one next to its MLIRContext, a module
// evaluation has its own.
//
// Types live as long as the context, except those that refer to values of one run (constexpr types
// of functions, aggregates, ...): endRun() drops these. bytes() lets the owner start afresh when
// edits have piled up.
#pragma once

#include "language/types/Type.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <memory>

namespace gluond::language {

class TypeContext {
public:
  // `names` must outlive the context.
  explicit TypeContext(const Interner& names);
  ~TypeContext();
  TypeContext(const TypeContext&) = delete;
  TypeContext& operator=(const TypeContext&) = delete;

  const Type* pointer(const Type* element, bool isConst = false);
  // layout null: a block_type. The layout is interned by the context.
  const Type* tensor(const Type* element, llvm::ArrayRef<int64_t> shape,
                     const LayoutObject* layout);
  // with_element_ty: a tensor of the same shape and layout, or the scalar itself.
  const Type* withElement(const Type* type, const Type* scalar) {
    return type->isTensor() ? tensor(scalar, type->shape(), type->layout()) : scalar;
  }
  const Type* sharedMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                           const LayoutObject* layout, llvm::ArrayRef<int64_t> allocShape);
  const Type* tensorMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                           const LayoutObject* layout, llvm::ArrayRef<int64_t> allocShape,
                           bool allocShapeIsTuple);
  const Type* descriptor(DescriptorKind kind, const Type* block, const Type* shape,
                         const Type* strides, const LayoutObject* layout);
  const Type* tuple(llvm::ArrayRef<const Type*> elements, llvm::ArrayRef<Name> fields = {});
  const Type* constexprType(Value value);
  const Type* aggregate(ClassObject* cls, llvm::ArrayRef<const Type*> fields);
  const Type* slice();
  const Type* opaque(OpaqueKind kind, const Type* element = nullptr);

  // The one object for layouts spelled alike, with fields in this context. Cheap for an object of
  // its own. A field that a layout cannot have (a function, a dict, ...) becomes Absent, which no
  // use of the layout accepts.
  const LayoutObject* layout(const LayoutObject* layout);
  // The same type in this context; types of this context (and scalars) come back as they are. Types
  // that are parts of others are brought along by the functions above.
  const Type* import(const Type* type) {
    return !type || type->isScalar() || type->home_ == impl_.get() ? type : copy(*type);
  }

  // Text in names of callees; lives as long as the type.
  llvm::StringRef mangle(const Type* type);
  // As @"module.name__..." needs it: with quotes and brackets replaced. Appended to `out`.
  void mangleArguments(llvm::ArrayRef<const Type*> types, llvm::SmallVectorImpl<char>& out);

  // The n-th address-less object (a constexpr function, a plain instance) printed in this run is
  // 0xn.
  unsigned addressOf(const void* object);

  void endRun();
  size_t bytes() const;

private:
  struct Impl;
  struct Parts;
  const Interner* names_;
  const Type* intern(const Parts& wanted);
  const Type* copy(const Type& type);
  const LayoutObject* layout(const LayoutObject* layout, unsigned depth, bool& isWhole);
  std::unique_ptr<Impl> impl_;
};

} // namespace gluond::language
