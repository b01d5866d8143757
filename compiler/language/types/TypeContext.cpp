#include "language/types/TypeContext.h"

#include "language/types/LayoutClass.h"
#include "language/types/MangledName.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"

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

// The parts of a type, borrowed: intern() keeps copies.
struct TypeContext::Parts {
  TypeKind kind = TypeKind::Scalar;
  uint8_t scalar = 0; // ScalarKind, DescriptorKind, OpaqueKind
  bool flag = false;
  bool transient = false; // set by intern()
  unsigned depth = 0;     // set by intern()
  unsigned hash = 0;      // set by intern()
  const Type* element = nullptr;
  llvm::ArrayRef<int64_t> shape, allocShape;
  const LayoutObject* layout = nullptr;
  llvm::ArrayRef<const Type*> elements;
  llvm::ArrayRef<Name> fields;
  const ClassObject* cls = nullptr;
  Value constant;
};

namespace {

// How a context keeps a value that is a field of a layout.
enum class Keeping : uint8_t {
  AsIs,    // refers to nothing, or to objects that live as long as the process
  Copied,  // copied with everything it refers to
  Refused, // it belongs to a program
};
Keeping keepingOf(ValueKind kind) {
  switch (kind) { // no default: a kind that is new has to be thought about
    using enum ValueKind;
  case Unknown:
  case Absent:
  case None:
  case NotImplemented:
  case Ellipsis:
  case Bool:
  case Int:
  case Float:
  case Builtin:
    return Keeping::AsIs;
  case Type: // scalars only
  case BigInt:
  case Str:
  case Bytes:
  case Tuple:
  case List:
  case Range:
  case Slice:
  case Layout:
    return Keeping::Copied;
  case Dict:
  case Set:
  case Function:
  case BoundMethod:
  case Class:
  case Instance:
  case Module:
  case Enum:
  case Ir:
  case Host:
    return Keeping::Refused;
  }
  return Keeping::Refused;
}

} // namespace

struct TypeContext::Impl {
  // Sets of pointers, looked up by structure.
  struct TypeKey {
    static const Type* getEmptyKey() { return llvm::DenseMapInfo<const Type*>::getEmptyKey(); }
    static const Type* getTombstoneKey() {
      return llvm::DenseMapInfo<const Type*>::getTombstoneKey();
    }
    static unsigned getHashValue(const Type* type) { return type->hash_; }
    static unsigned getHashValue(const Parts& parts) { return parts.hash; }
    static bool isEqual(const Type* a, const Type* b) { return a == b; }
    static bool isEqual(const Parts& parts, const Type* type);
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
  // Equal values (by Python's rule) have equal hashes: finds the canonical one.
  llvm::DenseMap<unsigned, llvm::SmallVector<const LayoutObject*, 1>> layoutsByHash;
  llvm::DenseMap<unsigned, llvm::SmallVector<const Type*, 1>> constantsByHash; // transient ones
  llvm::DenseMap<const LayoutObject*, const LayoutObject*>
      canonicalLayouts; // those that are not their own
  llvm::DenseMap<const void*, unsigned> addresses;

  // Only these functions make the memory that types and layouts own.
  template <typename T>
  static Owned<llvm::ArrayRef<T>> own(llvm::BumpPtrAllocator& arena, llvm::ArrayRef<T> items) {
    if (items.empty()) return {};
    T* data = arena.Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), data);
    return Owned(llvm::ArrayRef<T>(data, items.size()));
  }
  static Owned<llvm::StringRef> own(llvm::BumpPtrAllocator& arena, llvm::StringRef text) {
    return Owned(text.copy(arena));
  }
  // Returns nullopt for values that cannot be kept.
  std::optional<Owned<Value>> own(TypeContext& context, Value value, unsigned depth);
  Owned<const LayoutObject*> own(const LayoutObject* layout) {
    assert(!layout || ownLayouts.contains(layout));
    return Owned(layout);
  }
  // For a type dropped after the run; or one of this context's layouts, or a number.
  static Owned<Value> ownConstant(Value value) { return Owned(value); }
  const LayoutObject* makeLayout(const LayoutClass* cls, llvm::ArrayRef<Owned<Value>> fields) {
    llvm::SmallVector<Value, 8> values;
    for (const Owned<Value>& field : fields)
      values.push_back(field.get());
    return layouts.make<LayoutObject>(Object{}, cls, layouts.copy(Values(values)));
  }
  const LayoutObject* canonical(const LayoutObject* layout);
};

