// Expressions other than operators, calls and attributes.
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "releases/Rules.h"
#include "support/Stack.h"

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::SliceObject;
using language::StrObject;

Value FunctionVisitor::visit(const Expr* expr) {
  if (!unit_.step()) return Value::unknown();
  const Node* last = emit_.node_;
  emit_.node_ = expr;
  if (!descend(expr)) return Value::unknown();
  Value value = dispatch(expr);
  --unit_.depth;
  emit_.node_ = last;
  recordFact(expr, value);
  return value;
}

bool FunctionVisitor::descend(const Node* node) {
  if (unit_.depth < Unit::maxDepth && !isStackLow()) [[likely]] {
    ++unit_.depth;
    return true;
  }
  unit_.giveUp(node, "the kernel nests too deeply");
  return false;
}

Value FunctionVisitor::dispatch(const Expr* expr) {
  switch (expr->kind) {
  case NodeKind::NameExpr:
    return lookup(llvm::cast<NameExpr>(expr)->name, expr);
  case NodeKind::Constant:
    return visitConstant(llvm::cast<Constant>(expr));
  case NodeKind::Tuple:
    return unit_.admit(visitTuple(llvm::cast<syntax::Tuple>(expr)->elements), expr);
  case NodeKind::List:
    return unit_.admit(visitTuple(llvm::cast<syntax::List>(expr)->elements), expr);
  case NodeKind::Comprehension:
    return unit_.admit(visitListComp(llvm::cast<Comprehension>(expr)), expr);
  case NodeKind::Attribute:
    return unit_.admit(visitAttribute(llvm::cast<Attribute>(expr)), expr);
  case NodeKind::Subscript:
    return unit_.admit(visitSubscript(llvm::cast<Subscript>(expr)), expr);
  case NodeKind::Slice:
    return visitSlice(llvm::cast<syntax::Slice>(expr));
  case NodeKind::Call:
    return unit_.admit(visitCall(llvm::cast<Call>(expr)), expr);
  case NodeKind::BinOp:
    return unit_.admit(visitBinOp(llvm::cast<BinOp>(expr)), expr);
  case NodeKind::UnaryOp:
    return visitUnaryOp(llvm::cast<UnaryOp>(expr));
  case NodeKind::BoolOp:
    return visitBoolOp(llvm::cast<BoolOp>(expr));
  case NodeKind::Compare:
    return visitCompare(llvm::cast<Compare>(expr));
  case NodeKind::IfExp:
    return visitIfExp(llvm::cast<IfExp>(expr));
  case NodeKind::JoinedStr:
    return unit_.admit(visitJoinedStr(llvm::cast<JoinedStr>(expr)), expr);
  case NodeKind::NamedExpr:
    return visitNamedExpr(llvm::cast<NamedExpr>(expr));
  case NodeKind::ErrorExpr: // the parser has reported it
    unit_.hadErrors = true;
    return Value::unknown();
  default:
    return emit_.error(Id::UnsupportedExpression, expr, nodeName(expr->kind),
                       adviceFor(expr->kind));
  }
}

Value FunctionVisitor::visitConstant(const Constant* expr) {
  using enum ConstantKind;
  switch (expr->constant) {
  case None:
    return Value::none().wrapped();
  case True:
    return Value::boolean(true).wrapped();
  case False:
    return Value::boolean(false).wrapped();
  case Ellipsis:
    return Value::ellipsis().wrapped();
  case Int:
    return Value::integer(expr->integer).wrapped();
  case Float:
    return Value::real(expr->real).wrapped();
  case Str: // the tree outlives the heap
    return Value::object(ValueKind::Str, heap().make<StrObject>(language::Object{}, expr->string))
        .wrapped();
  case Bytes:
    return Value::object(ValueKind::Bytes, heap().make<StrObject>(language::Object{}, expr->string))
        .wrapped();
  case Complex:
    unit_.markIncomplete("a complex number");
    return Value::unknown();
  case BigInt:
    return unit_.interpreter.evaluate(expr, function_.scope, function_.module).wrapped();
  }
  return Value::unknown();
}

Value FunctionVisitor::visitTuple(Exprs elements) {
  llvm::SmallVector<Value, 8> items;
  for (const Expr* element : elements) {
    if (auto* starred = llvm::dyn_cast<Starred>(element)) {
      visit(starred->value);
      return emit_.error(Id::UnsupportedExpression, element, nodeName(element->kind),
                         adviceFor(element->kind));
    }
    items.push_back(visit(element));
    if (hasNoType(items.back())) return notAnItem(items.back(), element);
  }
  return tuple(items);
}

