#include "evaluate/values/PythonCoverage.h"

#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "language/types/Structure.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::evaluate {

namespace {

struct PythonNames {
  llvm::StringLiteral owner, attributes; // with spaces between them
};
constexpr PythonNames pythonNames[] = {
#define PYTHON_NAMES(owner, attributes) {owner, attributes},
#include "evaluate/values/PythonNames.def"
#undef PYTHON_NAMES
    {"ABCMeta", "register"},
    {"dict", "move_to_end"}, // an OrderedDict is a dict here
    {"IOError", "errno filename filename2 strerror"},
    // Triton's own classes of functions
    {"JITFunction",
     "__annotations__ __call__ __class_getitem__ __dict__ __getitem__ __globals__ __module__ "
     "__name__ __orig_bases__ __parameters__ __qualname__ __slots__ __weakref__ _call_hook "
     "_do_compile _flatten_ir _fn_name _get_src _hash_lock _is_protocol _pack_args _repr _set_src "
     "_src _unsafe_update_src add_pre_run_hook arg_names cache_key constexprs create_binder debug "
     "def_file_col_number def_file_line_number device_caches do_not_specialize "
     "do_not_specialize_on_alignment file_name fn get_capture_scope hash is_gluon kernel "
     "launch_metadata module noinline params parse pre_run_hooks preload raw_src repr run "
     "signature "
     "src starting_line_number type used_global_vals version warmup"},
    {"ConstexprFunction",
     "__call__ __class_getitem__ __dict__ __get__ __globals__ __module__ __name__ __orig_bases__ "
     "__parameters__ __qualname__ __slots__ __weakref__ _flatten_ir _fn_name _get_src _hash_lock "
     "_is_protocol _set_src _src _unsafe_update_src cache_key def_file_col_number "
     "def_file_line_number file_name fn get_capture_scope hash parse raw_src signature src "
     "starting_line_number type used_global_vals"},
};

using Index = llvm::StringMap<llvm::StringSet<>>;

const Index& pythonIndex() {
  static const Index index = [] {
    Index made;
    for (const PythonNames& row : pythonNames) {
      llvm::SmallVector<llvm::StringRef, 64> names;
      llvm::SplitString(row.attributes, names);
      for (llvm::StringRef name : names)
        made[row.owner].insert(name);
    }
    return made;
  }();
  return index;
}

} // namespace

bool pythonHas(llvm::StringRef owner, llvm::StringRef attribute) {
  auto found = pythonIndex().find(owner);
  return found != pythonIndex().end() && found->second.contains(attribute);
}

bool pythonHas(Interpreter& in, const ClassObject* cls, Name attribute) {
  return llvm::any_of(cls->mro, [&](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return ancestor && ancestor->native && pythonHas(ancestor->qualname, in.text(attribute));
  });
}

bool hasOpenAncestor(const ClassObject* cls) {
  return llvm::any_of(cls->mro, [](Value base) {
    auto* ancestor = base.as<ClassObject>();
    return !ancestor || (ancestor->native && !ancestor->native->isPlain) || isOpen(ancestor);
  });
}

bool isBuiltinFunction(Value value) {
  auto* function = hostAs<NativeFunctionObject>(value, nativeFunctionClass);
  return function && (function->isMethod || (function->self.isAbsent() && !function->ofClass &&
                                             pythonHas("functions of builtins", function->name)));
}

bool isKnownInPart(Interpreter& in, Value value) {
  value = value.unwrapped();
  switch (value.kind()) {
  case ValueKind::Unknown:
  case ValueKind::Ir:
    return true;
  case ValueKind::Host:
    return !isBuiltinFunction(value);
  case ValueKind::Instance:
    return value.as<InstanceObject>()->attributes->contains(Name{}) ||
           hasOpenAncestor(value.as<InstanceObject>()->cls);
  case ValueKind::BoundMethod: { // an unknown decorator may have made a property of it
    auto* function = value.as<BoundMethodObject>()->function.as<FunctionObject>();
    return function && isOpen(function);
  }
  case ValueKind::Enum:
    return value.as<EnumObject>()->value.isUnknown() ||
           hasOpenAncestor(value.as<EnumObject>()->cls);
  case ValueKind::Class: {
    auto* cls = value.as<ClassObject>();
    return hasUnknownMetaclass(in, cls) || (!cls->native && hasOpenAncestor(cls));
  }
  case ValueKind::Function:
    return isOpen(value.as<FunctionObject>());
  case ValueKind::Tuple: // a class that derives from a named tuple may define anything
    return value.as<TupleObject>()->namedtuple &&
           hasOpenAncestor(value.as<TupleObject>()->namedtuple);
  default:
    return false;
  }
}

Value unlessPartlyKnown(Interpreter& in, Value result, llvm::ArrayRef<Value> operands) {
  if (!result.isAbsent() || !in.failed()) [[likely]]
    return result;
  auto isPartly = [&](Value value) {
    return value.is(ValueKind::Instance) && isKnownInPart(in, value);
  };
  bool isAny =
      in.spend(operands.size() / valuesPerStep) && llvm::any_of(operands, [&](Value operand) {
        if (isPartly(operand)) return true;
        if (!language::isSequence(operand)) return false;
        language::Items items = language::itemsOf(operand);
        return in.spend(items.size() / valuesPerStep) && llvm::any_of(items, isPartly);
      });
  return isAny && in.catchError("TypeError") ? Value::unknown() : result;
}

void markOpen(Interpreter& in, Value object) {
  const Scope* names = nullptr;
  if (auto* function = object.as<FunctionObject>()) {
    if (!in.heap().owns(function)) return;
    names = function->attributes; // a copy has those of the original
    if (FunctionObject* changed = names ? nullptr : in.writable(function))
      changed->attributes = names = in.newScope();
  } else if (auto* cls = object.as<ClassObject>()) {
    names = cls->members;
  } else if (auto* instance = object.as<InstanceObject>()) {
    names = instance->attributes;
  } else if (auto* module = object.as<ModuleObject>()) {
    names = module->globals;
  } else if (auto* space = hostAs<NamespaceObject>(object, namespaceClass)) {
    names = space->attributes;
  } else if (auto* native = hostAs<NativeFunctionObject>(object, nativeFunctionClass)) {
    if (native->self.is(ValueKind::Host)) markOpen(in, native->self); // parser.add_argument
  } else if (auto* host = object.as<HostObject>(); host && host->cls->name == "ArgumentParser") {
    callHost(in, host->cls->setAttribute, object, Name{}, Value::unknown());
  }
  if (!names || !in.heap().owns(names)) return;
  if (Scope* changed = in.writable(names)) changed->set(Name{}, Value::unknown());
}

bool isOpen(const FunctionObject* function) {
  return function->attributes && function->attributes->contains(Name{});
}

bool isOpen(const ClassObject* cls) {
  return cls->members && cls->members->contains(Name{});
}

} // namespace gluond::evaluate
