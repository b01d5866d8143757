// Enums and namedtuples.
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using Flavour = ClassObject::Flavour;

// ---------------------------------------------------------------- enums

bool isIntegerEnum(Interpreter&, const ClassObject* cls) {
  return llvm::any_of(cls->mro, [](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->native &&
           (ancestor->qualname == "int" || ancestor->qualname == "str" ||
            ancestor->qualname == "float" || ancestor->qualname == "IntEnum" ||
            ancestor->qualname == "IntFlag" || ancestor->qualname == "StrEnum");
  });
}

void enumMembers(Interpreter&, const ClassObject* cls, llvm::SmallVectorImpl<Value>& out) {
  if (!cls->members) return;
  for (auto [name, value] : *cls->members) {
    auto* member = value.as<EnumObject>();
    if (member && member->cls == cls && member->name == name) out.push_back(value);
  }
}

bool listedMembers(Interpreter& in, const ClassObject* cls, llvm::SmallVectorImpl<Value>& out) {
  enumMembers(in, cls, out);
  if (!isFlagEnum(cls)) return true;
  bool isKnown = true;
  llvm::erase_if(out, [&](Value member) { // those of no bit or several are names for others
    Value bits = member.as<EnumObject>()->value;
    isKnown &= bits.isIntegral();
    return bits.isIntegral() && !llvm::has_single_bit(static_cast<uint64_t>(bits.asInt()));
  });
  return isKnown;
}

bool isFlagEnum(const ClassObject* cls) {
  return llvm::any_of(cls->mro, [](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->native &&
           (ancestor->qualname == "Flag" || ancestor->qualname == "IntFlag");
  });
}

Value invertFlag(Interpreter& in, const ClassObject* cls, Value value) {
  llvm::SmallVector<Value> members;
  enumMembers(in, cls, members);
  if (!value.isIntegral()) return Value::unknown();
  int64_t all = 0;
  for (Value member : members) {
    Value bits = member.as<EnumObject>()->value;
    if (!bits.isIntegral()) return Value::unknown();
    all |= bits.asInt();
  }
  return flagMember(in, cls, Value::integer(all & ~value.asInt()));
}

Value enumAttribute(Interpreter& in, const EnumObject* member, Name attribute) {
  const Scope* attributes = in.enumAttributes(member);
  if (!attributes) return Value::absent();
  return attributes->get(attribute);
}

Value enumOf(Interpreter& in, const ClassObject* cls, Value value) {
  if (auto* member = value.as<EnumObject>(); member && member->cls == cls) return value;
  if (value.isUnknown()) return value;
  llvm::SmallVector<Value> members;
  enumMembers(in, cls, members);
  for (Value member : members) {
    if (in.equal(member.as<EnumObject>()->value, value).value_or(false)) return member;
    if (in.failed() || !in.spend(1)) return Value::absent();
  }
  Value missing = in.findInClass(cls, in.names().missing);
  if (!missing.isAbsent()) {
    Value result = in.call(
        in.bindMember(missing, Value::absent(), Value::object(ValueKind::Class, cls)), value);
    if (result.isAbsent() || !result.isNone()) return result;
  }
  Value flag = flagMember(in, cls, value);
  if (flag.is(ValueKind::Enum) || flag.isUnknown()) return flag;
  bool isSure = llvm::all_of(
      members, [](Value member) { return !member.as<EnumObject>()->value.isUnknown(); });
  if (!isSure || isKnownInPart(in, value)) return Value::unknown();
  return in.raise("ValueError", in.repr(value) + " is not a valid " +
                                    in.className(Value::object(ValueKind::Class, cls)));
}

Value flagMember(Interpreter& in, const ClassObject* cls, Value value) {
  if (!isFlagEnum(cls) || !value.isIntegral()) return value;
  llvm::SmallVector<Value> members;
  enumMembers(in, cls, members);
  std::string name;
  for (Value member : members) {
    auto* object = member.as<EnumObject>();
    if (object->value.isIntegral() && object->value.asInt() == value.asInt()) return member;
    if (object->value.isIntegral() && object->value.asInt() &&
        (object->value.asInt() & value.asInt()) == object->value.asInt())
      (name += name.empty() ? "" : "|") += in.text(object->name);
  }
  if (llvm::any_of(members,
                   [](Value member) { return member.as<EnumObject>()->value.isUnknown(); }))
    return Value::unknown();
  auto* object = in.heap().make<EnumObject>();
  object->cls = cls;
  object->name = in.name(name);
  object->value = value;
  return Value::object(ValueKind::Enum, object);
}

// ---------------------------------------------------------------- namedtuples

Value makeNamedTupleClass(Interpreter& in, llvm::StringRef name,
                          llvm::ArrayRef<ClassObject::Field> fields) {
  auto* cls = in.heap().make<ClassObject>();
  cls->module = in.frame() ? in.frame()->module : nullptr;
  cls->qualname = in.heap().copy(name);
  cls->members = in.newScope();
  cls->flavour = Flavour::NamedTuple;
  cls->fields = in.heap().copyArray(fields);
  Value self = Value::object(ValueKind::Class, cls);
  cls->mro = in.heap().copy({self, Value::object(ValueKind::Class, in.builtinClass("object"))});
  return self;
}

Value namedTupleAttribute(Interpreter& in, Value tuple, Name attribute) {
  llvm::StringRef shown = in.text(attribute);
  const ClassObject* cls = tuple.as<TupleObject>()->namedtuple;
  if (shown == "_asdict")
    return in.function(
        "_asdict",
        [](Interpreter& i, const CallArguments& arguments) {
          auto* self = arguments.positional[0].as<TupleObject>();
          Value dict = i.heap().dict();
          for (auto [field, item] : llvm::zip(self->namedtuple->fields, self->items))
            if (!i.dictSet(dict.as<DictObject>(), i.string(i.text(field.name)), item))
              return Value::absent();
          return dict;
        },
        tuple);
  if (shown == "_replace")
    return in.function(
        "_replace",
        [](Interpreter& i, const CallArguments& arguments) -> Value {
          auto* self = arguments.positional[0].as<TupleObject>();
          llvm::SmallVector<Value> items(self->items);
          if (!i.charge(items.size(), sizeof(Value)) ||
              !i.spendProduct(items.size(), arguments.keywords.size()))
            return Value::absent();
          for (auto& keyword : arguments.keywords) {
            auto* field = llvm::find_if(self->namedtuple->fields,
                                        [&](auto& f) { return f.name == keyword.name; });
            if (field == self->namedtuple->fields.end())
              return i.raise("ValueError",
                             "Got unexpected field names: ['" + i.text(keyword.name) + "']");
            items[static_cast<size_t>(field - self->namedtuple->fields.begin())] = keyword.value;
          }
          return i.makeNamedTuple(self->namedtuple, items);
        },
        tuple);
  return classSpecial(in, cls, attribute);
}

} // namespace gluond::evaluate
