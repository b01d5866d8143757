#include "driver/hostfixes/GridFixes.h"

#include "codegen/builder/Assignments.h"
#include "language/parameters/CalledFunctions.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::FixId;

// The expression of a grid: what is in the brackets, or what the name in them was assigned.
static const syntax::Expr* writtenGrid(const syntax::Expr* grid,
                                       llvm::ArrayRef<const syntax::Node*> path,
                                       const syntax::SyntaxTree& tree) {
  auto* name = llvm::dyn_cast<syntax::NameExpr>(grid);
  if (!name) return grid;
  for (const syntax::Node* node : llvm::reverse(path)) // the innermost function is the last
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node))
      if (auto assigned = codegen::lastAssignment(function->body, name->name, grid->range.begin);
          assigned.value)
        return assigned.value;
  auto assigned = codegen::lastAssignment(tree.body(), name->name, grid->range.begin);
  return assigned.value ? assigned.value : grid;
}

void offerGrid(diagnostics::InFlight& told, llvm::StringRef message,
               const syntax::Subscript& launcher, llvm::ArrayRef<const syntax::Node*> path,
               const language::ModuleObject* module, const syntax::SyntaxTree& tree) {
  const syntax::Expr* grid = writtenGrid(launcher.index, path, tree);
  auto* lambda = llvm::dyn_cast<syntax::Lambda>(grid);
  if (lambda && message.starts_with("<lambda>() takes 0 positional arguments")) {
    constexpr llvm::StringLiteral begin = "lambda";
    auto at = static_cast<text::Offset>(grid->range.begin + begin.size());
    std::string text = "lambda meta";
    told.fix(FixId::TryText, {{{grid->range.begin, at}, text}}, text);
    return;
  }
  if (!message.starts_with("'float' object cannot be interpreted as an integer")) return;
  llvm::SmallVector<const syntax::BinOp*> quotients;
  syntax::walk(grid, [&](const syntax::Node* node) {
    auto* operation = llvm::dyn_cast<syntax::BinOp>(node);
    if (operation && operation->op == syntax::BinaryOp::Div) quotients.push_back(operation);
    return true;
  });
  std::string library;
  for (auto [name, value] : *module->globals)
    if (auto* held = value.as<language::ModuleObject>(); held && held->name == "triton")
      library = tree.interner().text(name).str();
  auto textOf = [&](const syntax::Expr* each) { return tree.source().slice(each->range).str(); };
  // Rounded up, as programs with a mask need it; and down.
  for (bool isUp : {true, false}) {
    std::vector<text::Edit> edits;
    for (const syntax::BinOp* each : quotients)
      edits.push_back({each->range, isUp ? library + ".cdiv(" + textOf(each->left) + ", " +
                                               textOf(each->right) + ")"
                                         : textOf(each->left) + " // " + textOf(each->right)});
    if (edits.empty() || (isUp && library.empty())) continue;
    std::string first = edits.front().text;
    told.fix(FixId::TryText, std::move(edits), first);
  }
}

std::vector<text::Edit> keysOfConfig(const syntax::Call& call, const evaluate::ErrorCause& cause,
                                     llvm::ArrayRef<llvm::StringLiteral> parameters,
                                     const text::SourceText& source, const Interner& names) {
  if (cause.owner != "Config.__init__" || !call.args.empty() ||
      language::calledName(call.func, names) != "Config")
    return {};
  std::string keys, others;
  for (const syntax::Keyword& keyword : call.keywords) {
    llvm::StringRef name = names.text(keyword.name.name);
    if (name.empty() || name == "kwargs") return {};
    std::string value = source.slice(keyword.value->range).str();
    if (llvm::is_contained(parameters, name))
      others += (", " + name + "=" + value).str();
    else
      keys += ((keys.empty() ? "\"" : ", \"") + name + "\": " + value).str();
  }
  if (keys.empty()) return {};
  text::Range range{call.keywords.front().name.range.begin, call.keywords.back().value->range.end};
  return {{range, "{" + keys + "}" + others}};
}

} // namespace gluond::driver
