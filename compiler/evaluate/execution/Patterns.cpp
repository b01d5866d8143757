// match statements.
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/stdlib/StandardModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"
#include "syntax/tree/PatternNames.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using namespace syntax;

Flow Interpreter::execMatch(const Match* stmt) {
  Value subject = eval(stmt->subject);
  if (subject.isAbsent()) return Flow::Raise;
  bool mayHaveMatched = false; // an earlier case, so that it is not known whether this one runs
  for (const MatchCase& one : stmt->cases) {
    Captures captures;
    auto matched = matchPattern(one.pattern, subject, captures);
    if (failed()) {
      if (!mayHaveMatched || isExhausted()) return Flow::Raise;
      dropError();
    }
    if (matched && !*matched) continue;
    for (auto [target, value] : captures)
      if (!assign(target, matched && !mayHaveMatched ? value : Value::unknown()))
        return Flow::Raise;
    if (!matched) // what the rest of the pattern would have bound
      forEachCapture(one.pattern, [&](const NameExpr& name) {
        if (llvm::none_of(captures, [&](auto& each) { return each.first == &name; }))
          assign(&name, Value::unknown());
      });
    if (one.guard) {
      bool mayNotRun = !matched || mayHaveMatched;
      if (mayNotRun) enterUncertain();
      Value guard = eval(one.guard);
      auto known = guard.isAbsent() ? std::nullopt : truth(guard);
      if (mayNotRun) leaveUncertain();
      if (failed()) {
        if (!mayNotRun || isExhausted()) return Flow::Raise;
        dropError();
      }
      if (known && !*known) continue;
      if (!known) matched = std::nullopt;
    }
    if (matched && !mayHaveMatched) return exec(one.body);
    if (Flow flow = execBranches(one.body, {}); flow != Flow::Next) return flow;
    if (matched) break;
    mayHaveMatched = true;
  }
  return Flow::Next;
}

namespace {

// Whether it is certainly neither a sequence nor a mapping.
bool isPlain(Interpreter& in, Value value) {
  switch (value.kind()) {
  case ValueKind::Instance:
    return !isKnownInPart(in, value);
  case ValueKind::None:
  case ValueKind::Ellipsis:
  case ValueKind::Bool:
  case ValueKind::Int:
  case ValueKind::BigInt:
  case ValueKind::Float:
  case ValueKind::Str:
  case ValueKind::Bytes:
  case ValueKind::Function:
  case ValueKind::Class:
  case ValueKind::Type:
  case ValueKind::Enum:
  case ValueKind::Set:
  case ValueKind::Layout:
    return true;
  default:
    return false;
  }
}

} // namespace

std::optional<bool> Interpreter::matchPattern(const Expr* pattern, Value value, Captures& out) {
  if (!spend(1)) return std::nullopt;
  Nesting nesting(*this);
  if (!nesting) return std::nullopt;
  switch (pattern->kind) {
  case NodeKind::NameExpr: {
    auto* name = llvm::cast<NameExpr>(pattern);
    if (text(name->name) != "_") out.push_back({name, value});
    return true;
  }
  case NodeKind::NamedExpr: {
    auto* named = llvm::cast<NamedExpr>(pattern);
    auto matched = matchPattern(named->value, value, out);
    if (!matched || *matched) out.push_back({named->target, value});
    return matched;
  }
  case NodeKind::BinOp: {
    auto* either = llvm::cast<BinOp>(pattern);
    size_t before = out.size();
    auto first = matchPattern(either->left, value, out);
    if (failed() || (first && *first)) return first;
    out.truncate(before);
    auto second = matchPattern(either->right, value, out);
    if (failed()) return std::nullopt;
    if (first) return second;
    for (auto& capture : llvm::drop_begin(out, before))
      capture.second = Value::unknown();
    return std::nullopt;
  }
  case NodeKind::Tuple:
    return matchSequence(llvm::cast<Tuple>(pattern)->elements, value, out);
  case NodeKind::Dict:
    return matchMapping(*llvm::cast<Dict>(pattern), value, out);
  case NodeKind::Call:
    return matchClass(*llvm::cast<Call>(pattern), value, out);
  case NodeKind::ErrorExpr:
    return std::nullopt;
  default: {
    Value wanted = eval(pattern);
    if (wanted.isAbsent()) return std::nullopt;
    if (wanted.is(ValueKind::None) || wanted.is(ValueKind::Bool)) {
      if (pattern->kind == NodeKind::Constant) { // by identity
        if (value.isUnknown()) return std::nullopt;
        return value.identical(wanted);
      }
    }
    return equal(value, wanted);
  }
  }
}

