// The module itertools.
#include "evaluate/interpreter/Iterators.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/NamespaceMapping.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/values/Integers.h"

namespace gluond::evaluate {

namespace {

bool columnsOf(Interpreter& in, Values iterables,
               llvm::SmallVectorImpl<llvm::SmallVector<Value>>& columns, bool& uncertain) {
  for (Value iterable : iterables) {
    columns.emplace_back();
    if (!in.unpack(iterable, columns.back(), uncertain)) return false;
  }
  return true;
}

Value product(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<llvm::SmallVector<Value>> columns;
  bool uncertain = false;
  if (!columnsOf(in, arguments.positional, columns, uncertain)) return unknownOrRaised(in);
  if (Value repeat = keyword(in, arguments, "repeat"); repeat.isIntegral()) {
    auto once = columns;
    if (repeat.asInt() > 20) return in.exhaust("a product of that many iterables");
    if (repeat.asInt() <= 0) columns.clear();
    for (int64_t i = 1; i < repeat.asInt(); ++i) {
      for (auto& column : once)
        if (!in.charge(column.size() * sizeof(Value))) return Value::absent();
      columns.append(once.begin(), once.end());
    }
  }
  llvm::SmallVector<Value> rows;
  llvm::SmallVector<size_t> index(columns.size(), 0);
  if (llvm::any_of(columns, [](auto& column) { return column.empty(); }))
    return in.iterator({}, uncertain);
  while (true) {
    llvm::SmallVector<Value> row;
    for (size_t i = 0; i < columns.size(); ++i)
      row.push_back(columns[i][index[i]]);
    if (!in.charge((row.size() + 4) * sizeof(Value))) return Value::absent();
    rows.push_back(in.tupleOf(row));
    size_t position = columns.size();
    while (position > 0 && ++index[position - 1] == columns[position - 1].size())
      index[--position] = 0;
    if (position == 0) break;
  }
  return in.iterator(rows, uncertain);
}

template <bool ordered, bool repeats>
Value choose(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, rows;
  bool uncertain = false;
  if (arguments.positional.empty()) return in.raise("TypeError", "missing an iterable");
  if (!in.unpack(arguments.positional[0], items, uncertain)) return unknownOrRaised(in);
  Value size = given(in, arguments, 1, "r");
  int64_t r = size.isAbsent() || size.isNone() ? static_cast<int64_t>(items.size())
                                               : toIndex(size).value_or(0);
  llvm::SmallVector<size_t> chosen;
  bool fine = true;
  auto visit = [&](auto&& self) -> void {
    if (!fine) return;
    if (static_cast<int64_t>(chosen.size()) == r) {
      llvm::SmallVector<Value> row;
      for (size_t i : chosen)
        row.push_back(items[i]);
      rows.push_back(in.tupleOf(row));
      fine = in.charge((row.size() + 4) * sizeof(Value));
      return;
    }
    size_t first = ordered || chosen.empty() ? 0 : chosen.back() + !repeats;
    // Without repeating, the members that are still to be chosen must be there.
    size_t missing = repeats ? 1 : static_cast<size_t>(r) - chosen.size();
    for (size_t i = first; fine && i < items.size() && (ordered || items.size() - i >= missing);
         ++i) {
      if (!in.spend(1)) fine = false;
      if (ordered && !repeats && llvm::is_contained(chosen, i)) continue;
      chosen.push_back(i);
      self(self);
      chosen.pop_back();
    }
  };
  if (!repeats && r > static_cast<int64_t>(items.size())) return in.iterator({}, uncertain);
  if (r > 64) return in.exhaust("combinations of that many members");
  if (r >= 0) visit(visit);
  return fine ? in.iterator(rows, uncertain) : Value::absent();
}

// The members of all iterables that `outer` gives, one after another.
Value chained(Interpreter& in, Value outer) {
  if (outer.isAbsent() || outer.isUnknown()) return outer;
  return iteratorOver(in, [outer, inner = Value::absent(),
                           isOpen = false](Interpreter& i, bool& uncertain) mutable {
    while (true) {
      if (!inner.isAbsent()) {
        Value member = i.advance(inner, isOpen);
        uncertain |= isOpen;
        if (!member.isAbsent() || i.failed()) return member;
      }
      Value iterable = i.advance(outer, isOpen);
      uncertain |= isOpen;
      if (iterable.isAbsent() || !i.spend(1)) return Value::absent();
      inner = i.iterate(iterable);
      if (inner.isAbsent()) return inner;
      if (!inner.isUnknown()) continue;
      uncertain = isOpen = true;
      inner = Value::absent();
    }
  });
}
Value chain(Interpreter& in, const CallArguments& arguments) {
  return chained(in, in.iterator(arguments.positional));
}
Value chainFrom(Interpreter& in, const CallArguments& arguments) {
  return at(arguments, 0).isAbsent() ? Value::unknown() : chained(in, in.iterate(at(arguments, 0)));
}

constexpr int64_t endless = 4096; // members that are made of an iterator without an end

Value countFrom(Interpreter& in, const CallArguments& arguments) {
  Value start = given(in, arguments, 0, "start"), step = given(in, arguments, 1, "step");
  if (start.isAbsent()) start = Value::integer(0);
  if (step.isAbsent()) step = Value::integer(1);
  return iteratorOver(
      in, [next = start, step, made = int64_t(0)](Interpreter& i, bool& uncertain) mutable {
        uncertain = made++ == endless;
        if (uncertain) return Value::absent();
        Value member = next;
        next = i.binary(syntax::BinaryOp::Add, next, step);
        return next.isAbsent() ? next : member;
      });
}

Value cycle(Interpreter& in, const CallArguments& arguments) {
  Value iterator = at(arguments, 0).isAbsent() ? Value::unknown() : in.iterate(at(arguments, 0));
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [iterator, once = std::vector<Value>(), isFirst = true,
                           made = int64_t(0)](Interpreter& i, bool& uncertain) mutable {
    if (isFirst) {
      Value member = i.advance(iterator, uncertain);
      if (!member.isAbsent() && !i.charge(sizeof(Value))) return Value::absent();
      if (!member.isAbsent()) once.push_back(member);
      if (!member.isAbsent() || i.failed() || uncertain) return member;
      isFirst = false;
    }
    if (once.empty()) return Value::absent();
    uncertain = made == endless;
    return uncertain ? Value::absent() : once[static_cast<size_t>(made++) % once.size()];
  });
}

Value repeat(Interpreter& in, const CallArguments& arguments) {
  if (at(arguments, 0).isAbsent()) return Value::unknown();
  Value times = given(in, arguments, 1, "times");
  auto n = toIndex(times);
  if (!times.isAbsent() && !n) return Value::unknown();
  return iteratorOver(
      in, [member = at(arguments, 0), n, made = int64_t(0)](Interpreter&, bool& uncertain) mutable {
        if (n && made >= *n) return Value::absent();
        uncertain = made++ == endless && !n;
        return uncertain ? Value::absent() : member;
      });
}

Value accumulate(Interpreter& in, const CallArguments& arguments) {
  Value function = given(in, arguments, 1, "func"), total = keyword(in, arguments, "initial");
  Value iterator = at(arguments, 0).isAbsent() ? Value::unknown() : in.iterate(at(arguments, 0));
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(
      in, [iterator, function, total, isFirst = true](Interpreter& i, bool& uncertain) mutable {
        if (std::exchange(isFirst, false) && !total.isAbsent() && !total.isNone()) return total;
        Value member = i.advance(iterator, uncertain);
        if (member.isAbsent() || !i.spend(1)) return Value::absent();
        Value pair[] = {total, member};
        if (total.isAbsent() || total.isNone())
          total = member;
        else
          total = function.isAbsent() || function.isNone()
                      ? i.binary(syntax::BinaryOp::Add, total, member)
                      : i.call(function, pair);
        return total;
      });
}

Value islice(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() < 2)
    return in.raise("TypeError", "islice expected at least 2 arguments");
  bool hasStart = arguments.positional.size() > 2;
  int64_t bounds[] = {0, -1, 1}; // start, stop (-1: none), step
  Value values[] = {hasStart ? at(arguments, 1) : Value::none(), at(arguments, hasStart ? 2 : 1),
                    at(arguments, 3)};
  for (size_t i = 0; i < 3; ++i) {
    if (values[i].isAbsent() || values[i].isNone()) continue;
    auto bound = toIndex(values[i]);
    if (!bound) return Value::unknown();
    if (*bound < (i == 2))
      return in.raise("ValueError", i == 2 ? "Step for islice() must be a positive integer or None."
                                           : "Indices for islice() must be None or an integer: "
                                             "0 <= x <= sys.maxsize.");
    bounds[i] = *bound;
  }
  Value iterator = in.iterate(arguments.positional[0]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [iterator, wanted = bounds[0], stop = bounds[1], step = bounds[2],
                           at = int64_t(0)](Interpreter& i, bool& uncertain) mutable {
    while (true) {
      // The members up to `stop` are taken even if the step skips them.
      if (stop >= 0 && (at >= stop || wanted >= stop)) {
        for (; at < stop; ++at)
          if (!i.spend(1) || i.advance(iterator, uncertain).isAbsent()) break;
        return Value::absent();
      }
      Value member = i.advance(iterator, uncertain);
      if (member.isAbsent() || !i.spend(1)) return Value::absent();
      if (at++ != wanted) continue;
      wanted += step;
      return member;
    }
  });
}

