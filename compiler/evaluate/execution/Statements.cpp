#include "evaluate/execution/Binding.h"
#include "evaluate/execution/WalkedDict.h"
#include "evaluate/interpreter/Contexts.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using namespace syntax;

Flow Interpreter::exec(Stmts body) {
  for (auto* stmt : body)
    if (Flow flow = exec(stmt); flow != Flow::Next) return flow;
  return Flow::Next;
}

Flow Interpreter::exec(const Stmt* stmt) {
  if (!step()) return Flow::Raise;
  frame_->node = stmt;
  auto done = [](bool fine) { return fine ? Flow::Next : Flow::Raise; };
  switch (stmt->kind) {
  case NodeKind::ExprStmt: {
    auto* expr = static_cast<const ExprStmt*>(stmt)->value;
    if (llvm::isa<Constant>(expr)) return Flow::Next;
    Value value = eval(expr);
    if (!value.isAbsent()) return Flow::Next;
    return generatorStopped() ? Flow::Return : Flow::Raise;
  }
  case NodeKind::Assign: {
    auto* assignment = static_cast<const Assign*>(stmt);
    Value value = eval(assignment->value);
    if (value.isAbsent()) return generatorStopped() ? Flow::Return : Flow::Raise;
    for (auto* target : assignment->targets)
      if (!assign(target, value)) return Flow::Raise;
    return Flow::Next;
  }
  case NodeKind::AugAssign: {
    auto* assignment = static_cast<const AugAssign*>(stmt);
    auto combine = [&](Value old) {
      Value value = eval(assignment->value);
      if (value.isAbsent()) return value;
      frame_->node = stmt;
      return inplace(assignment->op, old, value);
    };
    if (auto* attribute = llvm::dyn_cast<Attribute>(assignment->target)) {
      Value object = eval(attribute->value);
      if (object.isAbsent()) return Flow::Raise;
      frame_->node = attribute;
      Value old = getAttribute(object, attribute->attribute.name);
      if (old.isAbsent()) return Flow::Raise;
      Value value = combine(old);
      return done(!value.isAbsent() && setAttribute(object, attribute->attribute.name, value));
    }
    if (auto* subscript = llvm::dyn_cast<Subscript>(assignment->target)) {
      Value object, index;
      if (!evalOperands(subscript, object, index)) return Flow::Raise;
      Value old = getItem(object, index);
      if (old.isAbsent()) return Flow::Raise;
      Value value = combine(old);
      return done(!value.isAbsent() && setItem(object, index, value));
    }
    Value old = eval(assignment->target);
    if (old.isAbsent()) return Flow::Raise;
    Value value = combine(old);
    return done(!value.isAbsent() && assign(assignment->target, value));
  }
  case NodeKind::AnnAssign: {
    auto* assignment = static_cast<const AnnAssign*>(stmt);
    if (assignment->value) {
      Value value = eval(assignment->value);
      if (value.isAbsent()) return Flow::Raise;
      // X: gl.constexpr = 4 at module level is a plain value to Python; codegen reads the
      // annotation where it counts.
      if (!assign(assignment->target, value)) return Flow::Raise;
    }
    auto* target = llvm::dyn_cast<NameExpr>(assignment->target);
    if (target && !frame_->function) {
      Value annotation = eval(assignment->annotation);
      if (annotation.isAbsent()) { // ClassVar["Later"] is known by its head
        if (isExhausted()) return Flow::Raise;
        PythonError error = takeError();
        // A name that Triton lacks is no name for type checkers either.
        bool isOfTriton = error.cause.kind == ErrorKind::MissingMember &&
                          llvm::StringRef(error.cause.owner).starts_with("triton");
        if (isOfTriton && !isUncertain() && !hasAssumed_ &&
            !frame_->module->globals->contains(name("annotations")))
          note(std::move(error));
        auto* subscript = llvm::dyn_cast<Subscript>(assignment->annotation);
        annotation = subscript ? eval(subscript->value) : Value::unknown();
        if (annotation.isAbsent()) {
          if (isExhausted()) return Flow::Raise;
          dropError();
        }
        if (!hostAs<NamespaceObject>(annotation, namespaceClass)) annotation = Value::unknown();
      }
      if (frame_->annotated) frame_->annotated->push_back({target->name, annotation});
    }
    return Flow::Next;
  }
  case NodeKind::Return: {
    auto* result = static_cast<const Return*>(stmt);
    Value value = Value::none();
    if (result->value && (value = eval(result->value)).isAbsent()) return Flow::Raise;
    if (frame_->mayHaveReturned && !frame_->returned.identical(value)) value = Value::unknown();
    frame_->returned = value;
    return Flow::Return;
  }
  case NodeKind::If:
    return execIf(static_cast<const If*>(stmt));
  case NodeKind::For: {
    auto* loop = static_cast<const For*>(stmt);
    uint64_t before = stepsSpent(), turns = 0;
    LoopExits exits;
    exits.outer = frame_->exits;
    frame_->exits = &exits;
    Flow flow = leaveLoop(execFor(loop, turns));
    frame_->exits = exits.outer;
    if (flow == Flow::Raise && isExhausted())
      blameLoop(loop, {loop->range.begin, loop->iter->range.end}, before, turns);
    return flow;
  }
  case NodeKind::While: {
    auto* loop = static_cast<const While*>(stmt);
    uint64_t before = stepsSpent(), turns = 0;
    LoopExits exits;
    exits.outer = frame_->exits;
    frame_->exits = &exits;
    Flow flow = leaveLoop(execWhile(loop, turns));
    frame_->exits = exits.outer;
    if (flow == Flow::Raise && isExhausted())
      blameLoop(loop, {loop->range.begin, loop->test->range.end}, before, turns);
    return flow;
  }
  case NodeKind::FunctionDef:
    return execFunctionDef(static_cast<const FunctionDef*>(stmt));
  case NodeKind::ClassDef:
    return execClassDef(static_cast<const ClassDef*>(stmt));
  case NodeKind::Import:
    return execImport(static_cast<const Import*>(stmt));
  case NodeKind::ImportFrom:
    return execImportFrom(static_cast<const ImportFrom*>(stmt));
  case NodeKind::With:
    return execWith(static_cast<const With*>(stmt), 0);
  case NodeKind::Try:
    return execTry(static_cast<const Try*>(stmt));
  case NodeKind::Raise:
    return execRaise(static_cast<const Raise*>(stmt));
  case NodeKind::Assert: {
    auto* assertion = static_cast<const Assert*>(stmt);
    Value test = eval(assertion->test);
    if (test.isAbsent()) return Flow::Raise;
    auto known = truth(test);
    if (failed()) return Flow::Raise;
    if (!known) mayHaveRaised_ = true;
    if (known.value_or(true)) return Flow::Next;
    frame_->node = stmt;
    Value args = tupleOf({});
    if (assertion->message) {
      Value message = eval(assertion->message);
      if (message.isAbsent()) return Flow::Raise;
      args = tupleOf(message);
    }
    Scope* attributes = newScope();
    attributes->set(known_.args, args);
    frame_->node = stmt;
    raiseDeliberately(instance(builtinClass("AssertionError"), attributes));
    return Flow::Raise;
  }
  case NodeKind::Delete:
    for (auto* target : static_cast<const Delete*>(stmt)->targets)
      if (!remove(target)) return Flow::Raise;
    return Flow::Next;
  case NodeKind::Break:
    return Flow::Break;
  case NodeKind::Continue:
    return Flow::Continue;
  case NodeKind::Match:
    return execMatch(static_cast<const Match*>(stmt));
  case NodeKind::TypeAlias: {
    auto* alias = static_cast<const TypeAlias*>(stmt);
    return done(assign(alias->name, Value::unknown()));
  }
  default:
    return Flow::Next; // Pass, Global (see FunctionInfo), half-typed code
  }
}

