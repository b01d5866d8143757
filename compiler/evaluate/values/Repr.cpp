// repr() and str().
#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Numbers.h"
#include "evaluate/values/Strings.h"
#include "language/types/Text.h"
#include "language/types/Type.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

// Writes the text that the program's own __str__ or __repr__ gives, "?" if it is not known. Returns
// whether there is such a method, or it raised.
static bool ownText(Interpreter& in, Value value, Name special, std::string& text) {
  Nesting nesting(in);
  if (!nesting) return true;
  Value result = in.callSpecial(value, special, {});
  if (result.isAbsent()) return in.failed();
  if (auto* string = result.as<StrObject>())
    text = string->text.str();
  else
    in.notePrintedUnknown(), text = "?";
  return true;
}

std::string Interpreter::str(Value value) {
  if (auto* text = value.as<StrObject>(); text && value.is(ValueKind::Str) && !value.isConstexpr())
    return text->text.str();
  if (value.is(ValueKind::Instance) || mayOverride(value)) {
    std::string own;
    if (ownText(*this, value, known_.str, own)) return own;
    auto* object = value.as<InstanceObject>();
    if (object && object->cls->flavour == ClassObject::Flavour::Exception)
      return exceptionMessage(*this, value);
  }
  if (auto* member = value.as<EnumObject>()) {
    if (isIntegerEnum(*this, member->cls)) return str(member->value);
    return (member->cls->qualname.rsplit('.').second.empty()
                ? member->cls->qualname
                : member->cls->qualname.rsplit('.').second)
               .str() +
           "." + text(member->name).str();
  }
  if (auto* host = value.as<HostObject>(); host && host->cls->str)
    return callHost(*this, host->cls->str, value);
  if (value.is(ValueKind::Type) && value.asType()->isScalar()) // str(tl.float32) is its name
    return value.asType()->info().name.str();
  return repr(value);
}

Value Interpreter::textOf(Value value, bool isRepr) {
  hasPrintedUnknown_ = false;
  std::string text = isRepr ? repr(value) : str(value);
  if (failed()) return Value::absent();
  return printedUnknown() ? Value::unknown() : string(text);
}

