#include "driver/program/LayoutExpression.h"

#include "language/parameters/CalledFunctions.h"
#include "layout/named/GluonFields.h"
#include "layout/named/Spelling.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <numeric>
#include <unordered_map>
#include <utility>

namespace gluond::driver {

using syntax::Call;
using syntax::Expr;
using syntax::Node;

std::optional<int64_t> writtenNumber(const Expr* expr) {
  if (auto* constant = llvm::dyn_cast<syntax::Constant>(expr))
    if (constant->constant == syntax::ConstantKind::Int) return constant->integer;
  return std::nullopt;
}

llvm::SmallVector<LayoutArgument, 4> layoutArguments(const layout::Layout& layout) {
  llvm::SmallVector<LayoutArgument, 4> result;
  if (!layout) return result;
  for (const layout::GluonField& field : layout::gluonObject(layout).fields) {
    if (field.isOptional) continue;
    if (auto* list = std::get_if<layout::Numbers>(&field.value))
      result.push_back({field.name, *list});
    else if (auto* number = std::get_if<int64_t>(&field.value))
      result.push_back({field.name, {*number}, false});
    else if (auto* flag = std::get_if<bool>(&field.value))
      result.push_back({field.name, {*flag}, false});
    else
      return {};
  }
  return result;
}

namespace {

using Calls = llvm::SmallVector<const Call*, 4>;

bool matches(const Expr* written, llvm::ArrayRef<int64_t> values, bool isList) {
  if (!isList) {
    auto number = writtenNumber(written);
    return !number || *number == values.front();
  }
  syntax::Exprs elements;
  if (auto* list = llvm::dyn_cast<syntax::List>(written))
    elements = list->elements;
  else if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(written))
    elements = tuple->elements;
  else
    return true; // a name: may be anything
  if (elements.size() != values.size()) return false;
  return llvm::all_of(llvm::zip(elements, values), [](auto pair) {
    auto number = writtenNumber(std::get<0>(pair));
    return !number || *number == std::get<1>(pair);
  });
}

// The class's names in a file: its own, and those it is imported under.
llvm::SmallVector<llvm::StringRef, 2> classNames(const layout::Layout& layout,
                                                 const syntax::SyntaxTree& tree) {
  llvm::SmallVector<llvm::StringRef, 2> result{layout::gluonClass(layout)};
  for (const syntax::Stmt* statement : tree.body())
    if (auto* import = llvm::dyn_cast<syntax::ImportFrom>(statement))
      for (const syntax::Alias& alias : import->names)
        if (alias.asName.name && tree.interner().text(alias.path.back().name) == result.front())
          result.push_back(tree.interner().text(alias.asName.name));
  return result;
}

// Whether the call, which is one of the layout's class, has its arguments.
bool makes(const Call& call, llvm::ArrayRef<LayoutArgument> arguments, Interner& names) {
  if (call.args.size() > arguments.size()) return false;
  bool hasNumber = false;
  auto agrees = [&](const Expr* written, const LayoutArgument& argument) {
    hasNumber |=
        llvm::isa<syntax::List, syntax::Tuple>(written) || writtenNumber(written).has_value();
    return matches(written, argument.values, argument.isList);
  };
  for (auto [i, written] : llvm::enumerate(call.args))
    if (!agrees(written, arguments[i])) return false;
  for (const syntax::Keyword& keyword : call.keywords) {
    const auto* argument = llvm::find_if(arguments, [&](const LayoutArgument& a) {
      return a.name == names.text(keyword.name.name);
    });
    if (argument == arguments.end() || !agrees(keyword.value, *argument)) return false;
  }
  return hasNumber;
}

// ---- Which of several.

void addNames(const Node& node, llvm::SmallVectorImpl<Name>& out) {
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(&node)) out.push_back(name->name);
  syntax::forEachChild(node, [&](const Node& child) { addNames(child, out); });
}

