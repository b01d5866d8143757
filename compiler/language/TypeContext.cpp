#include "language/TypeContext.h"

#include "language/Layout.h"
#include "language/Structure.h"
#include "language/Text.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::language {

namespace {

unsigned mix(unsigned a, unsigned b) {
  return (a ^ b) * 2654435761u + (a >> 15);
}
unsigned mixPointer(unsigned a, const void* pointer) {
  auto bits = reinterpret_cast<uintptr_t>(pointer);
  return mix(a, static_cast<unsigned>(bits >> 4) ^ static_cast<unsigned>(bits >> 36));
}

} // namespace

struct TypeContext::Impl {
  // Sets of pointers, looked up by structure.
  struct TypeKey {
    static const Type* getEmptyKey() { return llvm::DenseMapInfo<const Type*>::getEmptyKey(); }
    static const Type* getTombstoneKey() {
      return llvm::DenseMapInfo<const Type*>::getTombstoneKey();
    }
    static unsigned getHashValue(const Type* type);
    static bool isEqual(const Type* a, const Type* b);
  };
  struct LayoutKey {
    static const LayoutObject* getEmptyKey() {
      return llvm::DenseMapInfo<const LayoutObject*>::getEmptyKey();
    }
    static const LayoutObject* getTombstoneKey() {
      return llvm::DenseMapInfo<const LayoutObject*>::getTombstoneKey();
    }
    static unsigned getHashValue(const LayoutObject* layout) { return hashOf(*layout); }
    static bool isEqual(const LayoutObject* a, const LayoutObject* b) {
      if (a == b) return true;
      if (isSentinel(a) || isSentinel(b)) return false;
      return equal(*a, *b, Equality::Exact);
    }
    static bool isSentinel(const LayoutObject* layout) {
      return layout == getEmptyKey() || layout == getTombstoneKey();
    }
  };

  Heap layouts;                                 // layouts and their fields
  llvm::BumpPtrAllocator persistent, transient; // types, arrays, mangled text
  llvm::DenseSet<const Type*, TypeKey> types, transientTypes;
  llvm::DenseSet<const LayoutObject*, LayoutKey> layoutSet;
  llvm::DenseSet<const LayoutObject*> ownLayouts; // those in layoutSet, by their address
  llvm::DenseMap<const LayoutObject*, const LayoutObject*>
      canonicalLayouts; // those that are not their own
  llvm::DenseMap<const void*, unsigned> addresses;

  template <typename T>
  llvm::ArrayRef<T> copy(llvm::BumpPtrAllocator& arena, llvm::ArrayRef<T> items) {
    if (items.empty()) return {};
    T* data = arena.Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), data);
    return {data, items.size()};
  }
  Value deepCopy(Value value);
  const LayoutObject* canonical(const LayoutObject* layout);
};

unsigned TypeContext::Impl::TypeKey::getHashValue(const Type* type) {
  return type->hash_;
}

bool TypeContext::Impl::TypeKey::isEqual(const Type* a, const Type* b) {
  if (a == b) return true;
  if (a == getEmptyKey() || a == getTombstoneKey() || b == getEmptyKey() || b == getTombstoneKey())
    return false;
  return a->hash_ == b->hash_ && a->kind_ == b->kind_ && a->scalar_ == b->scalar_ &&
         a->flag_ == b->flag_ && a->element_ == b->element_ && a->layout_ == b->layout_ &&
         a->class_ == b->class_ && a->shape_ == b->shape_ && a->allocShape_ == b->allocShape_ &&
         a->elements_ == b->elements_ && a->fields_ == b->fields_ &&
         (a->kind_ != TypeKind::Constexpr || equal(a->constant_, b->constant_, Equality::Exact));
}

TypeContext::TypeContext(const Interner& names) : names_(&names), impl_(std::make_unique<Impl>()) {}
TypeContext::~TypeContext() = default;

size_t TypeContext::bytes() const {
  return impl_->layouts.bytes() + impl_->persistent.getBytesAllocated();
}

void TypeContext::endRun() {
  impl_->transientTypes.clear();
  impl_->transient.Reset();
  impl_->addresses.clear();
}

unsigned TypeContext::addressOf(const void* object) {
  auto [it, isNew] =
      impl_->addresses.try_emplace(object, static_cast<unsigned>(impl_->addresses.size() + 1));
  return it->second;
}

// ---------------------------------------------------------------- layouts

