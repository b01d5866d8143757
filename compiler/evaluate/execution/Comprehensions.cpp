// Comprehensions, and generator expressions, whose members are made one by one.
#include "evaluate/execution/Binding.h"
#include "evaluate/execution/WalkedDict.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/UncertainScope.h"
#include "evaluate/values/Containers.h"

namespace gluond::evaluate {

using namespace syntax;

bool Interpreter::comprehend(const Comprehension* expr, size_t generator, Value result,
                             bool& uncertain) {
  if (generator == expr->generators.size()) {
    Value element = eval(expr->element);
    if (element.isAbsent()) return false;
    if (expr->comprehension == ComprehensionKind::Dict) {
      Value value = eval(expr->value);
      return !value.isAbsent() && dictSet(result.as<DictObject>(), element, value);
    }
    if (expr->comprehension == ComprehensionKind::Set)
      return dictSet(result.as<DictObject>(), element, Value::none());
    ListObject* list = writable(result.as<ListObject>());
    if (!list || !charge(sizeof(Value))) return false;
    list->items.push_back(element);
    return true;
  }
  if (deep()) return false;
  auto& clause = expr->generators[generator];
  // The first iterable is evaluated outside, where the names of a class's body are seen.
  Scope* inside = frame_->locals;
  if (generator == 0) {
    frame_->locals = writable(inside->parent);
    if (!frame_->locals) return frame_->locals = inside, false;
    --frame_->comprehensions;
  }
  Value iterable = eval(clause.iter);
  if (generator == 0) {
    frame_->locals = inside;
    ++frame_->comprehensions;
  }
  if (iterable.isAbsent()) return false;
  frame_->node = clause.iter;
  auto visit = [&](Value item) {
    if (!assign(clause.target, item)) return false;
    bool wanted = true;
    for (auto* condition : clause.conditions) {
      Value test = eval(condition);
      if (test.isAbsent()) return false;
      auto known = truth(test);
      if (failed()) return false;
      if (!known) uncertain = true; // it may or may not be a member
      if (known && !*known) {
        wanted = false;
        break;
      }
    }
    return !wanted || comprehend(expr, generator + 1, result, uncertain);
  };
  if (hostAs<IteratorObject>(iterable, iteratorClass)) {
    while (true) {
      frame_->node = clause.iter;
      Value item = advance(iterable, uncertain);
      if (item.isAbsent()) return !failed();
      if (!visit(item)) return false;
    }
  }
  if (auto* list = iterable.unwrapped().as<ListObject>()) { // it may change meanwhile
    uncertain |= list->uncertain;
    for (Value item : list->items)
      if (!visit(item)) return false;
    return true;
  }
  llvm::SmallVector<Value, 8> items;
  if (!unpack(iterable, items, uncertain)) {
    if (failed()) return false;
    // Runs the body once with an unknown member: its launches are found, its result is unknown.
    uncertain = true;
    items.assign(1, Value::unknown());
    {
      UncertainScope run(*this);
      if (assign(clause.target, Value::unknown()))
        comprehend(expr, generator + 1, result, uncertain);
    }
    if (isExhausted()) return false;
    dropError();
    return true;
  }
  WalkedDict walked(iterable);
  for (Value item : items) {
    if (!visit(item)) return false;
    frame_->node = clause.iter;
    if (!walked.hasItsSize(*this)) return false;
  }
  return true;
}

Value Interpreter::evalComprehension(const Comprehension* expr) {
  if (expr->comprehension == ComprehensionKind::Generator) return evalGenerator(expr);
  bool isMap = expr->comprehension == ComprehensionKind::Dict,
       isSet = expr->comprehension == ComprehensionKind::Set;
  Value result = isMap ? heap().dict() : isSet ? newSet() : heap().list({});
  // Its variables have a scope of their own; `global` names and := reach past it (bindName).
  Scope* outer = frame_->locals;
  bool captured = frame_->captured;
  frame_->captured = false;
  frame_->locals = acquireScope(outer);
  ++frame_->comprehensions;
  bool uncertain = false;
  bool fine = comprehend(expr, 0, result, uncertain);
  --frame_->comprehensions;
  if (!frame_->captured) releaseScope(frame_->locals);
  frame_->captured |= captured;
  frame_->locals = outer;
  if (!fine) return Value::absent();
  if (!uncertain) return result;
  if (isMap || isSet) {
    DictObject* made = writable(result.as<DictObject>());
    if (made) made->uncertain = true;
    return made ? result : Value::absent();
  }
  return Value::unknown();
}

class ComprehensionRun final : public MemberSource {
public:
  ComprehensionRun(const Comprehension* expr, const Frame& frame, Value first)
      : expr_(expr), frame_(frame) {
    clauses_.push_back(first);
  }
  Value next(Interpreter& in, bool& uncertain) override {
    if (in.deep() || !in.step()) return Value::absent();
    frame_.caller = in.frame_;
    in.frame_ = &frame_;
    ++in.depth_;
    Value member = find(in);
    --in.depth_;
    in.frame_ = frame_.caller;
    if (member.isAbsent()) clauses_.clear(); // it has ended
    if (!in.failed()) uncertain |= isUncertain_ && member.isAbsent();
    return member;
  }

private:
  // Backtracks through the clauses to the next element.
  Value find(Interpreter& in) {
    while (!clauses_.empty()) {
      auto& clause = expr_->generators[clauses_.size() - 1];
      frame_.node = clause.iter;
      bool uncertain = false;
      Value member = in.advance(clauses_.back(), uncertain);
      if (in.failed()) return Value::absent();
      isUncertain_ |= uncertain;
      if (member.isAbsent()) {
        clauses_.pop_back();
        continue;
      }
      if (!in.assign(clause.target, member)) return Value::absent();
      auto wanted = isWanted(in, clause);
      if (!wanted) return Value::absent();
      if (!*wanted) continue;
      if (clauses_.size() == expr_->generators.size()) return in.eval(expr_->element);
      Value iterable = in.eval(expr_->generators[clauses_.size()].iter);
      Value iterator = iterable.isAbsent() ? iterable : in.iterate(iterable);
      if (iterator.isAbsent()) return iterator;
      if (iterator.isUnknown())
        isUncertain_ = true;
      else
        clauses_.push_back(iterator);
    }
    return Value::absent();
  }
  // Whether a member fulfils the conditions of its clause; nullopt if one raised.
  std::optional<bool> isWanted(Interpreter& in, const Generator& clause) {
    for (auto* condition : clause.conditions) {
      Value test = in.eval(condition);
      if (test.isAbsent()) return std::nullopt;
      auto known = in.truth(test);
      if (in.failed()) return std::nullopt;
      isUncertain_ |= !known; // it may or may not be a member
      if (known && !*known) return false;
    }
    return true;
  }

  const Comprehension* expr_;
  Frame frame_;
  llvm::SmallVector<Value, 2> clauses_; // iterators, the outermost first
  bool isUncertain_ = false;
};

Value Interpreter::evalGenerator(const Comprehension* expr) {
  if (llvm::any_of(expr->generators, [](auto& clause) { return clause.isAsync; }))
    return Value::unknown();
  auto& outermost = expr->generators.front();
  Value iterable = eval(outermost.iter);
  if (iterable.isAbsent()) return iterable;
  frame_->node = outermost.iter;
  Value first = iterate(iterable);
  if (first.isAbsent()) return first;
  // Nothing is known of the members; the elements are evaluated once, for their launches.
  if (first.isUnknown()) first = iterator(Value::unknown(), true);
  frame_->captured = true;
  Frame frame = *frame_;
  frame.locals = newScope(frame_->locals);
  ++frame.comprehensions;
  frame.yields = nullptr;
  frame.annotated = nullptr;
  return iteratorFrom(std::make_unique<ComprehensionRun>(expr, frame, first));
}

} // namespace gluond::evaluate
