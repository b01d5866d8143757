// for and while. The names that a loop's body changes (the carried values) must be known before the
// body is generated. For a for loop they are guessed: those that its statements assign. After a
// wrong guess, and for while, the body is visited twice as in Triton: first into a block that is
// thrown away, to find them, then to generate it.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/context/WellKnown.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/SubRegion.h"
#include "ir/LlvmDialect.h"
#include "language/types/Builtin.h"
#include "language/types/TypeContext.h"
#include "releases/Rules.h"
#include "syntax/tree/Visitor.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using language::BuiltinId;
using Handles = llvm::SmallVector<mlir::Value, 8>;

// The names that a loop carries, with their values before it.
struct FunctionVisitor::Carried {
  llvm::SmallVector<Name, 8> names;
  llvm::SmallVector<const Type*, 8> types;
  Handles inits;
  llvm::SmallVector<Name, 2> lost;    // unknown in and after the loop
  llvm::SmallVector<Value, 8> values; // inside the loop, if they were guessed
};

// A dynamic for: bounds as written, attributes of tl.range.
struct FunctionVisitor::LoopHeader {
  Value lower, upper, step;
  const Node *lowerNode, *upperNode, *stepNode;
  llvm::SmallVector<mlir::NamedAttribute, 2> attributes;
};

static bool isAssigned(Value before, Value after) {
  return !after.identical(before) || after.isConstexpr() != before.isConstexpr();
}

// Leaves the names unchanged.
void FunctionVisitor::findCarried(const Stmt* loop, Stmts body, const LocalScope& liveins,
                                  Name ignore, Carried& carried) {
  mlir::OpBuilder& builder = emit_.opBuilder();
  mlir::Region& region = *builder.getBlock()->getParent();
  mlir::Block* last = &region.back();
  builder.createBlock(&region);
  loops_.push_back(loop);
  ++discovering_;
  visit(body);
  --discovering_;
  loops_.pop_back();
  // Expressions and statements that failed leave blocks, which use values of this visit.
  for (mlir::Block& made : llvm::make_range(std::next(last->getIterator()), region.end()))
    made.dropAllReferences();
  while (&region.back() != last)
    region.back().erase();

  Handles before, after;
  for (size_t i = 0; i < liveins.size(); ++i) {
    Name name = liveins.name(i);
    if (name == ignore) continue;
    Value live = liveins.value(i), changed = *scope_.find(name);
    bool assigned = isAssigned(live, changed);
    if (hasUnknown(live) || hasUnknown(changed)) {
      if (assigned) carried.lost.push_back(name);
      continue;
    }
    if (!isTritonValue(live)) {
      if (!defs_.contains(name)) continue;
      relateChange(emit_.error(Id::CarriedNotAValue, changeOf(name, loop), text(name), live), name,
                   loop, live);
      carried.lost.push_back(name);
      continue;
    }
    if (!assigned) continue;
    if (!checkCarried(name, live, changed, loop)) {
      carried.lost.push_back(name);
      continue;
    }
    before.clear();
    after.clear();
    emit_.flatten(live, before);
    emit_.flatten(changed, after);
    if (before == after) continue;
    carried.names.push_back(name);
    carried.types.push_back(emit_.typeOf(live));
    carried.inits.append(before);
  }
  scope_ = liveins;
  defs_.clear();
  for (Name name : carried.lost)
    setValue(name, Value::unknown());
}

// Each loop is guessed wrong at most once. Diagnostics only come from two visits.
bool FunctionVisitor::canGuess(const Stmt* loop) const {
  return !discovering_ && !unit_.hadErrors && !unit_.result.incomplete && !unit_.suppressed &&
         !misguessed_.contains(loop);
}

