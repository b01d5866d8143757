#include "language/types/MangledName.h"

#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"

#include <llvm/Support/raw_ostream.h>

namespace gluond::language {

static void joinShape(llvm::raw_ostream& os, llvm::ArrayRef<int64_t> shape) {
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i) os << '_';
    os << shape[i];
  }
}

std::string mangledName(TypeContext& types, const Type* type, const Interner& names,
                        llvm::function_ref<unsigned(const void*)> addressOf) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (type->kind()) {
  case TypeKind::Scalar:
    break;
  case TypeKind::Pointer:
    os << "P" << types.mangle(type->element());
    break;
  case TypeKind::Tensor:
    os << types.mangle(type->element()) << "S";
    joinShape(os, type->shape());
    os << "S";
    if (type->layout()) os << "L" << language::mangle(*type->layout()) << "L";
    break;
  case TypeKind::SharedMemoryDescriptor:
    os << "MD" << types.mangle(type->element()) << "S";
    joinShape(os, type->shape());
    os << "SL" << language::mangle(*type->layout()) << "LAS";
    joinShape(os, type->allocShape());
    os << "ASMD";
    break;
  case TypeKind::TensorMemoryDescriptor: {
    os << "MD" << types.mangle(type->element()) << "S";
    joinShape(os, type->shape());
    os << "SL" << language::mangle(*type->layout()) << "LAS[";
    llvm::StringRef quote = type->allocShapeIsTuple() ? "'" : "";
    for (size_t i = 0; i < type->allocShape().size(); ++i)
      os << (i ? ", " : "") << quote << type->allocShape()[i] << quote;
    os << "]ASMD";
    break;
  }
  case TypeKind::TensorDescriptor: {
    llvm::StringRef prefix = type->descriptorKind() == DescriptorKind::Im2Col ? "TDI" : "TD";
    os << prefix << types.mangle(type->element()) << "_";
    if (type->descriptorKind() == DescriptorKind::Tdm)
      os << types.mangle(type->elements()[0]) << "_" << types.mangle(type->elements()[1]) << "_";
    os << language::mangle(*type->layout()) << prefix;
    break;
  }
  case TypeKind::Tuple:
    os << "T";
    for (size_t i = 0; i < type->elements().size(); ++i)
      os << (i ? "_" : "") << types.mangle(type->elements()[i]);
    os << "T";
    break;
  case TypeKind::Constexpr: {
    Value value = type->constant();
    os << "c";
    if (value.is(ValueKind::Type))
      os << types.mangle(value.asType());
    else if (auto* layout = value.as<LayoutObject>())
      os << language::mangle(*layout);
    else
      os << repr(value, names, addressOf);
    break;
  }
  case TypeKind::Aggregate: {
    const ClassObject* cls = type->aggregateClass();
    os << (cls->module ? cls->module->name : "") << "." << cls->qualname << "<";
    for (size_t i = 0; i < type->elements().size(); ++i)
      os << (i ? ", " : "") << types.mangle(type->elements()[i]);
    os << ">";
    break;
  }
  case TypeKind::Slice:
    os << "slice";
    break;
  case TypeKind::Opaque:
    if (type->opaqueKind() == OpaqueKind::ClcResult)
      os << "CLC";
    else
      os << "FT" << types.mangle(type->element()) << "FT";
    break;
  }
  return text;
}

} // namespace gluond::language