// Whether Triton finds no `type` in a value, which it asks of every item of a tuple that is no
// number: functions that are not kernel code, modules, and most classes have none.
bool FunctionVisitor::hasNoType(Value item) {
  Value value = item.unwrapped();
  auto* cls = value.as<language::ClassObject>();
  bool isAggregateClass = cls && cls->flavour == language::ClassObject::Flavour::Aggregate;
  if (item.isConstexpr() || isAggregateClass) return false;
  if (auto* builtin = value.is(ValueKind::Builtin) ? value.asBuiltin() : nullptr) {
    using language::BuiltinKind;
    if (builtin->kind != BuiltinKind::Rule && builtin->kind != BuiltinKind::Class) return false;
  } else if (!value.is(ValueKind::Module) && !value.is(ValueKind::BoundMethod) &&
             !value.is(ValueKind::Class) && !value.is(ValueKind::Host))
    return false;
  Value type = unit_.interpreter.lookupAttribute(value, unit_.context.wellKnown().type);
  unit_.interpreter.dropError();
  bool isOfInstances =
      type.is(ValueKind::Builtin) && type.asBuiltin()->kind == language::BuiltinKind::Property;
  return type.isAbsent() || isOfInstances;
}

Value FunctionVisitor::notAnItem(Value item, const Expr* element) {
  Reported reported =
      emit_.error(Id::BadArgument, element,
                  "a tuple in a kernel cannot hold " + emit_.text(item) +
                      ", which has no type; for isinstance, write one call for each class");
  offerCalled(emit_, reported, item, element);
  return reported;
}

Value FunctionVisitor::visitListComp(const Comprehension* expr) {
  if (expr->comprehension != ComprehensionKind::List)
    return emit_.error(Id::UnsupportedExpression, expr, nodeName(expr->kind),
                       adviceFor(expr->kind));
  if (expr->generators.size() != 1) return emit_.error(Id::NestedComprehension, expr);
  const Generator& generator = expr->generators[0];
  if (!llvm::isa<NameExpr>(generator.target) &&
      emit_.follows(releases::Rule::ComprehensionsTakeOneName))
    return emit_.raised(generator.target, "AttributeError", "'Tuple' object has no attribute 'id'");
  Value iterable = visit(generator.iter);
  if (iterable.isUnknown()) return iterable;
  if (!isTuple(iterable)) return emit_.error(Id::ComprehensionOfNonTuple, generator.iter, iterable);
  llvm::SmallVector<Value, 8> results;
  bool known = true;
  for (Value item : itemsOf(iterable)) {
    if (generator.target->kind == NodeKind::Tuple)
      item = sanitize(generator.target, item, generator.iter, false);
    assignTarget(generator.target, item);
    bool keep = true;
    auto conditions = generator.conditions;
    if (emit_.follows(releases::Rule::ComprehensionsDoNotFilter)) conditions = {};
    for (const Expr* test : conditions) {
      Value value = visit(test);
      // A tensor is an object to Python, and so it is true.
      if (isTensor(value)) {
        emit_.error(Id::DynamicFilter, test, value);
        continue;
      }
      if (isDynamicOperand(value)) {
        unit_.markIncomplete("a condition");
        value = Value::unknown();
      }
      std::optional<bool> truth =
          value.isUnknown() ? std::nullopt : unit_.interpreter.truth(value.unwrapped());
      known &= truth.has_value();
      if (!truth.value_or(false)) {
        keep = false;
        break;
      }
    }
    if (keep) results.push_back(visit(expr->element));
  }
  return known ? tuple(results) : Value::unknown();
}

Value FunctionVisitor::visitSlice(const syntax::Slice* expr) {
  auto part = [&](const Expr* bound) { return bound ? visit(bound) : Value::none(); };
  Value lower = part(expr->lower), upper = part(expr->upper), step = part(expr->step);
  if (lower.isUnknown() || upper.isUnknown() || step.isUnknown()) return Value::unknown();
  return Value::object(ValueKind::Slice,
                       heap().make<SliceObject>(language::Object{}, lower, upper, step));
}

