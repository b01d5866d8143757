#include "evaluate/interpreter/BranchChanges.h"

#include "evaluate/interpreter/NativeTables.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

// Copies of larger containers would cost more than they are worth; a branch's changes of these are
// taken as made.
constexpr size_t mostCopied = 256;

template <typename... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

const void* addressOf(Changeable object) {
  return std::visit([](const auto* each) { return static_cast<const void*>(each); }, object);
}

size_t sizeOf(Changeable object) {
  return std::visit(Overloaded{[](const Scope* scope) { return scope->size(); },
                               [](const auto* container) { return container->items.size(); }},
                    object);
}

void joinScopes(Interpreter& in, Scope& scope, const Scope::State& other) {
  llvm::DenseMap<Name, Value> others;
  for (auto [name, value] : other.elements())
    others[name] = value;
  for (auto [name, value] : scope.snapshot()) {
    auto found = others.find(name);
    Value theirs = found == others.end() ? Value::absent() : found->second;
    if (!theirs.isAbsent() || !value.isAbsent()) scope.set(name, either(in, theirs, value));
  }
  for (auto [name, value] : other.elements())
    if (!value.isAbsent() && !scope.contains(name)) scope.set(name, Value::unknown());
}

void joinLists(Interpreter& in, ListObject& list, const ListContents& other) {
  if (list.items.size() != other.items.size() || other.isUncertain) list.uncertain = true;
  for (size_t i = 0; i < other.items.size(); ++i)
    if (i < list.items.size())
      list.items.set(i, either(in, other.items[i], list.items[i]));
    else
      list.items.push_back(Value::unknown());
  for (size_t i = other.items.size(); i < list.items.size(); ++i)
    list.items.set(i, Value::unknown());
}

// The items of one state, by key. Both states hold the same objects as keys, so that no key needs
// the program's own comparison, which could run its code.
class ByKey {
public:
  explicit ByKey(const language::DictItems& items) {
    for (auto [key, value] : items)
      if (key.is(ValueKind::Str))
        texts_[key.as<StrObject>()->text] = value;
      else
        others_.push_back({key, value});
  }
  // Returns Absent if there is no such key.
  Value get(Value key) const {
    if (key.is(ValueKind::Str)) {
      auto found = texts_.find(key.as<StrObject>()->text);
      return found == texts_.end() ? Value::absent() : found->second;
    }
    // Most keys are asked for in their order.
    for (size_t i = 0; i < others_.size(); ++i) {
      size_t at = (next_ + i) % others_.size();
      if (!others_[at].key.identical(key)) continue;
      next_ = at + 1;
      return others_[at].value;
    }
    return Value::absent();
  }

private:
  llvm::DenseMap<llvm::StringRef, Value> texts_;
  std::vector<language::DictItems::Element> others_;
  mutable size_t next_ = 0;
};

void joinDicts(Interpreter& in, DictObject& dict, const DictContents& other) {
  if (other.isUncertain) dict.uncertain = true;
  ByKey theirs(other.items), ours(dict.items);
  dict.items.rewrite([&](language::DictItems::Element item) {
    Value value = theirs.get(item.key);
    if (value.isAbsent()) dict.uncertain = true;
    return language::DictItems::Element{item.key, value.isAbsent() ? Value::unknown()
                                                                   : either(in, value, item.value)};
  });
  for (auto [key, value] : other.items) {
    if (!ours.get(key).isAbsent()) continue;
    dict.uncertain = true;
    if (auto* text = key.as<StrObject>())
      dict.items.insert(key, Value::unknown(), language::textHash(text->text));
  }
}

} // namespace

Value either(Interpreter& in, Value a, Value b) {
  if (a.identical(b) && a.isConstexpr() == b.isConstexpr()) return b;
  bool isSame = a.is(ValueKind::Str) && b.is(ValueKind::Str) && in.equal(a, b).value_or(false);
  return isSame ? b : Value::unknown();
}