bool TypeContext::Impl::TypeKey::isEqual(const Parts& parts, const Type* type) {
  if (type == getEmptyKey() || type == getTombstoneKey()) return false;
  return parts.hash == type->hash_ && parts.kind == type->kind_ &&
         parts.scalar == static_cast<uint8_t>(type->scalar_) && parts.flag == type->flag_ &&
         parts.element == type->element_ && parts.layout == type->layout() &&
         parts.cls == type->class_ && parts.shape == type->shape() &&
         parts.allocShape == type->allocShape() && parts.elements == type->elements() &&
         parts.fields == type->fields() &&
         (parts.kind != TypeKind::Constexpr ||
          equal(parts.constant, type->constant(), Equality::Exact));
}

TypeContext::TypeContext(const Interner& names) : names_(&names), impl_(std::make_unique<Impl>()) {}
TypeContext::~TypeContext() = default;

size_t TypeContext::bytes() const {
  return impl_->layouts.bytes() + impl_->persistent.getBytesAllocated();
}

void TypeContext::endRun() {
  impl_->transientTypes.clear();
  impl_->constantsByHash.clear();
  impl_->transient = {}; // freed, so that sanitizers detect late uses
  impl_->addresses.clear();
}

unsigned TypeContext::addressOf(const void* object) {
  auto [it, isNew] =
      impl_->addresses.try_emplace(object, static_cast<unsigned>(impl_->addresses.size() + 1));
  return it->second;
}

// ---------------------------------------------------------------- layouts

std::optional<Owned<Value>> TypeContext::Impl::own(TypeContext& context, Value value,
                                                   unsigned depth) {
  Keeping keeping = keepingOf(value.kind());
  if (keeping == Keeping::AsIs) return Owned(value);
  if (keeping == Keeping::Refused || depth > maxNesting) return std::nullopt;
  auto kept = [&](Value copy) { return Owned(value.isConstexpr() ? copy.wrapped() : copy); };
  llvm::SmallVector<Value, 8> parts;
  auto addPart = [&](Value part) {
    std::optional<Owned<Value>> owned = own(context, part, depth + 1);
    if (owned) parts.push_back(owned->get());
    return owned.has_value();
  };
  switch (value.kind()) {
  case ValueKind::Type:
    if (!value.asType()->isScalar()) return std::nullopt;
    return Owned(value);
  case ValueKind::BigInt: {
    auto* integer = value.as<BigIntObject>();
    return kept(layouts.bigInt(integer->magnitude, integer->negative));
  }
  case ValueKind::Str:
  case ValueKind::Bytes: {
    Value text = layouts.str(value.as<StrObject>()->text);
    return kept(Value::object(value.kind(), text.object()));
  }
  case ValueKind::List:
  case ValueKind::Tuple: {
    if (!llvm::all_of(itemsOf(value), addPart)) return std::nullopt;
    if (value.is(ValueKind::List)) return kept(layouts.list(parts));
    auto* copied = layouts.make<TupleObject>(Object{}, layouts.copy(parts));
    copied->triton = value.as<TupleObject>()->triton;
    return kept(Value::object(ValueKind::Tuple, copied));
  }
  case ValueKind::Range:
    return kept(
        Value::object(ValueKind::Range, layouts.make<RangeObject>(*value.as<RangeObject>())));
  case ValueKind::Slice: {
    auto* slice = value.as<SliceObject>();
    if (!addPart(slice->start) || !addPart(slice->stop) || !addPart(slice->step))
      return std::nullopt;
    return kept(Value::object(ValueKind::Slice,
                              layouts.make<SliceObject>(Object{}, parts[0], parts[1], parts[2])));
  }
  case ValueKind::Layout: {
    // Interned on its own, so that a slice of it shares it.
    bool isWhole = true;
    const LayoutObject* inner = context.layout(value.as<LayoutObject>(), depth + 1, isWhole);
    if (!isWhole) return std::nullopt;
    return kept(Value::object(ValueKind::Layout, inner));
  }
  default:
    return std::nullopt;
  }
}

const LayoutObject* TypeContext::layout(const LayoutObject* layout) {
  bool isWhole = true;
  return this->layout(layout, 0, isWhole);
}

// `isWhole` becomes false where a field could not be kept.
const LayoutObject* TypeContext::layout(const LayoutObject* layout, unsigned depth, bool& isWhole) {
  if (!layout || impl_->ownLayouts.contains(layout)) return layout;
  auto it = impl_->layoutSet.find(layout);
  if (it != impl_->layoutSet.end()) return *it;
  llvm::SmallVector<Owned<Value>, 8> fields;
  for (Value field : layout->fields) {
    std::optional<Owned<Value>> owned = impl_->own(*this, field, depth);
    isWhole &= owned.has_value();
    fields.push_back(owned ? *owned : *impl_->own(*this, Value::absent(), 0));
  }
  const LayoutObject* copied = impl_->makeLayout(layout->cls, fields);
  if (!isWhole)
    if (auto known = impl_->layoutSet.find(copied); known != impl_->layoutSet.end()) return *known;
  // The first one that is spelled differently but equal is canonical in comparisons.
  auto& alike = impl_->layoutsByHash[hashOf(*copied)];
  for (const LayoutObject* other : alike)
    if (equal(*other, *copied)) {
      impl_->canonicalLayouts[copied] = impl_->canonical(other);
      break;
    }
  alike.push_back(copied);
  impl_->layoutSet.insert(copied);
  impl_->ownLayouts.insert(copied);
  return copied;
}