// ---------------------------------------------------------------- control flow

Flow Interpreter::execIf(const If* stmt) {
  Value test = eval(stmt->test);
  if (test.isAbsent()) return Flow::Raise;
  auto known = truth(test);
  if (failed()) return Flow::Raise;
  if (known && *known) return exec(stmt->body);
  if (known) return deep() ? Flow::Raise : exec(stmt->orelse); // one deeper for each `elif`
  return execBranches(stmt->body, stmt->orelse);
}

// Joins the states that objects may have after two branches; those that they have now are the
// second's. (The frame's own names are joined by execBranches.)
void Interpreter::joinObjects(Flow first, const BranchChanges& firstChanges,
                              llvm::ArrayRef<StateOf> afterFirst, Flow second,
                              BranchChanges& secondChanges) {
  auto isOwn = [&](const StateOf& state) { return state.object == Changeable(frame_->locals); };
  // Nothing sees the state of a branch that raised, unless a handler catches the exception. A
  // return's state is seen by the caller.
  auto goesOn = [&](Flow flow) { return flow != Flow::Raise || uncertain_; };
  auto mayReturn = [&](Flow flow) { return flow == Flow::Return && frame_->possibleReturns; };
  bool isFirst = goesOn(first) && !mayReturn(first);
  bool isSecond = goesOn(second) && !mayReturn(second);
  // The state at a return is kept for the end of the function if it is not the present one.
  auto keep = [&](llvm::ArrayRef<StateOf> after, const BranchChanges& own,
                  const BranchChanges& other) {
    PossibleReturns& returns = *frame_->possibleReturns;
    auto keepOne = [&](const StateOf& state) {
      size_t bytes = bytesOf(state);
      if (!charge(bytes)) return; // the evaluation has ended
      returns.bytes += bytes;
      returns.states.push_back(state);
    };
    for (const StateOf& state : after)
      keepOne(state);
    for (const StateOf& state : other.before())
      if (!own.has(state.object)) keepOne(state);
  };
  bool isOver = !isFirst && !isSecond;
  if (isOver && mayReturn(second)) {
    if (mayReturn(first)) keep(afterFirst, firstChanges, secondChanges);
  } else {
    std::vector<StateOf> afterSecond;
    if (!isSecond) afterSecond = secondChanges.undo();
    if (mayReturn(second)) keep(afterSecond, secondChanges, firstChanges);
    if (mayReturn(first) && !isOver) keep(afterFirst, firstChanges, secondChanges);
  }
  if (isFirst && isSecond) {
    for (const StateOf& state : afterFirst)
      if (!isOwn(state)) join(*this, state);
    for (const StateOf& state : secondChanges.before())
      if (!isOwn(state) && !firstChanges.has(state.object)) join(*this, state);
  } else if (isFirst || (isOver && !mayReturn(second))) { // everything is as it was before
    for (const StateOf& state : afterFirst)
      if (!isOwn(state)) restore(state);
  }
  if ((mayReturn(first) || mayReturn(second)) && !frame_->possibleReturns->others)
    frame_->possibleReturns->others.emplace(*this);
}

