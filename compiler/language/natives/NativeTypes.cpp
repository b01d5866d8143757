// Types made by calling their classes, and the methods of dtype.
#include "language/natives/Natives.h"
#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "language/types/TypeContext.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::language::natives {

Value raise(EvaluateContext& context, const RaisedException& failure) {
  Value raised = context.raise(name(failure.exception), failure.message);
  if (failure.argument >= 0) context.blame(failure.argument);
  return raised;
}

static const Type* typeArgument(EvaluateContext& context, Value value, llvm::StringRef what) {
  if (value.is(ValueKind::Type)) return value.asType();
  context.raise("TypeError", what + " must be a dtype");
  return nullptr;
}

static std::optional<llvm::SmallVector<int64_t, 4>> shapeArgument(EvaluateContext& context,
                                                                  Value value) {
  if (auto shape = ints(value)) return shape;
  context.raise("TypeError", "a shape must be a list of integers");
  return std::nullopt;
}

static const LayoutObject* layoutArgument(EvaluateContext& context, Value value,
                                          LayoutFamily family, llvm::StringRef what) {
  auto* layout = value.as<LayoutObject>();
  if (layout && layout->cls->family == family) return layout;
  context.raise("AssertionError", what);
  return nullptr;
}

// Void is the result of a context for types that nest too deeply; types that share parts many times
// are too large to be printed.
static Value typeOrUnknown(const Type* type) {
  if (type->isScalar(ScalarKind::Void) || fit(Value::type(type)) != Fit::Fits)
    return Value::unknown();
  return Value::type(type);
}

Value makeConstexpr(EvaluateContext&, Values arguments) {
  return arguments[0].wrapped();
}

Value makeDtype(EvaluateContext& context, Values arguments) {
  auto* text = arguments[0].as<StrObject>();
  ScalarKind kind;
  if (!text || !findScalar(text->text, kind) || scalarInfo(kind).name != text->text)
    return context.raise("AssertionError", text ? text->text : llvm::StringRef());
  return Value::type(scalarType(kind));
}

Value makePointerType(EvaluateContext& context, Values arguments) {
  const Type* element = typeArgument(context, arguments[0], "element_ty");
  if (!element) return Value::absent();
  if (!element->isScalar() && !element->isPointer() && !element->isTensor())
    return context.raise("TypeError", "element_ty must be a dtype, but it is " +
                                          str(element, context.interner()));
  bool isConst = arguments[2].isIntegral() && arguments[2].asInt();
  return typeOrUnknown(context.types().pointer(element, isConst));
}

// validate_block_shape
static bool validShape(EvaluateContext& context, llvm::ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(shape[i]))) {
      context.raise("ValueError", "Shape element " + llvm::Twine(i) + " must be a power of 2");
      return false;
    }
    product = shape[i] > 1048576 ? 1048577 : product * shape[i];
    if (product > 1048576) {
      context.raise("ValueError", "numel exceeds triton maximum tensor numel (1048576)");
      return false;
    }
  }
  return true;
}

Value makeBlockType(EvaluateContext& context, Values arguments) {
  const Type* element = typeArgument(context, arguments[0], "element_ty");
  if (!element) return Value::absent();
  auto shape = shapeArgument(context, arguments[1]);
  if (!shape || !validShape(context, *shape)) return Value::absent();
  if (shape->empty()) return context.raise("TypeError", "0d block_type is forbidden");
  return typeOrUnknown(context.types().tensor(element, *shape, nullptr));
}

Value makeDistributedType(EvaluateContext& context, Values arguments) {
  const Type* element = typeArgument(context, arguments[0], "element_ty");
  if (!element) return Value::absent();
  auto shape = shapeArgument(context, arguments[1]);
  if (!shape || !validShape(context, *shape)) return Value::absent();
  if (shape->empty()) return context.raise("TypeError", "0d block_type is forbidden");
  auto* layout = layoutArgument(context, arguments[2], LayoutFamily::Distributed,
                                "tensor layout must be a DistributedLayout");
  if (!layout) return Value::absent();
  if (!isUnresolved(layout)) {
    auto rank = rankOf(*layout);
    if (rank && *rank != shape->size())
      return context.raise("AssertionError", "tensor shape and layout rank mismatch");
  }
  return typeOrUnknown(context.types().tensor(element, *shape, layout));
}