// Finds the names that the body assigns and that hold something in IR before it. Returns false if
// it is better not to guess: for a name that may be lost, or one whose value other names share (two
// visits detect changes by identity).
bool FunctionVisitor::guessCarried(const For* loop, const LocalScope& liveins, Name ignore,
                                   Carried& carried) {
  llvm::SmallDenseSet<Name, 16> assigned;
  forEachAssigned(loop->body, [&](Name name) { assigned.insert(name); });
  Handles others;
  for (size_t i = 0; i < liveins.size(); ++i) {
    Name name = liveins.name(i);
    Value live = liveins.value(i);
    if (name == ignore || hasUnknown(live)) {
      if (name != ignore && assigned.contains(name)) return false;
      continue;
    }
    if (!assigned.contains(name)) {
      emit_.flatten(live, others);
      continue;
    }
    if (!isTritonValue(live)) return false;
    size_t known = carried.inits.size();
    emit_.flatten(live, carried.inits);
    if (carried.inits.size() == known) continue;
    carried.names.push_back(name);
    carried.types.push_back(emit_.typeOf(live));
  }
  llvm::SmallDenseSet<mlir::Value, 16> inits(carried.inits.begin(), carried.inits.end());
  return inits.size() == carried.inits.size() &&
         llvm::none_of(others, [&](mlir::Value value) { return inits.contains(value); });
}

// After the final visit of the body: returns whether two visits would have found the same names,
// and nothing to report.
bool FunctionVisitor::isGuessRight(const Carried& carried, const LocalScope& liveins, Name ignore) {
  Handles before, after;
  for (size_t i = 0, next = 0; i < liveins.size(); ++i) {
    Name name = liveins.name(i);
    if (name == ignore) continue;
    bool guessed = next < carried.names.size() && carried.names[next] == name;
    Value live = guessed ? carried.values[next++] : liveins.value(i), changed = *scope_.find(name);
    if (!isAssigned(live, changed)) {
      if (guessed || (!isTritonValue(live) && !hasUnknown(live) && defs_.contains(name)))
        return false;
      continue;
    }
    if (hasUnknown(live) || hasUnknown(changed) || !isTritonValue(live) ||
        !isSameKind(live, changed))
      return false;
    if (isTensor(live) && !same(irTypeOf(changed), irTypeOf(live))) return false;
    if (!haveSameIrTypes(live, changed)) return false;
    before.clear();
    after.clear();
    emit_.flatten(live, before);
    emit_.flatten(changed, after);
    if ((before != after) != guessed) return false;
  }
  return true;
}

void FunctionVisitor::bindCarried(const Carried& carried, mlir::ValueRange values) {
  unsigned cursor = 0;
  for (auto [name, type] : llvm::zip(carried.names, carried.types))
    setValue(name, emit_.unflatten(type, values, cursor));
  for (Name name : carried.names)
    markVariable(name);
}

void FunctionVisitor::yieldCarried(const Carried& carried, const Node* loop, bool always) {
  Handles handles;
  unsigned cursor = 0;
  for (auto [name, type] : llvm::zip(carried.names, carried.types)) {
    Value value = *scope_.find(name);
    size_t start = handles.size();
    if (hasUnknown(value)) { // its error was told, and what follows has no place of its own
      cursor = carried.inits.size();
      continue;
    }
    emit_.flatten(value, handles);
    // The second visit may differ from the first one: only its types are the loop's own.
    for (size_t i = start; i < handles.size() && cursor < carried.inits.size(); ++i, ++cursor)
      if (handles[i].getType() != carried.inits[cursor].getType()) {
        DifferentPart part = differentPart(emit_, type, emit_.typeOf(value), true);
        emit_.error(Id::CarriedTypeMismatch, loop, text(name).str() + part.path, part.first,
                    part.second);
        return;
      }
  }
  if (always || !handles.empty()) emit_.create<mlir::scf::YieldOp>(handles);
}

// Offers range(n) for a number n, and range(a, b) for `a..b`.
void FunctionVisitor::offerRange(Reported& reported, const Expr* iterated) {
  std::string text = emit_.sourceText(iterated).str(), range;
  auto [first, last] = llvm::StringRef(text).split("..");
  if (llvm::isa<Attribute>(iterated) && !first.empty() && !last.empty()) {
    range = ("range(" + first + ", " + last + ")").str();
  } else if (llvm::isa<NameExpr, Constant, BinOp>(iterated)) {
    Value value = visit(iterated);
    const Type* type = isIr(value) ? irTypeOf(value) : nullptr;
    bool isNumber = type ? type->isScalar() && type->isInt() : value.unwrapped().isIntegral();
    if (isNumber) range = "range(" + text + ")";
  }
  if (!range.empty()) reported.fix(diagnostics::FixId::TryText, {{iterated->range, range}}, range);
}