Contents contentsOf(Changeable object) {
  return std::visit(Overloaded{[](const Scope* scope) -> Contents { return scope->save(); },
                               [](const ListObject* list) -> Contents {
                                 return ListContents{list->items.snapshot(), list->uncertain};
                               },
                               [](const DictObject* dict) -> Contents {
                                 return DictContents{dict->items, dict->uncertain};
                               }},
                    object);
}

size_t bytesOf(const StateOf& state) {
  constexpr size_t perValue = 48; // with its name or key, and its part of a hash table
  size_t values =
      std::visit(Overloaded{[](const Scope::State& scope) { return scope.elements().size(); },
                            [](const auto& container) -> size_t { return container.items.size(); }},
                 state.contents);
  return sizeof(StateOf) + values * perValue;
}

void restore(const StateOf& state) {
  std::visit(
      Overloaded{[&](Scope* scope) { scope->restore(std::get<Scope::State>(state.contents)); },
                 [&](ListObject* list) {
                   const auto& contents = std::get<ListContents>(state.contents);
                   list->items.assign(contents.items);
                   list->uncertain = contents.isUncertain;
                 },
                 [&](DictObject* dict) {
                   const auto& contents = std::get<DictContents>(state.contents);
                   dict->items.assign(contents.items);
                   dict->uncertain = contents.isUncertain;
                 }},
      state.object);
}

void join(Interpreter& in, const StateOf& other) {
  std::visit(
      Overloaded{
          [&](Scope* scope) { joinScopes(in, *scope, std::get<Scope::State>(other.contents)); },
          [&](ListObject* list) { joinLists(in, *list, std::get<ListContents>(other.contents)); },
          [&](DictObject* dict) { joinDicts(in, *dict, std::get<DictContents>(other.contents)); }},
      other.object);
}

BranchChanges::BranchChanges(Interpreter& in) : in_(in), made_(in.heap().made()) {
  in_.branches_.push_back(this);
  in_.tables_->branchesMade.push_back(made_);
}

void BranchChanges::close() {
  if (!std::exchange(isOpen_, false)) return;
  // Most branches end in the reverse order of their beginning, and very many may be open.
  auto& open = in_.branches_;
  auto found = llvm::find(llvm::reverse(open), this);
  if (found == open.rend()) return;
  auto& made = in_.tables_->branchesMade;
  made.erase(made.begin() + (std::next(found).base() - open.begin()));
  open.erase(std::next(found).base());
  if (open.empty()) in_.tables_->notedAt.clear();
}

void settle(Interpreter& in, PossibleReturns& returns) {
  if (!returns.others) return;
  returns.others->close();
  for (const StateOf& state : returns.others->before())
    join(in, state);
  for (const StateOf& state : returns.states)
    join(in, state);
}

size_t BranchChanges::note(Changeable object) {
  uint64_t made = std::visit([](const auto* each) { return each->serial; }, object);
  size_t size = sizeOf(object);
  if (made > made_ || size > mostCopied) return 0;
  if (!places_.try_emplace(addressOf(object), before_.size()).second) return 0;
  before_.push_back({object, contentsOf(object)});
  return size;
}

// After a `return` that may have happened, a branch runs to the end of its function: there may be
// hundreds, of which only those need to know that began since the object was changed before.
bool Interpreter::noteChange(Changeable object) {
  uint64_t& notedAt = tables_->notedAt[addressOf(object)];
  size_t copied = 0;
  for (size_t i = branches_.size(); i > 0 && tables_->branchesMade[i - 1] >= notedAt; --i)
    copied += branches_[i - 1]->note(object);
  if (sizeOf(object) <= mostCopied) notedAt = heap().made();
  return copied < 16 || spend(copied / 16);
}

bool BranchChanges::has(Changeable object) const {
  return places_.contains(addressOf(object));
}

std::vector<StateOf> BranchChanges::undo() {
  std::vector<StateOf> after;
  for (const StateOf& state : before_) {
    after.push_back({state.object, contentsOf(state.object)});
    restore(state);
  }
  return after;
}

} // namespace gluond::evaluate
