#include "evaluate/interpreter/Rebinding.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using namespace language;

namespace {
// Beyond this number of objects evaluating again is as fast.
constexpr size_t mostCopies = 1 << 18;
} // namespace

syntax::Correspondence* Rebinder::changes(const ModuleObject* module) {
  if (!module) return nullptr;
  auto it = files_.find(module->path);
  return it == files_.end() ? nullptr : &it->second;
}

template <typename T> void Rebinder::definition(const T*& node, const ModuleObject* module) {
  auto* changed = node ? changes(module) : nullptr;
  if (!changed) return;
  node = changed->of(node);
  failed_ |= !node;
}

template <typename T> const T* Rebinder::copy(const T* object) {
  if (!object || failed_) return object;
  auto [it, isNew] = copies_.try_emplace(object);
  if (isNew) {
    T* made = heap_.make<T>(*object);
    it->second = made;
    later(made);
    failed_ |= copies_.size() > mostCopies;
    return made;
  }
  return static_cast<const T*>(it->second);
}

template <typename T> void Rebinder::later(T* copy) {
  queue_.push_back({[](Rebinder& self, void* object) {
                      T& made = *static_cast<T*>(object);
                      if constexpr (std::is_same_v<T, TupleObject>) {
                        self.fix(made.items);
                        self.fix(made.namedtuple);
                      } else if constexpr (std::is_same_v<T, ListObject>) {
                        for (size_t i = 0; i < made.items.size(); ++i)
                          made.items.set(i, self.fixed(made.items[i]));
                      } else if constexpr (std::is_same_v<T, DictObject>) {
                        self.dict(made);
                      } else if constexpr (std::is_same_v<T, SliceObject>) {
                        self.fix(made.start), self.fix(made.stop), self.fix(made.step);
                      } else if constexpr (std::is_same_v<T, BoundMethodObject>) {
                        self.fix(made.self), self.fix(made.function);
                      } else if constexpr (std::is_same_v<T, InstanceObject>) {
                        self.fix(made.cls), self.fix(made.attributes);
                      } else if constexpr (std::is_same_v<T, EnumObject>) {
                        self.fix(made.cls), self.fix(made.value);
                      } else if constexpr (std::is_same_v<T, HostObject>) {
                        made.cls->rebinding->parts(self, made);
                      } else {
                        self.parts(made);
                      }
                    },
                    copy});
}

Value Rebinder::copied(Value value) {
  auto with = [&](const Object* object) {
    Value result = Value::object(value.kind(), object);
    return value.isConstexpr() ? result.wrapped() : result;
  };
  auto as = [&](auto* object) { return with(copy(object)); };
  switch (value.kind()) {
  case ValueKind::Tuple:
    return as(value.as<TupleObject>());
  case ValueKind::List:
    return as(value.as<ListObject>());
  case ValueKind::Dict:
  case ValueKind::Set:
    return as(value.as<DictObject>());
  case ValueKind::Slice:
    return as(value.as<SliceObject>());
  case ValueKind::Function:
    return as(value.as<FunctionObject>());
  case ValueKind::BoundMethod:
    return as(value.as<BoundMethodObject>());
  case ValueKind::Class: {
    auto* cls = value.as<ClassObject>();
    fix(cls);
    return with(cls);
  }
  case ValueKind::Instance:
    return as(value.as<InstanceObject>());
  case ValueKind::Enum:
    return as(value.as<EnumObject>());
  case ValueKind::Module:
    return value.as<ModuleObject>()->globals ? as(value.as<ModuleObject>()) : value;
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    const HostRebinding* how = host->cls->rebinding;
    failed_ |= !how || copies_.size() > mostCopies;
    if (failed_ || !how->copy) return value;
    auto [it, isNew] = copies_.try_emplace(host);
    if (isNew) {
      HostObject* made = how->copy(heap_, *host);
      it->second = made;
      later(made);
    }
    return with(static_cast<const HostObject*>(it->second));
  }
  default:
    return value;
  }
}

