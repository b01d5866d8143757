#include "evaluate/interpreter/Gluon.h"

#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/interpreter/PythonError.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/triton/Decorators.h"
#include "evaluate/triton/EarlierCalls.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/triton/TypeAttributes.h"
#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"
#include "releases/ApiChanges.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::BuiltinModule;
using language::LayoutObject;

// ---------------------------------------------------------------- namespaces

// The triton modules that are ours: rows of the table, and packages above them.
bool isGluonModule(llvm::StringRef dottedName) {
  if (!dottedName.starts_with("triton")) return false;
  if (auto* module = language::findModule(dottedName)) return !module->isClass;
  return dottedName == "triton";
}

// Whether the table lists all members of that module, so that a missing name is a mistake.
static bool isComplete(llvm::StringRef moduleName) {
  return moduleName.starts_with("triton.experimental.gluon") && !moduleName.contains("._") &&
         moduleName != "triton.experimental.gluon";
}

// Names that programs import from inside Triton: decorators and helpers not public there.
static Value markBuiltin(Interpreter&, const CallArguments& arguments) {
  return arguments.positional.empty() ? Value::unknown() : arguments.positional[0];
}
static Value unwrapIfConstexpr(Interpreter& in, const CallArguments& arguments) {
  return arguments.positional.empty() ? Value::unknown()
                                      : unwrapConstexprs(in, arguments.positional[0]);
}
static constexpr NativeRow internalRows[] = {
    {"_aggregate", aggregateDecorator},
    {"_tensor_member_fn", markBuiltin},
    {"_unwrap_if_constexpr", unwrapIfConstexpr},
    {"builtin", markBuiltin},
    {"extern", markBuiltin},
};
static constexpr NativeRow sourceRow = {"GluonASTSource", makeSource};
static const NativeRow* internalRow(llvm::StringRef moduleName, llvm::StringRef name) {
  if (moduleName == "triton.experimental.gluon" && name == sourceRow.name) return &sourceRow;
  bool isInside = moduleName == "triton.language.core" ||
                  moduleName.starts_with("triton.experimental.gluon.language._");
  for (const NativeRow& row : internalRows)
    if (isInside && row.name == name) return &row;
  return nullptr;
}

// Returns what a release has in place of a name of the tables: the name that replaced it if a call
// means the same, Unknown if it is not modelled, Absent if it has none; nullopt if there is no
// difference.
static std::optional<Value> memberInRelease(Interpreter& in, const BuiltinModule& module,
                                            llvm::StringRef text) {
  releases::Release release = in.options().release;
  auto* row = language::findBuiltin(module.id, text);
  bool isRemoved = row && row->kind == BuiltinKind::Removed; // which the newest release says
  bool isGone = releases::has(release, module.name, text) == false;
  if (release == releases::newest) { // where a module that is gone may be a name of another one
    isGone &= !isRemoved && tritonHas(module.name, text, release) == false;
    return isGone ? std::optional(Value::absent()) : std::nullopt;
  }
  if (isGone) return Value::absent();
  if (row && !isRemoved) return std::nullopt;
  auto* next = releases::successorOf(module.name, text);
  if (next && next->isSame)
    if (auto* now = language::findBuiltin(module.id, next->replacement))
      return language::valueOf(*now);
  if (row || releases::has(release, module.name, text) == true) return Value::unknown();
  return std::nullopt;
}

Value libraryClass(Interpreter& in, llvm::StringRef moduleName, llvm::StringRef name) {
  bool isSemantic = name == "GluonSemantic" || name == "TritonSemantic";
  bool isDescriptor = (moduleName == "triton.language" || moduleName == "triton.language.core") &&
                      (name == "tensor_descriptor" || name == "tensor_descriptor_base");
  if (!isSemantic && !isDescriptor) return Value::absent();
  return in.namespaceOf(isSemantic ? semanticClassName : descriptorClassName, {});
}

