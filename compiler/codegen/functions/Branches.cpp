// if statements and conditional expressions.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/Operators.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/SubRegion.h"

#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;
using Handles = llvm::SmallVector<mlir::Value, 8>;

// The state after the two sides of an if.
struct FunctionVisitor::Branches {
  mlir::Block *thenBlock = nullptr, *elseBlock = nullptr; // the last block of each side
  LocalScope thenDefs, elseDefs;
  llvm::SmallVector<Name, 8> names;        // results of the if, in order
  llvm::SmallVector<const Type*, 8> types; // of the names
  llvm::SmallVector<Name, 2> lost;         // unknown afterwards
};

// Checks the Python type of a condition: it must be exactly bool, int or None.
bool FunctionVisitor::isCondition(Value value, const Node* at) {
  using enum ValueKind;
  if (llvm::is_contained({Bool, Int, BigInt, None}, value.kind())) return true;
  emit_.error(Id::BadCondition, at, value);
  return false;
}

// Converts a condition from a tensor to an i1 in IR.
Value FunctionVisitor::condition(Value value, const Node* at) {
  return castTo(emit_, value, language::scalarType(language::ScalarKind::Int1), at);
}

// Returns the name that a block does nothing but assign to.
static const syntax::Assign* onlyAssignment(syntax::Stmts block) {
  auto* assign = block.size() == 1 ? llvm::dyn_cast<syntax::Assign>(block.front()) : nullptr;
  bool isName =
      assign && assign->targets.size() == 1 && llvm::isa<syntax::NameExpr>(assign->targets.front());
  return isName ? assign : nullptr;
}

// Offers gl.where for an `if` on a tensor that chooses the value of one name.
static void offerWhere(IrBuilder& emit, Reported reported, const If* stmt) {
  const syntax::Assign *then = onlyAssignment(stmt->body), *other = onlyAssignment(stmt->orelse);
  std::string language = emit.languageName();
  if (!then || (!stmt->orelse.empty() && !other) || language.empty()) return;
  std::string name = emit.sourceText(then->targets.front()).str();
  if (other && emit.sourceText(other->targets.front()) != name) return;
  std::string text = name + " = " + language + ".where(" + emit.sourceText(stmt->test).str() +
                     ", " + emit.sourceText(then->value).str() + ", " +
                     (other ? emit.sourceText(other->value).str() : name) + ")";
  reported.fix(diagnostics::FixId::TryText, {{stmt->range, text}}, text);
}

void FunctionVisitor::visitIf(const If* stmt) {
  Value test = visit(stmt->test);
  if (test.isUnknown()) return visitUnknownIf(stmt);
  if (!isTensor(test)) {
    test = test.unwrapped();
    if (!isCondition(test, stmt->test)) return visitUnknownIf(stmt);
    visit(*unit_.interpreter.truth(test) ? stmt->body : stmt->orelse);
    return;
  }
  if (isNonScalarTensor(test)) {
    offerWhere(emit_, emit_.error(Id::AmbiguousCondition, stmt->test, test), stmt);
    return visitUnknownIf(stmt);
  }
  if (irTypeOf(test)->isTensor()) {
    emit_.warning(Id::DeprecatedUse, stmt->test, "a tensor with one element as a condition",
                  "'(" + emit_.sourceText(stmt->test).str() + ").item()'");
    test = unsplat(emit_, test, stmt->test);
  }
  if (!test.isUnknown()) test = condition(test, stmt->test);
  if (test.isUnknown()) return visitUnknownIf(stmt);
  if (!containsReturn(stmt)) return visitScfIf(stmt, IrBuilder::handle(test));
  if (!loops_.empty()) {
    emit_.error(Id::ReturnInLoop, stmt).related(diagnostics::NoteId::BegunHere, loops_.back());
    return visitUnknownIf(stmt);
  }
  visitTopLevelIf(stmt, IrBuilder::handle(test));
}