Flow Interpreter::execBranches(Stmts first, Stmts second) {
  return execEither([&] { return exec(first); }, [&] { return exec(second); });
}

// Runs both branches from the same state, and joins the resulting states.
Flow Interpreter::execEither(llvm::function_ref<Flow()> first, llvm::function_ref<Flow()> second) {
  Scope* locals = frame_->locals;
  // All that is bound is copied and compared.
  if (!spend(locals->size() / 4)) return Flow::Raise;
  Scope::State before = locals->save();
  struct Outcome {
    Flow flow;
    Value returned;
  };
  auto run = [&](llvm::function_ref<Flow()> branch) -> std::optional<Outcome> {
    Value returned = frame_->returned;
    bool mayHaveReturned = frame_->mayHaveReturned;
    ++uncertain_;
    Flow flow = branch();
    --uncertain_;
    if (flow == Flow::Raise) {
      if (isExhausted()) return std::nullopt;
      mayBeSkipped_ |= catchError("Skipped").has_value();
      dropUnlessExhausted();
      mayHaveRaised_ = true;
    }
    Outcome outcome{flow, frame_->returned};
    if (flow == Flow::Return) {
      frame_->returned = returned;
      frame_->mayHaveReturned = mayHaveReturned;
    }
    return outcome;
  };
  BranchChanges firstChanges(*this);
  auto a = run(first);
  firstChanges.close();
  if (!a) return Flow::Raise;
  Scope::State after = locals->save();
  std::vector<StateOf> afterFirst = firstChanges.undo();
  locals->restore(before);
  BranchChanges secondChanges(*this);
  auto b = run(second);
  secondChanges.close();
  if (!b) return Flow::Raise;
  joinObjects(a->flow, firstChanges, afterFirst, b->flow, secondChanges);
  if (isExhausted()) return Flow::Raise;

  auto ends = [](const Outcome& outcome) { return outcome.flow != Flow::Next; };
  auto mayReturn = [&](const Outcome& outcome) {
    if (outcome.flow != Flow::Return) return;
    bool same = !frame_->mayHaveReturned || frame_->returned.identical(outcome.returned);
    frame_->returned = same ? outcome.returned : Value::unknown();
    frame_->mayHaveReturned = true;
  };
  mayReturn(*a);
  mayReturn(*b);
  if (frame_->exits) {
    noteExit(a->flow, after);
    noteExit(b->flow, ends(*b) ? locals->save() : Scope::State());
  }
  if (ends(*a) && ends(*b)) {
    if (a->flow == Flow::Raise && b->flow == Flow::Raise) {
      raise("Exception", "one of several exceptions");
      return Flow::Raise;
    }
    // Evaluation goes on as long as possible; where a loop may have been left is noted.
    constexpr Flow preferred[] = {Flow::Continue, Flow::Break, Flow::Return};
    Flow flow =
        *llvm::find_if(preferred, [&](Flow each) { return a->flow == each || b->flow == each; });
    if (b->flow != flow) locals->restore(after);
    return flow;
  }
  if (ends(*b)) { // only the first branch's state remains
    locals->restore(after);
    return Flow::Next;
  }
  if (ends(*a)) return Flow::Next;
  // A definition that is None where it cannot be had: what uses it has it.
  auto isDefinition = [](Value value) {
    return value.is(ValueKind::Function) || value.is(ValueKind::Class) ||
           value.is(ValueKind::Module);
  };
  auto joined = [&](Value one, Value other) {
    bool isOptional =
        (isDefinition(one) && other.isNone()) || (one.isNone() && isDefinition(other));
    if (!isOptional) return either(*this, one, other);
    assume();
    return one.isNone() ? other : one;
  };
  llvm::DenseMap<Name, Value> fromFirst;
  for (auto [bound, value] : after.elements())
    fromFirst[bound] = value;
  for (auto [bound, value] : *locals) {
    auto it = fromFirst.find(bound);
    if (it == fromFirst.end())
      locals->set(bound, Value::unknown());
    else
      locals->set(bound, joined(it->second, value));
  }
  for (auto [bound, value] : after.elements())
    if (!locals->contains(bound)) locals->set(bound, value.isAbsent() ? value : Value::unknown());
  return Flow::Next;
}