Value gluonMember(Interpreter& in, llvm::StringRef moduleName, Name name) {
  auto* module = language::findModule(moduleName);
  if (!module) return Value::absent();
  llvm::StringRef text = in.text(name);
  if (auto other = memberInRelease(in, *module, text)) return *other;
  if (auto* row = internalRow(moduleName, text)) return in.function(row->name, row->function);
  if (auto* row = language::findBuiltin(module->id, text)) {
    if (row->kind == BuiltinKind::Inert && text == "TYPE_CHECKING") return Value::boolean(false);
    return language::valueOf(*row);
  }
  if (auto* inner = language::findSubmodule(*module, text)) return in.module(inner->name);
  // Triton's modules also contain the names that they import.
  if (auto has = tritonHas(moduleName, text, in.options().release)) {
    if (!*has) return Value::absent();
    Value known = libraryClass(in, moduleName, text);
    return known.isAbsent() ? Value::unknown() : known;
  }
  return isComplete(moduleName) ? Value::absent() : Value::unknown();
}

bool importAll(Interpreter& in, llvm::StringRef moduleName, Scope* into) {
  auto* module = language::findModule(moduleName);
  if (!module) return false;
  llvm::SmallVector<const Builtin*> rows;
  language::namesOf(module->id, rows);
  for (auto* row : rows)
    if (!llvm::StringRef(row->name).starts_with("_"))
      if (releases::has(in.options().release, module->name, row->name).value_or(true))
        into->set(in.name(row->name), language::valueOf(*row));
  return isComplete(moduleName);
}

bool isConstexprClass(Value value) {
  return language::is(value, BuiltinId::gl_constexpr);
}

bool isConstexprAnnotation(Value annotation) {
  if (isConstexprClass(annotation.unwrapped())) return true;
  auto* text = annotation.as<StrObject>();
  return text && text->text.contains("constexpr");
}

// ---------------------------------------------------------------- rows

// The class of the table whose members are rows; null when the row is no such class.
static const BuiltinModule* membersOf(const Builtin& row) {
  if (row.kind != BuiltinKind::Class && row.kind != BuiltinKind::Layout &&
      row.kind != BuiltinKind::Native && row.kind != BuiltinKind::Python)
    return nullptr;
  for (auto& module : language::builtinModules())
    if (module.isClass && module.alias == row.name) return &module;
  return nullptr;
}

// Functions that exist in kernels only are plain Python functions in Triton.
static bool isPlainFunction(const Builtin& row) {
  return row.kind == BuiltinKind::Rule;
}

static const Builtin* layoutRow(language::LayoutKind kind) {
  for (auto& row : language::builtins())
    if (row.kind == BuiltinKind::Layout && row.layout == kind) return &row;
  return nullptr;
}

static Value bind(Interpreter& in, Value self, const Builtin& row) {
  return Value::object(ValueKind::BoundMethod, in.heap().make<BoundMethodObject>(
                                                   language::Object{}, self, Value::builtin(&row)));
}

Value gluonAttribute(Interpreter& in, Value object, Name name) {
  llvm::StringRef text = in.text(name);
  switch (object.kind()) {
  case ValueKind::Ir:
    return in.options().ir ? in.options().ir->attribute(object, name) : Value::unknown();
  case ValueKind::Type:
    return typeAttribute(in, object.asType(), name);
  case ValueKind::Layout: {
    auto* layout = object.as<LayoutObject>();
    auto found = language::layoutAttribute(*layout, text, in.heap());
    if (found) return *found;
    if (auto* row = layoutRow(layout->cls->kind)) {
      if (auto* module = membersOf(*row))
        if (auto* member = language::findBuiltin(module->id, text))
          return bind(in, object, *member);
      if (name == in.names().class_) return Value::builtin(row);
    }
    if (text.starts_with("_to_") || text == "mangle" || text == "format_tensor_view" ||
        text == "format_hardware_view" || text == "__hash__")
      return Value::unknown();
    if (found.error().exception == language::ExceptionKind::AttributeError) return Value::absent();
    return in.raise(language::name(found.error().exception), found.error().message);
  }
  case ValueKind::Builtin: {
    auto& row = *object.asBuiltin();
    if (name == in.names().name || name == in.names().qualname) return in.string(row.name);
    if (name == in.names().doc) return in.string(row.doc);
    if (row.id == BuiltinId::host_cdna5_TensorDescriptor && text == "from_tensor")
      return in.function(text, tdmDescriptorFromTensor);
    if (auto* module = membersOf(row))
      if (auto* member = language::findBuiltin(module->id, text)) return language::valueOf(*member);
    if (text == "__triton_builtin__") return Value::boolean(true);
    if (row.kind == BuiltinKind::Layout && text == "__init__") // it is asked for its signature
      return in.function(
          text, [](Interpreter&, const CallArguments&) { return Value::unknown(); }, object);
    if (row.kind == BuiltinKind::Layout && !text.starts_with("__")) return Value::absent();
    if (isPlainFunction(row) && !text.starts_with("_")) return Value::absent();
    return Value::unknown();
  }
  default:
    return Value::absent();
  }
}