static Value makeMemoryType(EvaluateContext& context, Values arguments, LayoutFamily family) {
  const Type* element = typeArgument(context, arguments[0], "element_ty");
  if (!element) return Value::absent();
  auto shape = shapeArgument(context, arguments[1]);
  if (!shape) return Value::absent();
  auto* layout = layoutArgument(context, arguments[2], family, "");
  if (!layout) return Value::absent();
  auto allocShape = shapeArgument(context, arguments[3]);
  if (!allocShape) return Value::absent();
  if (family == LayoutFamily::Shared)
    return typeOrUnknown(context.types().sharedMemory(element, *shape, layout, *allocShape));
  bool isTuple = arguments[3].is(ValueKind::Tuple) && arguments[3].as<TupleObject>()->triton;
  return typeOrUnknown(context.types().tensorMemory(element, *shape, layout, *allocShape, isTuple));
}

Value makeSharedMemoryType(EvaluateContext& context, Values arguments) {
  return makeMemoryType(context, arguments, LayoutFamily::Shared);
}
Value makeTensorMemoryType(EvaluateContext& context, Values arguments) {
  return makeMemoryType(context, arguments, LayoutFamily::TensorMemory);
}

Value makeTupleType(EvaluateContext& context, Values arguments) {
  llvm::SmallVector<const Type*, 8> types;
  for (Value item : itemsOf(arguments[0])) {
    const Type* type = typeArgument(context, item, "types");
    if (!type) return Value::absent();
    types.push_back(type);
  }
  llvm::SmallVector<Name, 8> fields;
  for (Value item : itemsOf(arguments[1]))
    if (auto* text = item.as<StrObject>()) fields.push_back(context.name(text->text));
  if (context.failed()) return Value::absent();
  return typeOrUnknown(context.types().tuple(types, fields));
}

Value makeTuple(EvaluateContext& context, Values arguments) {
  llvm::SmallVector<Value, 8> items;
  if (!context.unpack(arguments[0], items))
    return context.failed() ? Value::absent() : Value::unknown();
  return context.heap().tuple(items);
}

Value makeAccumulatorType(EvaluateContext& context, Values arguments) {
  const Type* tensor = typeArgument(context, arguments[0], "tensor_type");
  if (!tensor) return Value::absent();
  return typeOrUnknown(context.types().opaque(OpaqueKind::WarpgroupMmaAccumulator, tensor));
}

Value makeClcResultType(EvaluateContext& context, Values) {
  return Value::type(context.types().opaque(OpaqueKind::ClcResult));
}

static Value makeDescriptor(EvaluateContext& context, Values arguments, DescriptorKind kind) {
  const Type* parts[3];
  for (size_t i = 0; i < 3; ++i)
    if (!(parts[i] = typeArgument(context, arguments[i], "a part of a descriptor type")))
      return Value::absent();
  if (!parts[0]->isTensor())
    return context.raise("AttributeError", "'dtype' object has no attribute 'shape'");
  if (!parts[1]->is(TypeKind::Tuple) || !parts[2]->is(TypeKind::Tuple))
    return context.raise("AttributeError", "'dtype' object has no attribute 'types'");
  auto* layout = layoutArgument(context, arguments[3], LayoutFamily::Shared, "");
  if (!layout) return Value::absent();
  return typeOrUnknown(context.types().descriptor(kind, parts[0], parts[1], parts[2], layout));
}
Value makeDescriptorType(EvaluateContext& context, Values arguments) {
  return makeDescriptor(context, arguments, DescriptorKind::Tiled);
}
Value makeIm2ColType(EvaluateContext& context, Values arguments) {
  return makeDescriptor(context, arguments, DescriptorKind::Im2Col);
}
Value makeTdmType(EvaluateContext& context, Values arguments) {
  return makeDescriptor(context, arguments, DescriptorKind::Tdm);
}

Value getIntDtype(EvaluateContext& context, Values arguments) {
  int64_t bits = arguments[0].isIntegral() ? arguments[0].asInt() : 0;
  bool isSigned = arguments[1].isIntegral() && arguments[1].asInt();
  for (unsigned i = 0; i < scalarKindCount; ++i) {
    const ScalarInfo& info = scalarInfo(static_cast<ScalarKind>(i));
    if (info.isInt() && info.bits == bits && (info.isSigned == isSigned || bits == 1))
      return Value::type(scalarType(info.kind));
  }
  return context.raise("ValueError", "Unsupported bitwidth " + llvm::Twine(bits) +
                                         " and signedness " + (isSigned ? "True" : "False"));
}

// ---------------------------------------------------------------- dtype's methods