Value TypeContext::Impl::deepCopy(Value value) {
  switch (value.kind()) {
  case ValueKind::Str:
    return layouts.str(value.as<StrObject>()->text);
  case ValueKind::List:
  case ValueKind::Tuple: {
    llvm::SmallVector<Value, 8> items;
    for (Value item : itemsOf(value))
      items.push_back(deepCopy(item));
    if (value.is(ValueKind::List)) return layouts.list(items);
    Value copied = layouts.tuple(items);
    copied.as<TupleObject>()->triton = value.as<TupleObject>()->triton;
    return copied;
  }
  case ValueKind::Layout: {
    auto* layout = value.as<LayoutObject>();
    llvm::SmallVector<Value, 8> fields;
    for (Value field : layout->fields)
      fields.push_back(deepCopy(field));
    return Value::object(
        ValueKind::Layout,
        layouts.make<LayoutObject>(Object{}, layout->cls, layouts.copy(Values(fields))));
  }
  default:
    return value;
  }
}

const LayoutObject* TypeContext::layout(const LayoutObject* layout) {
  if (!layout || impl_->ownLayouts.contains(layout)) return layout;
  auto it = impl_->layoutSet.find(layout);
  if (it != impl_->layoutSet.end()) return *it;
  // A parent is interned on its own, so that a slice of it shares it.
  llvm::SmallVector<Value, 8> fields;
  for (Value field : layout->fields) {
    if (auto* inner = field.as<LayoutObject>())
      fields.push_back(
          Value::object(ValueKind::Layout, const_cast<LayoutObject*>(this->layout(inner))));
    else
      fields.push_back(impl_->deepCopy(field));
  }
  auto* copied =
      impl_->layouts.make<LayoutObject>(Object{}, layout->cls, impl_->layouts.copy(Values(fields)));
  // The first one spelled otherwise but equal is what stands for all in comparisons.
  for (const LayoutObject* other : impl_->layoutSet)
    if (other->cls == copied->cls && equal(*other, *copied)) {
      impl_->canonicalLayouts[copied] = impl_->canonical(other);
      break;
    }
  impl_->layoutSet.insert(copied);
  impl_->ownLayouts.insert(copied);
  return copied;
}

const LayoutObject* TypeContext::Impl::canonical(const LayoutObject* layout) {
  auto it = canonicalLayouts.find(layout);
  return it == canonicalLayouts.end() ? layout : it->second;
}

// ---------------------------------------------------------------- types

const Type* TypeContext::intern(const Type& wanted) {
  Type key = wanted;
  unsigned h =
      mix(static_cast<unsigned>(key.kind_), static_cast<unsigned>(key.scalar_) * 2 + key.flag_);
  h = mixPointer(h, key.element_);
  h = mixPointer(h, key.layout_);
  h = mixPointer(h, key.class_);
  for (int64_t size : key.shape_)
    h = mix(h, static_cast<unsigned>(size));
  for (int64_t size : key.allocShape_)
    h = mix(h, static_cast<unsigned>(size) + 1);
  for (const Type* element : key.elements_)
    h = mixPointer(h, element);
  for (Name name : key.fields_)
    h = mix(h, name.id);
  if (key.kind_ == TypeKind::Constexpr) h = mix(h, hashOf(key.constant_));
  key.hash_ = h;

  auto& set = key.transient_ ? impl_->transientTypes : impl_->types;
  auto it = set.find(&key);
  if (it != set.end()) return *it;
  auto& arena = key.transient_ ? impl_->transient : impl_->persistent;
  key.shape_ = impl_->copy(arena, key.shape_);
  key.allocShape_ = impl_->copy(arena, key.allocShape_);
  key.elements_ = impl_->copy(arena, key.elements_);
  key.fields_ = impl_->copy(arena, key.fields_);
  Type* made = new (arena.Allocate<Type>()) Type(key);
  set.insert(made);

  // The type that stands for all spelled otherwise.
  Type plain = *made;
  bool differs = false;
  if (plain.layout_)
    if (const LayoutObject* layout = impl_->canonical(plain.layout_); layout != plain.layout_) {
      plain.layout_ = layout;
      differs = true;
    }
  if (plain.element_ && plain.element_->canonical() != plain.element_) {
    plain.element_ = plain.element_->canonical();
    differs = true;
  }
  if (plain.kind_ == TypeKind::TensorMemoryDescriptor && plain.flag_) {
    plain.flag_ = false;
    differs = true;
  }
  llvm::SmallVector<const Type*, 8> elements;
  for (const Type* element : plain.elements_) {
    elements.push_back(element->canonical());
    differs |= element->canonical() != element;
  }
  plain.elements_ = elements;
  if (plain.kind_ == TypeKind::Constexpr && !plain.transient_) {
    // 1 == True == 1.0
    Value value = plain.constant_;
    if (value.is(ValueKind::Bool))
      value = Value::integer(value.asBool());
    else if (value.is(ValueKind::Float) && value.asFloat() >= -9e15 && value.asFloat() <= 9e15 &&
             value.asFloat() == static_cast<double>(static_cast<int64_t>(value.asFloat())))
      value = Value::integer(static_cast<int64_t>(value.asFloat()));
    if (!value.identical(plain.constant_)) {
      plain.constant_ = value;
      differs = true;
    }
  }
  if (differs) {
    plain.canonical_ = nullptr;
    plain.ir_ = nullptr;
    plain.mangled_ = {};
    made->canonical_ = intern(plain)->canonical();
  } else if (plain.kind_ == TypeKind::Constexpr && plain.transient_) {
    for (const Type* other : impl_->transientTypes)
      if (other != made && other->kind_ == TypeKind::Constexpr && other->hash_ == made->hash_ &&
          equal(other->constant_, made->constant_)) {
        made->canonical_ = other->canonical();
        break;
      }
  }
  return made;
}

