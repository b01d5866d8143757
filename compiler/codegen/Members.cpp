// value.name: attributes of values in IR, of aggregates, tuples, modules and plain Python objects.
#include "codegen/FunctionVisitor.h"
#include "codegen/Prelude.h"
#include "codegen/Suggest.h"
#include "codegen/WellKnown.h"
#include "language/Builtin.h"
#include "language/TypeContext.h"

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
  case TypeKind::Tensor: return ModuleId::tensor;
  case TypeKind::SharedMemoryDescriptor: return ModuleId::shared_memory_descriptor;
  case TypeKind::TensorMemoryDescriptor: return ModuleId::tensor_memory_descriptor;
  case TypeKind::TensorDescriptor: return ModuleId::tensor_descriptor;
  case TypeKind::Opaque:
    if (type->opaqueKind() == language::OpaqueKind::ClcResult) return ModuleId::clc_result;
    return std::nullopt;
  default: return std::nullopt;
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
  return Value::object(ValueKind::BoundMethod, heap().make<BoundMethodObject>(language::Object{}, self, function));
}

// A tensor's shape: a tuple of constexprs.
Value FunctionVisitor::shapeTuple(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<Value, 4> items;
  for (int64_t size : shape) items.push_back(Value::integer(size).wrapped());
  return tuple(items);
}