template <bool whileTrue> Value whileDo(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "takewhile expected 2 arguments");
  Value iterator = in.iterate(arguments.positional[1]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in, [function = arguments.positional[0], iterator,
                           isDropping = !whileTrue](Interpreter& i, bool& uncertain) mutable {
    while (true) {
      Value member = i.advance(iterator, uncertain);
      if (member.isAbsent() || !i.spend(1)) return Value::absent();
      if (!whileTrue && !isDropping) return member;
      Value test = i.call(function, member);
      if (test.isAbsent()) return test;
      auto known = i.truth(test);
      if (i.failed()) return Value::absent();
      uncertain = !known;
      if (uncertain || (whileTrue && !*known)) return Value::absent();
      if (whileTrue) return member;
      isDropping = *known;
      if (!isDropping) return member;
    }
  });
}

Value starmap(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 2)
    return in.raise("TypeError", "starmap expected 2 arguments");
  Value iterator = in.iterate(arguments.positional[1]);
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(
      in, [function = arguments.positional[0], iterator](Interpreter& i, bool& uncertain) {
        Value row = i.advance(iterator, uncertain);
        llvm::SmallVector<Value> positional;
        if (row.isAbsent()) return row;
        if (!i.unpack(row, positional)) return unknownOrRaised(i);
        return i.call(function, positional);
      });
}