// Whether the members may be made while they are taken.
static bool isOnDemand(Value iterable) {
  return iterable.is(ValueKind::Instance) || hostAs<IteratorObject>(iterable, iteratorClass);
}

Flow Interpreter::execUnknownTurns(const Stmt* loop) {
  auto* over = llvm::dyn_cast<For>(loop);
  Stmts body = over ? over->body : llvm::cast<While>(loop)->body;
  if (over && !assign(over->target, Value::unknown())) return Flow::Raise;
  Flow flow = execBranches(body, {});
  if (flow == Flow::Raise || !spendBytes(loop->range.end - loop->range.begin)) return Flow::Raise;
  forgetVariables(*frame_->locals, body);
  return Flow::Next;
}

// A branch that may have been taken ended so, with these variables.
void Interpreter::noteExit(Flow flow, const Scope::State& state) {
  LoopExits& exits = *frame_->exits;
  if (flow == Flow::Return) exits.noteReturn();
  if (flow != Flow::Break && flow != Flow::Continue) return;
  if (flow == Flow::Break) exits.noteBreak();
  (flow == Flow::Break ? exits.atBreaks : exits.atContinues).add(*this, state);
  assume(); // the changes of objects that follow are taken as made
}

// What the body of a loop or the loop itself did may have been skipped: returns true if nobody can
// tell that it ended as `flow` says.
bool Interpreter::mayNotEnd(Flow flow) {
  if (flow == Flow::Raise) {
    dropError();
    mayHaveRaised_ = true;
  }
  if (flow == Flow::Return) frame_->mayHaveReturned = true;
  return flow == Flow::Raise || flow == Flow::Return || flow == Flow::Break;
}

Flow Interpreter::endTurn(Flow flow) {
  LoopExits& exits = *frame_->exits;
  if (exits.atContinues.empty() || isExhausted()) return flow;
  Scope& locals = *frame_->locals;
  if (flow == Flow::Return) exits.noteReturn();
  if (flow == Flow::Break) noteExit(flow, locals.save());
  if (mayNotEnd(flow))
    exits.atContinues.replace(locals);
  else
    exits.atContinues.joinInto(*this, locals);
  exits.atContinues.clear();
  return Flow::Continue;
}

Flow Interpreter::leaveLoop(Flow flow) {
  const PossibleValues& others = frame_->exits->atBreaks;
  if (others.empty() || isExhausted()) return flow;
  if (mayNotEnd(flow))
    others.replace(*frame_->locals);
  else
    others.joinInto(*this, *frame_->locals);
  return Flow::Next;
}

