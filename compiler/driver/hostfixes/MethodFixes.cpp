#include "driver/hostfixes/MethodFixes.h"

#include "language/parameters/CalledFunctions.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gluond::driver {

using namespace syntax;

namespace {

struct FunctionToMethod {
  llvm::StringLiteral function, method;
  llvm::StringLiteral maker;  // makes the value from what the function's first parameters describe
  llvm::StringLiteral reader; // a method of the value that takes the function's result
  // Of the function. The method has those after the first `described` ones.
  std::array<llvm::StringLiteral, 5> parameters;
  size_t described;
  llvm::StringLiteral implied; // what the first of these is when it is left out: a call
};

constexpr FunctionToMethod rows[] = {
    {"get_tmem_reg_layout",
     "get_reg_layout",
     "allocate_tensor_memory",
     "load",
     {"element_ty", "shape", "layout", "num_warps", "instr_variant"},
     3,
     "num_warps"},
};

class Rewriter {
public:
  Rewriter(const SyntaxTree& tree, const FunctionToMethod& row) : tree_(tree), row_(row) {}

  // Returns the edit for a use of the function, or nullopt if the value is not known.
  std::optional<text::Edit> edit(const NameExpr& use) const {
    auto path = pathTo(tree_.body(), use.range.begin);
    while (!path.empty() && path.back() != &use)
      path.pop_back();
    if (path.size() < 2) return std::nullopt;
    const auto* call = llvm::dyn_cast<Call>(path[path.size() - 2]);
    auto function = llvm::find_if(llvm::reverse(path),
                                  [](const Node* node) { return llvm::isa<FunctionDef>(node); });
    if (!call || call->func != &use || function == path.rend()) return std::nullopt;
    auto arguments = argumentsOf(*call, row_.parameters);
    if (!arguments) return std::nullopt;
    const Expr* value = valueOf(llvm::cast<FunctionDef>(**function), *call, *arguments,
                                path.size() > 2 ? path[path.size() - 3] : nullptr);
    if (!value) return std::nullopt;
    llvm::SmallVector<std::string, 2> given;
    for (size_t i = row_.described; i < arguments->size(); ++i) {
      const Expr* argument = (*arguments)[i];
      if (argument && !(i == row_.described && isImplied(*argument)))
        given.push_back((row_.parameters[i] + "=").str() + textOf(*argument).str());
    }
    return text::Edit{call->range, (textOf(*value) + "." + row_.method + "(").str() +
                                       llvm::join(given, ", ") + ")"};
  }

private:
  using Arguments = std::vector<const Expr*>; // by parameter; null if there is none

  llvm::StringRef textOf(const Node& node) const { return tree_.source().slice(node.range); }
  llvm::StringRef nameOf(Name name) const { return tree_.interner().text(name); }

  llvm::StringRef calledName(const Expr* expr) const { // "" if it is no call
    const auto* call = llvm::dyn_cast_or_null<Call>(expr);
    return call ? language::calledName(call->func, tree_.interner()) : "";
  }
  bool isImplied(const Expr& argument) const {
    const auto* call = llvm::dyn_cast<Call>(&argument);
    return call && call->args.empty() && call->keywords.empty() && calledName(call) == row_.implied;
  }

  // Nullopt if an argument is of none of the parameters, or a starred one.
  std::optional<Arguments> argumentsOf(const Call& call,
                                       llvm::ArrayRef<llvm::StringLiteral> parameters) const {
    Arguments arguments(parameters.size());
    if (call.args.size() > parameters.size()) return std::nullopt;
    for (auto [i, argument] : llvm::enumerate(call.args)) {
      if (llvm::isa<Starred>(argument)) return std::nullopt;
      arguments[i] = argument;
    }
    for (const Keyword& keyword : call.keywords) {
      auto at = llvm::find(parameters, nameOf(keyword.name.name));
      if (at == parameters.end()) return std::nullopt;
      arguments[static_cast<size_t>(at - parameters.begin())] = keyword.value;
    }
    return arguments;
  }

  // The text without blanks, tuples as lists.
  std::string plain(const Expr* expr) const {
    std::string text;
    for (char c : expr ? textOf(*expr) : "")
      if (!llvm::isSpace(c)) text += c == '(' ? '[' : c == ')' ? ']' : c;
    return text;
  }

  // Whether the name, or the name that the members are of, has a value before `place`.
  bool isBound(const FunctionDef& function, const Expr& value, text::Offset place) const {
    const Expr* owner = &value;
    while (const auto* member = llvm::dyn_cast<syntax::Attribute>(owner))
      owner = member->value;
    const auto* name = llvm::dyn_cast<NameExpr>(owner);
    if (!name) return false;
    if (llvm::any_of(function.parameters,
                     [&](const Parameter& each) { return each.name.name == name->name; }))
      return true;
    bool isAssigned = false;
    for (const Stmt* stmt : function.body)
      walk(stmt, [&](const Node* node) {
        const auto* assign = llvm::dyn_cast<Assign>(node);
        if (assign && assign->range.end <= place)
          for (const Expr* target : assign->targets)
            walk(target, [&](const Node* part) {
              const auto* bound = llvm::dyn_cast<NameExpr>(part);
              isAssigned |= bound && bound->name == name->name;
              return !llvm::isa<syntax::Attribute, Subscript>(part);
            });
        return true;
      });
    return isAssigned;
  }