namespace {

// Unwraps the constexprs in a value's tuples. Shared parts are unwrapped once.
class ConstexprUnwrapper {
public:
  explicit ConstexprUnwrapper(Interpreter& in) : in_(in) {}

  Value unwrap(Value value) {
    value = value.unwrapped();
    auto* list = value.as<ListObject>();
    if (auto* tuple = value.as<TupleObject>()) {
      if (!holds(tuple)) return value;
      if (auto known = made_.find(tuple); known != made_.end()) return known->second;
      Nesting nesting(in_);
      if (!nesting) return Value::absent();
      auto* made = in_.heap().make<TupleObject>(*tuple);
      made->items = in_.heap().copy(unwrapAll(tuple->items));
      return made_[tuple] = Value::object(ValueKind::Tuple, made);
    }
    if (!list || !any(list->items)) return value;
    Nesting nesting(in_);
    return nesting ? in_.heap().list(unwrapAll(list->items)) : Value::absent();
  }

private:
  llvm::SmallVector<Value> unwrapAll(language::Items items) {
    llvm::SmallVector<Value> result;
    for (Value item : items)
      result.push_back(unwrap(item));
    return result;
  }
  bool any(language::Items items) {
    return llvm::any_of(items, [&](Value item) {
      if (item.isConstexpr()) return true;
      auto* tuple = item.as<TupleObject>();
      return tuple && holds(tuple);
    });
  }
  // Whether the tuple contains a constexpr, directly or in nested tuples.
  bool holds(const TupleObject* tuple) {
    if (auto known = holds_.find(tuple); known != holds_.end()) return known->second;
    Nesting nesting(in_);
    bool result = nesting && in_.spend(tuple->items.size() / 8) && any(tuple->items);
    return holds_[tuple] = result;
  }

  Interpreter& in_;
  llvm::DenseMap<const TupleObject*, bool> holds_;
  llvm::DenseMap<const TupleObject*, Value> made_;
};

} // namespace

Value unwrapConstexprs(Interpreter& in, Value value) {
  if (!value.is(ValueKind::Tuple) && !value.is(ValueKind::List)) return value.unwrapped();
  return ConstexprUnwrapper(in).unwrap(value);
}

// A program may make the lists of a layout as long as it likes: whoever reads them all pays.
static bool spendOnParts(Interpreter& in, Value value) {
  constexpr size_t partsPerStep = 16;
  size_t parts = 0;
  (void)language::fit(value, language::mostOfAConstant, &parts);
  return in.spend(parts / partsPerStep);
}

