// Generators: code that is interrupted at each `yield` and continues when
// the next member is taken.
//
// The interpreter's own recursion cannot be interrupted, so a generator keeps the statements that
// it is in as a list of levels. Only statements that contain a `yield` become levels; all others
// run as everywhere else. A statement that yields in the middle of an expression, or under a
// condition that is not known, is not interrupted: its members are collected first.
#include "evaluate/interpreter/Contexts.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeTables.h"
#include "syntax/tree/Visitor.h"

#include <deque>

namespace gluond::evaluate {

using namespace syntax;

namespace {
constexpr size_t mostYields = 4096; // a generator without end is cut here

// The `yield` that is the whole value of a statement, or null.
const Yield* yieldOf(const Stmt* stmt) {
  const Expr* value = nullptr;
  if (auto* expr = llvm::dyn_cast<ExprStmt>(stmt)) value = expr->value;
  if (auto* assignment = llvm::dyn_cast<Assign>(stmt)) value = assignment->value;
  if (auto* annotated = llvm::dyn_cast<AnnAssign>(stmt)) value = annotated->value;
  if (auto* result = llvm::dyn_cast<Return>(stmt)) value = result->value;
  auto* yield = llvm::dyn_cast_or_null<Yield>(value);
  // No other `yield` may be inside.
  if (!yield || (yield->value && llvm::isa<Yield>(yield->value))) return nullptr;
  return yield;
}

bool yields(const Expr* expr) {
  bool found = false;
  walk(expr, [&](const Node* node) {
    found |= llvm::isa<Yield>(node);
    return !found && !llvm::isa<Lambda>(node);
  });
  return found;
}
// Whether a compound statement yields before its body begins.
bool yieldsInHeader(const Stmt* stmt) {
  if (auto* branch = llvm::dyn_cast<If>(stmt)) return yields(branch->test);
  if (auto* loop = llvm::dyn_cast<For>(stmt)) return yields(loop->iter);
  if (auto* loop = llvm::dyn_cast<While>(stmt)) return yields(loop->test);
  auto* with = llvm::dyn_cast<With>(stmt);
  return with && llvm::any_of(with->items, [](auto& item) { return yields(item.context); });
}
} // namespace

class GeneratorRun final : public MemberSource {
public:
  explicit GeneratorRun(const Frame& frame) : frame_(frame) {
    frame_.captured = true; // its names live as long as it does
  }
  Value next(Interpreter& in, bool& uncertain) override {
    return resume(in, Resumption::Send, Value::none(), uncertain);
  }
  Value returned() const override { return returned_; }
  GeneratorRun* generator() override { return this; }
  bool isStarted() const { return isStarted_; }
  bool isOver() const { return isOver_; }

  Value resume(Interpreter& in, Resumption how, Value value, bool& uncertain);

private:
  // A compound statement that the generator is in, or (without a statement) the function itself.
  struct Level {
    const Stmt* stmt = nullptr;
    Stmts statements; // the list that is running
    size_t at = 0;    // of the next statement
    enum class Part : uint8_t { Body, Else, Handler, Finally } part = Part::Body;
    Value iterator = Value::absent(); // of a `for`
    uint64_t turns = 0, before = 0;   // of a loop, and the steps spent before it
    Value handledBefore = Value::absent();
    // For `finally`: how the other parts ended.
    Flow flow = Flow::Next;
    Value returned = Value::none();
    std::unique_ptr<PendingError> error;
    llvm::SmallVector<Interpreter::Context, 1> contexts; // of a `with`

    // Continues with another part of the statement.
    Flow enter(Stmts list, Part next) {
      statements = list;
      at = 0;
      part = next;
      return Flow::Next;
    }
  };

  Value run(Interpreter& in, Resumption how, Value value, bool& uncertain);
  Flow receive(Interpreter& in, Resumption how, Value value);
  Flow complete(Interpreter& in, Value value);
  Flow begin(Interpreter& in, const Stmt* stmt);
  Flow beginYield(Interpreter& in, const Stmt* stmt, const Yield* yield);
  Flow delegate(Interpreter& in, Value member, bool uncertain);
  Flow beginWith(Interpreter& in, const With* stmt);
  Flow nextTurn(Interpreter& in, Level& level);
  Flow end(Interpreter& in, Flow flow);
  Flow endTry(Interpreter& in, Level& level, Flow flow);
  Flow endWith(Interpreter& in, Level& level, Flow flow);
  template <typename Run> Flow collect(Interpreter& in, Run run);
  Flow yieldMember(Value member);
  Level& push(Interpreter& in, const Stmt* stmt, Stmts statements);
  void guard(Interpreter& in, int count) {
    guards_ += count;
    in.uncertain_ += static_cast<unsigned>(count);
  }