const Type* TypeContext::pointer(const Type* element, bool isConst) {
  Type type;
  type.kind_ = TypeKind::Pointer;
  type.element_ = element;
  type.flag_ = isConst;
  return intern(type);
}

const Type* TypeContext::tensor(const Type* element, llvm::ArrayRef<int64_t> shape,
                                const LayoutObject* layout) {
  Type type;
  type.kind_ = TypeKind::Tensor;
  type.element_ = element;
  type.shape_ = shape;
  type.layout_ = this->layout(layout);
  return intern(type);
}

const Type* TypeContext::sharedMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                                      const LayoutObject* layout,
                                      llvm::ArrayRef<int64_t> allocShape) {
  Type type;
  type.kind_ = TypeKind::SharedMemoryDescriptor;
  type.element_ = element;
  type.shape_ = shape;
  type.allocShape_ = allocShape;
  type.layout_ = this->layout(layout);
  return intern(type);
}

const Type* TypeContext::tensorMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                                      const LayoutObject* layout,
                                      llvm::ArrayRef<int64_t> allocShape, bool allocShapeIsTuple) {
  Type type;
  type.kind_ = TypeKind::TensorMemoryDescriptor;
  type.element_ = element;
  type.shape_ = shape;
  type.allocShape_ = allocShape;
  type.flag_ = allocShapeIsTuple;
  type.layout_ = this->layout(layout);
  return intern(type);
}

const Type* TypeContext::descriptor(DescriptorKind kind, const Type* block, const Type* shape,
                                    const Type* strides, const LayoutObject* layout) {
  Type type;
  type.kind_ = TypeKind::TensorDescriptor;
  type.scalar_ = static_cast<ScalarKind>(kind);
  type.element_ = block;
  const Type* parts[] = {shape, strides};
  type.elements_ = parts;
  type.transient_ = shape->transient_ || strides->transient_;
  type.layout_ = this->layout(layout);
  return intern(type);
}

const Type* TypeContext::tuple(llvm::ArrayRef<const Type*> elements, llvm::ArrayRef<Name> fields) {
  Type type;
  type.kind_ = TypeKind::Tuple;
  type.elements_ = elements;
  type.fields_ = fields;
  for (const Type* element : elements)
    type.transient_ |= element->transient_;
  return intern(type);
}

static bool isPlain(Value value) {
  return value.kind() < ValueKind::BigInt && value.kind() != ValueKind::Type;
}

const Type* TypeContext::constexprType(Value value) {
  Type type;
  type.kind_ = TypeKind::Constexpr;
  type.constant_ = value.unwrapped();
  if (auto* layout = value.as<LayoutObject>())
    type.constant_ =
        Value::object(ValueKind::Layout, const_cast<LayoutObject*>(this->layout(layout)));
  else
    type.transient_ = !isPlain(value) && !(value.is(ValueKind::Type) && value.asType()->isScalar());
  return intern(type);
}

const Type* TypeContext::aggregate(ClassObject* cls, llvm::ArrayRef<const Type*> fields) {
  Type type;
  type.kind_ = TypeKind::Aggregate;
  type.class_ = cls;
  type.elements_ = fields;
  type.transient_ = true;
  return intern(type);
}