// Which names are assigned from which expressions, and which names these contain.
struct Assignment {
  llvm::SmallVector<Name, 2> targets;
  llvm::SmallVector<Name, 4> read;
  text::Range value;
};
void collect(const Node& node, std::vector<Assignment>& out) {
  auto add = [&](const Expr* target, const Expr* value) {
    if (!value) return;
    Assignment& made = out.emplace_back(Assignment{{}, {}, value->range});
    addNames(*target, made.targets);
    addNames(*value, made.read);
  };
  if (auto* assign = llvm::dyn_cast<syntax::Assign>(&node))
    for (const Expr* target : assign->targets)
      add(target, assign->value);
  else if (auto* annotated = llvm::dyn_cast<syntax::AnnAssign>(&node))
    add(annotated->target, annotated->value);
  else if (auto* augmented = llvm::dyn_cast<syntax::AugAssign>(&node))
    add(augmented->target, augmented->value);
  syntax::forEachChild(node, [&](const Node& child) { collect(child, out); });
}

// None, one or several calls.
class Reached {
public:
  // Returns whether it is more than before.
  bool add(const Call* call) {
    if (isSeveral_ || call == call_) return false;
    isSeveral_ = call_ != nullptr;
    call_ = call;
    return true;
  }
  bool add(const Reached& other) {
    if (!other.isSeveral_) return other.call_ && add(other.call_);
    return !std::exchange(isSeveral_, true);
  }
  void addThoseIn(text::Range range, const Calls& calls) {
    for (const Call* call : calls)
      if (range.begin <= call->range.begin && call->range.end <= range.end) add(call);
  }
  const Call* only() const { return isSeveral_ ? nullptr : call_; }

private:
  const Call* call_ = nullptr;
  bool isSeveral_ = false;
};

// From which of these calls the values of a function's names come, through its assignments.
class Flow {
public:
  Flow(Calls calls, llvm::ArrayRef<Assignment> assignments) : calls_(std::move(calls)) {
    llvm::DenseMap<Name, llvm::SmallVector<size_t, 4>> readers;
    std::vector<Reached> values(assignments.size());
    std::vector<size_t> changed(assignments.size());
    std::iota(changed.begin(), changed.end(), size_t{0});
    for (auto [i, each] : llvm::enumerate(assignments)) {
      values[i].addThoseIn(each.value, calls_);
      for (Name name : each.read)
        readers[name].push_back(i);
    }
    while (!changed.empty()) {
      size_t at = changed.back();
      changed.pop_back();
      for (Name target : assignments[at].targets)
        if (names_[target].add(values[at]))
          for (size_t reader : readers.lookup(target))
            if (values[reader].add(names_[target])) changed.push_back(reader);
    }
  }

  // The call whose value reaches the statement.
  const Call* reaching(const Node& statement) const {
    Reached reached;
    reached.addThoseIn(statement.range, calls_);
    llvm::SmallVector<Name, 8> names;
    addNames(statement, names);
    for (Name name : names)
      if (auto known = names_.find(name); known != names_.end()) reached.add(known->second);
    return reached.only();
  }

private:
  Calls calls_;
  llvm::DenseMap<Name, Reached> names_;
};

const Node* functionAround(const syntax::SyntaxTree& tree, text::Offset at) {
  for (const Node* node : syntax::pathFrom(tree.body(), at))
    if (llvm::isa<syntax::FunctionDef>(node)) return node;
  return nullptr;
}

// The last of them that the program executes before it launches, going by its text.
const Call* lastBefore(const Calls& calls, llvm::ArrayRef<text::Range> launch,
                       const syntax::SyntaxTree& tree) {
  for (text::Range place : llvm::reverse(launch)) {
    const Node* function = functionAround(tree, place.begin);
    const Call* found = nullptr;
    for (const Call* call : calls)
      if (call->range.begin < place.end && functionAround(tree, call->range.begin) == function &&
          (!found || found->range.begin < call->range.begin))
        found = call;
    if (found) return found;
  }
  return nullptr;
}

} // namespace

// All calls of one file, and what was asked about them.
class LayoutExpressions::InFile {
public:
  explicit InFile(const syntax::SyntaxTree& tree) : tree_(tree) {
    for (const syntax::Stmt* statement : tree.body())
      read(*statement);
  }

  const syntax::SyntaxTree& tree() const { return tree_; }