// Charges for the parts of arguments, including nested ones, because natives read all of them;
// arguments that are too large are treated as unknown. Returns false if it raised.
static bool spendOnParts(Interpreter& in, const Builtin& row, const CallArguments& arguments) {
  constexpr uint64_t partsPerStep = 4;
  llvm::SmallVector<Value, 16> left(arguments.positional);
  for (auto& keyword : arguments.keywords)
    left.push_back(keyword.value);
  llvm::SmallDenseSet<const language::Object*, 8> seen;
  while (!left.empty()) {
    Value one = left.pop_back_val();
    if (!one.is(ValueKind::Tuple) && !one.is(ValueKind::List)) {
      if (!spendOnParts(in, one)) return false;
      continue;
    }
    if (!seen.insert(one.object()).second) continue;
    size_t before = left.size();
    for (Value item : language::itemsOf(one))
      left.push_back(item);
    if (!in.spend(1 + (left.size() - before) / partsPerStep)) return false;
  }
  if (seen.size() < language::maxNesting) return true; // deeper ones have more sequences
  auto fits = [&](Value value) {
    if (language::fit(value) != language::Fit::TooDeep) return true;
    in.exhaust("a value that nests deeper than " + llvm::Twine(language::maxNesting) +
               " levels is given to " + row.name);
    return false;
  };
  return llvm::all_of(arguments.positional, fits) &&
         llvm::all_of(arguments.keywords, [&](auto& keyword) { return fits(keyword.value); });
}

// Calls a native builtin as the chosen release of Triton does.
static Value callNativeIn(Interpreter& in, const Builtin& row, const CallArguments& arguments) {
  using Outcome = EarlierCall::Outcome;
  if (in.options().release == releases::newest) return language::callNative(row, in, arguments);
  llvm::SmallVector<llvm::StringRef, 4> names;
  for (auto& keyword : arguments.keywords)
    names.push_back(in.text(keyword.name));
  EarlierCall call = callIn(in.options().release, row, arguments.positional.size(), names);
  switch (call.outcome) {
  case Outcome::Same:
    return language::callNative(row, in, arguments);
  case Outcome::Unknown:
    return Value::unknown();
  case Outcome::TooMany:
    return in.raise("TypeError", row.name + "() takes " + llvm::Twine(call.accepted) +
                                     " positional arguments but " +
                                     llvm::Twine(arguments.positional.size()) + " were given");
  case Outcome::UnexpectedKeyword:
    return in.raise("TypeError", row.name + "() got an unexpected keyword argument '" +
                                     names[call.keyword] + "'");
  case Outcome::Missing:
    return in.raise("TypeError",
                    row.name + "() missing 1 required positional argument: '" + call.name + "'");
  case Outcome::Rewritten:
    break;
  }
  llvm::SmallVector<KeywordArgument, 8> keywords;
  for (auto [name, value] : llvm::zip(call.named, arguments.positional.drop_front(call.firstNamed)))
    keywords.push_back({in.name(name), value});
  for (auto [name, keyword] : llvm::zip(call.keywords, arguments.keywords))
    keywords.push_back({in.name(name), keyword.value});
  return language::callNative(row, in,
                              {arguments.positional.take_front(call.firstNamed), keywords});
}

// Host code calls a function that emits code, which always raises.
static Value refuseOnHost(Interpreter& in, const Builtin& row, const CallArguments& arguments) {
  static constexpr BuiltinId computed[] = {
      // by Triton's library, from numbers
      BuiltinId::tl_log2i, BuiltinId::cdna5_make_partitioned_dot_layouts,
      BuiltinId::blackwell_tcgen05_mma_barrier_count, BuiltinId::proton_scope,
      BuiltinId::amd_warp_pipeline_stage};
  bool handsCompilerOn = llvm::any_of(arguments.keywords, [&](const KeywordArgument& keyword) {
    return in.text(keyword.name) == "_semantic";
  });
  bool isInterpreted = llvm::any_of(in.options().environment.variables, [](llvm::StringRef each) {
    return each.starts_with("TRITON_INTERPRET=");
  });
  if (llvm::is_contained(computed, row.id) || handsCompilerOn || isInterpreted)
    return Value::unknown();
  std::string name = (row.where.split(' ').first + "." + row.name).str();
  std::string what = name + " works in kernels only: ";
  ErrorCause cause{ErrorKind::KernelFunction, name, ""};
  if (row.kind == BuiltinKind::Prelude)
    in.raise(cause, "RuntimeError",
             what + "Cannot call @triton.jit'd outside of the scope of a kernel");
  else
    in.raise(cause, "ValueError",
             what + "Did you forget to add @triton.gluon.jit ? (`_semantic` argument must be "
                    "provided outside of JIT functions.)");
  in.refused(name);
  return Value::absent();
}