// Visits both sides without reporting; names whose values differ are unknown afterwards.
void FunctionVisitor::visitUnknownIf(const If* stmt) {
  Uncertain uncertain(unit_);
  LocalScope before = scope_;
  visit(stmt->body);
  LocalScope after = std::exchange(scope_, std::move(before));
  visit(stmt->orelse);
  for (size_t i = 0; i < after.size(); ++i) {
    const Value* other = scope_.find(after.name(i));
    Value value = after.value(i);
    if (!other || !other->identical(value) || other->isConstexpr() != value.isConstexpr())
      setValue(after.name(i), Value::unknown());
  }
  for (size_t i = 0; i < scope_.size(); ++i)
    if (!after.contains(scope_.name(i))) setValue(scope_.name(i), Value::unknown());
}

const Node* FunctionVisitor::changeOf(Name name, const Stmt* block) const {
  Assignment assigned = lastAssignment(Stmts(block), name);
  // A loop's own variable is not assigned by its body.
  return assigned && assigned.stmt != block ? assigned.node() : block;
}

void FunctionVisitor::relateChange(Reported reported, Name name, const Stmt* block, Value before) {
  if (!before.isUnknown()) {
    if (Assignment entry = lastAssignment(def_.body, name, block->range.begin))
      reported.related(diagnostics::NoteId::ComesIn, entry.node(), text(name), before);
    else
      for (const Parameter& parameter : def_.parameters)
        if (parameter.name.name == name)
          reported.relatedIn(diagnostics::NoteId::ComesIn, function_.module, parameter.name.range,
                             text(name), before);
  }
  const Node* header = block;
  if (auto* loop = llvm::dyn_cast<For>(block))
    header = loop->iter;
  else if (auto* loop = llvm::dyn_cast<While>(block))
    header = loop->test;
  else if (auto* branch = llvm::dyn_cast<If>(block))
    header = branch->test;
  reported.related(diagnostics::NoteId::InBlock, header);
}

void FunctionVisitor::visitBranches(const If* stmt, const LocalScope& liveins, Branches& branches) {
  auto pending = pendingConstexpr_;
  emit_.opBuilder().setInsertionPointToStart(branches.thenBlock);
  visit(stmt->body);
  branches.thenBlock = emit_.opBuilder().getBlock();
  branches.thenDefs = defs_;
  LocalScope thenValues = std::move(scope_);
  LocalScope elseValues = liveins;
  if (!stmt->orelse.empty()) {
    emit_.opBuilder().setInsertionPointToStart(branches.elseBlock);
    scope_ = liveins;
    defs_.clear();
    pendingConstexpr_ = pending;
    visit(stmt->orelse);
    branches.elseDefs = defs_;
    branches.elseBlock = emit_.opBuilder().getBlock();
    elseValues = std::move(scope_);
  }

  Handles thenHandles, elseHandles;
  auto differ = [&](Value a, Value b) {
    if (a.identical(b) && a.isConstexpr() == b.isConstexpr()) return false;
    thenHandles.clear();
    elseHandles.clear();
    emit_.flatten(a, thenHandles);
    emit_.flatten(b, elseHandles);
    return thenHandles != elseHandles;
  };
  for (size_t i = 0; i < liveins.size(); ++i) {
    Name name = liveins.name(i);
    Value before = liveins.value(i), thenValue = *thenValues.find(name, i),
          elseValue = *elseValues.find(name, i);
    auto isAsBefore = [&](Value value) {
      return value.identical(before) && value.isConstexpr() == before.isConstexpr();
    };
    if (isAsBefore(thenValue) && isAsBefore(elseValue)) continue;
    if (hasUnknown(thenValue) || hasUnknown(elseValue) || hasUnknown(before)) {
      if (!thenValue.identical(before) || !elseValue.identical(before))
        branches.lost.push_back(name);
      continue;
    }
    if (!isTritonValue(before) || !differ(thenValue, elseValue)) continue;
    branches.thenDefs.set(name, thenValue);
    branches.elseDefs.set(name, elseValue);
    bool fine = true;
    for (Value after : {thenValue, elseValue})
      if (isTritonValue(after) != isTritonValue(before) ||
          after.isConstexpr() != before.isConstexpr() ||
          !same(emit_.typeOf(after), emit_.typeOf(before))) {
        DifferentPart part = differentPart(emit_, before, after);
        relateChange(emit_.error(Id::BranchTypeMismatch, changeOf(name, stmt),
                                 text(name).str() + part.path, part.first, part.second),
                     name, stmt, before);
        fine = false;
        break;
      }
    if (!fine) {
      branches.lost.push_back(name);
      continue;
    }
    branches.names.push_back(name);
  }

  llvm::SmallVector<Name, 8> both;
  for (size_t i = 0; i < branches.thenDefs.size(); ++i) {
    Name name = branches.thenDefs.name(i);
    if (!llvm::is_contained(branches.names, name) && !llvm::is_contained(branches.lost, name) &&
        branches.elseDefs.contains(name))
      both.push_back(name);
  }
  llvm::sort(both, [&](Name a, Name b) { return text(a) < text(b); });
  for (Name name : both) {
    Value thenValue = *branches.thenDefs.find(name), elseValue = *branches.elseDefs.find(name);
    bool known = !hasUnknown(thenValue) && !hasUnknown(elseValue);
    if (known && isTritonValue(thenValue) && isTritonValue(elseValue) &&
        thenValue.isConstexpr() == elseValue.isConstexpr() &&
        same(emit_.typeOf(thenValue), emit_.typeOf(elseValue))) {
      branches.names.push_back(name);
      continue;
    }
    if (known) {
      DifferentPart part = differentPart(emit_, thenValue, elseValue);
      relateChange(emit_.error(Id::BranchMismatch, changeOf(name, stmt),
                               text(name).str() + part.path, part.first, part.second),
                   name, stmt, {});
    }
    branches.lost.push_back(name);
  }
  for (Name name : branches.names)
    branches.types.push_back(emit_.typeOf(*branches.thenDefs.find(name)));
}