Value Rebinder::fixed(Value value) {
  return value.object() ? copied(value) : value;
}

void Rebinder::fix(Value& value) {
  value = fixed(value);
}

void Rebinder::fix(Values& values) {
  if (llvm::none_of(values, [](Value value) { return value.object(); })) return;
  Values made = heap_.copy(values);
  for (Value& value : llvm::MutableArrayRef(const_cast<Value*>(made.data()), made.size()))
    fix(value);
  values = made;
}

void Rebinder::fix(const Scope*& scope) {
  scope = copy(scope);
}

void Rebinder::fix(const ClassObject*& cls) {
  if (cls && !cls->native) cls = copy(cls);
}

void Rebinder::fix(llvm::ArrayRef<KeywordArgument>& keywords) {
  keywords = heap_.copyArray(keywords);
  for (KeywordArgument& keyword :
       llvm::MutableArrayRef(const_cast<KeywordArgument*>(keywords.data()), keywords.size()))
    fix(keyword.value);
}

void Rebinder::fix(text::Range& range, const ModuleObject& module) {
  const syntax::Correspondence* changed = changes(&module);
  if (!changed) return;
  if (auto moved = changed->of(range))
    range = *moved;
  else
    failed_ = true;
}

void Rebinder::fix(Place& place) {
  if (!place.module) return;
  fix(place.range, *place.module);
  fix(place.module);
}

void Rebinder::parts(FunctionObject& function) {
  definition(function.def, function.module);
  definition(function.lambda, function.module);
  fix(function.module);
  fix(function.scope);
  fix(function.defaults);
  fix(function.annotations);
  fix(function.mustUseResult);
  fix(function.decoration);
  fix(function.attributes);
}

void Rebinder::parts(ClassObject& cls) {
  definition(cls.def, cls.module);
  fix(cls.module);
  fix(cls.mro);
  fix(cls.members);
  auto fields = heap_.copyArray(cls.fields);
  for (ClassObject::Field& field :
       llvm::MutableArrayRef(const_cast<ClassObject::Field*>(fields.data()), fields.size()))
    fix(field.annotation), fix(field.defaultValue);
  cls.fields = fields;
}

void Rebinder::parts(ModuleObject& module) {
  fix(module.globals);
}

void Rebinder::parts(Scope& scope) {
  for (auto [name, value] : scope)
    scope.set(name, fixed(value));
  fix(scope.parent);
}

// Whether the key's hash does not depend on its address.
bool Rebinder::isStableKey(Value key, unsigned depth) const {
  if (depth > 8) return false;
  switch (key.kind()) {
  case ValueKind::Tuple:
    return llvm::all_of(key.as<TupleObject>()->items,
                        [&](Value item) { return isStableKey(item, depth + 1); });
  case ValueKind::Enum:
    return key.as<EnumObject>()->value.is(ValueKind::Int);
  case ValueKind::Function:
  case ValueKind::BoundMethod:
  case ValueKind::Instance:
  case ValueKind::Set:
    return false;
  case ValueKind::Class:
    return key.as<ClassObject>()->native;
  case ValueKind::Module:
    return !key.as<ModuleObject>()->globals;
  case ValueKind::Host: {
    const HostRebinding* how = key.as<HostObject>()->cls->rebinding;
    return how && !how->copy;
  }
  default:
    return true; // shared
  }
}

void Rebinder::dict(DictObject& dict) {
  dict.items.rewrite([&](language::DictItems::Element item) {
    failed_ |= !isStableKey(item.key);
    return language::DictItems::Element{fixed(item.key), fixed(item.value)};
  });
}

bool Rebinder::finish() {
  while (!queue_.empty() && !failed_) {
    auto [parts, object] = queue_.back();
    queue_.pop_back();
    parts(*this, object);
  }
  return !failed_;
}

} // namespace gluond::evaluate