const LayoutObject* TypeContext::Impl::canonical(const LayoutObject* layout) {
  auto it = canonicalLayouts.find(layout);
  return it == canonicalLayouts.end() ? layout : it->second;
}

// ---------------------------------------------------------------- types

// Numbers and the like, which refer to nothing.
static bool isPlain(Value value) {
  return value.is(ValueKind::Type) ? value.asType()->isScalar()
                                   : keepingOf(value.kind()) == Keeping::AsIs;
}

const Type* TypeContext::intern(const Parts& wanted) {
  Parts key = wanted;
  // Imports the parts into this context, whoever made them.
  key.element = import(key.element);
  llvm::SmallVector<const Type*, 8> imported; // each once: it may nest deeply
  for (const Type* element : key.elements)
    imported.push_back(import(element));
  key.elements = imported;
  key.layout = layout(key.layout);
  key.transient = key.cls != nullptr;
  if (key.kind == TypeKind::Constexpr && !isPlain(key.constant)) {
    std::optional<Owned<Value>> layout;
    if (key.constant.is(ValueKind::Layout)) layout = impl_->own(*this, key.constant, 0);
    if (layout)
      key.constant = layout->get();
    else
      key.transient = true;
  }
  auto add = [&](const Type* part) {
    key.transient |= part->transient_;
    key.depth = std::max(key.depth, part->depth_ + 1u);
  };
  if (key.element) add(key.element);
  for (const Type* element : key.elements)
    add(element);
  if (key.depth > Type::maxDepth) return scalarType(ScalarKind::Void);

  unsigned h = mix(static_cast<unsigned>(key.kind), unsigned{key.scalar} * 2 + key.flag);
  h = mixPointer(h, key.element);
  h = mixPointer(h, key.layout);
  h = mixPointer(h, key.cls);
  for (int64_t size : key.shape)
    h = mix(h, static_cast<unsigned>(size));
  for (int64_t size : key.allocShape)
    h = mix(h, static_cast<unsigned>(size) + 1);
  for (const Type* element : key.elements)
    h = mixPointer(h, element);
  for (Name name : key.fields)
    h = mix(h, name.id);
  if (key.kind == TypeKind::Constexpr) h = mix(h, hashOf(key.constant));
  key.hash = h;

  auto& set = key.transient ? impl_->transientTypes : impl_->types;
  if (auto it = set.find_as(key); it != set.end()) return *it;
  auto& arena = key.transient ? impl_->transient : impl_->persistent;
  Type* made = new (arena.Allocate<Type>()) Type();
  made->kind_ = key.kind;
  made->scalar_ = static_cast<ScalarKind>(key.scalar);
  made->flag_ = key.flag;
  made->transient_ = key.transient;
  made->depth_ = static_cast<uint16_t>(key.depth);
  made->hash_ = key.hash;
  made->home_ = impl_.get();
  made->element_ = key.element;
  made->shape_ = Impl::own(arena, key.shape);
  made->allocShape_ = Impl::own(arena, key.allocShape);
  made->layout_ = impl_->own(key.layout);
  made->elements_ = Impl::own(arena, key.elements);
  made->fields_ = Impl::own(arena, key.fields);
  made->class_ = key.cls;
  made->constant_ = Impl::ownConstant(key.constant);
  set.insert(made);

  // The canonical type for other spellings.
  Parts plain = wanted;
  plain.element = made->element_;
  plain.layout = made->layout();
  plain.constant = made->constant();
  bool differs = false;
  if (plain.layout)
    if (const LayoutObject* layout = impl_->canonical(plain.layout); layout != plain.layout) {
      plain.layout = layout;
      differs = true;
    }
  if (plain.element && plain.element->canonical() != plain.element) {
    plain.element = plain.element->canonical();
    differs = true;
  }
  if (plain.kind == TypeKind::TensorMemoryDescriptor && plain.flag) {
    plain.flag = false;
    differs = true;
  }
  llvm::SmallVector<const Type*, 8> elements;
  for (const Type* element : made->elements()) {
    elements.push_back(element->canonical());
    differs |= element->canonical() != element;
  }
  plain.elements = elements;
  if (plain.kind == TypeKind::Constexpr && !key.transient) {
    // 1 == True == 1.0
    Value value = plain.constant;
    if (value.is(ValueKind::Bool))
      value = Value::integer(value.asBool());
    else if (value.is(ValueKind::Float) && value.asFloat() >= -9e15 && value.asFloat() <= 9e15 &&
             value.asFloat() == static_cast<double>(static_cast<int64_t>(value.asFloat())))
      value = Value::integer(static_cast<int64_t>(value.asFloat()));
    if (!value.identical(plain.constant)) {
      plain.constant = value;
      differs = true;
    }
  }
  if (differs) {
    made->canonical_ = intern(plain)->canonical();
  } else if (plain.kind == TypeKind::Constexpr && key.transient) {
    auto& alike = impl_->constantsByHash[made->hash_];
    for (const Type* other : alike)
      if (equal(other->constant(), made->constant())) {
        made->canonical_ = other->canonical();
        break;
      }
    alike.push_back(made);
  }
  return made;
}

