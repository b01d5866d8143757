// What is reported, and which fixes are offered, where a loop gives a name another type or another
// kind of value than it had before; and which part of a tuple or an aggregate has another type.
#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "language/types/Builtin.h"
#include "language/types/TypeContext.h"
#include "syntax/tree/Visitor.h"

namespace gluond::codegen {

using diagnostics::Id;
using language::TypeKind;
using namespace syntax;

bool FunctionVisitor::isSameKind(Value before, Value after) {
  return isTritonValue(after) && after.isConstexpr() == before.isConstexpr() &&
         isTuple(after) == isTuple(before) && isAggregate(after) == isAggregate(before) &&
         isTensor(after) == isTensor(before);
}

// Returns the statement of a loop that waits for an accumulator and drops the result.
static const Expr* droppedWait(Stmts body, Name name, const Interner& names) {
  for (const Stmt* each : body) {
    auto* statement = llvm::dyn_cast<ExprStmt>(each);
    auto* call = statement ? llvm::dyn_cast<syntax::Call>(statement->value) : nullptr;
    if (!call) continue;
    auto* member = llvm::dyn_cast<syntax::Attribute>(call->func);
    auto* plain = llvm::dyn_cast<NameExpr>(call->func);
    llvm::StringRef function = member  ? names.text(member->attribute.name)
                               : plain ? names.text(plain->name)
                                       : llvm::StringRef();
    auto isIt = [&](const Expr* deps) {
      auto* list = llvm::dyn_cast<syntax::List>(deps);
      auto* tuple = llvm::dyn_cast<syntax::Tuple>(deps);
      Exprs items = list ? list->elements : tuple ? tuple->elements : Exprs();
      auto* only = items.size() == 1 ? llvm::dyn_cast<NameExpr>(items.front()) : nullptr;
      return only && only->name == name;
    };
    if (function == "warpgroup_mma_wait" &&
        (llvm::any_of(call->args, isIt) ||
         llvm::any_of(call->keywords, [&](const Keyword& each) { return isIt(each.value); })))
      return call;
  }
  return nullptr;
}

// A name that gets the result of a call that has none: `acc = tcgen05_mma(...)`.
static void offerNoTarget(IrBuilder& emit, Reported& reported, const Node* change) {
  auto* assign = llvm::dyn_cast_if_present<syntax::Assign>(change);
  if (!assign || assign->targets.size() != 1 || !llvm::isa<syntax::Call>(assign->value)) return;
  reported.fix(diagnostics::FixId::TryText,
               {{{assign->range.begin, assign->value->range.begin}, ""}},
               emit.sourceText(assign->value));
}

// Whether the statements call something of this name, of a module or imported.
static bool callsNamed(Stmts body, llvm::StringRef called, const Interner& names) {
  bool found = false;
  for (auto* stmt : body)
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* call = llvm::dyn_cast<syntax::Call>(node);
      auto* name = call ? llvm::dyn_cast<NameExpr>(call->func) : nullptr;
      auto* member = call ? llvm::dyn_cast<Attribute>(call->func) : nullptr;
      found |= (name && names.text(name->name) == called) ||
               (member && names.text(member->attribute.name) == called);
      return !found;
    });
  return found;
}

