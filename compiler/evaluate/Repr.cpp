// repr() and str().
#include "evaluate/Classes.h"
#include "evaluate/Gluon.h"
#include "evaluate/Interpreter.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

std::string Interpreter::str(Value value) {
  if (auto* text = value.as<StrObject>(); text && value.is(ValueKind::Str) && !value.isConstexpr())
    return text->text.str();
  if (value.is(ValueKind::Instance)) {
    Value result = callSpecial(value, known_.str, {});
    if (failed()) return {};
    if (auto* text = result.as<StrObject>()) return text->text.str();
    auto* object = value.as<InstanceObject>();
    if (object->cls->flavour == ClassObject::Flavour::Exception)
      return exceptionMessage(*this, value);
  }
  if (auto* member = value.as<EnumObject>()) {
    Value result = callSpecial(value, known_.str, {});
    if (failed()) return {};
    if (auto* text = result.as<StrObject>()) return text->text.str();
    if (isIntegerEnum(*this, member->cls)) return str(member->value);
    return (member->cls->qualname.rsplit('.').second.empty()
                ? member->cls->qualname
                : member->cls->qualname.rsplit('.').second)
               .str() +
           "." + text(member->name).str();
  }
  return repr(value);
}

std::string Interpreter::repr(Value value) {
  if (value.isConstexpr()) {
    std::string inner = str(value.unwrapped());
    return "constexpr[" + inner + "]";
  }
  auto address = [](const void* object) {
    return "0x" + llvm::utohexstr(reinterpret_cast<uintptr_t>(object), true, 12);
  };
  auto items = [&](Values members) {
    std::string result;
    for (size_t i = 0; i < members.size() && !failed(); ++i) {
      if (i) result += ", ";
      result += repr(members[i]);
      if (!charge(result.size() / (i + 1) + 8)) break;
    }
    return result;
  };
  struct Nesting {
    unsigned& depth;
    explicit Nesting(unsigned& d) : depth(d) { ++depth; }
    ~Nesting() { --depth; }
  } nesting(reprDepth_);
  if (reprDepth_ > 40) return "..."; // deeper than people write, or a list that contains itself
  switch (value.kind()) {
  case ValueKind::Unknown:
    return "?";
  case ValueKind::Absent:
    return "";
  case ValueKind::None:
    return "None";
  case ValueKind::NotImplemented:
    return "NotImplemented";
  case ValueKind::Ellipsis:
    return "Ellipsis";
  case ValueKind::Bool:
    return value.asBool() ? "True" : "False";
  case ValueKind::Int:
  case ValueKind::BigInt:
    return decimal(*this, value);
  case ValueKind::Float:
    return reprDouble(value.asFloat());
  case ValueKind::Str:
    return reprString(value.as<StrObject>()->text);
  case ValueKind::Bytes:
    return reprBytes(value.as<StrObject>()->text);
  case ValueKind::Tuple: {
    auto* tuple = value.as<TupleObject>();
    if (tuple->namedtuple) {
      std::string result =
          className(Value::object(ValueKind::Class, tuple->namedtuple)).str() + "(";
      for (size_t i = 0; i < tuple->items.size() && !failed(); ++i)
        result += (i ? ", " : "") + text(tuple->namedtuple->fields[i].name).str() + "=" +
                  repr(tuple->items[i]);
      return result + ")";
    }
    return "(" + items(tuple->items) + (tuple->items.size() == 1 ? ",)" : ")");
  }
  case ValueKind::List:
    return "[" + items(value.as<ListObject>()->items) + "]";
  case ValueKind::Set: {
    auto* set = value.as<DictObject>();
    llvm::SmallVector<Value> members;
    for (auto& [member, none] : set->items)
      members.push_back(member);
    if (members.empty()) return set->frozen ? "frozenset()" : "set()";
    return set->frozen ? "frozenset({" + items(members) + "})" : "{" + items(members) + "}";
  }
  case ValueKind::Dict: {
    std::string result = "{";
    bool first = true;
    for (auto& [key, member] : value.as<DictObject>()->items) {
      if (!first) result += ", ";
      first = false;
      result += repr(key) + ": " + repr(member);
      if (failed() || !charge(16)) break;
    }
    return result + "}";
  }
  case ValueKind::Range: {
    auto* range = value.as<RangeObject>();
    std::string result =
        "range(" + std::to_string(range->start) + ", " + std::to_string(range->stop);
    return result + (range->step != 1 ? ", " + std::to_string(range->step) : "") + ")";
  }
  case ValueKind::Slice: {
    auto* slice = value.as<SliceObject>();
    return "slice(" + repr(slice->start) + ", " + repr(slice->stop) + ", " + repr(slice->step) +
           ")";
  }
  case ValueKind::Function: {
    auto* function = value.as<FunctionObject>();
    if (function->function == FunctionKind::Jit) {
      std::string module = function->module ? function->module->name.str() : "";
      return "JITFunction(" + module + ":" + function->qualname.str() + ")";
    }
    return "<function " + function->qualname.str() + " at " + address(function) + ">";
  }
  case ValueKind::BoundMethod: {
    auto* method = value.as<BoundMethodObject>();
    return "<bound method " + className(method->function).str() + " of " + repr(method->self) + ">";
  }
  case ValueKind::Class: {
    auto* cls = value.as<ClassObject>();
    if (cls->native || !cls->module) return "<class '" + cls->qualname.str() + "'>";
    return "<class '" + cls->module->name.str() + "." + cls->qualname.str() + "'>";
  }
  case ValueKind::Instance: {
    auto* object = value.as<InstanceObject>();
    Value result = callSpecial(value, known_.repr, {});
    if (failed()) return {};
    if (auto* text = result.as<StrObject>()) return text->text.str();
    Value cls = Value::object(ValueKind::Class, object->cls);
    if (object->cls->flavour == ClassObject::Flavour::Exception) {
      Value* args = object->attributes->find(known_.args);
      auto* tuple = args ? args->as<TupleObject>() : nullptr;
      return className(cls).str() + "(" + (tuple ? items(tuple->items) : "") + ")";
    }
    if (object->cls->flavour == ClassObject::Flavour::Dataclass) {
      std::string shown = object->cls->qualname.str() + "(";
      bool first = true;
      for (auto& field : object->cls->fields) {
        if (!field.isInRepr) continue;
        Value* member = object->attributes->find(field.name);
        shown +=
            (first ? "" : ", ") + text(field.name).str() + "=" + (member ? repr(*member) : "?");
        first = false;
        if (failed()) break;
      }
      return shown + ")";
    }
    return "<" + (object->cls->module ? object->cls->module->name.str() + "." : "") +
           object->cls->qualname.str() + " object at " + address(object) + ">";
  }
  case ValueKind::Module:
    return "<module '" + value.as<ModuleObject>()->name.str() + "'>";
  case ValueKind::Enum: {
    auto* member = value.as<EnumObject>();
    Value result = callSpecial(value, known_.repr, {});
    if (failed()) return {};
    if (auto* text = result.as<StrObject>()) return text->text.str();
    return "<" + className(Value::object(ValueKind::Class, member->cls)).str() + "." +
           text(member->name).str() + ": " + repr(member->value) + ">";
  }
  case ValueKind::Builtin:
  case ValueKind::Type:
  case ValueKind::Layout:
    return gluonRepr(*this, value);
  case ValueKind::Ir:
    return "?";
  case ValueKind::Host: {
    auto* host = value.as<HostObject>();
    if (host->cls->repr) return host->cls->repr(*this, value);
    return ("<" + host->cls->name + " object at ").str() + address(host) + ">";
  }
  }
  return "?";
}

} // namespace gluond::evaluate