const Type* TypeContext::pointer(const Type* element, bool isConst) {
  Parts type;
  type.kind = TypeKind::Pointer;
  type.element = element;
  type.flag = isConst;
  return intern(type);
}

const Type* TypeContext::tensor(const Type* element, llvm::ArrayRef<int64_t> shape,
                                const LayoutObject* layout) {
  Parts type;
  type.kind = TypeKind::Tensor;
  type.element = element;
  type.shape = shape;
  type.layout = layout;
  return intern(type);
}

const Type* TypeContext::sharedMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                                      const LayoutObject* layout,
                                      llvm::ArrayRef<int64_t> allocShape) {
  Parts type;
  type.kind = TypeKind::SharedMemoryDescriptor;
  type.element = element;
  type.shape = shape;
  type.allocShape = allocShape;
  type.layout = layout;
  return intern(type);
}

const Type* TypeContext::tensorMemory(const Type* element, llvm::ArrayRef<int64_t> shape,
                                      const LayoutObject* layout,
                                      llvm::ArrayRef<int64_t> allocShape, bool allocShapeIsTuple) {
  Parts type;
  type.kind = TypeKind::TensorMemoryDescriptor;
  type.element = element;
  type.shape = shape;
  type.allocShape = allocShape;
  type.flag = allocShapeIsTuple;
  type.layout = layout;
  return intern(type);
}

const Type* TypeContext::descriptor(DescriptorKind kind, const Type* block, const Type* shape,
                                    const Type* strides, const LayoutObject* layout) {
  Parts type;
  type.kind = TypeKind::TensorDescriptor;
  type.scalar = static_cast<uint8_t>(kind);
  type.element = block;
  const Type* parts[] = {shape, strides};
  type.elements = parts;
  type.layout = layout;
  return intern(type);
}

const Type* TypeContext::tuple(llvm::ArrayRef<const Type*> elements, llvm::ArrayRef<Name> fields) {
  Parts type;
  type.kind = TypeKind::Tuple;
  type.elements = elements;
  type.fields = fields;
  return intern(type);
}

const Type* TypeContext::constexprType(Value value) {
  Parts type;
  type.kind = TypeKind::Constexpr;
  type.constant = value.unwrapped();
  return intern(type);
}

const Type* TypeContext::aggregate(const ClassObject* cls, llvm::ArrayRef<const Type*> fields) {
  Parts type;
  type.kind = TypeKind::Aggregate;
  type.cls = cls;
  type.elements = fields;
  return intern(type);
}

const Type* TypeContext::slice() {
  Parts type;
  type.kind = TypeKind::Slice;
  return intern(type);
}

const Type* TypeContext::opaque(OpaqueKind kind, const Type* element) {
  Parts type;
  type.kind = TypeKind::Opaque;
  type.scalar = static_cast<uint8_t>(kind);
  type.element = element;
  return intern(type);
}

const Type* TypeContext::copy(const Type& type) {
  if (type.is(TypeKind::Constexpr)) return constexprType(type.constant());
  Parts parts;
  parts.kind = type.kind_;
  parts.scalar = static_cast<uint8_t>(type.scalar_);
  parts.flag = type.flag_;
  parts.element = type.element_;
  parts.shape = type.shape();
  parts.allocShape = type.allocShape();
  parts.layout = type.layout();
  parts.elements = type.elements();
  parts.fields = type.fields();
  parts.cls = type.class_;
  return intern(parts);
}

// ---------------------------------------------------------------- names

llvm::StringRef TypeContext::mangle(const Type* type) {
  type = import(type); // the text is kept with it
  if (type->isScalar()) return type->info().mangled;
  if (!type->mangled_.get().empty()) return type->mangled_.get();
  auto& arena = type->transient_ ? impl_->transient : impl_->persistent;
  std::string text =
      mangledName(*this, type, *names_, [this](const void* object) { return addressOf(object); });
  type->mangled_ = Impl::own(arena, text);
  return type->mangled_.get();
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