Value gluonCall(Interpreter& in, Value callee, const CallArguments& arguments) {
  if (auto* method = callee.as<BoundMethodObject>()) {
    if (method->self.is(ValueKind::Ir))
      return in.options().ir ? in.options().ir->call(callee, arguments) : Value::unknown();
    auto* called = method->function.is(ValueKind::Builtin) ? method->function.asBuiltin() : nullptr;
    bool emits =
        called && (called->kind == BuiltinKind::Rule || called->kind == BuiltinKind::Prelude);
    if (emits && !in.options().ir) return Value::unknown();
    llvm::SmallVector<Value, 8> positional{method->self};
    positional.append(arguments.positional.begin(), arguments.positional.end());
    return gluonCall(in, method->function, {positional, arguments.keywords});
  }
  if (callee.is(ValueKind::Type) || callee.is(ValueKind::Ir))
    return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(callee))) +
                                     "' object is not callable");
  auto& row = *callee.asBuiltin();
  auto known = decoratorOf(row.id);
  if (known) return known(in, arguments);
  switch (row.kind) {
  case BuiltinKind::Native:
  case BuiltinKind::Layout:
  case BuiltinKind::Class:
    if (row.native) {
      if (!spendOnParts(in, row, arguments)) return Value::absent();
      Value made = callNativeIn(in, row, arguments);
      if (made.isAbsent()) in.blameLibrary(row.name);
      return made;
    }
    return in.options().ir ? in.options().ir->call(callee, arguments) : Value::unknown();
  case BuiltinKind::Rule:
  case BuiltinKind::Prelude:
    if (in.options().ir) return in.options().ir->call(callee, arguments);
    return refuseOnHost(in, row, arguments);
  default:
    return Value::unknown();
  }
}

Value gluonItem(Interpreter& in, Value object, Value index) {
  if (object.is(ValueKind::Ir)) {
    return in.options().ir ? Value::unknown() : Value::unknown();
  }
  if (auto* type = object.is(ValueKind::Type) ? object.asType() : nullptr;
      type && type->is(language::TypeKind::Tuple)) {
    llvm::SmallVector<Value> items;
    for (auto* element : type->elements())
      items.push_back(Value::type(element));
    return in.getItem(in.tupleOf(items), index);
  }
  return Value::unknown();
}

Value gluonBinary(Interpreter& in, syntax::BinaryOp op, Value left, Value right) {
  if (left.is(ValueKind::Ir) || right.is(ValueKind::Ir))
    return in.options().ir ? in.options().ir->binary(static_cast<int>(op), false, left, right)
                           : Value::unknown();
  return Value::absent();
}

Value gluonCompare(Interpreter& in, syntax::CompareOp op, Value left, Value right) {
  if (!in.options().ir || (!left.is(ValueKind::Ir) && !right.is(ValueKind::Ir)))
    return Value::absent();
  return in.options().ir->binary(static_cast<int>(op), true, left, right);
}

std::optional<bool> gluonEqual(Interpreter& in, Value a, Value b) {
  auto ours = [](Value value) { return value.is(ValueKind::Type) || value.is(ValueKind::Layout); };
  if (a.is(ValueKind::Ir) || b.is(ValueKind::Ir)) return std::nullopt;
  if (ours(a) && ours(b)) {
    if (a.is(ValueKind::Type) && b.is(ValueKind::Type))
      return language::same(a.asType(), b.asType());
    if (!spendOnParts(in, a)) return std::nullopt;
    return language::equal(a, b);
  }
  return std::nullopt;
}

std::optional<bool> gluonIdentical(Value a, Value b) {
  if (a.is(ValueKind::Type) && b.is(ValueKind::Type)) return language::same(a.asType(), b.asType());
  return std::nullopt;
}

std::optional<uint64_t> gluonHash(Interpreter& in, Value value) {
  if (!spendOnParts(in, value)) return std::nullopt;
  return language::hashOf(value);
}