void FunctionVisitor::visitFor(const For* stmt) {
  auto* target = llvm::dyn_cast<NameExpr>(stmt->target);
  auto* call = llvm::dyn_cast<Call>(stmt->iter);
  if (llvm::isa<ErrorExpr>(stmt->target) || llvm::isa<ErrorExpr>(stmt->iter)) {
    unit_.hadErrors = true; // the parser has reported it
    return visitUnknownFor(stmt, true);
  }
  if (!target || !call) {
    if (call || !target)
      emit_.error(Id::BadForLoop, stmt->target);
    else {
      Reported reported =
          emit_.error(Id::BadIterator, stmt->iter,
                      llvm::isa<syntax::List>(stmt->iter)    ? llvm::StringRef("a list")
                      : llvm::isa<syntax::Tuple>(stmt->iter) ? llvm::StringRef("a tuple")
                                                             : emit_.sourceText(stmt->iter));
      offerRange(reported, stmt->iter);
    }
    return visitUnknownFor(stmt, true);
  }
  Value iterator = visit(call->func);
  llvm::SmallVector<Value, 4> args;
  llvm::SmallVector<const Expr*, 4> nodes;
  bool known = !iterator.isUnknown();
  for (const Expr* arg : call->args) {
    args.push_back(visit(arg));
    nodes.push_back(arg);
    known &= !args.back().isUnknown();
  }
  llvm::SmallVector<std::pair<Name, Value>, 2> keywords;
  for (const Keyword& keyword : call->keywords) {
    keywords.push_back({keyword.name.name, visit(keyword.value)});
    known &= !keywords.back().second.isUnknown();
  }
  iterator = iterator.unwrapped();
  bool isStatic = is(iterator, BuiltinId::gl_static_range),
       isAttributed = is(iterator, BuiltinId::tl_range),
       isRange = unit_.isPython(iterator, unit_.context.wellKnown().range);
  // A loop at run time has its body whatever its bounds are; an unrolled one may have none.
  if (!known) return visitUnknownFor(stmt, isAttributed || isRange);
  if (!isStatic && !isAttributed && !isRange) {
    emit_.error(Id::BadIterator, call->func, iterator);
    return visitUnknownFor(stmt, true);
  }
  if (!isStatic && !stmt->orelse.empty()) {
    emit_.error(Id::LoopElse, stmt->orelse.front());
    return visitUnknownFor(stmt, true);
  }

  // start, stop, step, by position or (except for range itself) by name.
  static constexpr llvm::StringLiteral boundNames[] = {"arg1", "arg2", "step"};
  Value bounds[3] = {Value::absent(), Value::absent(), Value::absent()};
  const Node* boundNodes[3] = {call, call, call};
  for (size_t i = 0; i < args.size() && i < 3; ++i) {
    bounds[i] = args[i];
    boundNodes[i] = nodes[i];
  }
  LoopHeader header;
  uint64_t copies = 1;
  mlir::Builder& builder = emit_.opBuilder();
  static constexpr llvm::StringLiteral attributeOrder[] = {
      "num_stages", "loop_unroll_factor", "disallow_acc_multi_buffer",
      "flatten",    "warp_specialize",    "disable_licm"};
  auto attribute = [&](llvm::StringRef name, Value value) {
    value = value.unwrapped();
    if (name == "num_stages" || name == "loop_unroll_factor") {
      if (!value.isIntegral()) return;
      auto number = static_cast<int32_t>(value.asInt());
      if (name == "loop_unroll_factor") copies = static_cast<uint64_t>(std::max(1, number));
      header.attributes.push_back(
          builder.getNamedAttr(("tt." + name).str(), builder.getI32IntegerAttr(number)));
    } else if (unit_.interpreter.truth(value).value_or(false)) {
      if (name == "disable_licm")
        header.attributes.push_back(builder.getNamedAttr(
            "llvm.loop_annotation", ir::withoutInvariantCodeMotion(emit_.context())));
      else
        header.attributes.push_back(
            builder.getNamedAttr(("tt." + name).str(), builder.getUnitAttr()));
    }
  };
  for (size_t i = 3; i < args.size() && isAttributed; ++i)
    if (i - 3 < std::size(attributeOrder)) attribute(attributeOrder[i - 3], args[i]);
  for (auto [i, keyword] : llvm::enumerate(keywords)) {
    if (!isStatic && !isAttributed) break;
    llvm::StringRef name = text(keyword.first);
    if (auto* bound = llvm::find(boundNames, name); bound != std::end(boundNames)) {
      bounds[bound - boundNames] = keyword.second;
      boundNodes[bound - boundNames] = call->keywords[i].value;
    } else if (isAttributed && llvm::is_contained(attributeOrder, name))
      attribute(name, keyword.second);
    else {
      emit_.raised(call->keywords[i].value, "TypeError",
                   "got an unexpected keyword argument '" + name + "'");
      return visitUnknownFor(stmt, true);
    }
  }
  size_t most = isAttributed ? 3 + std::size(attributeOrder) : 3;
  if (bounds[0].isAbsent() && isUnfinished(emit_, call)) return visitUnknownFor(stmt, true);
  if (bounds[0].isAbsent() || (args.size() > most && (isStatic || isAttributed))) {
    emit_.error(Id::BadRangeArguments, call);
    return visitUnknownFor(stmt, true);
  }
  if (isStatic) {
    bool fine = true;
    for (auto [i, bound] : llvm::enumerate(bounds))
      if (!bound.isAbsent() && !(i == 2 && bound.isNone()) &&
          !(bound.isConstexpr() && bound.isIntegral())) {
        Reported reported = emit_.error(Id::StaticRangeBound, boundNodes[i], bound);
        // A loop at run time does not need to know its bounds.
        if (isIr(bound) && fine)
          reported.fix(diagnostics::FixId::TryText, {{call->func->range, "range"}}, "range");
        fine = false;
      }
    return fine ? visitStaticFor(stmt, target->name, bounds) : visitUnknownFor(stmt, true);
  }
  bool hasUpper = !bounds[1].isAbsent() && (isAttributed ? !bounds[1].isNone() : true);
  header.lower = hasUpper ? bounds[0] : Value::integer(0).wrapped();
  header.upper = hasUpper ? bounds[1] : bounds[0];
  header.lowerNode = boundNodes[0];
  header.upperNode = hasUpper ? boundNodes[1] : boundNodes[0];
  // Triton evaluates the argument of range(n) a second time.
  if (!hasUpper && !isAttributed) header.upper = visit(nodes[0]);
  bool hasStep = !bounds[2].isAbsent() && !(isAttributed && bounds[2].isNone());
  header.step = hasStep ? bounds[2] : Value::integer(1).wrapped();
  header.stepNode = boundNodes[2];
  unsigned before = unit_.operations;
  visitDynamicFor(stmt, target->name, header);
  if (copies <= 1 || unit_.gaveUp || emit_.target().isCuda()) return;
  // A pass of this backend unrolls the loop, so its copies count here.
  uint64_t more = (unit_.operations - before) * (copies - 1);
  if (unit_.operations + more > Unit::maxOperations)
    return unit_.giveUp(stmt->iter, "unrolling this loop " + std::to_string(copies) +
                                        " times makes more than 200,000 operations");
  unit_.countOperations(static_cast<unsigned>(more));
}