Value zipLongest(Interpreter& in, const CallArguments& arguments) {
  Value fill = keyword(in, arguments, "fillvalue");
  if (fill.isAbsent()) fill = Value::none();
  llvm::SmallVector<Value, 2> iterators;
  for (Value iterable : arguments.positional) {
    iterators.push_back(in.iterate(iterable));
    if (iterators.back().isAbsent() || iterators.back().isUnknown()) return iterators.back();
  }
  return iteratorOver(in, [iterators, fill](Interpreter& i, bool& uncertain) {
    llvm::SmallVector<Value, 4> row;
    bool isOver = true;
    for (Value iterator : iterators) {
      Value member = i.advance(iterator, uncertain);
      if (i.failed() || uncertain) return Value::absent();
      isOver &= member.isAbsent();
      row.push_back(member.isAbsent() ? fill : member);
    }
    return isOver || !i.charge((row.size() + 4) * sizeof(Value)) ? Value::absent() : i.tupleOf(row);
  });
}

Value pairwise(Interpreter& in, const CallArguments& arguments) {
  Value iterator = at(arguments, 0).isAbsent() ? Value::unknown() : in.iterate(at(arguments, 0));
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  return iteratorOver(in,
                      [iterator, last = Value::absent()](Interpreter& i, bool& uncertain) mutable {
                        if (last.isAbsent()) last = i.advance(iterator, uncertain);
                        if (last.isAbsent()) return last;
                        Value member = i.advance(iterator, uncertain);
                        if (member.isAbsent() || !i.charge(4 * sizeof(Value)))
                          return Value::absent();
                        return i.tupleOf({std::exchange(last, member), member});
                      });
}

Value groupby(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> items, groups, members;
  if (!in.unpack(at(arguments, 0), items)) return unknownOrRaised(in);
  Value key = given(in, arguments, 1, "key"), last = Value::absent();
  auto flush = [&] {
    if (!last.isAbsent()) groups.push_back(in.tupleOf({last, in.heap().list(members)}));
    members.clear();
  };
  for (Value item : items) {
    Value by = key.isAbsent() || key.isNone() ? item : in.call(key, item);
    if (by.isAbsent() || !in.spend(1) || !in.charge(4 * sizeof(Value))) return Value::absent();
    bool same = !last.isAbsent() && in.equal(last, by).value_or(false);
    if (in.failed()) return Value::absent();
    if (!same) {
      flush();
      last = by;
    }
    members.push_back(item);
  }
  flush();
  return in.iterator(groups);
}

Value tee(Interpreter& in, const CallArguments& arguments) {
  Value iterator = at(arguments, 0).isAbsent() ? Value::unknown() : in.iterate(at(arguments, 0));
  if (iterator.isAbsent() || iterator.isUnknown()) return iterator;
  auto n = at(arguments, 1).isAbsent() ? 2 : toIndex(at(arguments, 1)).value_or(2);
  auto taken = std::make_shared<std::vector<Value>>(); // by any of them
  llvm::SmallVector<Value> copies;
  for (int64_t k = 0; k < std::min<int64_t>(n, 64); ++k)
    copies.push_back(iteratorOver(
        in, [iterator, taken, next = size_t(0)](Interpreter& i, bool& uncertain) mutable {
          if (next == taken->size()) {
            Value member = i.advance(iterator, uncertain);
            if (member.isAbsent() || !i.charge(sizeof(Value))) return Value::absent();
            taken->push_back(member);
          }
          return (*taken)[next++];
        }));
  return in.tupleOf(copies);
}

constexpr NativeRow itertoolsRows[] = {
    {"accumulate", accumulate},
    {"chain", chain},
    {"combinations", choose<false, false>},
    {"combinations_with_replacement", choose<false, true>},
    {"count", countFrom},
    {"cycle", cycle},
    {"dropwhile", whileDo<false>},
    {"groupby", groupby},
    {"islice", islice},
    {"pairwise", pairwise},
    {"permutations", choose<true, false>},
    {"product", product},
    {"repeat", repeat},
    {"starmap", starmap},
    {"takewhile", whileDo<true>},
    {"tee", tee},
    {"zip_longest", zipLongest},
};
constexpr NativeRow chainRows[] = {{"from_iterable", chainFrom}};

} // namespace

llvm::ArrayRef<NativeRow> itertoolsFunctions() {
  return itertoolsRows;
}
llvm::ArrayRef<NativeRow> chainFunctions() {
  return chainRows;
}

} // namespace gluond::evaluate