std::string gluonRepr(Interpreter& in, Value value) {
  if (!spendOnParts(in, value)) return {};
  return language::repr(value, in.interner());
}

// Returns what Python calls the type of a builtin, or "" if the table does not say.
static llvm::StringRef typeNameOf(const Builtin& row) {
  if (isPlainFunction(row)) return "function";
  if (row.kind == BuiltinKind::Prelude) return "JITFunction";
  bool hasMembers = llvm::any_of(language::builtinModules(), [&](const auto& module) {
    return module.isClass && module.alias == row.name;
  });
  bool isClass = row.kind == BuiltinKind::Layout || row.kind == BuiltinKind::Class || hasMembers;
  return isClass ? "type" : "";
}

Value gluonTypeOf(Interpreter& in, Value value) {
  switch (value.kind()) {
  case ValueKind::Type:
    return Value::builtin(&language::builtin(BuiltinId::gl_dtype));
  case ValueKind::Layout: {
    auto* row = layoutRow(value.as<LayoutObject>()->cls->kind);
    return row ? Value::builtin(row) : Value::unknown();
  }
  case ValueKind::Builtin: {
    llvm::StringRef name = typeNameOf(*value.asBuiltin());
    return name.empty() ? Value::unknown() : Value::object(ValueKind::Class, in.builtinClass(name));
  }
  default:
    return Value::unknown();
  }
}

std::optional<bool> isInstanceOfGluon(Interpreter& in, Value value, const Builtin& row) {
  if (row.id == BuiltinId::gl_constexpr)
    return value.isUnknown() && !value.isConstexpr() ? std::nullopt
                                                     : std::optional(value.isConstexpr());
  if (value.isUnknown()) return std::nullopt;
  bool isAggregate = value.is(ValueKind::Instance) &&
                     value.as<InstanceObject>()->cls->flavour == ClassObject::Flavour::Aggregate;
  if (row.id == BuiltinId::gl_base_value)
    return value.isConstexpr() || value.is(ValueKind::Ir) || isAggregate ||
           value.is(ValueKind::Tuple);
  if (row.id == BuiltinId::gl_base_type) return value.is(ValueKind::Type) && !value.isConstexpr();
  if (value.is(ValueKind::Ir))
    return in.options().ir ? std::optional(in.options().ir->isInstance(value, &row)) : std::nullopt;
  if (value.isConstexpr()) return false;
  if (auto* layout = value.as<LayoutObject>()) {
    if (row.kind == BuiltinKind::Layout) return layout->cls->isA(row.layout);
    if (row.id == BuiltinId::layouts_DistributedLayout) return language::isDistributed(layout);
    if (row.id == BuiltinId::layouts_SharedLayout) return language::isShared(layout);
    return false;
  }
  if (row.id == BuiltinId::gl_tuple) return value.is(ValueKind::Tuple);
  if (row.id == BuiltinId::gluon_GluonJITFunction) {
    auto* function = value.as<FunctionObject>();
    return function && function->function == FunctionKind::Jit && !function->isTritonJit;
  }
  if (auto* type = value.is(ValueKind::Type) ? value.asType() : nullptr) {
    using language::TypeKind;
    switch (row.id) {
    case BuiltinId::gl_dtype:
      return type->isScalar() || type->isPointer() || type->isTensor();
    case BuiltinId::gl_pointer_type:
      return type->isPointer();
    case BuiltinId::gl_block_type:
      return type->isTensor();
    case BuiltinId::gl_distributed_type:
      return type->isTensor() && type->layout();
    case BuiltinId::gl_shared_memory_descriptor_type:
      return type->is(TypeKind::SharedMemoryDescriptor);
    case BuiltinId::gl_tuple_type:
      return type->is(TypeKind::Tuple);
    case BuiltinId::ampere_constexpr_type:
      return type->is(TypeKind::Constexpr);
    default:
      return false;
    }
  }
  if (value.is(ValueKind::Host)) return hostIsInstance(in, value, Value::builtin(&row));
  return false;
}

} // namespace gluond::evaluate