// The `else` of a loop, which may have been left before.
Flow Interpreter::execLoopElse(Stmts body) {
  return frame_->exits->atBreaks.empty() ? exec(body) : execBranches(body, {});
}

Flow Interpreter::execFor(const For* stmt, uint64_t& turns) {
  uint64_t madeBefore = sourcesMade_;
  Value iterable = eval(stmt->iter);
  if (iterable.isAbsent()) return Flow::Raise;
  frame_->node = stmt->iter;
  bool uncertain = false;
  auto body = [&](Value item) {
    ++turns;
    if (!step()) return Flow::Raise; // half-typed code has loops without a body
    return assign(stmt->target, item) ? endTurn(exec(stmt->body)) : Flow::Raise;
  };
  Flow flow = Flow::Next;
  bool isLeft = false;                                        // it may have been left long ago
  if (auto* range = iterable.unwrapped().as<RangeObject>()) { // without making its members
    int64_t count = rangeLength(*range);
    for (int64_t i = 0; i < count; ++i) {
      flow = body(Value::integer(rangeMember(*range, i)));
      if (flow == Flow::Break || flow == Flow::Return || flow == Flow::Raise) break;
    }
  } else if (auto* list = iterable.unwrapped().as<ListObject>()) { // it may grow during the loop
    for (Value item : list->items) {
      flow = body(item);
      if (flow == Flow::Break || flow == Flow::Return || flow == Flow::Raise) break;
    }
    uncertain = list->uncertain;
  } else if (isOnDemand(iterable)) {
    Value iterator = iterate(iterable);
    if (iterator.isAbsent()) return Flow::Raise;
    if (iterator.isUnknown()) return execUnknownTurns(stmt);
    bool isEnded = false;
    while (flow == Flow::Next || flow == Flow::Continue) {
      frame_->node = stmt->iter;
      Value item = advance(iterator, uncertain);
      if (failed()) return Flow::Raise;
      if ((isEnded = item.isAbsent())) break;
      flow = body(item);
      if ((isLeft = frame_->exits->givesUp())) break;
    }
    if (isEnded) flow = Flow::Next;
    // Nobody else has a generator that the header made, so Python ends it here.
    MemberSource* source = isEnded || isExhausted() ? nullptr : sourceOf(iterator);
    if (source && source->serial > madeBefore && source->generator()) {
      auto pending = suspendError();
      if (!closeGenerator(*this, iterator)) return Flow::Raise;
      resumeError(std::move(pending));
    }
  } else {
    llvm::SmallVector<Value, 8> items;
    if (!unpack(iterable, items, uncertain)) {
      if (failed()) return Flow::Raise;
      return execUnknownTurns(stmt);
    }
    WalkedDict walked(iterable);
    for (Value item : items) {
      flow = body(item);
      if (flow == Flow::Break || flow == Flow::Return || flow == Flow::Raise) break;
      frame_->node = stmt->iter;
      if (!walked.hasItsSize(*this)) return Flow::Raise;
    }
  }
  if (flow == Flow::Return || flow == Flow::Raise) return flow;
  if (flow == Flow::Break) return Flow::Next;
  if (uncertain || isLeft) return execUnknownTurns(stmt);
  return execLoopElse(stmt->orelse);
}

Flow Interpreter::execWhile(const While* stmt, uint64_t& turns) {
  for (;; ++turns) {
    Value test = eval(stmt->test);
    if (test.isAbsent()) return Flow::Raise;
    auto known = truth(test);
    if (failed()) return Flow::Raise;
    if (!known) return execUnknownTurns(stmt);
    if (!*known) return execLoopElse(stmt->orelse);
    Flow flow = endTurn(exec(stmt->body));
    if (flow == Flow::Return || flow == Flow::Raise) return flow;
    if (flow == Flow::Break) return Flow::Next;
    if (!frame_->exits->givesUp()) continue;
    if (!frame_->exits->atBreaks.empty()) return Flow::Next;
    forgetVariables(*frame_->locals, stmt->body);
    bool isLeftByReturn = !frame_->exits->mayBreak && llvm::isa<syntax::Constant>(stmt->test);
    if (!isLeftByReturn) return Flow::Next;
    frame_->returned = Value::unknown();
    return Flow::Return;
  }
}

} // namespace gluond::evaluate