Value FunctionVisitor::visitSubscript(const Subscript* expr) {
  Value value = visit(expr->value);
  Value index = visit(expr->index);
  if (hasUnknown(index) || value.isUnknown()) return Value::unknown();
  if (isTuple(value)) return tupleItem(value, index, expr);
  if (isIr(value)) {
    const Expr* nodes[] = {expr->value, expr->index};
    Value operands[] = {value, index};
    if (std::optional<Value> item = subscript(emit_, {expr, operands, nodes})) return *item;
    Reported reported = emit_.error(Id::NotSubscriptable, expr->value, value);
    if (irTypeOf(value)->is(language::TypeKind::SharedMemoryDescriptor) &&
        !llvm::isa<syntax::Slice, syntax::Tuple>(expr->index)) {
      std::string index = ".index(" + emit_.sourceText(expr->index).str() + ")";
      reported.fix(diagnostics::FixId::TryText,
                   {{{expr->value->range.end, expr->range.end}, index}},
                   (emit_.sourceText(expr->value) + index).str());
    }
    if (llvm::isa<syntax::Slice, syntax::Tuple>(expr->index))
      offerLoad(emit_, reported, expr->value, value, expr);
    return reported;
  }
  if (isAggregate(value)) {
    Value method = findMember(value, unit_.context.wellKnown().getitem);
    if (method.isAbsent()) return emit_.error(Id::NotSubscriptable, expr->value, value);
    return call(method, index, {}, expr);
  }
  Value plain = value.unwrapped();
  const language::Builtin* row = plain.is(ValueKind::Builtin) ? plain.asBuiltin() : nullptr;
  if (auto* function = plain.as<language::FunctionObject>();
      function && function->function == language::FunctionKind::Jit) {
    // A launch inside a kernel.
    llvm::StringRef name = emit_.sourceText(expr->value);
    Reported reported = emit_.error(Id::BadArgument, expr->index,
                                    "a kernel calls '" + name.str() + "' without a grid: write " +
                                        name.str() + "(...)");
    return reported.fix(diagnostics::FixId::TryText,
                        {{{expr->value->range.end, expr->range.end}, ""}},
                        emit_.sourceText(expr->value));
  }
  // Of Triton's own, only the type of a tuple has items.
  bool isTupleType = plain.is(ValueKind::Type) && plain.asType()->is(language::TypeKind::Tuple);
  if (row || plain.is(ValueKind::Module) || plain.is(ValueKind::Layout) ||
      (plain.is(ValueKind::Type) && !isTupleType)) {
    Reported reported = emit_.error(Id::NotSubscriptable, expr->value, value);
    if (row && row->kind == language::BuiltinKind::Rule &&
        !llvm::isa<syntax::Slice, syntax::Tuple>(expr->index)) { // gl.program_id[0]
      std::string call =
          (emit_.sourceText(expr->value) + "(" + emit_.sourceText(expr->index) + ")").str();
      reported.fix(diagnostics::FixId::TryText, {{expr->range, call}}, call);
    }
    return reported;
  }
  // Plain Python: the item is returned unchanged, not wrapped.
  Value item = unit_.interpreter.getItem(plain, unwrapDeep(heap(), index));
  if (item.isAbsent()) return raised(expr);
  return item.isUnknown() ? resultUnknown(expr) : item;
}

// gl.tuple's items and slices.
Value FunctionVisitor::tupleItem(Value value, Value index, const Subscript* expr) {
  Values items = itemsOf(value);
  if (auto* slice = index.as<SliceObject>()) {
    auto bound = [&](Value bound) { return bound.unwrapped(); };
    if (!llvm::all_of(llvm::ArrayRef({slice->start, slice->stop, slice->step}),
                      [](Value part) { return part.isNone() || part.isIntegral(); }))
      return emit_.error(Id::BadTupleIndex, expr->index, index);
    Value plain = Value::object(ValueKind::Slice,
                                heap().make<SliceObject>(language::Object{}, bound(slice->start),
                                                         bound(slice->stop), bound(slice->step)));
    Value part = unit_.interpreter.getItem(tuple(items), plain);
    return part.isAbsent() ? raised(expr) : part;
  }
  if (!index.isIntegral()) return emit_.error(Id::BadTupleIndex, expr->index, index);
  int64_t count = static_cast<int64_t>(items.size()), i = index.asInt();
  if (i < -count || i >= count) {
    auto* shape = llvm::dyn_cast<Attribute>(expr->value);
    if (count == 0 && shape && text(shape->attribute.name) == "shape") return noSize(shape, expr);
    return emit_.error(Id::TupleIndexOutOfRange, expr->index, i, count);
  }
  return items[static_cast<size_t>(i < 0 ? i + count : i)];
}

// Format specifications are ignored, as Triton does.
Value FunctionVisitor::visitJoinedStr(const JoinedStr* expr) {
  std::string text;
  bool known = true;
  for (const Expr* part : expr->parts) {
    if (auto* constant = llvm::dyn_cast<Constant>(part)) {
      text += constant->string;
      continue;
    }
    auto* formatted = llvm::cast<FormattedValue>(part);
    text += formatted->debugText;
    Value value = visit(formatted->value);
    if (value.isUnknown()) {
      known = false;
      continue;
    }
    if (!value.isConstexpr()) {
      Reported reported = emit_.error(Id::FormatOfDynamicValue, formatted->value, value);
      offerPrint(emit_, reported, expr);
      known = false;
      continue;
    }
    value = value.unwrapped();
    bool repr = formatted->conversion == 'r' || formatted->conversion == 'a' ||
                (!formatted->debugText.empty() && !formatted->conversion);
    text += repr ? unit_.interpreter.repr(value) : unit_.interpreter.str(value);
    if (unit_.interpreter.failed()) return raised(part);
  }
  return known ? heap().str(text) : Value::unknown();
}

Value FunctionVisitor::visitNamedExpr(const NamedExpr* expr) {
  if (emit_.follows(releases::Rule::NoNamedExpressions))
    return emit_.raised(expr, "UnsupportedLanguageConstruct",
                        "unsupported AST node type: NamedExpr");
  visitAssign(expr->target, expr->value);
  return lookup(expr->target->name, expr->target);
}

} // namespace gluond::codegen