void FunctionVisitor::visitStaticFor(const For* stmt, Name target, Values bounds) {
  bool two = !bounds[1].isAbsent() && !bounds[1].isNone();
  int64_t start = two ? bounds[0].asInt() : 0, stop = two ? bounds[1].asInt() : bounds[0].asInt();
  int64_t step = bounds[2].isAbsent() || bounds[2].isNone() ? 1 : bounds[2].asInt();
  if (step == 0) {
    emit_.raised(stmt->iter, "ValueError", "range() arg 3 must not be zero");
    return visitUnknownFor(stmt, true);
  }
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (!unit_.step()) return;
    Value value = Value::integer(i).wrapped();
    scope_.set(target, value);
    recordFact(stmt->target, value);
    markVariable(target);
    visit(stmt->body);
    visitStaticElse(stmt);
    markStatement(stmt);
    if (__builtin_add_overflow(i, step, &i)) return;
  }
}

// Triton does not execute the statements of `else`: after every iteration it visits their parts.
void FunctionVisitor::visitStaticElse(const For* stmt) {
  if (stmt->orelse.empty()) return;
  size_t known = unit_.result.diagnostics.size();
  for (const Stmt* each : stmt->orelse)
    visitParts(each);
  if (unit_.result.diagnostics.size() == known && !unit_.hadErrors)
    emit_.warning(Id::LoopElse, stmt->orelse.front());
}

