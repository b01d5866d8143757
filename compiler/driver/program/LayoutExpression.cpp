#include "driver/program/LayoutExpression.h"

#include "language/parameters/CalledFunctions.h"
#include "layout/named/GluonFields.h"
#include "layout/named/Spelling.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

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

bool makes(const Call& call, llvm::ArrayRef<llvm::StringRef> classes,
           llvm::ArrayRef<LayoutArgument> arguments, Interner& names) {
  if (!llvm::is_contained(classes, language::calledName(call.func, names))) return false;
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

void findCalls(const Node& node, llvm::ArrayRef<llvm::StringRef> classes,
               llvm::ArrayRef<LayoutArgument> arguments, Interner& names, Calls& out) {
  if (auto* call = llvm::dyn_cast<Call>(&node); call && makes(*call, classes, arguments, names))
    out.push_back(call);
  syntax::forEachChild(
      node, [&](const Node& child) { findCalls(child, classes, arguments, names, out); });
}

// ---- Which of several.

void addNames(const Node& node, llvm::DenseSet<Name>& out) {
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(&node)) out.insert(name->name);
  syntax::forEachChild(node, [&](const Node& child) { addNames(child, out); });
}

// Which name is assigned from which expressions, in the order of the text.
struct Assignment {
  llvm::DenseSet<Name> targets;
  const Expr* value;
};
void collect(const Node& node, std::vector<Assignment>& out) {
  auto add = [&](const Expr* target, const Expr* value) {
    if (!value) return;
    Assignment& made = out.emplace_back(Assignment{{}, value});
    addNames(*target, made.targets);
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

// The call whose value reaches `statement` through the assignments of its function.
const Call* reaching(const Calls& calls, const Node& function, const Node& statement) {
  std::vector<Assignment> assignments;
  collect(function, assignments);
  llvm::DenseSet<Name> names;
  addNames(statement, names);
  llvm::SmallPtrSet<const Expr*, 16> values;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Assignment& each : assignments)
      if (llvm::any_of(each.targets, [&](Name name) { return names.contains(name); }) &&
          values.insert(each.value).second) {
        addNames(*each.value, names);
        grows = true;
      }
  }
  const Call* found = nullptr;
  for (const Call* call : calls) {
    auto holds = [&](text::Range range) {
      return range.begin <= call->range.begin && call->range.end <= range.end;
    };
    if (!holds(statement.range) &&
        llvm::none_of(values, [&](const Expr* value) { return holds(value->range); }))
      continue;
    if (found) return nullptr;
    found = call;
  }
  return found;
}

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

const Call* layoutExpression(const layout::Layout& layout, text::Offset at,
                             llvm::ArrayRef<text::Range> launch, const syntax::SyntaxTree& tree) {
  auto arguments = layoutArguments(layout);
  if (arguments.empty()) return nullptr;
  auto classes = classNames(layout, tree);
  Calls calls;
  const Node* statement = nullptr;
  for (const Node* node : syntax::pathFrom(tree.body(), at)) {
    if (!statement && llvm::isa<syntax::Stmt>(node)) statement = node;
    if (!llvm::isa<syntax::FunctionDef>(node)) continue;
    findCalls(*node, classes, arguments, tree.interner(), calls);
    if (calls.size() == 1) return calls.front();
    if (!calls.empty()) return reaching(calls, *node, *statement);
  }
  for (const syntax::Stmt* each : tree.body())
    findCalls(*each, classes, arguments, tree.interner(), calls);
  return calls.size() == 1 ? calls.front() : lastBefore(calls, launch, tree);
}

llvm::SmallVector<const Call*, 4> layoutExpressions(const layout::Layout& layout,
                                                    const syntax::SyntaxTree& tree) {
  Calls calls;
  auto arguments = layoutArguments(layout);
  auto classes = classNames(layout, tree);
  if (!arguments.empty())
    for (const syntax::Stmt* each : tree.body())
      findCalls(*each, classes, arguments, tree.interner(), calls);
  return calls;
}

} // namespace gluond::driver