  Frame frame_;
  std::vector<Level> levels_;
  const Stmt* waiting_ = nullptr;    // the statement that yielded
  Value delegate_ = Value::absent(); // the iterator of its `yield from`
  std::deque<Value> collected_;      // members of a statement that was not interrupted
  Flow afterCollected_ = Flow::Next; // how that statement ended
  std::unique_ptr<PendingError> errorAfterCollected_;
  Value member_ = Value::absent(); // that is yielded now
  Value returned_ = Value::none();
  size_t given_ = 0;
  int guards_ = 0;            // how many levels catch exceptions
  unsigned importGuards_ = 0; // as Interpreter's, while it runs
  bool isStarted_ = false, isOver_ = false;
  bool isUncertain_ = false; // it may have more members, or fewer
};

Value GeneratorRun::resume(Interpreter& in, Resumption how, Value value, bool& uncertain) {
  if (isOver_) {
    uncertain = isUncertain_;
    return how == Resumption::Throw ? in.raiseValue(value) : Value::absent();
  }
  if (in.depth_ >= in.options_.budget.depth)
    return in.raise("RecursionError", "maximum recursion depth exceeded");
  if (in.deep() || !in.step()) return Value::absent();
  if (!in.frame_) in.stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  isBusy = true;
  frame_.caller = in.frame_;
  in.frame_ = &frame_;
  ++in.depth_;
  in.uncertain_ += static_cast<unsigned>(guards_);
  unsigned importGuards = std::exchange(in.importGuards_, importGuards_);
  Value member = run(in, how, value, uncertain);
  importGuards_ = std::exchange(in.importGuards_, importGuards);
  in.uncertain_ -= static_cast<unsigned>(guards_);
  --in.depth_;
  in.frame_ = frame_.caller;
  frame_.caller = nullptr;
  isBusy = false;
  return member;
}

Value GeneratorRun::run(Interpreter& in, Resumption how, Value value, bool& uncertain) {
  Flow flow = Flow::Next;
  if (isStarted_) {
    flow = receive(in, how, value);
  } else {
    isStarted_ = true;
    push(in, nullptr, frame_.function->def->body);
    if (how == Resumption::Throw) {
      in.raiseValue(value);
      flow = Flow::Raise;
    }
  }
  while (member_.isAbsent() && !levels_.empty()) {
    Level& level = levels_.back();
    if (flow != Flow::Next || level.at == level.statements.size()) {
      flow = end(in, flow);
      continue;
    }
    const Stmt* stmt = level.statements[level.at++];
    flow = frame_.info->yielding.contains(stmt) ? begin(in, stmt) : in.exec(stmt);
  }
  if (!member_.isAbsent()) return std::exchange(member_, Value::absent());
  isOver_ = true;
  uncertain = isUncertain_ |= frame_.mayHaveReturned || frame_.stoppedEarly;
  if (flow == Flow::Return) returned_ = frame_.returned;
  if (frame_.mayHaveReturned) {
    returned_ = Value::unknown();
    if (flow == Flow::Raise && !in.isExhausted()) in.dropError(); // it decides before that
  } else if (flow == Flow::Raise && !in.isExhausted() && in.catchError("StopIteration")) {
    in.raise("RuntimeError", "generator raised StopIteration");
  }
  return Value::absent();
}

GeneratorRun::Level& GeneratorRun::push(Interpreter& in, const Stmt* stmt, Stmts statements) {
  Level& level = levels_.emplace_back();
  level.stmt = stmt;
  level.statements = statements;
  level.before = in.stepsSpent();
  return level;
}

Flow GeneratorRun::yieldMember(Value member) {
  if (++given_ > mostYields) {
    levels_.clear();
    isUncertain_ = true;
    return Flow::Next;
  }
  member_ = member;
  return Flow::Next;
}

// Runs something without interrupting it; its members are given one by one afterwards.
template <typename Run> Flow GeneratorRun::collect(Interpreter& in, Run run) {
  llvm::SmallVector<Value, 0> members;
  frame_.yields = &members;
  Flow flow = run();
  frame_.yields = nullptr;
  isUncertain_ |= frame_.stoppedEarly;
  if (members.empty() || (flow == Flow::Raise && in.isExhausted())) return flow;
  collected_.assign(members.begin() + 1, members.end());
  afterCollected_ = flow;
  errorAfterCollected_ = in.suspendError();
  waiting_ = nullptr;
  return yieldMember(members.front());
}

// ---------------------------------------------------------------- yields

// Continues the statement that yielded.
Flow GeneratorRun::receive(Interpreter& in, Resumption how, Value value) {
  bool isThrown = how == Resumption::Throw;
  if (!waiting_) { // a statement that was not interrupted
    if (isThrown) {
      collected_.clear();
      in.raiseValue(value);
      return Flow::Raise;
    }
    if (!collected_.empty()) {
      Value member = collected_.front();
      collected_.pop_front();
      return yieldMember(member);
    }
    in.resumeError(std::move(errorAfterCollected_));
    return afterCollected_;
  }
  in.frame_->node = waiting_;
  if (!delegate_.isAbsent()) {
    bool uncertain = false;
    MemberSource* source = in.sourceOf(delegate_);
    bool isGenerator = source && source->generator();
    if (isGenerator)
      return delegate(in, resumeGenerator(in, delegate_, how, value, uncertain), uncertain);
    if (!isThrown && value.isNone())
      return delegate(in, in.advance(delegate_, uncertain), uncertain);
    if (!isThrown) { // an object with a send() of its own
      Value member = in.callMethod(delegate_, in.name("send"), {value, {}});
      if (!member.isAbsent()) return yieldMember(member);
      return Flow::Raise;
    }
    delegate_ = Value::absent();
  }
  if (isThrown) {
    in.raiseValue(value);
    return Flow::Raise;
  }
  return complete(in, value);
}

// Gives a member of `yield from`, or completes the statement.
Flow GeneratorRun::delegate(Interpreter& in, Value member, bool uncertain) {
  if (!member.isAbsent()) return yieldMember(member);
  Value iterator = std::exchange(delegate_, Value::absent());
  if (in.failed()) return Flow::Raise;
  isUncertain_ |= uncertain;
  auto* object = hostAs<IteratorObject>(iterator, iteratorClass);
  return complete(in, uncertain || !object ? Value::unknown() : object->returned);
}

// The value of the `yield` is there.
Flow GeneratorRun::complete(Interpreter& in, Value value) {
  const Stmt* stmt = std::exchange(waiting_, nullptr);
  in.frame_->node = stmt;
  auto done = [](bool fine) { return fine ? Flow::Next : Flow::Raise; };
  if (auto* assignment = llvm::dyn_cast<Assign>(stmt))
    return done(llvm::all_of(assignment->targets,
                             [&](const Expr* target) { return in.assign(target, value); }));
  if (auto* annotated = llvm::dyn_cast<AnnAssign>(stmt))
    return done(in.assign(annotated->target, value));
  if (llvm::isa<Return>(stmt)) {
    frame_.returned = value;
    return Flow::Return;
  }
  return Flow::Next;
}

Flow GeneratorRun::beginYield(Interpreter& in, const Stmt* stmt, const Yield* yield) {
  Value value = Value::none();
  if (yield->value && (value = in.eval(yield->value)).isAbsent()) return Flow::Raise;
  waiting_ = stmt;
  if (!yield->isFrom) return yieldMember(value);
  in.frame_->node = yield;
  delegate_ = in.iterate(value);
  if (delegate_.isAbsent()) return Flow::Raise;
  bool uncertain = delegate_.isUnknown();
  Value member = uncertain ? Value::absent() : in.advance(delegate_, uncertain);
  return delegate(in, member, uncertain);
}

// ---------------------------------------------------------------- statements

// Begins a statement that contains a `yield`.
Flow GeneratorRun::begin(Interpreter& in, const Stmt* stmt) {
  if (!in.step()) return Flow::Raise;
  in.frame_->node = stmt;
  if (auto* yield = yieldOf(stmt)) return beginYield(in, stmt, yield);
  switch (yieldsInHeader(stmt) ? NodeKind::Pass : stmt->kind) {
  case NodeKind::If: {
    auto* branch = static_cast<const If*>(stmt);
    Value test = in.eval(branch->test);
    if (test.isAbsent()) return Flow::Raise;
    auto known = in.truth(test);
    if (in.failed()) return Flow::Raise;
    if (!known) {
      isUncertain_ = true;
      return collect(in, [&] { return in.execBranches(branch->body, branch->orelse); });
    }
    push(in, stmt, *known ? branch->body : branch->orelse);
    return Flow::Next;
  }
  case NodeKind::For: {
    Value iterable = in.eval(static_cast<const For*>(stmt)->iter);
    if (iterable.isAbsent()) return Flow::Raise;
    in.frame_->node = static_cast<const For*>(stmt)->iter;
    Value iterator = in.iterate(iterable);
    if (iterator.isAbsent()) return Flow::Raise;
    push(in, stmt, {}).iterator = iterator;
    return nextTurn(in, levels_.back());
  }
  case NodeKind::While:
    return nextTurn(in, push(in, stmt, {}));
  case NodeKind::Try: {
    auto* guarded = static_cast<const Try*>(stmt);
    push(in, stmt, guarded->body);
    if (!guarded->handlers.empty()) guard(in, 1);
    return Flow::Next;
  }
  case NodeKind::With:
    return beginWith(in, static_cast<const With*>(stmt));
  default:
    in.assume(); // whatever is sent comes too late
    return collect(in, [&] { return in.exec(stmt); });
  }
}

// Begins an iteration of a loop, its `else`, or what follows.
Flow GeneratorRun::nextTurn(Interpreter& in, Level& level) {
  // The rest of the loop is not known: its body runs once more, as it would in Interpreter::exec().
  auto once = [&](const Stmt* loop) {
    levels_.pop_back();
    isUncertain_ = true;
    return collect(in, [&] { return in.execUnknownTurns(loop); });
  };
  ++level.turns;
  if (!in.step()) return Flow::Raise;
  if (auto* loop = llvm::dyn_cast<For>(level.stmt)) {
    in.frame_->node = loop->iter;
    bool uncertain = level.iterator.isUnknown();
    Value member = uncertain ? Value::absent() : in.advance(level.iterator, uncertain);
    if (in.failed()) return Flow::Raise;
    if (uncertain) return once(loop);
    if (member.isAbsent()) return level.enter(loop->orelse, Level::Part::Else);
    return in.assign(loop->target, member) ? level.enter(loop->body, Level::Part::Body)
                                           : Flow::Raise;
  }
  auto* loop = llvm::cast<While>(level.stmt);
  in.frame_->node = loop;
  Value test = in.eval(loop->test);
  if (test.isAbsent()) return Flow::Raise;
  auto known = in.truth(test);
  if (in.failed()) return Flow::Raise;
  if (!known) return once(loop);
  return *known ? level.enter(loop->body, Level::Part::Body)
                : level.enter(loop->orelse, Level::Part::Else);
}

Flow GeneratorRun::beginWith(Interpreter& in, const With* stmt) {
  push(in, stmt, stmt->body);
  for (auto& item : stmt->items) {
    Interpreter::Context context;
    bool isEntered = in.enterContext(item, context);
    Level& level = levels_.back();
    if (!context.manager.isAbsent()) {
      level.contexts.push_back(context);
      if (context.kind == Interpreter::Context::Kind::Expecting) guard(in, 1);
    }
    if (!isEntered) return Flow::Raise;
  }
  return Flow::Next;
}

// The innermost level's list of statements has ended with `flow`.
Flow GeneratorRun::end(Interpreter& in, Flow flow) {
  Level& level = levels_.back();
  if (!level.stmt) { // of the function
    levels_.pop_back();
    return flow;
  }
  switch (level.stmt->kind) {
  case NodeKind::For:
  case NodeKind::While: {
    bool isBody = level.part == Level::Part::Body;
    if (isBody && (flow == Flow::Next || flow == Flow::Continue)) return nextTurn(in, level);
    if (flow == Flow::Raise && in.isExhausted()) {
      auto* loop = llvm::dyn_cast<For>(level.stmt);
      size_t header = loop ? loop->iter->range.end : llvm::cast<While>(level.stmt)->test->range.end;
      text::Range range = level.stmt->range;
      range.end = static_cast<decltype(range.end)>(header);
      in.blameLoop(level.stmt, range, level.before, level.turns);
    }
    levels_.pop_back();
    return isBody && flow == Flow::Break ? Flow::Next : flow;
  }
  case NodeKind::Try:
    return endTry(in, level, flow);
  case NodeKind::With:
    return endWith(in, level, flow);
  default:
    levels_.pop_back();
    return flow;
  }
}

Flow GeneratorRun::endTry(Interpreter& in, Level& level, Flow flow) {
  auto* stmt = llvm::cast<Try>(level.stmt);
  if (level.part == Level::Part::Finally) {
    Flow before = level.flow;
    if (flow == Flow::Next) {
      frame_.returned = level.returned;
      in.resumeError(std::move(level.error));
    }
    levels_.pop_back();
    return flow == Flow::Next ? before : flow; // else it replaces whatever was under way
  }
  if (level.part == Level::Part::Body) {
    if (!stmt->handlers.empty()) guard(in, -1);
    if (flow == Flow::Next && !stmt->orelse.empty())
      return level.enter(stmt->orelse, Level::Part::Else);
    if (flow == Flow::Raise && !in.isExhausted())
      if (auto* handler = in.handlerOf(*stmt)) {
        Value exception = in.pendingException();
        in.dropError();
        if (handler->name.name) in.bindName(handler->name.name, exception);
        level.handledBefore = std::exchange(frame_.handled, exception);
        return level.enter(handler->body, Level::Part::Handler);
      }
    if (in.isExhausted()) {
      levels_.pop_back();
      return flow;
    }
  } else if (level.part == Level::Part::Handler) {
    frame_.handled = level.handledBefore;
  }
  if (stmt->finalbody.empty() || in.isExhausted()) {
    levels_.pop_back();
    return flow;
  }
  level.flow = flow;
  level.returned = frame_.returned;
  level.error = in.suspendError();
  return level.enter(stmt->finalbody, Level::Part::Finally);
}

Flow GeneratorRun::endWith(Interpreter& in, Level& level, Flow flow) {
  auto contexts = std::move(level.contexts);
  levels_.pop_back();
  for (auto& context : llvm::reverse(contexts)) {
    if (context.kind == Interpreter::Context::Kind::Expecting) guard(in, -1);
    flow = in.leaveContext(context, flow);
  }
  return flow;
}

// ---------------------------------------------------------------- from outside

Value makeGenerator(Interpreter& in, const Frame& frame) {
  Value generator = in.iteratorFrom(std::make_unique<GeneratorRun>(frame));
  const Scope* attributes = frame.function->attributes;
  if (generator.isAbsent() || !attributes || !attributes->contains(in.name(contextManagerMark)))
    return generator;
  auto* object = in.heap().make<ContextManagerObject>();
  object->cls = &contextManagerClass;
  object->generator = generator;
  return Value::object(ValueKind::Host, object);
}

Value resumeGenerator(Interpreter& in, Value iterator, Resumption how, Value value,
                      bool& uncertain) {
  auto* object = hostAs<IteratorObject>(iterator, iteratorClass);
  MemberSource* source = in.sourceOf(iterator);
  GeneratorRun* generator = source ? source->generator() : nullptr;
  if (!generator) { // it has ended, or is none
    uncertain = !object || object->uncertain;
    return how == Resumption::Throw && !uncertain ? in.raiseValue(value) : Value::absent();
  }
  if (generator->isBusy) return in.raise("ValueError", "generator already executing");
  if (how == Resumption::Send && !value.isNone() && !generator->isStarted())
    return in.raise("TypeError", "can't send non-None value to a just-started generator");
  Value member = generator->resume(in, how, value, uncertain);
  if (generator->isOver())
    if (IteratorObject* changed = in.writable(object)) changed->returned = generator->returned();
  return member;
}

bool closeGenerator(Interpreter& in, Value iterator) {
  MemberSource* source = in.sourceOf(iterator);
  GeneratorRun* generator = source ? source->generator() : nullptr;
  if (source && source->isBusy) {
    in.raise("ValueError", "generator already executing");
    return false;
  }
  if (!generator || !generator->isStarted() || generator->isOver()) {
    in.forgetSource(iterator);
    return true;
  }
  bool uncertain = false;
  Value exit = in.instantiate(in.builtinClass("GeneratorExit"), {});
  if (exit.isAbsent()) return false;
  Value member = generator->resume(in, Resumption::Throw, exit, uncertain);
  if (!member.isAbsent()) {
    in.raise("RuntimeError", "generator ignored GeneratorExit");
    return false;
  }
  if (in.failed() && !in.catchError("GeneratorExit")) return false;
  in.forgetSource(iterator);
  return true;
}

void runForLaunches(Interpreter& in, Value iterator) {
  MemberSource* source = in.sourceOf(iterator);
  if (!source || source->isBusy) return;
  in.assume(); // when, and how often, its members are taken
  GeneratorRun* generator = source->generator();
  if (!generator || generator->isStarted()) return;
  in.enterUncertain();
  bool uncertain = false;
  while (!in.advance(iterator, uncertain).isAbsent()) {
  }
  in.leaveUncertain();
  if (!in.isExhausted()) in.dropError();
}

} // namespace gluond::evaluate