bool FunctionVisitor::checkCarried(Name name, Value before, Value after, const Stmt* loop) {
  if (!isSameKind(before, after)) {
    Reported reported =
        emit_.error(Id::CarriedKindMismatch, changeOf(name, loop), text(name), before, after);
    // The accumulator of an asynchronous warpgroup_mma starts as one.
    Assignment start = lastAssignment(def_.body, name, loop->range.begin);
    auto* around = llvm::dyn_cast<For>(loop);
    const Expr* dropped = around && isAccumulator(after)
                              ? droppedWait(around->body, name, unit_.context.names())
                              : nullptr;
    if (after.isNone()) offerNoTarget(emit_, reported, changeOf(name, loop));
    // A wait in the loop was rather meant to finish this one, and a wait after it the last one.
    constexpr llvm::StringLiteral wait = "warpgroup_mma_wait";
    bool isAwaitedLater = callsNamed(def_.body, wait, unit_.context.names()) && around &&
                          !callsNamed(around->body, wait, unit_.context.names());
    auto offerWait = [&](bool isBetter) {
      if (isBetter == isAwaitedLater || !isAccumulator(after) || !isTensor(before) || dropped)
        return;
      offerWaitAfter(emit_, reported, changeOf(name, loop), text(name));
    };
    offerWait(/*isBetter=*/true);
    if (dropped) {
      std::string whole = text(name).str() + " = " + emit_.sourceText(dropped).str();
      text::Offset begin = dropped->range.begin;
      reported.fix(diagnostics::FixId::TryText, {{{begin, begin}, text(name).str() + " = "}},
                   whole);
    } else if (isAccumulator(after) && isTensor(before) && start && start.value) {
      std::string init =
          nameOf(emit_, "triton.experimental.gluon.language.nvidia.hopper", "warpgroup_mma_init");
      text::Range range = start.value->range;
      std::string wrapped = init + "(" + emit_.sourceText(start.value).str() + ")";
      if (isAwaitedLater)
        reported.fix(diagnostics::FixId::WrapValue,
                     {{{range.begin, range.begin}, init + "("}, {{range.end, range.end}, ")"}},
                     text(name), init);
      else
        reported.fix(diagnostics::FixId::TryText, {{range, wrapped}}, wrapped);
    }
    offerWait(/*isBetter=*/false);
    relateChange(reported, name, loop, before);
    return false;
  }
  if (isTensor(after) && !same(irTypeOf(after), irTypeOf(before))) {
    Reported reported = emit_.error(Id::CarriedTypeMismatch, changeOf(name, loop), text(name),
                                    irTypeOf(before), irTypeOf(after));
    const Expr* start = lastAssignment(def_.body, name, loop->range.begin).value;
    offerStart(emit_, reported, start, irTypeOf(before), irTypeOf(after));
    relateChange(reported, name, loop, before);
    return false;
  }
  if (!haveSameIrTypes(before, after)) {
    DifferentPart part =
        differentPart(emit_, emit_.typeOf(before), emit_.typeOf(after), /*skipsConstants=*/true);
    relateChange(emit_.error(Id::CarriedTypeMismatch, changeOf(name, loop),
                             text(name).str() + part.path, part.first, part.second),
                 name, loop, before);
    return false;
  }
  return true;
}

// The operations that made them may be gone.
bool FunctionVisitor::haveSameIrTypes(Value a, Value b) {
  llvm::SmallVector<mlir::Type, 8> first, second;
  emit_.flattenTypes(emit_.typeOf(a), first);
  emit_.flattenTypes(emit_.typeOf(b), second);
  return first == second;
}

// ---------------------------------------------------------------- parts

static bool differs(const Type* first, const Type* second, bool skipsConstants) {
  bool areConstants = first->is(TypeKind::Constexpr) && second->is(TypeKind::Constexpr);
  return !same(first, second) && !(areConstants && skipsConstants);
}

// The parts of both types correspond to each other.
static bool haveSameParts(const Type* first, const Type* second) {
  return first->kind() == second->kind() &&
         (first->is(TypeKind::Tuple) || first->is(TypeKind::Aggregate)) &&
         first->aggregateClass() == second->aggregateClass() &&
         first->fields() == second->fields() &&
         first->elements().size() == second->elements().size();
}

DifferentPart differentPart(const IrBuilder& emit, const Type* first, const Type* second,
                            bool skipsConstants) {
  DifferentPart part;
  while (haveSameParts(first, second)) {
    size_t i = 0, count = first->elements().size();
    while (i < count && !differs(first->elements()[i], second->elements()[i], skipsConstants))
      ++i;
    if (i == count) break;
    llvm::ArrayRef<Name> names = first->fields();
    const language::ClassObject* cls = first->aggregateClass();
    if (cls && i < cls->fields.size())
      part.path += "." + emit.names().text(cls->fields[i].name).str();
    else if (i < names.size())
      part.path += "." + emit.names().text(names[i]).str();
    else
      part.path += "[" + std::to_string(i) + "]";
    first = first->elements()[i];
    second = second->elements()[i];
  }
  part.first = emit.text(first);
  part.second = emit.text(second);
  // Views of parts of a buffer.
  if (part.first == part.second && first->allocShape() != second->allocShape())
    for (auto [text, type] : {std::pair(&part.first, first), std::pair(&part.second, second)}) {
      *text += " of an allocation with shape [";
      for (auto [i, size] : llvm::enumerate(type->allocShape()))
        *text += (i ? ", " : "") + std::to_string(size);
      *text += "]";
    }
  return part;
}

DifferentPart differentPart(IrBuilder& emit, Value first, Value second) {
  bool haveParts =
      (isTuple(first) && isTuple(second)) || (isAggregate(first) && isAggregate(second));
  if (!haveParts || first.isConstexpr() || second.isConstexpr())
    return {"", emit.text(first), emit.text(second)};
  return differentPart(emit, emit.typeOf(first), emit.typeOf(second), false);
}

std::pair<std::string, std::string> differentTypes(const IrBuilder& emit, const Type* first,
                                                   const Type* second) {
  std::string one = emit.text(first), other = emit.text(second);
  DifferentPart part = differentPart(emit, first, second, false);
  if (one == other && part.first != part.second) {
    std::string where = part.path.empty() ? "" : " in '" + part.path + "'";
    one += " with " + part.first + where;
    other += " with " + part.second + where;
  }
  return {one, other};
}

} // namespace gluond::codegen
