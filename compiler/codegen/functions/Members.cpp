// value.name: attributes of values in IR, of aggregates, tuples, modules and plain Python objects.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/IrBridge.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "codegen/suggestions/FormerNames.h"
#include "codegen/suggestions/OtherNames.h"
#include "codegen/suggestions/Suggest.h"
#include "evaluate/triton/ModelledModule.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/Builtin.h"
#include "language/types/TypeContext.h"
#include "releases/ApiChanges.h"
#include "releases/Rules.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::BoundMethodObject;
using language::Builtin;
using language::BuiltinId;
using language::BuiltinKind;
using language::ClassObject;
using language::FunctionKind;
using language::FunctionObject;
using language::InstanceObject;
using language::ModuleId;
using language::TupleObject;
using language::TypeKind;

namespace {

// The class of the builtin table whose members a value in IR has.
std::optional<ModuleId> classOf(const Type* type) {
  switch (type->kind()) {
  case TypeKind::Scalar:
  case TypeKind::Pointer:
  case TypeKind::Tensor:
    return ModuleId::tensor;
  case TypeKind::SharedMemoryDescriptor:
    return ModuleId::shared_memory_descriptor;
  case TypeKind::TensorMemoryDescriptor:
    return ModuleId::tensor_memory_descriptor;
  case TypeKind::TensorDescriptor:
    return ModuleId::tensor_descriptor;
  case TypeKind::Opaque:
    if (type->opaqueKind() == language::OpaqueKind::ClcResult) return ModuleId::clc_result;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

bool isJitFunction(Value value) {
  auto* function = value.as<FunctionObject>();
  return function && function->function == FunctionKind::Jit;
}

} // namespace

Value FunctionVisitor::visitAttribute(const Attribute* expr) {
  Value value = visit(expr->value);
  if (value.isUnknown()) return value;
  return attribute(value, expr->attribute.name, expr);
}

Value FunctionVisitor::bound(Value self, Value function) {
  return Value::object(ValueKind::BoundMethod,
                       heap().make<BoundMethodObject>(language::Object{}, self, function));
}

// A tensor's shape: a tuple of constexprs.
Value FunctionVisitor::shapeTuple(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<Value, 4> items;
  for (int64_t size : shape)
    items.push_back(Value::integer(size).wrapped());
  return tuple(items);
}

// Whether Python gives objects of Triton's classes an attribute that no table of ours lists.
static bool isOfPythonsObject(Value value, llvm::StringRef name) {
  static constexpr llvm::StringLiteral ofInstances[] = {"__dict__", "__module__", "__weakref__"};
  static constexpr llvm::StringLiteral ofTuples[] = {"__add__", "__getitem__", "__iter__",
                                                     "__len__", "__mul__"};
  return evaluate::pythonHas("object", name) || llvm::is_contained(ofInstances, name) ||
         (isTuple(value) && llvm::is_contained(ofTuples, name));
}

// Returns Absent if it has no such attribute.
Value FunctionVisitor::irAttribute(Value value, Name name, const Node* node) {
  const Type* type = irTypeOf(value);
  const WellKnown& known = unit_.context.wellKnown();
  if (name == known.type) return Value::type(type);
  if (text(name) == "handle") return value; // for @builtin functions of the program
  if (text(name) == "__class__")
    if (const Builtin* row = classOfIr(type)) return Value::builtin(row);
  std::optional<ModuleId> cls = classOf(type);
  if (!cls) return Value::absent();
  const Builtin* row = language::findBuiltin(*cls, text(name));
  if (!row) return Value::absent();
  if (releases::Release release = unit_.specialization.release; release != releases::newest) {
    llvm::StringRef owner = language::module(*cls).alias;
    if (releases::has(release, owner, text(name)) == false) return Value::absent();
    auto* next =
        row->kind == BuiltinKind::Removed ? releases::successorOf(owner, text(name)) : nullptr;
    if (next && next->isSame) row = language::findBuiltin(*cls, next->replacement);
  }
  switch (row->kind) {
  case BuiltinKind::Rule:
  case BuiltinKind::Native:
    return bound(value, Value::builtin(row));
  case BuiltinKind::Prelude: {
    Value function = unit_.context.prelude().function(*row, unit_.specialization.release);
    return function.isUnknown() ? Value(emit_.unsupported(node, row->name))
                                : bound(value, function);
  }
  case BuiltinKind::Property:
    break;
  default:
    return Value::absent();
  }
  // For a tensor, dtype, shape and numel are wrapped; other attributes are those of its type.
  if (isTensorType(type)) {
    if (row->id == BuiltinId::tensor_dtype) return Value::type(type->scalar());
    if (row->id == BuiltinId::tensor_shape)
      return shapeTuple(type->isTensor() ? type->shape() : llvm::ArrayRef<int64_t>());
    if (row->id == BuiltinId::tensor_numel)
      return Value::integer(type->isTensor() ? type->numel() : 1).wrapped();
    if (row->id == BuiltinId::tensor_T) {
      if (size_t rank = type->isTensor() ? type->shape().size() : 0; rank != 2)
        return emit_.error(Id::BadArgument, node,
                           "T exchanges the two dimensions of a tensor, but this one has " +
                               std::to_string(rank));
      Value order[] = {Value::integer(1).wrapped(), Value::integer(0).wrapped()};
      Value args[] = {value, tuple(order)};
      return callBuiltin(language::builtin(BuiltinId::gl_permute), args, node);
    }
  }
  if (type->is(TypeKind::TensorDescriptor)) {
    // Handles: the descriptor, then the sizes, then the strides.
    bool strides = row->id == BuiltinId::descriptor_strides;
    if (strides || row->id == BuiltinId::descriptor_shape) {
      const Type* parts = type->elements()[strides];
      llvm::SmallVector<mlir::Value, 8> handles;
      emit_.flatten(value, handles);
      unsigned cursor =
          strides ? 1 + static_cast<unsigned>(type->elements()[0]->elements().size()) : 1;
      return emit_.unflatten(parts, handles, cursor);
    }
    if (row->id == BuiltinId::descriptor_dtype) return Value::type(type->element()->scalar());
    if (row->id == BuiltinId::descriptor_block_type) return Value::type(type->element());
    if (row->id == BuiltinId::descriptor_block_shape)
      return unit_.interpreter.getAttribute(Value::type(type->element()),
                                            unit_.context.wellKnown().shape);
  }
  llvm::StringRef property = text(name);
  if (property == "rank") return Value::integer(static_cast<int64_t>(type->shape().size()));
  if (property == "numel") return Value::integer(type->numel());
  if (property == "dtype") return Value::type(type->element());
  Value result = unit_.interpreter.getAttribute(Value::type(type), name);
  if (result.isAbsent()) unit_.interpreter.dropError();
  return result;
}

// A member of an aggregate: a field, or a method bound to it. Absent when there is none.
Value FunctionVisitor::findMember(Value owner, Name name) {
  auto* instance = owner.as<InstanceObject>();
  if (Value field = instance->attributes->get(name); !field.isAbsent()) return field;
  Value member = unit_.interpreter.lookupAttribute(owner, name);
  if (member.isAbsent()) {
    unit_.interpreter.dropError();
    return member;
  }
  return isJitFunction(member) ? bound(owner, member) : member;
}

// A name of an earlier version. The fixes write its successor, if that is a plain name: here, and
// wherever the file has the old one. An imported name is changed where it is imported, and where it
// is used if it kept its name.
Value FunctionVisitor::removed(llvm::StringRef name, llvm::StringRef replacement,
                               const Node* node) {
  if (auto* call = llvm::dyn_cast<Call>(node)) node = call->func;
  Reported reported = emit_.error(Id::RemovedName, node, name, replacement);
  bool plain = !replacement.empty() &&
               llvm::all_of(replacement, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!plain || !emit_.locations_ || !reported.isWorthSearching()) return reported;
  std::vector<text::Edit> all;
  auto visit = [&](auto&& self, const Node& each) -> void {
    auto take = [&](const Identifier& identifier) {
      if (text(identifier.name) == name) all.push_back({identifier.range, replacement.str()});
    };
    // The same name in another module or class means something else.
    if (auto* attribute = llvm::dyn_cast<Attribute>(&each)) {
      auto* own = llvm::dyn_cast<Attribute>(node);
      if (own && emit_.sourceText(own->value) == emit_.sourceText(attribute->value))
        take(attribute->attribute);
    } else if (llvm::isa<Attribute>(node)) {
    } else if (auto* import = llvm::dyn_cast<ImportFrom>(&each)) {
      for (const Alias& alias : import->names)
        if (!alias.path.empty()) take(alias.path.back());
    } else if (auto* used = llvm::dyn_cast<NameExpr>(&each); used && text(used->name) == name)
      all.push_back({used->range, replacement.str()});
    forEachChild(each, [&](const Node& child) { self(self, child); });
  };
  for (const Stmt* stmt : emit_.locations_->file().statements)
    visit(visit, *stmt);
  if (auto* attribute = llvm::dyn_cast<Attribute>(node))
    reported.fix(diagnostics::FixId::ReplaceRemoved,
                 {{attribute->attribute.range, replacement.str()}}, name, replacement);
  constexpr size_t mostRepeated = 50;
  bool isOffered = all.size() <= mostRepeated || unit_.removedNames.insert(name).second;
  if (isOffered && (!llvm::isa<Attribute>(node) || all.size() > 1))
    reported.fix(diagnostics::FixId::ReplaceRemovedEverywhere, all, name, replacement);
  return reported;
}

// Reports a name that Triton no longer knows at all. Returns Absent if it never existed.
Value FunctionVisitor::dropped(llvm::StringRef where, llvm::StringRef name, const Node* node) {
  const FormerName* row = findFormerName(where, name);
  if (!row) return Value::absent();
  if (!row->replacement.empty()) return removed(row->name, row->replacement, node);
  return emit_.error(Id::RemovedNameWithoutReplacement, node, row->name, row->advice);
}

// Reports a name that the chosen release of Triton does not have, and others have. Returns Absent
// if no release has it.
Value FunctionVisitor::otherRelease(llvm::StringRef owner, llvm::StringRef name, const Node* node) {
  releases::Release release = unit_.specialization.release;
  if (release == releases::newest && findFormerName(owner, name)) return Value::absent();
  std::optional<releases::Life> life = releases::lifeOf(owner, name);
  if (!life || life->holds(release)) return Value::absent();
  std::string advice = textOf(*life);
  llvm::StringRef instead;
  if (auto* next = releases::successorOf(owner, name); next && release > life->last)
    instead = next->replacement;
  if (auto* before = releases::predecessorOf(release, owner, name)) instead = before->name;
  if (!instead.empty()) advice += "; use '" + instead.str() + "'";
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  std::string where = attribute ? emit_.sourceText(attribute->value).str() : owner.str();
  Reported reported =
      emit_.error(Id::NoSuchOperation, node, where + " of Triton " + releases::name(release).str(),
                  name, advice);
  if (attribute && !instead.empty())
    reported.fix(diagnostics::FixId::ReplaceRemoved, {{attribute->attribute.range, instead.str()}},
                 name, instead);
  return reported;
}

static constexpr llvm::StringLiteral permuteAdvice = "use permute((1, 0))";

// Methods that the class of tensors declares for type checkers and that nothing implements: a call
// returns None.
static bool isEmptyMethod(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"sort"};
  return llvm::is_contained(names, name);
}

// The replacement for a method that other languages' objects of that kind have.
static llvm::StringRef adviceForMember(Value value, llvm::StringRef name) {
  if (!isIr(value)) return {};
  struct Row {
    TypeKind kind;
    llvm::StringLiteral name, advice;
  };
  static constexpr Row rows[] = {
      {TypeKind::TensorDescriptor, "load", "use tma.async_load into shared memory"},
      {TypeKind::TensorDescriptor, "store", "use tma.async_store from shared memory"},
      {TypeKind::TensorDescriptor, "gather", "use tma.async_gather into shared memory"},
      {TypeKind::TensorDescriptor, "scatter", "use tma.async_scatter from shared memory"},
      {TypeKind::SharedMemoryDescriptor, "T", permuteAdvice},
      {TypeKind::SharedMemoryDescriptor, "trans", permuteAdvice},
      {TypeKind::SharedMemoryDescriptor, "load_shared_relaxed",
       "it is a function: async_copy.load_shared_relaxed(buffer, layout)"},
      {TypeKind::TensorMemoryDescriptor, "copy", "use tcgen05_copy(source, destination)"},
  };
  for (const Row& row : rows)
    if (row.kind == irTypeOf(value)->kind() && row.name == name) return row.advice;
  return {};
}

// The parameter of the library's function that is generated whose member is read; "" if there is
// none, or in a function of the user's.
llvm::StringRef FunctionVisitor::libraryParameter(const Attribute* read) {
  const syntax::FunctionDef* function = emit_.definition();
  if (!read || !function || emit_.source()) return {};
  auto* name = llvm::dyn_cast<syntax::NameExpr>(read->value);
  for (const syntax::Parameter& parameter : function->parameters)
    if (name && parameter.name.name == name->name) return text(name->name);
  return {};
}

// The evaluator raised AttributeError, or something else on the way.
Value FunctionVisitor::noAttribute(Value value, Name name, const Node* node) {
  evaluate::PythonError error = unit_.interpreter.takeError();
  if (text(name).empty())
    return Value::unknown(); // an incomplete "gl.", which the parser has reported
  if (error.exhausted || error.exceptionClass != "AttributeError") return raised(error, node);
  auto* module = value.as<language::ModuleObject>();
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  // A name of another library, if it is read as a member.
  auto offerOther = [&](Reported reported) {
    llvm::StringRef meant = attribute && module && isGluonLanguage(*module)
                                ? gluonNameFor(text(name))
                                : llvm::StringRef();
    if (!meant.empty())
      reported.fix(diagnostics::FixId::TryText, {{attribute->attribute.range, meant.str()}}, meant);
    // Constants of math and numpy, which are Python's floats in a kernel.
    bool isFloat = attribute && module && isGluonLanguage(*module) &&
                   (text(name) == "inf" || text(name) == "nan");
    std::string constant = "float(\"" + text(name).str() + "\")";
    if (isFloat) reported.fix(diagnostics::FixId::TryText, {{node->range, constant}}, constant);
    return !meant.empty() || isFloat;
  };
  if (module)
    if (Value reported = otherRelease(module->name, text(name), node); !reported.isAbsent())
      return reported;
  // `gl.math.exp`: the language itself has what other libraries keep in a module.
  auto offerInnerModule = [&](Reported reported) {
    const Attribute* member = nullptr;
    if (attribute && module && isGluonLanguage(*module) && emit_.locations_)
      for (const Node* each :
           syntax::pathTo(emit_.locations_->file().statements, attribute->range.begin))
        if (auto* outer = llvm::dyn_cast<Attribute>(each); outer && outer->value == attribute)
          member = outer;
    if (!member) return false;
    llvm::StringRef wanted = text(member->attribute.name);
    llvm::StringRef meant =
        language::findBuiltin(ModuleId::gl, wanted) ? wanted : gluonNameFor(wanted);
    if (meant.empty()) return false;
    std::string whole = emit_.sourceText(attribute->value).str() + "." + meant.str();
    reported.fix(diagnostics::FixId::TryText, {{member->range, whole}}, whole);
    return true;
  };
  // A function of triton's that kernels may call: triton.next_power_of_2.
  auto offerHost = [&](Reported reported) {
    bool isHost = attribute && module && evaluate::hasHostName("triton", text(name));
    std::string host = isHost ? nameOf(emit_, "triton", text(name)) : "";
    if (isHost) reported.fix(diagnostics::FixId::TryText, {{node->range, host}}, host);
    return isHost;
  };
  bool isLacking =
      module && isGluonLanguage(*module) && !language::findBuiltin(ModuleId::gl, text(name));
  std::string advice = isLacking ? adviceFor(text(name), *emit_.target_) : std::string();
  llvm::StringRef meant = isLacking ? gluonNameFor(text(name)) : llvm::StringRef();
  if (advice.empty() && !meant.empty()) advice = "use gl." + meant.str();
  if (!advice.empty()) {
    Reported reported =
        emit_.error(Id::NoSuchOperation, node,
                    emit_.sourceText(attribute ? static_cast<const Node*>(attribute->value) : node),
                    text(name), advice);
    offerOther(reported);
    offerHost(reported);
    offerAdvised(reported, node, advice);
    offerInnerModule(reported);
    return reported;
  }
  if (module)
    if (Value reported = dropped(module->name, text(name), node); !reported.isAbsent())
      return reported;
  // A function of Triton's library reads a member of an argument that is no tensor.
  if (llvm::StringRef parameter = libraryParameter(attribute); !parameter.empty()) {
    Reported reported = emit_.error(Id::NotATensor, node, parameter, emit_.text(value));
    offerPythonExtreme(emit_, reported, attribute->value);
    return reported;
  }
  Nearest nearest(text(name));
  llvm::StringRef sibling;
  if (module && module->globals)
    for (auto [global, held] : *module->globals)
      nearest.offer(text(global));
  else if (const language::BuiltinModule* known =
               module ? language::findModule(module->name) : nullptr) {
    nearest.offerMembers(known->id);
    sibling = siblingFor(text(name), [&](llvm::StringRef each) {
      return language::findBuiltin(known->id, each) || evaluate::hasHostName(known->name, each);
    });
    for (llvm::StringRef each : evaluate::hostNames(known->name))
      nearest.offer(each);
  }
  if (value.is(ValueKind::Type)) offerTypeAttributes(value, nearest);
  Reported reported =
      emit_.error(Id::UnknownAttribute, node,
                  module ? "module '" + module->name.str() + "'" : emit_.text(value), text(name));
  if (offerOther(reported) || offerInnerModule(reported)) return reported;
  if (value.isNone()) {
    offerPlainCall(reported, attribute);
    forgetName(node);
  }
  if (attribute && !sibling.empty())
    return reported.fix(diagnostics::FixId::TryText, {{attribute->attribute.range, sibling.str()}},
                        sibling);
  if (attribute && module && emit_.locations_ &&
      offerLanguage(emit_, reported, attribute, *module, emit_.locations_->file().statements))
    return reported;
  if (attribute && module && module->name == "triton.language" && emit_.locations_)
    offerGluonImport(emit_, reported, attribute, emit_.locations_->file().statements);
  if (attribute && module && !nearest.isClear() &&
      offerOtherModule(emit_, reported, attribute, *module))
    return reported;
  if (offerHost(reported)) return reported;
  if (module && !unit_.pythonBuiltin(name).isAbsent()) // gl.range, gl.min where Python's is meant
    return reported.fix(diagnostics::FixId::TryText, {{node->range, text(name).str()}}, text(name));
  // Another width is another type: no slip leads from gl.int4 to gl.int1.
  const Builtin* candidate = language::findBuiltin(language::ModuleId::gl, nearest.name());
  if (candidate && candidate->kind == language::BuiltinKind::Dtype &&
      isOtherWidth(text(name), nearest.name()))
    return reported;
  return misspelt(reported, node, text(name), nearest, module && !module->globals);
}

Value FunctionVisitor::attribute(Value value, Name name, const Node* node) {
  if (value.isUnknown()) return value;
  const WellKnown& known = unit_.context.wellKnown();
  if (value.isConstexpr() && name == known.value) return value.unwrapped();
  if (value.isConstexpr() && name == known.type) return Value::type(emit_.typeOf(value));
  // Otherwise the attribute is that of the wrapped value.
  value = value.unwrapped();
  Value result = Value::absent();
  if (isIr(value))
    result = irAttribute(value, name, node);
  else if (isAggregate(value)) {
    if (name == known.type) return Value::type(emit_.typeOf(value));
    result = findMember(value, name);
  } else if (isTuple(value)) {
    auto* tuple = value.as<TupleObject>();
    auto field = llvm::find(tuple->fields, name);
    if (field != tuple->fields.end())
      return tuple->items[static_cast<size_t>(field - tuple->fields.begin())];
    if (name == known.type) return Value::type(emit_.typeOf(value));
    if (text(name) == "__class__") return Value::builtin(&language::builtin(BuiltinId::gl_tuple));
    if (tuple->namedtuple) {
      result = unit_.interpreter.lookupAttribute(value, name);
      unit_.interpreter.dropError();
    }
    if (result.isAbsent() && (text(name) == "values" ||
                              (name == known.value && llvm::all_of(tuple->items, isConstexprLike) &&
                               emit_.follows(releases::Rule::ConstantTuplesHaveValue))))
      return value;
  } else {
    auto* module = value.as<language::ModuleObject>();
    // The context keeps members of the newest release.
    bool isKept = module && unit_.specialization.release == releases::newest;
    if (isKept) result = unit_.context.moduleMember(*module, name);
    if (result.isAbsent()) {
      bool isAdded = module && !evaluate::addedMember(module, name).isAbsent();
      result = unit_.interpreter.getAttribute(value, name);
      if (result.isAbsent() && module && function_.module->globals) {
        const language::Scope& globals = *function_.module->globals;
        result = evaluate::addedMember(unit_.interpreter, globals, module, name);
        isAdded = !result.isAbsent();
      }
      if (result.isAbsent()) return noAttribute(value, name, node);
      unit_.interpreter.dropError();
      if (isKept && !isAdded) unit_.context.noteMember(*module, name, result);
    }
    if (result.isUnknown() && !text(name).empty())
      unit_.markIncomplete("attribute '" + text(name) + "' of " + emit_.text(value));
    if (is(result, BuiltinId::gl_static_assert)) return result;
    if (result.is(ValueKind::Builtin) && result.asBuiltin()->kind == BuiltinKind::Removed)
      return removed(result.asBuiltin()->name, result.asBuiltin()->text, node);
    return result;
  }
  if (!result.isAbsent()) return result;
  if (text(name).empty()) return Value::unknown();
  if (!isAggregate(value) && isOfPythonsObject(value, text(name))) {
    unit_.markIncomplete("attribute '" + text(name) + "' of " + emit_.text(value));
    return Value::unknown();
  }
  if (isIr(value) && isAccumulator(value)) return notWaitedFor(value, node);
  if (Value reported = dropped(typeName(value), text(name), node); !reported.isAbsent())
    return reported;
  if (isIr(value))
    if (Value reported = otherRelease(typeName(value), text(name), node); !reported.isAbsent())
      return reported;
  Nearest nearest(text(name));
  if (isIr(value))
    if (std::optional<ModuleId> cls = classOf(irTypeOf(value))) nearest.offerMembers(*cls);
  if (isAggregate(value)) {
    auto* instance = value.as<InstanceObject>();
    for (auto [field, held] : *instance->attributes)
      nearest.offer(text(field));
    for (Value ancestor : instance->cls->mro)
      if (auto* cls = ancestor.as<language::ClassObject>(); cls && cls->members && !cls->native)
        for (auto [member, held] : *cls->members)
          if (!text(member).starts_with("_")) nearest.offer(text(member));
  }
  if (auto* written = llvm::dyn_cast<Attribute>(node);
      written && isTensor(value) && text(name) == "astype")
    return emit_.error(Id::UnknownAttribute, node, typeName(value), text(name))
        .fix(diagnostics::FixId::UseText, {{written->attribute.range, "to"}}, "to");
  if (isTuple(value) && (text(name) == "append" || text(name) == "extend")) {
    forgetName(node);
    return emit_.error(Id::NoSuchOperation, node, "a list in a kernel is a tuple and", text(name),
                       "create a new one: l = l + [x]");
  }
  if (isIr(value) && irTypeOf(value)->is(language::TypeKind::Pointer) &&
      language::findBuiltin(ModuleId::tensor_descriptor, text(name))) {
    forgetName(node);
    return emit_.error(Id::NoSuchOperation, node, typeName(value), text(name),
                       "it belongs to tensor descriptors; launch the kernel with a "
                       "TensorDescriptor instead of the tensor");
  }
  std::string advice = adviceForMember(value, text(name)).str();
  if (isTensor(value) && isEmptyMethod(text(name))) {
    emit_.warning(Id::NoSuchOperation, node, typeName(value), text(name),
                  "Triton leaves this method empty, so that it returns None");
    return unit_.interpreter.function(
        text(name),
        [](evaluate::Interpreter&, const language::CallArguments&) { return Value::none(); });
  }
  bool isPlain = isTensor(value) && !irTypeOf(value)->scalar()->isPointer();
  if (isIr(value) && irTypeOf(value)->is(TypeKind::Pointer) && advice.empty())
    advice = adviceForPointerMember(text(name)).str();
  if (isPlain && advice.empty()) advice = adviceForTensorMember(text(name), *emit_.target_);
  if (!advice.empty()) {
    Reported reported = emit_.error(Id::NoSuchOperation, node, typeName(value), text(name), advice);
    if (auto* written = llvm::dyn_cast<Attribute>(node); written && isIr(value))
      offerInner(reported, written, value);
    if (auto* written = llvm::dyn_cast<Attribute>(node); written && isPlain && text(name) == "size")
      offerShape(reported, written);
    if (auto* written = llvm::dyn_cast<Attribute>(node); written && advice == permuteAdvice) {
      text::Range range = written->attribute.range; // of `T`, or of `trans()`
      bool isCall = emit_.source() && text(name) != "T" &&
                    emit_.source()->text().drop_front(range.end).starts_with("()");
      if (isCall) range.end += 2;
      if (isCall || text(name) == "T")
        reported.fix(diagnostics::FixId::TryText, {{range, "permute((1, 0))"}}, "permute((1, 0))");
    }
    return reported;
  }
  Reported reported = emit_.error(Id::UnknownAttribute, node, typeName(value), text(name));
  if (auto* written = llvm::dyn_cast<Attribute>(node)) {
    if (isIr(value) && offerInner(reported, written, value)) return reported;
    llvm::StringRef sibling = siblingFor(text(name), [&](llvm::StringRef each) {
      std::optional<ModuleId> cls = isIr(value) ? classOf(irTypeOf(value)) : std::nullopt;
      return cls && !isTensor(value) && language::findBuiltin(*cls, each);
    });
    if (!sibling.empty())
      return reported.fix(diagnostics::FixId::TryText, {{written->attribute.range, sibling.str()}},
                          sibling);
    if (nearest.name().empty()) offerLoad(emit_, reported, written->value, value);
    if (isTensor(value) && !nearest.isClear())
      offerFunction(emit_, reported, written, irTypeOf(value));
  }
  return misspelt(reported, node, text(name), nearest, isIr(value));
}

// ---------------------------------------------------------------- names of kinds, for messages

std::string FunctionVisitor::typeName(Value value) {
  if (isTuple(value)) return "tuple";
  if (auto* ir = value.as<language::IrObject>()) {
    switch (ir->type->kind()) {
    case TypeKind::SharedMemoryDescriptor:
      return "shared_memory_descriptor";
    case TypeKind::TensorMemoryDescriptor:
      return "tensor_memory_descriptor";
    case TypeKind::TensorDescriptor:
      return "tensor_descriptor";
    case TypeKind::Opaque:
      return isAccumulator(value) ? "warpgroup_mma_accumulator" : "clc_result";
    default:
      return ir->type->isPointer() ? "pointer " + emit_.text(ir->type) : "tensor";
    }
  }
  if (auto* instance = value.as<InstanceObject>()) return instance->cls->qualname.str();
  Value cls = unit_.interpreter.typeOf(value.unwrapped());
  return unit_.interpreter.className(cls).str();
}

bool FunctionVisitor::isSubclassInstance(Value sub, Value base) const {
  auto *a = sub.as<InstanceObject>(), *b = base.as<InstanceObject>();
  if (!a || !b || a->cls == b->cls) return false;
  return llvm::any_of(a->cls->mro, [&](Value cls) { return cls.as<ClassObject>() == b->cls; });
}

// Python's `is` on unwrapped values. Equal strings and numbers count as one object, as they mostly
// are in CPython.
bool FunctionVisitor::isSameObject(Value a, Value b) {
  a = a.unwrapped();
  b = b.unwrapped();
  if (a.identical(b)) return true;
  if (a.kind() != b.kind()) return false;
  if (a.is(ValueKind::Str))
    return a.as<language::StrObject>()->text == b.as<language::StrObject>()->text;
  if (a.is(ValueKind::Type)) return same(a.asType(), b.asType()) && a.asType()->isScalar();
  return false;
}

} // namespace gluond::codegen