// The loop cannot be generated: visits its body once to find mistakes, without reporting if it may
// not be compiled at all.
void FunctionVisitor::visitUnknownFor(const For* stmt, bool certain) {
  assignTarget(stmt->target, Value::unknown());
  forgetAssigned(stmt->body);
  {
    std::optional<Uncertain> uncertain;
    if (!certain) uncertain.emplace(unit_);
    loops_.push_back(stmt);
    visit(stmt->body);
    loops_.pop_back();
  }
  forgetAssigned(stmt->body);
}

void FunctionVisitor::visitDynamicFor(const For* stmt, Name target, LoopHeader& header) {
  bool negative = false;
  if (header.step.isConstexpr() && header.step.isIntegral() && header.step.asInt() < 0 &&
      header.step.asInt() != INT64_MIN) {
    header.step = Value::integer(-header.step.asInt()).wrapped();
    std::swap(header.lower, header.upper);
    std::swap(header.lowerNode, header.upperNode);
    negative = true;
  }
  struct Bound {
    Value* value;
    const Node* node;
  } bounds[] = {{&header.lower, header.lowerNode},
                {&header.upper, header.upperNode},
                {&header.step, header.stepNode}};
  bool fine = true;
  for (Bound& bound : bounds) {
    if (!bound.value->isUnknown()) *bound.value = toTensor(emit_, *bound.value, bound.node);
    if (bound.value->isUnknown()) {
      fine = false;
      continue;
    }
    if (!isTensor(*bound.value) || !irTypeOf(*bound.value)->scalar()->isInt() ||
        isNonScalarTensor(*bound.value)) {
      Reported reported = emit_.error(Id::LoopBoundNotInteger, bound.node, *bound.value);
      offerFloorDivision(emit_, reported, bound.node);
      fine = false;
    }
  }
  if (!fine) return visitUnknownFor(stmt, true);
  auto scalarOf = [](Value value) { return irTypeOf(value)->scalar(); };
  const Type* type = integerPromote(emit_, scalarOf(header.lower), scalarOf(header.upper));
  type = integerPromote(emit_, type, scalarOf(header.step));
  mlir::Type irType = emit_.irType(type);
  bool isSigned = type->isSignedInt();
  mlir::Value lower = intCast(emit_, IrBuilder::handle(header.lower), irType, isSigned);
  mlir::Value upper = intCast(emit_, IrBuilder::handle(header.upper), irType, isSigned);
  mlir::Value step = intCast(emit_, IrBuilder::handle(header.step), irType, isSigned);
  mlir::Value placeholder = emit_.poison(irType);
  setValue(target, emit_.value(placeholder, type));
  recordFact(stmt->target, *scope_.find(target));

  Carried carried;
  mlir::scf::ForOp op;
  {
    SubRegion region(*this);
    mlir::OpBuilder& builder = emit_.opBuilder();
    // An enclosing dry run only needs this loop's results.
    auto make = [&](bool wantBody) {
      op = emit_.create<mlir::scf::ForOp>(lower, upper, step, carried.inits);
      for (mlir::NamedAttribute attribute : header.attributes)
        op->setAttr(attribute.getName(), attribute.getValue());
      loops_.push_back(stmt);
      builder.setInsertionPointToStart(op.getBody());
      bindCarried(carried, op.getRegionIterArgs());
      for (Name name : carried.names)
        carried.values.push_back(*scope_.find(name));
      markVariable(target);
      if (wantBody) {
        visit(stmt->body);
        markStatement(stmt); // a debugger comes back to the header
      }
      loops_.pop_back();
    };
    bool made = false;
    if (canGuess(stmt) && guessCarried(stmt, region.liveins, target, carried)) {
      make(true);
      // A hint on a carried value (tl.multiple_of) becomes the loop's attribute, but the first of
      // two visits attaches it to the value before the loop.
      made = !unit_.hadErrors && !unit_.result.incomplete &&
             op->getDiscardableAttrDictionary().size() == header.attributes.size() &&
             isGuessRight(carried, region.liveins, target);
      if (!made) {
        misguessed_.insert(stmt);
        op.erase();
        scope_ = region.liveins;
        defs_.clear();
      }
    }
    if (!made) {
      carried = {};
      builder.restoreInsertionPoint(region.place);
      findCarried(stmt, stmt->body, region.liveins, target, carried);
      builder.restoreInsertionPoint(region.place);
      make(!discovering_);
    }
    yieldCarried(carried, stmt, false);

    builder.setInsertionPointToStart(op.getBody());
    mlir::Value induction = op.getInductionVar();
    if (negative) {
      induction = emit_.create<mlir::arith::SubIOp>(upper, induction);
      induction = emit_.create<mlir::arith::AddIOp>(induction, lower);
    }
    placeholder.replaceAllUsesWith(induction);
  }
  bindCarried(carried, op.getResults());
  for (Name name : carried.lost)
    setValue(name, Value::unknown());
}