const Type* TypeContext::slice() {
  Type type;
  type.kind_ = TypeKind::Slice;
  return intern(type);
}

const Type* TypeContext::opaque(OpaqueKind kind, const Type* element) {
  Type type;
  type.kind_ = TypeKind::Opaque;
  type.scalar_ = static_cast<ScalarKind>(kind);
  type.element_ = element;
  return intern(type);
}

const Type* TypeContext::import(const Type* type) {
  if (!type || type->isScalar()) return type;
  auto& set = type->transient_ ? impl_->transientTypes : impl_->types;
  if (auto it = set.find(type); it != set.end() && *it == type) return type;
  Type copy = *type;
  copy.canonical_ = nullptr;
  copy.ir_ = nullptr;
  copy.mangled_ = {};
  copy.element_ = import(type->element_);
  copy.layout_ = layout(type->layout_);
  llvm::SmallVector<const Type*, 8> elements;
  for (const Type* element : type->elements_)
    elements.push_back(import(element));
  copy.elements_ = elements;
  return intern(copy);
}

// ---------------------------------------------------------------- names

static void joinShape(llvm::raw_ostream& os, llvm::ArrayRef<int64_t> shape) {
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i) os << '_';
    os << shape[i];
  }
}

llvm::StringRef TypeContext::mangle(const Type* type) {
  if (type->isScalar()) return type->info().mangled;
  if (!type->mangled_.empty()) return type->mangled_;
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (type->kind()) {
  case TypeKind::Scalar:
    break;
  case TypeKind::Pointer:
    os << "P" << mangle(type->element());
    break;
  case TypeKind::Tensor:
    os << mangle(type->element()) << "S";
    joinShape(os, type->shape());
    os << "S";
    if (type->layout()) os << "L" << language::mangle(*type->layout()) << "L";
    break;
  case TypeKind::SharedMemoryDescriptor:
    os << "MD" << mangle(type->element()) << "S";
    joinShape(os, type->shape());
    os << "SL" << language::mangle(*type->layout()) << "LAS";
    joinShape(os, type->allocShape());
    os << "ASMD";
    break;
  case TypeKind::TensorMemoryDescriptor: {
    os << "MD" << mangle(type->element()) << "S";
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
    os << prefix << mangle(type->element()) << "_";
    if (type->descriptorKind() == DescriptorKind::Tdm)
      os << mangle(type->elements()[0]) << "_" << mangle(type->elements()[1]) << "_";
    os << language::mangle(*type->layout()) << prefix;
    break;
  }
  case TypeKind::Tuple:
    os << "T";
    for (size_t i = 0; i < type->elements().size(); ++i)
      os << (i ? "_" : "") << mangle(type->elements()[i]);
    os << "T";
    break;
  case TypeKind::Constexpr: {
    Value value = type->constant();
    os << "c";
    if (value.is(ValueKind::Type))
      os << mangle(import(value.asType()));
    else if (auto* layout = value.as<LayoutObject>())
      os << language::mangle(*layout);
    else
      os << repr(value, *names_, [this](const void* object) { return addressOf(object); });
    break;
  }
  case TypeKind::Aggregate: {
    const ClassObject* cls = type->aggregateClass();
    os << (cls->module ? cls->module->name : "") << "." << cls->qualname << "<";
    for (size_t i = 0; i < type->elements().size(); ++i)
      os << (i ? ", " : "") << mangle(type->elements()[i]);
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
      os << "FT" << mangle(type->element()) << "FT";
    break;
  }
  auto& arena = type->transient_ ? impl_->transient : impl_->persistent;
  return type->mangled_ = llvm::StringRef(text).copy(arena);
}

void TypeContext::mangleArguments(llvm::ArrayRef<const Type*> types,
                                  llvm::SmallVectorImpl<char>& out) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (i) out.push_back('_');
    llvm::StringRef name = mangle(types[i]);
    auto isPlain = [](char c) { return c != '\'' && c != '[' && c != ']'; };
    while (!name.empty()) {
      llvm::StringRef plain = name.take_while(isPlain);
      out.append(plain.begin(), plain.end());
      name = name.drop_front(plain.size());
      if (name.empty()) break;
      llvm::StringRef instead = name.front() == '\'' ? "_sq_" : "_";
      out.append(instead.begin(), instead.end());
      name = name.drop_front();
    }
  }
}

} // namespace gluond::language
