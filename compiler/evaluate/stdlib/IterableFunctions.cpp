#include "evaluate/stdlib/IterableFunctions.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

namespace gluond::evaluate::builtins {

namespace {

template <syntax::CompareOp better> Value extreme(Interpreter& in, const CallArguments& arguments) {
  llvm::StringRef function = better == syntax::CompareOp::Lt ? "min" : "max";
  llvm::SmallVector<Value> items;
  Value key = keyword(in, arguments, "key"), missing = keyword(in, arguments, "default");
  if (arguments.positional.empty())
    return in.raise("TypeError", function + " expected at least 1 argument, got 0");
  if (arguments.positional.size() == 1) {
    if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
    if (items.empty())
      return missing.isAbsent() ? in.raise("ValueError", function + "() arg is an empty sequence")
                                : missing;
  } else {
    items.append(arguments.positional.begin(), arguments.positional.end());
  }
  auto keyOf = [&](Value value) {
    return key.isAbsent() || key.isNone() ? value : in.call(key, value);
  };
  Value best = items[0], bestKey = keyOf(best);
  if (bestKey.isAbsent()) return bestKey;
  bool unknown = best.isUnknown();
  for (Value item : llvm::drop_begin(items)) {
    Value itemKey = keyOf(item);
    if (itemKey.isAbsent() || !in.spend(1)) return Value::absent();
    Value wins = in.compare(better, itemKey, bestKey);
    if (wins.isAbsent()) return wins;
    auto known = in.truth(wins);
    if (in.failed()) return Value::absent();
    unknown |= !known;
    if (known.value_or(false)) {
      best = item;
      bestKey = itemKey;
    }
  }
  return unknown ? Value::unknown() : best;
}

template <bool isAll> Value anyAll(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT(isAll ? "all" : "any", 1, 1);
  Value iterator = in.iterate(arguments.positional[0]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  bool unknown = false;
  while (true) {
    Value item = in.advance(iterator, unknown);
    if (in.failed()) return Value::absent();
    if (item.isAbsent()) return unknown ? Value::unknown() : Value::boolean(isAll);
    auto known = in.truth(item);
    if (in.failed() || !in.spend(1)) return Value::absent();
    if (!known)
      unknown = true;
    else if (*known != isAll)
      return Value::boolean(!isAll);
  }
}

// The iterators of several iterables; nullopt if one raised or is not known.
std::optional<llvm::SmallVector<Value, 2>> iteratorsOf(Interpreter& in, Values iterables) {
  llvm::SmallVector<Value, 2> iterators;
  for (Value iterable : iterables) {
    iterators.push_back(in.iterate(iterable));
    if (iterators.back().isAbsent() || iterators.back().isUnknown()) return std::nullopt;
  }
  return iterators;
}

// Takes a member of each. Returns false at the end of one, after raising, and if one is uncertain.
bool nextRow(Interpreter& in, Values iterators, bool isStrict, llvm::SmallVectorImpl<Value>& row,
             bool& uncertain) {
  for (size_t i = 0; i < iterators.size(); ++i) {
    Value member = in.advance(iterators[i], uncertain);
    if (member.isAbsent()) {
      if (!isStrict || in.failed() || uncertain) return false;
      // All must end together.
      auto differs = [&](size_t other, llvm::StringRef how) {
        in.raise("ValueError", "zip() argument " + llvm::Twine(other + 1) + " is " + how +
                                   " than argument" +
                                   (other == 1 ? " 1" : "s 1-" + std::to_string(other)));
        return false;
      };
      if (i > 0) return differs(i, "shorter");
      for (size_t other = 1; other < iterators.size(); ++other) {
        Value more = in.advance(iterators[other], uncertain);
        if (in.failed() || uncertain) return false;
        if (!more.isAbsent()) return differs(other, "longer");
      }
      return false;
    }
    row.push_back(member);
  }
  return in.charge((row.size() + 4) * sizeof(Value));
}

} // namespace

Value all(Interpreter& in, const CallArguments& arguments) {
  return anyAll<true>(in, arguments);
}

Value any(Interpreter& in, const CallArguments& arguments) {
  return anyAll<false>(in, arguments);
}

Value max(Interpreter& in, const CallArguments& arguments) {
  return extreme<syntax::CompareOp::Gt>(in, arguments);
}

Value min(Interpreter& in, const CallArguments& arguments) {
  return extreme<syntax::CompareOp::Lt>(in, arguments);
}

Value sum(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("sum", 1, 2);
  Value total = at(arguments, 1);
  if (total.isAbsent()) total = keyword(in, arguments, "start");
  if (total.isAbsent()) total = Value::integer(0);
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  for (Value item : items)
    if (!in.spend(1) || (total = in.binary(syntax::BinaryOp::Add, total, item)).isAbsent())
      return Value::absent();
  return total;
}

Value sorted(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("sorted", 1, 1);
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  Value reverse = keyword(in, arguments, "reverse");
  bool unknown = false;
  bool isReversed = !reverse.isAbsent() && in.truth(reverse).value_or(false);
  if (in.failed() || !in.charge(items.size() * sizeof(Value)) ||
      !sortValues(in, items, keyword(in, arguments, "key"), isReversed, unknown))
    return Value::absent();
  return unknown ? Value::unknown() : in.heap().list(items);
}

Value reversed(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("reversed", 1, 1);
  if (arguments.positional[0].is(ValueKind::Instance)) {
    Value own = in.callSpecial(arguments.positional[0], in.name("__reversed__"), {});
    if (in.failed() || !own.isAbsent()) return own;
  }
  llvm::SmallVector<Value> items;
  if (!in.unpack(arguments.positional[0], items)) return unknownOrRaised(in);
  if (!in.charge(items.size() * sizeof(Value))) return Value::absent();
  std::reverse(items.begin(), items.end());
  return in.iterator(items);
}

Value enumerate(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("enumerate", 1, 2);
  Value start = at(arguments, 1);
  if (start.isAbsent()) start = keyword(in, arguments, "start");
  if (start.isAbsent()) start = Value::integer(0);
  Value iterator = in.iterate(arguments.positional[0]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [iterator, index = start](Interpreter& i, bool& uncertain) mutable {
    Value member = i.advance(iterator, uncertain);
    if (member.isAbsent()) return member;
    if (!i.charge(4 * sizeof(Value))) return Value::absent();
    Value pair = i.tupleOf({index, member});
    index = i.binary(syntax::BinaryOp::Add, index, Value::integer(1));
    return index.isAbsent() ? index : pair;
  });
}

Value zip(Interpreter& in, const CallArguments& arguments) {
  auto iterators = iteratorsOf(in, arguments.positional);
  if (!iterators) return unknownOrRaised(in);
  if (iterators->empty()) return in.iterator({});
  Value strict = keyword(in, arguments, "strict");
  bool isStrict = !strict.isAbsent() && in.truth(strict).value_or(false);
  return iteratorOver(in, [iterators = *iterators, isStrict](Interpreter& i, bool& uncertain) {
    llvm::SmallVector<Value, 4> row;
    return nextRow(i, iterators, isStrict, row, uncertain) ? i.tupleOf(row) : Value::absent();
  });
}

Value map(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "map() must have at least two arguments.");
  auto iterators = iteratorsOf(in, arguments.positional.drop_front());
  if (!iterators) return unknownOrRaised(in);
  return iteratorOver(in, [function = arguments.positional[0],
                           iterators = *iterators](Interpreter& i, bool& uncertain) {
    llvm::SmallVector<Value, 4> row;
    return nextRow(i, iterators, false, row, uncertain) ? i.call(function, row) : Value::absent();
  });
}

Value filter(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("filter", 2, 2);
  Value iterator = in.iterate(arguments.positional[1]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [function = arguments.positional[0], iterator,
                           isOpen = false](Interpreter& i, bool& uncertain) mutable {
    while (true) {
      Value item = i.advance(iterator, isOpen);
      uncertain |= isOpen;
      if (item.isAbsent() || !i.spend(1)) return Value::absent();
      Value test = function.isNone() ? item : i.call(function, item);
      if (test.isAbsent()) return test;
      auto known = i.truth(test);
      if (i.failed()) return Value::absent();
      isOpen |= !known; // it may or may not be a member
      if (known.value_or(true)) return item;
    }
  });
}

Value iter(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() == 2) // iter(function, sentinel)
    return iteratorOver(in, [function = arguments.positional[0],
                             sentinel = arguments.positional[1]](Interpreter& i, bool& uncertain) {
      Value member = i.call(function, Values());
      if (member.isAbsent() || !i.spend(1)) return Value::absent();
      auto isLast = i.equal(member, sentinel);
      if (i.failed()) return Value::absent();
      uncertain = !isLast;
      return isLast.value_or(true) ? Value::absent() : member;
    });
  return arguments.positional.size() == 1 ? in.iterate(arguments.positional[0]) : Value::unknown();
}

Value next(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("next", 1, 2);
  Value value = arguments.positional[0];
  if (hostAs<IteratorObject>(value, iteratorClass)) {
    bool uncertain = false;
    Value member = in.advance(value, uncertain);
    if (!member.isAbsent() || in.failed()) return member;
    if (uncertain) return Value::unknown();
    return arguments.positional.size() == 2 ? arguments.positional[1] : stopIteration(in, value);
  }
  if (value.isUnknown()) return value;
  Value result = in.callSpecial(value, in.names().next, {});
  if (in.failed() && arguments.positional.size() == 2 && in.catchError("StopIteration"))
    return arguments.positional[1];
  if (in.failed() || !result.isAbsent()) return result;
  if (isKnownInPart(in, value)) return Value::unknown();
  return in.raise("TypeError", "'" + llvm::Twine(in.className(in.typeOf(value))) +
                                   "' object is not an iterator");
}

} // namespace gluond::evaluate::builtins