  const Call* find(const layout::Layout& layout, text::Offset at,
                   llvm::ArrayRef<text::Range> launch) {
    const OfLayout& all = of(layout);
    const Node* statement = nullptr;
    for (const Node* node : syntax::pathFrom(tree_.body(), at)) {
      if (!statement && llvm::isa<syntax::Stmt>(node)) statement = node;
      if (!llvm::isa<syntax::FunctionDef>(node)) continue;
      Calls calls = within(all, *node);
      if (calls.size() == 1) return calls.front();
      if (!calls.empty()) return flow(layout, calls, *node).reaching(*statement);
    }
    Calls calls = all.calls;
    return calls.size() == 1 ? calls.front() : lastBefore(calls, launch, tree_);
  }

  bool isOnly(const layout::Layout& layout) { return of(layout).calls.size() == 1; }

private:
  struct Hash {
    size_t operator()(const layout::Layout& layout) const { return layout.hash(); }
  };
  struct OfLayout {
    Calls calls;
    llvm::SmallVector<size_t, 4> places;                      // in calls_
    llvm::DenseMap<const Node*, std::unique_ptr<Flow>> flows; // by function
  };

  void read(const Node& node) {
    size_t first = calls_.size();
    if (auto* call = llvm::dyn_cast<Call>(&node)) {
      calls_.push_back(call);
      names_.push_back(language::calledName(call->func, tree_.interner()));
    }
    syntax::forEachChild(node, [&](const Node& child) { read(child); });
    if (llvm::isa<syntax::FunctionDef>(node)) functions_[&node] = {first, calls_.size()};
  }

  OfLayout& of(const layout::Layout& layout) {
    auto [known, isNew] = layouts_.try_emplace(layout);
    auto arguments = layoutArguments(layout);
    if (!isNew || arguments.empty()) return known->second;
    auto classes = classNames(layout, tree_);
    for (auto [i, call] : llvm::enumerate(calls_)) {
      if (!llvm::is_contained(classes, names_[i]) || !makes(*call, arguments, tree_.interner()))
        continue;
      known->second.calls.push_back(call);
      known->second.places.push_back(i);
    }
    return known->second;
  }

  Calls within(const OfLayout& all, const Node& function) const {
    auto [begin, end] = functions_.lookup(&function);
    size_t first = static_cast<size_t>(llvm::lower_bound(all.places, begin) - all.places.begin()),
           last = static_cast<size_t>(llvm::lower_bound(all.places, end) - all.places.begin());
    return Calls(all.calls.begin() + first, all.calls.begin() + last);
  }

  const Flow& flow(const layout::Layout& layout, const Calls& calls, const Node& function) {
    std::unique_ptr<Flow>& made = of(layout).flows[&function];
    if (made) return *made;
    auto [assignments, isNew] = assignments_.try_emplace(&function);
    if (isNew) collect(function, assignments->second);
    made = std::make_unique<Flow>(calls, assignments->second);
    return *made;
  }

  const syntax::SyntaxTree& tree_;
  std::vector<const Call*> calls_;     // those within a function follow each other
  std::vector<llvm::StringRef> names_; // what each calls
  llvm::DenseMap<const Node*, std::pair<size_t, size_t>> functions_; // their calls
  llvm::DenseMap<const Node*, std::vector<Assignment>> assignments_;
  std::unordered_map<layout::Layout, OfLayout, Hash> layouts_;
};

LayoutExpressions::LayoutExpressions() = default;
LayoutExpressions::~LayoutExpressions() = default;

LayoutExpressions::InFile& LayoutExpressions::in(const syntax::SyntaxTree& tree) {
  auto known = llvm::find_if(files_, [&](const auto& each) { return &each->tree() == &tree; });
  if (known != files_.end()) return **known;
  return *files_.emplace_back(std::make_unique<InFile>(tree));
}

const Call* LayoutExpressions::find(const layout::Layout& layout, text::Offset at,
                                    llvm::ArrayRef<text::Range> launch,
                                    const syntax::SyntaxTree& tree) {
  return in(tree).find(layout, at, launch);
}

bool LayoutExpressions::isOnly(const layout::Layout& layout, const syntax::SyntaxTree& tree) {
  return in(tree).isOnly(layout);
}

} // namespace gluond::driver