std::string Interpreter::repr(Value value) {
  if (value.isConstexpr()) {
    std::string inner = str(value.unwrapped());
    return "constexpr[" + inner + "]";
  }
  auto address = [&](const void* object) {
    return "0x" + llvm::utohexstr(tables_->addressOf(object), true, 12);
  };
  // A container: its parts one after another, or `again` inside itself, as Python prints it.
  auto within = [&](llvm::StringRef open, auto&& parts, llvm::StringRef close,
                    llvm::StringRef again) -> std::string {
    const void* object = value.object();
    if (llvm::is_contained(printed_, object)) return again.str();
    Nesting nesting(*this);
    if (!nesting) return {};
    printed_.push_back(object);
    std::string result = open.str();
    auto add = [&, isFirst = true](const llvm::Twine& label, Value part) mutable {
      std::string shown = repr(part);
      if (failed() || !charge(shown.size() + 8) || !spendBytes(shown.size())) return false;
      result += isFirst ? "" : ", ";
      isFirst = false;
      result += label.str() + shown;
      return true;
    };
    parts(add);
    printed_.pop_back();
    return result += close;
  };
  auto items = [&](llvm::StringRef open, language::Items members, llvm::StringRef close,
                   llvm::StringRef again) {
    return within(
        open,
        [&](auto& add) {
          for (Value member : members)
            if (!add("", member)) return;
        },
        close, again);
  };
  if (value.is(ValueKind::Instance) || mayOverride(value)) {
    std::string own;
    if (ownText(*this, value, known_.repr, own)) return own;
  }
  switch (value.kind()) {
  case ValueKind::Unknown:
    notePrintedUnknown();
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
    return language::reprFloat(value.asFloat());
  case ValueKind::Str:
    if (!spendBytes(value.as<StrObject>()->text.size())) return {};
    return language::reprString(value.as<StrObject>()->text);
  case ValueKind::Bytes:
    return reprBytes(value.as<StrObject>()->text);
  case ValueKind::Tuple: {
    auto* tuple = value.as<TupleObject>();
    if (tuple->namedtuple) {
      llvm::StringRef name = className(Value::object(ValueKind::Class, tuple->namedtuple));
      return within((name + "(").str(),
                    [&](auto& add) {
                      for (auto [field, item] : llvm::zip(tuple->namedtuple->fields, tuple->items))
                        if (!add(text(field.name) + "=", item)) return;
                    },
                    ")", "(...)");
    }
    return items("(", tuple->items, tuple->items.size() == 1 ? ",)" : ")", "(...)");
  }
  case ValueKind::List:
    return items("[", value.as<ListObject>()->items, "]", "[...]");
  case ValueKind::Set: {
    auto* set = value.as<DictObject>();
    if (set->items.empty()) return set->frozen ? "frozenset()" : "set()";
    return within(
        set->frozen ? "frozenset({" : "{",
        [&](auto& add) {
          for (auto [member, none] : set->items)
            if (!add("", member)) return;
        },
        set->frozen ? "})" : "}", set->frozen ? "frozenset(...)" : "set(...)");
  }
  case ValueKind::Dict:
    return within(
        "{",
        [&](auto& add) {
          for (auto [key, member] : value.as<DictObject>()->items) {
            std::string shown = repr(key) + ": ";
            if (failed() || !charge(shown.size()) || !add(shown, member)) return;
          }
        },
        "}", "{...}");
  case ValueKind::Range: {
    auto* range = value.as<RangeObject>();
    std::string result =
        "range(" + std::to_string(range->start) + ", " + std::to_string(range->stop);
    return result + (range->step != 1 ? ", " + std::to_string(range->step) : "") + ")";
  }
  case ValueKind::Slice: {
    auto* slice = value.as<SliceObject>();
    Nesting nesting(*this);
    if (!nesting) return {};
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
    Nesting nesting(*this);
    if (!nesting) return {};
    return "<bound method " + className(method->function).str() + " of " + repr(method->self) + ">";
  }
  case ValueKind::Class: {
    auto* cls = value.as<ClassObject>();
    if (cls->native || !cls->module) return "<class '" + cls->qualname.str() + "'>";
    return "<class '" + cls->module->name.str() + "." + cls->qualname.str() + "'>";
  }
  case ValueKind::Instance: {
    auto* object = value.as<InstanceObject>();
    Value cls = Value::object(ValueKind::Class, object->cls);
    if (object->cls->flavour == ClassObject::Flavour::Exception) {
      auto* tuple = object->attributes->get(known_.args).as<TupleObject>();
      return items((className(cls) + "(").str(), tuple ? tuple->items : Values(), ")", "...");
    }
    if (object->cls->flavour == ClassObject::Flavour::Dataclass &&
        hasDataclassRepr(*this, object->cls))
      return within(
          (object->cls->qualname + "(").str(),
          [&](auto& add) {
            for (auto& field : object->cls->fields) {
              Value member = object->attributes->get(field.name);
              if (field.isInRepr && !field.isInitOnly &&
                  !add(text(field.name) + "=", member.isAbsent() ? Value::unknown() : member))
                return;
            }
          },
          ")", "...");
    return "<" + (object->cls->module ? object->cls->module->name.str() + "." : "") +
           object->cls->qualname.str() + " object at " + address(object) + ">";
  }
  case ValueKind::Module:
    return "<module '" + value.as<ModuleObject>()->name.str() + "'>";
  case ValueKind::Enum: {
    auto* member = value.as<EnumObject>();
    Nesting nesting(*this);
    if (!nesting) return {};
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
    if (host->cls->repr) return callHost(*this, host->cls->repr, value);
    notePrintedUnknown();
    return ("<" + host->cls->name + " object at ").str() + address(host) + ">";
  }
  }
  return "?";
}

} // namespace gluond::evaluate
