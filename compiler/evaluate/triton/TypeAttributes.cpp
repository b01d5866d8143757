#include "evaluate/triton/TypeAttributes.h"

#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/TypeContext.h"
#include "layout/named/FieldNames.h"

namespace gluond::evaluate {

using language::LayoutKind;
using language::LayoutObject;
using language::ScalarKind;
using language::Type;
using language::TypeKind;

static int exponentBias(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Fp8e4b15:
  case ScalarKind::Fp8e5:
  case ScalarKind::Fp16:
    return 15;
  case ScalarKind::Fp8e4nv:
    return 7;
  case ScalarKind::Fp8e4b8:
    return 8;
  case ScalarKind::Fp8e5b16:
    return 16;
  case ScalarKind::Fp64:
    return 1023;
  default:
    return 127;
  }
}

// Returns the bases of the CTAs in the form for _get_shape_per_cta; those of a shared linear layout
// are its block bases.
static llvm::SmallVector<language::Basis, 4> ctaBases(const LayoutObject& layout, size_t rank) {
  if (!isA(&layout, LayoutKind::SharedLinearLayout)) return language::cgaLayoutOf(layout);
  llvm::SmallVector<language::Basis, 4> result;
  llvm::SmallVector<unsigned, 4> used(rank, 0);
  if (auto* field = language::field(layout, layout::fields::blockBases))
    if (auto blocks = language::bases(*field))
      for (auto& block : *blocks) {
        language::Basis basis(rank, 0);
        for (size_t dim = 0; dim < std::min(block.size(), rank); ++dim)
          if (block[dim]) basis[dim] = int64_t(1) << used[dim]++;
        result.push_back(basis);
      }
  return result;
}

static Value shapeOf(Interpreter& in, llvm::ArrayRef<int64_t> shape, bool asTuple) {
  if (!asTuple) return language::listOf(shape, in.heap());
  llvm::SmallVector<Value, 4> items;
  for (int64_t size : shape)
    items.push_back(Value::integer(size));
  return in.tupleOf(items);
}

Value typeAttribute(Interpreter& in, const Type* type, Name name) {
  llvm::StringRef text = in.text(name);
  auto is = [&](llvm::StringRef other) { return text == other; };
  if (is("name") &&
      (type->isScalar() || type->isPointer() || type->isTensor() || type->is(TypeKind::Tuple)))
    return in.string(language::str(type, in.interner()));
  switch (type->kind()) {
  case TypeKind::Scalar: {
    auto& info = type->info();
    if (is("primitive_bitwidth")) return Value::integer(info.bits);
    if (is("itemsize")) return Value::integer(info.bits / 8);
    if (is("scalar")) return Value::type(type);
    if (type->isInt()) {
      if (is("int_bitwidth")) return Value::integer(info.bits);
      if (is("int_signedness")) {
        auto* member = in.heap().make<EnumObject>();
        member->cls = in.signednessClass();
        member->name = in.name(info.isSigned ? "SIGNED" : "UNSIGNED");
        member->value = Value::integer(info.isSigned ? 0 : 1);
        return Value::object(ValueKind::Enum, member);
      }
    }
    if (type->isFloat()) {
      if (is("fp_mantissa_width")) return Value::integer(info.mantissa);
      if (is("exponent_bias")) return Value::integer(exponentBias(info.kind));
    }
    break;
  }
  case TypeKind::Pointer:
    if (is("element_ty")) return Value::type(type->element());
    if (is("scalar")) return Value::type(type);
    if (is("const")) return Value::boolean(type->isConstPointer());
    if (is("address_space")) return in.string("global");
    break;
  case TypeKind::Tensor:
    if (is("element_ty") || is("scalar")) return Value::type(type->element());
    if (is("shape")) return shapeOf(in, type->shape(), true);
    if (is("numel")) return Value::integer(type->numel());
    if (is("layout") && type->layout()) return Value::object(ValueKind::Layout, type->layout());
    if (is("nbytes") && type->element()->isScalar())
      return Value::integer(type->numel() * (type->element()->bits() / 8));
    break;
  case TypeKind::SharedMemoryDescriptor:
  case TypeKind::TensorMemoryDescriptor:
    if (is("element_ty")) return Value::type(type->element());
    if (is("shape")) return shapeOf(in, type->shape(), false);
    if (is("alloc_shape")) return shapeOf(in, type->allocShape(), type->allocShapeIsTuple());
    if (is("layout")) return Value::object(ValueKind::Layout, type->layout());
    break;
  case TypeKind::TensorDescriptor: {
    if (is("block_type")) return Value::type(type->element());
    if (is("layout")) return Value::object(ValueKind::Layout, type->layout());
    auto parts = type->elements();
    if (is("shape_type") && parts.size() == 2) return Value::type(parts[0]);
    if (is("strides_type") && parts.size() == 2) return Value::type(parts[1]);
    break;
  }
  case TypeKind::Tuple: {
    if (is("types")) {
      llvm::SmallVector<Value> items;
      for (auto* element : type->elements())
        items.push_back(Value::type(element));
      return in.heap().list(items);
    }
    if (is("fields")) {
      if (type->fields().empty()) return Value::none();
      llvm::SmallVector<Value> items;
      for (Name field : type->fields())
        items.push_back(in.string(in.text(field)));
      return in.tupleOf(items);
    }
    break;
  }
  case TypeKind::Constexpr:
    if (is("value")) return type->constant();
    break;
  case TypeKind::Aggregate:
    if (is("base_cls")) return Value::object(ValueKind::Class, type->aggregateClass());
    break;
  case TypeKind::Opaque:
    if (is("tensor_type") && type->element()) return Value::type(type->element());
    break;
  case TypeKind::Slice:
    break;
  }
  // Bytes that one CTA holds: of memory descriptors, and of the block of a tensor descriptor.
  if (is("nbytes_per_cta") && type->layout()) {
    const Type* block = type->is(TypeKind::TensorDescriptor) ? type->element() : type;
    const Type* element = block ? block->element() : nullptr;
    if (element && element->isScalar()) {
      auto perCta =
          language::shapePerCta(block->shape(), ctaBases(*type->layout(), block->shape().size()));
      if (!perCta)
        return in.raise(language::name(perCta.error().exception), perCta.error().message);
      int64_t bits = element->bits();
      for (int64_t size : *perCta)
        if (__builtin_mul_overflow(bits, size, &bits)) return Value::unknown();
      return Value::integer(bits / 8);
    }
  }
  // The types of buffers and descriptors are no dtypes: all that they share is the mangled name.
  bool isDtype = !type->is(TypeKind::SharedMemoryDescriptor) &&
                 !type->is(TypeKind::TensorMemoryDescriptor) &&
                 !type->is(TypeKind::TensorDescriptor);
  if (auto* row = language::findBuiltin(language::ModuleId::dtype, text);
      row && row->hasParameters() && (isDtype || is("mangle")))
    return Value::object(ValueKind::BoundMethod,
                         in.heap().make<BoundMethodObject>(language::Object{}, Value::type(type),
                                                           Value::builtin(row)));
  if (type->is(TypeKind::TensorMemoryDescriptor))
    if (auto* row = language::findBuiltin(language::ModuleId::tensor_memory_descriptor_type, text))
      return Value::object(ValueKind::BoundMethod,
                           in.heap().make<BoundMethodObject>(language::Object{}, Value::type(type),
                                                             Value::builtin(row)));
  if (name == in.names().class_) return in.typeOf(Value::type(type));
  return Value::absent();
}

} // namespace gluond::evaluate