static void flattenAll(IrBuilder& emit, llvm::ArrayRef<Name> names, const LocalScope& defs,
                       Handles& handles) {
  for (Name name : names)
    emit.flatten(*defs.find(name), handles);
}

// An if without returns becomes an scf.if; its results are the names that either side changed.
void FunctionVisitor::visitScfIf(const If* stmt, mlir::Value condition) {
  Branches branches;
  mlir::scf::IfOp op;
  {
    SubRegion region(*this);
    mlir::OpBuilder& builder = emit_.opBuilder();
    mlir::Region* parent = builder.getBlock()->getParent();
    mlir::Block* thenStart = branches.thenBlock = builder.createBlock(parent);
    mlir::Block* elseStart = branches.elseBlock =
        stmt->orelse.empty() ? nullptr : builder.createBlock(parent);
    visitBranches(stmt, region.liveins, branches);

    Handles thenHandles, elseHandles;
    flattenAll(emit_, branches.names, branches.thenDefs, thenHandles);
    flattenAll(emit_, branches.names, branches.elseDefs, elseHandles);
    builder.restoreInsertionPoint(region.place);
    llvm::SmallVector<mlir::Type, 8> types;
    for (mlir::Value handle : thenHandles)
      types.push_back(handle.getType());
    op = emit_.create<mlir::scf::IfOp>(mlir::TypeRange(types), condition, true);
    auto fill = [&](mlir::Block* from, mlir::Block* into, const Handles& handles) {
      if (from) mergeBefore(from, into);
      builder.setInsertionPointToEnd(into);
      if (!branches.names.empty()) emit_.create<mlir::scf::YieldOp>(handles);
    };
    // A side that contains a return, which was reported, has several blocks: they are not used.
    fill(branches.thenBlock == thenStart ? thenStart : nullptr, op.thenBlock(), thenHandles);
    fill(branches.elseBlock == elseStart ? elseStart : nullptr, op.elseBlock(), elseHandles);
  }
  unsigned cursor = 0;
  for (auto [name, type] : llvm::zip(branches.names, branches.types)) {
    setValue(name, emit_.unflatten(type, op.getResults(), cursor));
    markVariable(name);
  }
  for (Name name : branches.lost)
    setValue(name, Value::unknown());
}

