// Creates and interns types, for one thread at a time. A codegen worker keeps one next to its
// MLIRContext; a module evaluation has its own.
//
// Types live as long as the context, except those that refer to values of one run (constexpr types
// of functions, aggregates, ...), which endRun() drops. The owner may use bytes() to decide when to
// start with a new context after many edits.
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
  // Returns the type of a tensor, or a block_type if `layout` is null. The context interns the
  // layout.
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
  const Type* aggregate(const ClassObject* cls, llvm::ArrayRef<const Type*> fields);
  const Type* slice();
  const Type* opaque(OpaqueKind kind, const Type* element = nullptr);

  // Returns the one object for layouts with the same spelling, with fields in this context; cheap
  // for its own objects. A field value that a layout cannot have (a function, a dict, ...) becomes
  // Absent, which every use of the layout refuses.
  const LayoutObject* layout(const LayoutObject* layout);
  // Returns the same type in this context; its own types (and scalars) are returned unchanged. The
  // functions above import the types that are parts of others.
  const Type* import(const Type* type) {
    return !type || type->isScalar() || type->home_ == impl_.get() ? type : copy(*type);
  }

  // The text of a type in names of callees; it lives as long as the type.
  llvm::StringRef mangle(const Type* type);
  // Appends the text used in @"module.name__...": with quotes and brackets replaced.
  void mangleArguments(llvm::ArrayRef<const Type*> types, llvm::SmallVectorImpl<char>& out);

  // The n-th object without an address (a constexpr function, a plain instance) that is printed in
  // this run gets the address 0xn.
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
