#include "codegen/functions/FunctionVisitor.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/Operators.h"
#include "ir/tt/Ops.h"
#include "language/types/TypeContext.h"
#include "syntax/tree/FreeNames.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

namespace gluond::codegen {

using diagnostics::Id;
using language::FunctionObject;
using language::TypeKind;

FunctionVisitor::FunctionVisitor(Unit& unit, const FunctionObject& function,
                                 llvm::ArrayRef<const Type*> types,
                                 const std::optional<CallerContext>& context)
    : unit_(unit), emit_(unit.builder), function_(function), def_(*function.def),
      types_(types.begin(), types.end()), context_(context), outer_(emit_.visitor_),
      outerNode_(emit_.node_), outerLocations_(emit_.locations_) {
  emit_.visitor_ = this;
  emit_.locations_ = unit_.locationsOf(function.module);
  emit_.node_ = &def_;
}

FunctionVisitor::~FunctionVisitor() {
  emit_.visitor_ = outer_;
  emit_.locations_ = outerLocations_;
  emit_.node_ = outerNode_;
}

const Type* FunctionVisitor::generate(llvm::StringRef name, bool isKernel,
                                      llvm::ArrayRef<KernelArgument> arguments) {
  IrBuilder::Guard guard(emit_);
  visitDefaults();

  llvm::SmallVector<mlir::Type, 16> inputs;
  for (const Type* type : types_)
    emit_.flattenTypes(type, inputs);
  mlir::Builder& builder = emit_.opBuilder();
  emit_.opBuilder().setInsertionPointToEnd(emit_.module().getBody());
  auto func =
      emit_.create<tt::FuncOp>(name, builder.getFunctionType(inputs, {}),
                               unit_.context.functionAttributes(function_.noinline, isKernel));
  func_ = func;
  if (context_ && context_->numWarps)
    func->setAttr("ttg.num-warps", builder.getI32IntegerAttr(*context_->numWarps));
  mlir::Block* entry = func.addEntryBlock();
  bindArguments(arguments);
  unit_.callees[name].function = func;

  emit_.opBuilder().setInsertionPointToStart(entry);
  markFunction();
  visit(def_.body);
  emit_.node_ = &def_;
  const Type* returns = finishReturns();
  Callee& callee = unit_.callees[name];
  callee.returns = returns;
  callee.finished = true;
  callee.nesting = nesting_;
  return returns;
}

void FunctionVisitor::noteNesting(unsigned inside) {
  nesting_ = std::max(nesting_, region_ + inside);
  if (nesting_ > Unit::maxRegions) [[unlikely]]
    unit_.giveUp(emit_.node_, "blocks nest deeper than 400 levels once calls are inlined");
}

void FunctionVisitor::enterRegion() {
  ++region_;
  noteNesting(0);
}

void FunctionVisitor::lookInto(Values arguments) {
  IrBuilder::Guard guard(emit_);
  emit_.opBuilder().setInsertionPointToEnd(emit_.module().getBody());
  mlir::Builder& builder = emit_.opBuilder();
  mlir::NamedAttribute visibility = builder.getNamedAttr(mlir::SymbolTable::getVisibilityAttrName(),
                                                         builder.getStringAttr("private"));
  auto func = emit_.create<tt::FuncOp>(llvm::StringRef(), builder.getFunctionType({}, {}),
                                       llvm::ArrayRef(visibility));
  func_ = func;
  if (context_ && context_->numWarps)
    func->setAttr("ttg.num-warps", builder.getI32IntegerAttr(*context_->numWarps));
  mlir::Block* entry = func.addEntryBlock();
  unsigned cursor = 0;
  for (size_t i = 0; i < arguments.size() && i < def_.parameters.size(); ++i) {
    Value value = arguments[i];
    if (value.isAbsent()) {
      llvm::SmallVector<mlir::Type, 4> inputs;
      emit_.flattenTypes(types_[i], inputs);
      value = Value::unknown();
      if (llvm::all_of(inputs, [](mlir::Type input) { return static_cast<bool>(input); })) {
        for (mlir::Type input : inputs)
          entry->addArgument(input, builder.getUnknownLoc());
        value = emit_.unflatten(types_[i], entry->getArguments(), cursor);
      }
    }
    setValue(def_.parameters[i].name.name, value);
  }
  emit_.opBuilder().setInsertionPointToStart(entry);
  visit(def_.body);
  emit_.node_ = &def_;
  finishReturns();
  // The caller's values may not live as long as the module: a loop's body is visited once more.
  mlir::OwningOpRef<mlir::ModuleOp> aside(mlir::ModuleOp::create(func.getLoc()));
  aside->getOperation()->setAttrs(emit_.module()->getAttrDictionary());
  func->remove();
  aside->push_back(func);
  verifyOperations(unit_, *aside);
}

// The default and the annotation of a parameter are evaluated in the kernel, too, where a nested
// function has only those names of the functions around it that its body uses. Returns the first
// other one, or null.
static const syntax::NameExpr* nameOutside(const FunctionObject& function,
                                           const syntax::Parameter& parameter) {
  const language::Scope* globals = function.module->globals;
  if (!globals || function.scope == globals) return nullptr;
  const syntax::NameExpr* found = nullptr;
  auto visit = [&](const syntax::Node* node) {
    auto* name = llvm::dyn_cast<syntax::NameExpr>(node);
    if (!name || found || !globals->get(name->name).isAbsent()) return !found;
    bool isAround = false;
    for (const language::Scope* scope = function.scope; scope && scope != globals;
         scope = scope->parent)
      isAround |= !scope->get(name->name).isAbsent();
    if (isAround && !llvm::is_contained(syntax::freeNames(*function.def), name->name)) found = name;
    return true;
  };
  if (parameter.annotation) syntax::walk(parameter.annotation, visit);
  syntax::walk(parameter.defaultValue, visit);
  return found;
}

// As in Triton the defaults are assigned before the parameters are bound, last one first, and so
// they come first in the order of names. In the end the names have the parameters' values; this
// only matters because assigning a default may fail.
bool FunctionVisitor::visitDefaults() {
  bool fine = true;
  for (auto [i, parameter] : llvm::reverse(llvm::enumerate(def_.parameters))) {
    if (!parameter.defaultValue || parameter.kind == syntax::ParameterKind::KeywordOnly) continue;
    scope_.set(parameter.name.name, Value::none());
    if (auto* outside = nameOutside(function_, parameter)) {
      emit_.error(Id::UndefinedName, outside, text(outside->name));
      fine = false;
      continue;
    }
    if (i >= function_.defaults.size() || parameter.annotation) continue;
    Value value = function_.defaults[i].unwrapped();
    using enum ValueKind;
    bool assignable =
        value.isIntegral() ||
        llvm::is_contained({Unknown, None, BigInt, Float, Type, Tuple, Ir}, value.kind()) ||
        isAggregate(value);
    if (assignable) continue;
    emit_.raised(parameter.defaultValue, "TypeError",
                 "cannot convert " + emit_.text(value) + " to tensor");
    fine = false;
  }
  return fine;
}

void FunctionVisitor::bindArguments(llvm::ArrayRef<KernelArgument> arguments) {
  unsigned cursor = 0;
  auto func = llvm::cast<tt::FuncOp>(func_);
  llvm::SmallVector<mlir::DictionaryAttr, 16> attributes;
  if (!arguments.empty()) attributes.assign(func.getNumArguments(), emit_.noAttributes_);
  for (auto [i, parameter] : llvm::enumerate(def_.parameters)) {
    if (i >= types_.size()) break;
    Value value =
        bindArgument(types_[i], i < arguments.size() ? &arguments[i] : nullptr, attributes, cursor);
    if (parameter.kind == syntax::ParameterKind::KwArgs) continue;
    setValue(parameter.name.name, value);
    if (unit_.facts) unit_.facts->record(emit_, emit_.locations_, parameter.name.range, value);
  }
  if (llvm::any_of(attributes, [](mlir::DictionaryAttr each) { return !each.empty(); }))
    func.setAllArgAttrs(attributes);
}

// Attributes are attached to the first IR value of a leaf: a scalar or a pointer has one.
Value FunctionVisitor::bindArgument(const Type* type, const KernelArgument* argument,
                                    llvm::MutableArrayRef<mlir::DictionaryAttr> attributes,
                                    unsigned& cursor) {
  auto func = llvm::cast<tt::FuncOp>(func_);
  if (type->is(TypeKind::Tuple)) {
    llvm::SmallVector<Value, 4> items;
    for (auto [i, element] : llvm::enumerate(type->elements())) {
      bool known = argument && i < argument->elements.size();
      items.push_back(
          bindArgument(element, known ? &argument->elements[i] : nullptr, attributes, cursor));
    }
    return tuple(items, type->fields());
  }
  if (argument && (argument->divisibleBy || argument->pointerRange) && cursor < attributes.size())
    attributes[cursor] =
        unit_.context.argumentAttributes(argument->divisibleBy, argument->pointerRange);
  mlir::Block& entry = func.getBody().front();
  return emit_.unflatten(type, entry.getArguments(), cursor);
}

// ---------------------------------------------------------------- returning

const syntax::Call* FunctionVisitor::callWithoutResult(const syntax::Expr* expr) {
  if (auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(expr)) {
    for (const syntax::Expr* each : tuple->elements)
      if (const syntax::Call* found = callWithoutResult(each)) return found;
    return nullptr;
  }
  if (auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(expr)) {
    // Where it is assigned once, and always.
    unsigned places = 0;
    forEachAssigned(def_.body, [&](Name each) { places += each == name->name; });
    expr = nullptr;
    for (const syntax::Stmt* stmt : def_.body)
      if (auto* assign = llvm::dyn_cast<syntax::Assign>(stmt);
          assign && places == 1 && assign->targets.size() == 1)
        if (auto* target = llvm::dyn_cast<syntax::NameExpr>(assign->targets.front());
            target && target->name == name->name)
          expr = assign->value;
  }
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(expr);
  const syntax::Expr* owner = call ? call->func : nullptr;
  while (auto* member = llvm::dyn_cast_if_present<syntax::Attribute>(owner))
    owner = member->value;
  if (!llvm::isa_and_present<syntax::NameExpr>(owner)) return nullptr;
  Value callee = visit(call->func);
  if (unit_.isPython(callee, unit_.context.wellKnown().print)) return call; // device_print
  if (auto* method = callee.as<language::BoundMethodObject>()) callee = method->function;
  if (!callee.is(ValueKind::Builtin)) return nullptr;
  static constexpr language::BuiltinId withoutResult[] = {
      language::BuiltinId::gl_store,        language::BuiltinId::tl_store,
      language::BuiltinId::gl_atomic_store, language::BuiltinId::gl_device_print,
      language::BuiltinId::gl_assume,       language::BuiltinId::gl_barrier,
      language::BuiltinId::tl_debug_barrier};
  bool isOfCluster = callee.asBuiltin()->id == language::BuiltinId::gl_barrier &&
                     !call->keywords.empty(); // cluster=True, whose result is None
  return !isOfCluster && llvm::is_contained(withoutResult, callee.asBuiltin()->id) ? call : nullptr;
}

void FunctionVisitor::visitReturn(const syntax::Return* stmt) {
  Value value = stmt->value ? visit(stmt->value) : Value::none();
  bool mayLackResult = value.isNone() || (stmt->value && llvm::isa<syntax::Tuple>(stmt->value));
  if (const syntax::Call* call = mayLackResult ? callWithoutResult(stmt->value) : nullptr) {
    std::string written = emit_.sourceText(call->func).str();
    auto reported = emit_.error(Id::ReturnNotAValue, stmt->value,
                                "the result of " + written + ", which returns nothing");
    if (call == stmt->value && def_.body.back() == stmt) { // nothing is left to be skipped
      std::string alone = emit_.sourceText(call).str();
      reported.fix(diagnostics::FixId::TryText, {{stmt->range, alone}}, alone);
    }
    value = Value::unknown();
  }
  if (value.isNone()) value = value.wrapped();
  if (!loops_.empty()) {
    emit_.error(Id::ReturnInLoop, stmt).related(diagnostics::NoteId::BegunHere, loops_.back());
    return;
  }
  if (!value.isUnknown() && !isTritonValue(value) &&
      !(value.is(ValueKind::Function) && isConstexprLike(value)))
    value = emit_.error(Id::ReturnNotAValue, stmt->value, value);
  returns_.push_back({value, emit_.opBuilder().saveInsertionPoint(), stmt});
  // The return ends its block; later statements go into an unreachable one.
  emit_.opBuilder().createBlock(emit_.opBuilder().getBlock()->getParent());
}

const Type* FunctionVisitor::commonType(const Type* a, const Type* b, const syntax::Node* at) {
  auto mismatch = [&] {
    auto [first, second] = differentTypes(emit_, a, b);
    Reported reported = emit_.error(Id::ReturnTypeMismatch, at, first, second);
    return reported.related(diagnostics::NoteId::OtherReturn, returns_.front().node, a)
        .relatedIn(diagnostics::NoteId::DefinedHere, function_.module, def_.header,
                   text(def_.name.name));
  };
  if (a->is(TypeKind::Tuple)) {
    if (!b->is(TypeKind::Tuple) || a->fields() != b->fields() ||
        a->elements().size() != b->elements().size())
      return mismatch();
    llvm::SmallVector<const Type*, 4> parts;
    for (auto [left, right] : llvm::zip(a->elements(), b->elements())) {
      const Type* part = commonType(left, right, at);
      if (!part) return nullptr;
      parts.push_back(part);
    }
    return emit_.types().tuple(parts, a->fields());
  }
  if (same(a, b)) return a;
  if (a->is(TypeKind::Constexpr) || b->is(TypeKind::Constexpr)) {
    const Type *left = toTensorType(emit_, a), *right = toTensorType(emit_, b);
    if (!left || !right || !same(left, right)) return mismatch();
    return left;
  }
  return mismatch();
}

const Type* FunctionVisitor::decideReturnType() {
  if (returns_.empty()) return emit_.types().constexprType(Value::none());
  const Type* common = nullptr;
  for (const ReturnSite& site : returns_) {
    if (hasUnknown(site.value)) return nullptr;
    const Type* type = emit_.typeOf(site.value);
    common = common ? commonType(common, type, site.node) : type;
    if (!common) return nullptr;
  }
  return common;
}

Value FunctionVisitor::castReturn(Value value, const Type* type, const syntax::Node* at) {
  if (same(emit_.typeOf(value), type)) return value;
  if (isTuple(value) && type->is(TypeKind::Tuple)) {
    llvm::SmallVector<Value, 4> items;
    for (auto [item, element] : llvm::zip(itemsOf(value), type->elements()))
      items.push_back(castReturn(item, element, at));
    return tuple(items, type->fields());
  }
  if (value.isConstexpr()) return scalarConstant(emit_, value.unwrapped(), type, at);
  auto [first, second] = differentTypes(emit_, emit_.typeOf(value), type);
  return emit_.error(Id::ReturnTypeMismatch, at, first, second);
}

// Every `return` left its block open. They are closed here, when the common type is known; the
// block after the last statement returns poison.
const Type* FunctionVisitor::finishReturns() {
  const Type* type = decideReturnType();
  if (!type) return nullptr;
  for (const ReturnSite& site : returns_) {
    IrBuilder::Guard guard(emit_);
    emit_.opBuilder().restoreInsertionPoint(site.place);
    emit_.node_ = site.node;
    Value value = castReturn(site.value, type, site.node);
    if (hasUnknown(value)) return nullptr;
    llvm::SmallVector<mlir::Value, 4> handles;
    emit_.flatten(value, handles);
    emit_.create<tt::ReturnOp>(handles);
  }
  emit_.node_ = &def_;
  auto func = llvm::cast<tt::FuncOp>(func_);
  llvm::SmallVector<mlir::Type, 4> results;
  emit_.flattenTypes(type, results);
  if (!results.empty())
    func.setType(emit_.opBuilder().getFunctionType(func.getFunctionType().getInputs(), results));
  llvm::SmallVector<mlir::Value, 4> handles;
  for (mlir::Type result : results)
    handles.push_back(emit_.poison(result));
  emit_.create<tt::ReturnOp>(handles);
  return type;
}

} // namespace gluond::codegen