// An if that contains a return becomes a branch between blocks of the function.
void FunctionVisitor::visitTopLevelIf(const If* stmt, mlir::Value condition) {
  Branches branches;
  mlir::Block* after = nullptr;
  {
    SubRegion region(*this);
    mlir::OpBuilder& builder = emit_.opBuilder();
    mlir::Region* parent = builder.getBlock()->getParent();
    branches.thenBlock = builder.createBlock(parent);
    branches.elseBlock = builder.createBlock(parent);
    builder.setInsertionPointToEnd(region.place.getBlock());
    emit_.create<mlir::cf::CondBranchOp>(condition, branches.thenBlock, branches.elseBlock);
    visitBranches(stmt, region.liveins, branches);

    after = builder.createBlock(parent);
    Handles thenHandles, elseHandles;
    flattenAll(emit_, branches.names, branches.thenDefs, thenHandles);
    flattenAll(emit_, branches.names, branches.elseDefs, elseHandles);
    builder.setInsertionPointToEnd(branches.thenBlock);
    emit_.create<mlir::cf::BranchOp>(after, thenHandles);
    builder.setInsertionPointToEnd(branches.elseBlock);
    emit_.create<mlir::cf::BranchOp>(after, elseHandles);
    for (mlir::Value handle : thenHandles)
      after->addArgument(handle.getType(), handle.getLoc());
  }
  emit_.opBuilder().setInsertionPointToStart(after);
  unsigned cursor = 0;
  for (auto [name, type] : llvm::zip(branches.names, branches.types)) {
    setValue(name, emit_.unflatten(type, after->getArguments(), cursor));
    markVariable(name);
  }
  for (Name name : branches.lost)
    setValue(name, Value::unknown());
}

Value FunctionVisitor::visitIfExp(const IfExp* expr) {
  Value test = visit(expr->test);
  if (test.isUnknown() || !isTensor(test)) {
    test = test.unwrapped();
    if (test.isUnknown() || !isCondition(test, expr->test)) {
      Uncertain uncertain(unit_);
      visit(expr->body);
      visit(expr->orelse);
      return Value::unknown();
    }
    return visit(*unit_.interpreter.truth(test) ? expr->body : expr->orelse);
  }
  if (isNonScalarTensor(test)) {
    Reported reported = emit_.error(Id::AmbiguousCondition, expr->test, test);
    if (std::string language = emit_.languageName(); !language.empty()) {
      std::string text = language + ".where(" + emit_.sourceText(expr->test).str() + ", " +
                         emit_.sourceText(expr->body).str() + ", " +
                         emit_.sourceText(expr->orelse).str() + ")";
      reported.fix(diagnostics::FixId::TryText, {{expr->range, text}}, text);
    }
    return reported;
  }
  test = condition(test, expr->test);
  SubRegion region(*this);
  mlir::OpBuilder& builder = emit_.opBuilder();
  mlir::Region* parent = builder.getBlock()->getParent();
  auto side = [&](const Expr* body, mlir::Block*& block) {
    block = builder.createBlock(parent);
    Value value = visit(body);
    return value.isUnknown() ? value : toTensor(emit_, value, body);
  };
  mlir::Block *thenBlock, *elseBlock;
  Value thenValue = side(expr->body, thenBlock), elseValue = side(expr->orelse, elseBlock);
  if (test.isUnknown() || thenValue.isUnknown() || elseValue.isUnknown()) return Value::unknown();
  const Type* type = emit_.typeOf(thenValue);
  if (!same(type, emit_.typeOf(elseValue)))
    return emit_.error(Id::ConditionalTypeMismatch, expr->orelse, type, emit_.typeOf(elseValue));
  builder.restoreInsertionPoint(region.place);
  auto op = emit_.create<mlir::scf::IfOp>(mlir::TypeRange(emit_.irType(type)),
                                          IrBuilder::handle(test), true);
  auto fill = [&](mlir::Block* from, mlir::Block* into, Value value) {
    mergeBefore(from, into);
    builder.setInsertionPointToEnd(into);
    emit_.create<mlir::scf::YieldOp>(IrBuilder::handle(value));
  };
  fill(thenBlock, op.thenBlock(), thenValue);
  fill(elseBlock, op.elseBlock(), elseValue);
  return emit_.value(op.getResult(0), type);
}

} // namespace gluond::codegen