std::optional<bool> Interpreter::matchSequence(Exprs patterns, Value value, Captures& out) {
  if (isPlain(*this, value) || value.is(ValueKind::Dict)) return false;
  if (!value.is(ValueKind::Tuple) && !value.is(ValueKind::List) && !value.is(ValueKind::Range))
    return std::nullopt;
  llvm::SmallVector<Value, 8> items;
  bool uncertain = false;
  if (!unpack(value, items, uncertain) || uncertain) return std::nullopt;
  const auto* star =
      llvm::find_if(patterns, [](const Expr* each) { return llvm::isa<Starred>(each); });
  bool hasStar = star != patterns.end();
  size_t before = static_cast<size_t>(star - patterns.begin());
  size_t after = hasStar ? patterns.size() - before - 1 : 0;
  if (hasStar ? items.size() < before + after : items.size() != before) return false;
  bool known = true;
  auto part = [&](const Expr* each, Value item) { // whether the others are still of interest
    auto matched = matchPattern(each, item, out);
    if (!matched) known = false;
    return !failed() && (!matched || *matched);
  };
  Values all = items;
  for (size_t i = 0; i < before; ++i)
    if (!part(patterns[i], all[i])) return failed() ? std::nullopt : std::optional(false);
  if (hasStar && !part(llvm::cast<Starred>(*star)->value,
                       heap().list(all.slice(before, all.size() - before - after))))
    return std::nullopt;
  for (size_t i = 0; i < after; ++i)
    if (!part(patterns[before + 1 + i], all[all.size() - after + i]))
      return failed() ? std::nullopt : std::optional(false);
  return known ? std::optional(true) : std::nullopt;
}

std::optional<bool> Interpreter::matchMapping(const Dict& pattern, Value value, Captures& out) {
  if (Value inner = hostDict(*this, value); !inner.isAbsent()) value = inner;
  if (isPlain(*this, value) || value.is(ValueKind::Tuple) || value.is(ValueKind::List) ||
      value.is(ValueKind::Range))
    return false;
  auto* dict = value.is(ValueKind::Dict) ? value.as<DictObject>() : nullptr;
  if (!dict) return std::nullopt;
  bool known = true;
  Value taken = heap().dict(); // the keys so far
  for (const DictItem& item : pattern.items) {
    if (!item.key) { // **rest
      auto* rest = heap().make<DictObject>();
      for (auto [key, member] : dict->items.snapshot()) {
        bool isTaken = dictContains(taken.as<DictObject>(), key).value_or(false);
        if (failed() || (!isTaken && !dictSet(rest, key, member))) return std::nullopt;
      }
      rest->uncertain = dict->uncertain;
      Value others = Value::object(ValueKind::Dict, rest);
      if (auto matched = matchPattern(item.value, others, out); !matched) return std::nullopt;
      continue;
    }
    Value key = eval(item.key);
    if (key.isAbsent()) return std::nullopt;
    if (!dictSet(taken.as<DictObject>(), key, key)) return std::nullopt;
    auto has = dictContains(dict, key);
    if (failed()) return std::nullopt;
    if (has && !*has) return false;
    Value member = dictGet(dict, key);
    if (failed()) return std::nullopt;
    if (!has || member.isAbsent()) known = false;
    auto matched = matchPattern(item.value, member.isAbsent() ? Value::unknown() : member, out);
    if (failed()) return std::nullopt;
    if (!matched) known = false;
    if (matched && !*matched) return known ? std::optional(false) : std::nullopt;
  }
  return known ? std::optional(true) : std::nullopt;
}

std::optional<bool> Interpreter::matchClass(const Call& pattern, Value value, Captures& out) {
  Value cls = eval(pattern.func);
  if (cls.isAbsent()) return std::nullopt;
  auto fits = isInstance(value, cls);
  if (failed()) return std::nullopt;
  if (fits && !*fits) return false;
  bool known = fits.has_value();
  auto part = [&](const Expr* each, Value member) {
    auto matched = matchPattern(each, member, out);
    if (!matched) known = false;
    return !failed() && (!matched || *matched);
  };
  auto result = [&] { return failed() || !known ? std::nullopt : std::optional(false); };
  auto* object = cls.as<ClassObject>();
  bool isProgramClass = object && cls.is(ValueKind::Class) && !object->native;
  llvm::SmallVector<Value, 4> names; // of the members that stand for the arguments by position
  if (isProgramClass) {
    Value given = lookupAttribute(cls, name("__match_args__"));
    if (given.is(ValueKind::Tuple))
      names.append(given.as<TupleObject>()->items.begin(), given.as<TupleObject>()->items.end());
    else
      for (const ClassObject::Field& field : object->fields)
        if (field.isInInit && !field.isKeywordOnly) names.push_back(string(text(field.name)));
  }
  for (auto [i, each] : llvm::enumerate(pattern.args)) {
    Value member = Value::unknown();
    if (!isProgramClass && pattern.args.size() == 1 && cls.is(ValueKind::Class)) {
      member = value; // int(n), str(s)
    } else if (i < names.size() && names[i].is(ValueKind::Str) && fits) {
      member = getAttribute(value, name(names[i].as<StrObject>()->text));
      if (member.isAbsent() && !catchError("AttributeError")) return std::nullopt;
      if (member.isAbsent()) return false;
    }
    if (!part(each, member)) return result();
  }
  for (const Keyword& keyword : pattern.keywords) {
    Value member = fits ? lookupAttribute(value, keyword.name.name) : Value::unknown();
    if (failed()) return std::nullopt;
    if (member.isAbsent()) return false;
    if (!part(keyword.value, member)) return result();
  }
  return known ? std::optional(true) : std::nullopt;
}

} // namespace gluond::evaluate