  // Returns the value whose method is meant: the one that is read with the result, or that was made
  // from the same arguments. `around` is the node around the call.
  const Expr* valueOf(const FunctionDef& function, const Call& call, const Arguments& arguments,
                      const Node* around) const {
    Name result;
    if (const auto* assign = llvm::dyn_cast_or_null<Assign>(around);
        assign && assign->targets.size() == 1)
      if (const auto* target = llvm::dyn_cast<NameExpr>(assign->targets.front()))
        result = target->name;
    if (const auto* assign = llvm::dyn_cast_or_null<AnnAssign>(around))
      if (const auto* target = llvm::dyn_cast<NameExpr>(assign->target)) result = target->name;
    auto isResult = [&](const Expr* expr) {
      const auto* name = llvm::dyn_cast<NameExpr>(expr);
      return expr == &call || (result && name && name->name == result);
    };
    const Expr* found = nullptr;
    auto take = [&](const Expr* value) {
      if (!found && value && isBound(function, *value, call.range.begin)) found = value;
    };
    for (const Stmt* stmt : function.body)
      walk(stmt, [&](const Node* node) {
        if (const auto* read = llvm::dyn_cast<Call>(node)) {
          const auto* member = llvm::dyn_cast<syntax::Attribute>(read->func);
          bool takesIt =
              llvm::any_of(read->args, isResult) ||
              llvm::any_of(read->keywords, [&](auto& each) { return isResult(each.value); });
          if (member && nameOf(member->attribute.name) == row_.reader && takesIt)
            take(member->value);
        } else if (const auto* assign = llvm::dyn_cast<Assign>(node)) {
          if (assign->targets.size() == 1 && llvm::isa<NameExpr>(assign->targets.front()) &&
              calledName(assign->value) == row_.maker &&
              isMadeFrom(llvm::cast<Call>(*assign->value), arguments))
            take(assign->targets.front());
        }
        return true;
      });
    return found;
  }
  bool isMadeFrom(const Call& maker, const Arguments& arguments) const {
    for (size_t i = 0; i < row_.described; ++i) {
      const Expr* other = i < maker.args.size() ? maker.args[i] : nullptr;
      for (const Keyword& keyword : maker.keywords)
        if (nameOf(keyword.name.name) == row_.parameters[i]) other = keyword.value;
      if (!arguments[i] || !other || plain(other) != plain(arguments[i])) return false;
    }
    return true;
  }

  const SyntaxTree& tree_;
  const FunctionToMethod& row_;
};

} // namespace

std::optional<text::Edit> withoutName(const SyntaxTree& tree, const ImportFrom& import,
                                      text::Range name) {
  auto at = llvm::find_if(import.names, [&](const Alias& alias) {
    return !alias.path.empty() && alias.path.front().range.begin == name.begin;
  });
  if (at == import.names.end()) return std::nullopt;
  auto endOf = [](const Alias& alias) {
    return alias.asName.name ? alias.asName.range.end : alias.path.back().range.end;
  };
  if (import.names.size() == 1) {
    const text::SourceText& source = tree.source();
    uint32_t first = source.lineOf(import.range.begin), last = source.lineOf(import.range.end);
    text::Offset begin = source.lineStart(first);
    if (begin != import.range.begin || last + 1 >= source.lineCount()) return std::nullopt;
    return text::Edit{{begin, source.lineStart(last + 1)}, ""};
  }
  // With the comma on the side where the line goes on.
  auto lineOf = [&](text::Offset place) { return tree.source().lineOf(place); };
  auto next = std::next(at);
  bool isLast = next == import.names.end();
  if (at != import.names.begin() &&
      (isLast || lineOf(next->path.front().range.begin) != lineOf(name.begin)))
    return text::Edit{{endOf(*std::prev(at)), endOf(*at)}, ""};
  return text::Edit{{name.begin, next->path.front().range.begin}, ""};
}

std::vector<text::Edit> callsOfMethod(const SyntaxTree& tree, const ImportFrom& import,
                                      text::Range name, llvm::StringRef function, Name bound) {
  const auto* row =
      llvm::find_if(rows, [&](const FunctionToMethod& each) { return each.function == function; });
  if (row == std::end(rows)) return {};
  auto removal = withoutName(tree, import, name);
  if (!removal) return {};
  std::vector<text::Edit> edits{*removal};
  Rewriter rewriter(tree, *row);
  bool isWhole = true;
  for (const Stmt* stmt : tree.body())
    walk(stmt, [&](const Node* node) {
      const auto* use = llvm::dyn_cast<NameExpr>(node);
      if (!use || use->name != bound) return true;
      auto edit = rewriter.edit(*use);
      if (edit)
        edits.push_back(std::move(*edit));
      else
        isWhole = false;
      return true;
    });
  return isWhole ? edits : std::vector<text::Edit>();
}

} // namespace gluond::driver
