// The import statements of a file, by place. Internal to driver/.
#pragma once

#include "syntax/SyntaxTree.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace gluond::driver {

// There may be very many.
class ImportStatements {
public:
  explicit ImportStatements(const syntax::SyntaxTree& tree) {
    for (const syntax::Stmt* stmt : tree.body())
      syntax::walk(stmt, [&](const syntax::Node* node) {
        bool isImport = llvm::isa<syntax::Import, syntax::ImportFrom>(node);
        if (isImport) statements_.push_back(node);
        return !isImport && !llvm::isa<syntax::Expr>(node);
      });
  }

  // The statement of this kind around a place; null if there is none.
  template <typename Statement> const Statement* around(text::Range place) const {
    auto after = llvm::partition_point(
        statements_, [&](const syntax::Node* each) { return each->range.begin <= place.begin; });
    if (after == statements_.begin() || (*std::prev(after))->range.end < place.end) return nullptr;
    return llvm::dyn_cast<Statement>(*std::prev(after));
  }

  // The names that are bound for the place of a missing import.
  void boundBy(text::Range place, llvm::function_ref<void(Name)> found) const {
    auto* from = around<syntax::ImportFrom>(place);
    auto* import = around<syntax::Import>(place);
    if (!from && !import) return;
    llvm::ArrayRef<syntax::Alias> names = from ? from->names : import->names;
    auto bind = [&](const syntax::Alias& alias) {
      if (!alias.path.empty()) found(alias.asName.name ? alias.asName.name : alias.path[0].name);
    };
    auto beginsBefore = [&](const syntax::Alias& alias) {
      return alias.path.empty() || alias.path.front().range.begin <= place.begin;
    };
    if (from && !from->module.empty() && from->module.front().range.begin <= place.begin &&
        place.end <= from->module.back().range.end) {
      for (const syntax::Alias& alias : names)
        bind(alias);
      return;
    }
    auto after = llvm::partition_point(names, beginsBefore);
    if (after == names.begin()) return;
    const syntax::Alias& alias = *std::prev(after);
    if (!alias.path.empty() && place.end <= alias.path.back().range.end) bind(alias);
  }

private:
  std::vector<const syntax::Node*> statements_; // none is within another
};

} // namespace gluond::driver