static bool hasBreak(const While* loop) {
  bool found = false;
  for (const Stmt* stmt : loop->body)
    syntax::walk(stmt, [&](const Node* node) {
      found |= llvm::isa<Break>(node);
      return !llvm::isa<FunctionDef, For, While>(node);
    });
  return found;
}

void FunctionVisitor::visitWhile(const While* stmt) {
  if (!stmt->orelse.empty()) emit_.error(Id::LoopElse, stmt->orelse.front());
  Carried carried;
  mlir::scf::WhileOp op;
  bool fine = true;
  {
    SubRegion region(*this);
    mlir::OpBuilder& builder = emit_.opBuilder();
    findCarried(stmt, stmt->body, region.liveins, Name{}, carried);
    builder.restoreInsertionPoint(region.place);
    llvm::SmallVector<mlir::Type, 8> types;
    llvm::SmallVector<mlir::Location, 8> locations;
    for (mlir::Value init : carried.inits) {
      types.push_back(init.getType());
      locations.push_back(init.getLoc());
    }
    op = emit_.create<mlir::scf::WhileOp>(mlir::TypeRange(types), mlir::ValueRange(carried.inits));
    mlir::Block* before = builder.createBlock(&op.getBefore(), {}, types, locations);
    bindCarried(carried, before->getArguments());
    markStatement(stmt);
    Value test = visitWhileTest(stmt->test, op);
    if (!test.isUnknown() && isNonScalarTensor(test))
      test = emit_.error(Id::AmbiguousCondition, stmt->test, test);
    if (!test.isUnknown() && !isTensor(test))
      test = hasBreak(stmt) ? Value::unknown() // which is reported
                            : Value(emit_.error(Id::WhileConditionNotDynamic, stmt->test, test));
    if (!test.isUnknown() && emit_.follows(releases::Rule::ConditionsOfLoopsAreBools)) {
      if (const Type* type = emit_.typeOf(test); !type->scalar()->isBool())
        test = emit_.error(Id::UnexpectedType, stmt->test, "the condition of a loop", type);
    } else if (!test.isUnknown())
      test = condition(test, stmt->test);
    builder.setInsertionPointToEnd(before);
    if (test.isUnknown())
      fine = false;
    else
      emit_.create<mlir::scf::ConditionOp>(IrBuilder::handle(test), before->getArguments());

    mlir::Block* after = builder.createBlock(&op.getAfter(), {}, types, locations);
    bindCarried(carried, after->getArguments());
    loops_.push_back(stmt);
    if (!discovering_) visit(stmt->body);
    loops_.pop_back();
    yieldCarried(carried, stmt, true);
  }
  bindCarried(carried, op.getResults());
  for (Name name : carried.lost)
    setValue(name, Value::unknown());
  if (!fine) forgetAssigned(stmt->body);
}

// tl.condition(test, disable_licm) around the test of a while.
Value FunctionVisitor::visitWhileTest(const Expr* test, mlir::Operation* loop) {
  auto* call = llvm::dyn_cast<Call>(test);
  if (!call || call->args.empty()) return visit(test);
  Value callee = visit(call->func).unwrapped();
  if (!is(callee, BuiltinId::tl_condition)) return visit(test);
  Value result = visit(call->args[0]);
  Value disable = Value::boolean(false);
  if (call->args.size() > 1) disable = visit(call->args[1]);
  for (const Keyword& keyword : call->keywords)
    if (text(keyword.name.name) == "disable_licm") disable = visit(keyword.value);
  if (unit_.interpreter.truth(disable.unwrapped()).value_or(false))
    loop->setAttr("llvm.loop_annotation", ir::withoutInvariantCodeMotion(emit_.context()));
  return result;
}

} // namespace gluond::codegen