static const Type* self(Values arguments) {
  return arguments[0].is(ValueKind::Type) ? arguments[0].asType() : nullptr;
}

template <typename Predicate>
static Value ask(EvaluateContext& context, Values arguments, Predicate predicate) {
  const Type* type = self(arguments);
  return type ? Value::boolean(predicate(type)) : context.raise("TypeError", "expected a dtype");
}

#define IS_KIND(name, scalarKind)                                                                  \
  Value dtype_##name(EvaluateContext& context, Values arguments) {                                 \
    return ask(context, arguments,                                                                 \
               [](const Type* type) { return type->isScalar(ScalarKind::scalarKind); });           \
  }
IS_KIND(is_fp8e4nv, Fp8e4nv)
IS_KIND(is_fp8e4b8, Fp8e4b8)
IS_KIND(is_fp8e4b15, Fp8e4b15)
IS_KIND(is_fp8e5, Fp8e5)
IS_KIND(is_fp8e5b16, Fp8e5b16)
IS_KIND(is_fp16, Fp16)
IS_KIND(is_bf16, Bf16)
IS_KIND(is_fp32, Fp32)
IS_KIND(is_fp64, Fp64)
IS_KIND(is_int1, Int1)
IS_KIND(is_int8, Int8)
IS_KIND(is_int16, Int16)
IS_KIND(is_int32, Int32)
IS_KIND(is_int64, Int64)
IS_KIND(is_uint8, UInt8)
IS_KIND(is_uint16, UInt16)
IS_KIND(is_uint32, UInt32)
IS_KIND(is_uint64, UInt64)
IS_KIND(is_bool, Int1)
#undef IS_KIND

#define IS(name, method)                                                                           \
  Value dtype_##name(EvaluateContext& context, Values arguments) {                                 \
    return ask(context, arguments, [](const Type* type) { return type->method(); });               \
  }
IS(is_floating, isFloat)
IS(is_standard_floating, isStandardFloat)
IS(is_int_signed, isSignedInt)
IS(is_int_unsigned, isUnsignedInt)
IS(is_int, isInt)
IS(is_block, isTensor)
IS(is_ptr, isPointer)
IS(is_const, isConstPointer)
#undef IS

// Triton searches for the letters in the name, and a pointer's name contains its element's.
Value dtype_is_fp8(EvaluateContext& context, Values arguments) {
  return ask(context, arguments, [](const Type* type) {
    while (type->isPointer() || type->isTensor())
      type = type->element();
    return type->isFp8();
  });
}

static Value intLimit(EvaluateContext& context, Values arguments, bool largest) {
  const Type* type = self(arguments);
  if (!type || !type->isInt()) return context.raise("AssertionError", "");
  unsigned bits = type->bits();
  if (type->isSignedInt())
    return Value::integer(largest ? llvm::maxIntN(bits) : llvm::minIntN(bits));
  if (!largest) return Value::integer(0);
  uint64_t limit = llvm::maxUIntN(bits);
  return context.heap().bigInt(limit, false);
}
Value dtype_get_int_max_value(EvaluateContext& context, Values arguments) {
  return intLimit(context, arguments, true);
}
Value dtype_get_int_min_value(EvaluateContext& context, Values arguments) {
  return intLimit(context, arguments, false);
}

Value dtype_codegen_name(EvaluateContext& context, Values arguments) {
  const Type* type = self(arguments);
  if (!type || !type->isScalar()) return context.raise("TypeError", "expected a dtype");
  return context.heap().str(type->info().attribute);
}

Value dtype_mangle(EvaluateContext& context, Values arguments) {
  const Type* type = self(arguments);
  if (!type) return context.raise("TypeError", "expected a type");
  return context.heap().str(context.types().mangle(context.types().import(type)));
}

Value dtype_get_block_shapes(EvaluateContext& context, Values arguments) {
  const Type* type = self(arguments);
  if (!type || !type->isTensor())
    return context.raise("AttributeError", "'dtype' object has no attribute 'get_block_shapes'");
  llvm::SmallVector<Value, 4> items;
  for (int64_t size : type->shape())
    items.push_back(Value::integer(size));
  return context.heap().tuple(items);
}

Value dtype_with_element_ty(EvaluateContext& context, Values arguments) {
  const Type* type = self(arguments);
  const Type* element = typeArgument(context, arguments[1], "scalar_ty");
  if (!type || !element) return Value::absent();
  return Value::type(context.types().withElement(context.types().import(type), element));
}

} // namespace gluond::language::natives