// Absent: it has no such attribute.
Value FunctionVisitor::irAttribute(Value value, Name name, const Node* node) {
  const Type* type = irTypeOf(value);
  const WellKnown& known = unit_.context.wellKnown();
  if (name == known.type) return Value::type(type);
  if (text(name) == "handle") return value; // for @builtin functions of the program
  std::optional<ModuleId> cls = classOf(type);
  if (!cls) return Value::absent();
  const Builtin* row = language::findBuiltin(*cls, text(name));
  if (!row) return Value::absent();
  switch (row->kind) {
  case BuiltinKind::Rule:
  case BuiltinKind::Native: return bound(value, Value::builtin(row));
  case BuiltinKind::Prelude: {
    Value function = unit_.context.prelude().function(*row);
    return function.isUnknown() ? Value(emit_.unsupported(node, row->name)) : bound(value, function);
  }
  case BuiltinKind::Property: break;
  default: return Value::absent();
  }
  // Of a tensor: dtype, shape and numel are wrapped; everything else answers as its type does.
  if (isTensorType(type)) {
    if (row->id == BuiltinId::tensor_dtype) return Value::type(type->scalar());
    if (row->id == BuiltinId::tensor_shape) return shapeTuple(type->isTensor() ? type->shape() : llvm::ArrayRef<int64_t>());
    if (row->id == BuiltinId::tensor_numel)
      return Value::integer(type->isTensor() ? type->numel() : 1).wrapped();
    if (row->id == BuiltinId::tensor_T) {
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
      unsigned cursor = strides ? 1 + static_cast<unsigned>(type->elements()[0]->elements().size()) : 1;
      return emit_.unflatten(parts, handles, cursor);
    }
    if (row->id == BuiltinId::descriptor_dtype) return Value::type(type->element()->scalar());
    if (row->id == BuiltinId::descriptor_block_type) return Value::type(type->element());
    if (row->id == BuiltinId::descriptor_block_shape)
      return unit_.interpreter.getAttribute(Value::type(type->element()), unit_.context.wellKnown().shape);
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
  if (const Value* field = instance->attributes->find(name)) return *field;
  Value member = unit_.interpreter.lookupAttribute(owner, name);
  if (member.isAbsent()) {
    unit_.interpreter.dropError();
    return member;
  }
  return isJitFunction(member) ? bound(owner, member) : member;
}

// A name of an earlier version; the fix is the one that took its place, where that is a plain name.
Value FunctionVisitor::removed(const Builtin& row, const Node* node) {
  Reported reported = emit_.error(Id::RemovedName, node, row.name, row.text);
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  bool plain = !row.text.empty() && llvm::all_of(row.text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (attribute && plain)
    reported.fix(diagnostics::NoteId::ReplaceWith, {{attribute->attribute.range, row.text.str()}}, row.text);
  return reported;
}

// The evaluator raised AttributeError, or something else on the way.
Value FunctionVisitor::noAttribute(Value value, Name name, const Node* node) {
  evaluate::PythonError error = unit_.interpreter.takeError();
  if (error.exhausted || error.exceptionClass != "AttributeError") return raised(std::move(error), node);
  auto* module = value.as<language::ModuleObject>();
  Nearest nearest(text(name));
  if (module && module->globals)
    for (const auto& entry : module->globals->entries) nearest.offer(text(entry.first));
  else if (const language::BuiltinModule* known = module ? language::findModule(module->name) : nullptr) {
    llvm::SmallVector<const Builtin*, 0> rows;
    language::namesOf(known->id, rows);
    for (const Builtin* row : rows) nearest.offer(row->name);
  }
  return misspelt(emit_.error(Id::UnknownAttribute, node,
                              module ? "module '" + module->name.str() + "'" : emit_.text(value), text(name)),
                  node, nearest);
}

// Offers the nearest name as a fix, where the misspelt one stands.
Reported FunctionVisitor::misspelt(Reported reported, const Node* node, const Nearest& nearest) {
  if (nearest.name().empty()) return reported;
  auto* attribute = llvm::dyn_cast<Attribute>(node);
  text::Range range = attribute ? attribute->attribute.range : node->range;
  return reported.fix(diagnostics::NoteId::DidYouMean, {{range, nearest.name().str()}}, nearest.name());
}

Value FunctionVisitor::attribute(Value value, Name name, const Node* node) {
  if (value.isUnknown()) return value;
  const WellKnown& known = unit_.context.wellKnown();
  if (value.isConstexpr() && name == known.value) return value.unwrapped();
  if (value.isConstexpr() && name == known.type) return Value::type(emit_.typeOf(value));
  // Otherwise what is wrapped answers.
  value = value.unwrapped();
  Value result = Value::absent();
  if (isIr(value)) result = irAttribute(value, name, node);
  else if (isAggregate(value)) {
    if (name == known.type) return Value::type(emit_.typeOf(value));
    result = findMember(value, name);
  } else if (isTuple(value)) {
    auto* tuple = value.as<TupleObject>();
    auto field = llvm::find(tuple->fields, name);
    if (field != tuple->fields.end()) return tuple->items[static_cast<size_t>(field - tuple->fields.begin())];
    if (name == known.type) return Value::type(emit_.typeOf(value));
    if (tuple->namedtuple) {
      result = unit_.interpreter.lookupAttribute(value, name);
      unit_.interpreter.dropError();
    } else if (text(name) == "values") return value;
  } else {
    result = unit_.interpreter.getAttribute(value.unwrapped(), name);
    if (result.isAbsent()) return noAttribute(value, name, node);
    if (result.isUnknown()) unit_.markIncomplete("attribute '" + text(name) + "' of " + emit_.text(value));
    if (is(result, BuiltinId::gl_static_assert)) return result;
    if (result.is(ValueKind::Builtin) && result.asBuiltin()->kind == BuiltinKind::Removed)
      return removed(*result.asBuiltin(), node);
    return result;
  }
  if (!result.isAbsent()) return result;
  return emit_.error(Id::UnknownAttribute, node, typeName(value), text(name));
}

// ---------------------------------------------------------------- names of kinds, for messages

std::string FunctionVisitor::typeName(Value value) {
  if (isTuple(value)) return "tuple";
  if (auto* ir = value.as<language::IrObject>()) {
    switch (ir->type->kind()) {
    case TypeKind::SharedMemoryDescriptor: return "shared_memory_descriptor";
    case TypeKind::TensorMemoryDescriptor: return "tensor_memory_descriptor";
    case TypeKind::TensorDescriptor: return "tensor_descriptor";
    default: return "tensor";
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

// Python's `is`, on what is wrapped. Equal strings and numbers count as one object, as CPython mostly has it.
bool FunctionVisitor::isSameObject(Value a, Value b) {
  a = a.unwrapped();
  b = b.unwrapped();
  if (a.identical(b)) return true;
  if (a.kind() != b.kind()) return false;
  if (a.is(ValueKind::Str)) return a.as<language::StrObject>()->text == b.as<language::StrObject>()->text;
  if (a.is(ValueKind::Type)) return same(a.asType(), b.asType()) && a.asType()->isScalar();
  return false;
}

} // namespace gluond::codegen
