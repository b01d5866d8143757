#include "syntax/parser/PatternChecks.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::syntax {
namespace {

using diagnostics::Id;
using diagnostics::Reporter;

// The names of a pattern up to some place; those of an alternative also have the names around it.
struct Bound {
  llvm::DenseSet<Name> names;
  const Bound* around = nullptr;

  bool contains(Name name) const {
    for (const Bound* bound = this; bound; bound = bound->around)
      if (bound->names.contains(name)) return true;
    return false;
  }
};

class Checker {
public:
  Checker(const Interner& interner, Reporter& emit) : interner_(interner), emit_(emit) {}

  // Reports that `pattern` always matches, if it does, so that what follows is never reached.
  void mayFail(const Expr* pattern) {
    const NameExpr* name = alwaysMatches(pattern);
    if (!name) return;
    problem(pattern, isWildcard(*name) ? "wildcard makes remaining patterns unreachable"
                                       : "name capture '" + interner_.text(name->name) +
                                             "' makes remaining patterns unreachable");
  }

  void pattern(const Expr* pattern, Bound& bound) {
    switch (pattern->kind) {
    case NodeKind::NameExpr:
      return bind(*llvm::cast<NameExpr>(pattern), bound);
    case NodeKind::NamedExpr: {
      auto* named = llvm::cast<NamedExpr>(pattern);
      this->pattern(named->value, bound);
      return bind(*named->target, bound);
    }
    case NodeKind::BinOp:
      return alternatives(*llvm::cast<BinOp>(pattern), bound);
    case NodeKind::Tuple: {
      unsigned stars = 0;
      for (const Expr* element : llvm::cast<Tuple>(pattern)->elements) {
        auto* star = llvm::dyn_cast<Starred>(element);
        if (star && ++stars == 2) problem(element, "multiple starred names in sequence pattern");
        this->pattern(star ? star->value : element, bound);
      }
      return;
    }
    case NodeKind::Dict: {
      llvm::ArrayRef<DictItem> items = llvm::cast<Dict>(pattern)->items;
      for (const DictItem& item : items) {
        if (!item.key && &item != &items.back())
          problem(item.value, "double star pattern may only be the last of a mapping pattern");
        this->pattern(item.value, bound);
      }
      return;
    }
    case NodeKind::Call: {
      auto* call = llvm::cast<Call>(pattern);
      llvm::DenseSet<Name> attributes;
      for (const Expr* argument : call->args)
        this->pattern(argument, bound);
      for (const Keyword& keyword : call->keywords) {
        if (!attributes.insert(keyword.name.name).second)
          problem(keyword.value,
                  "attribute name repeated in class pattern: " + interner_.text(keyword.name.name));
        this->pattern(keyword.value, bound);
      }
      return;
    }
    case NodeKind::JoinedStr:
      return problem(pattern, "patterns may only match literals and attribute lookups");
    default: // values
      return;
    }
  }

private:
  void problem(const Expr* where, const llvm::Twine& text) {
    emit_(Id::InvalidPattern, where->range, text.str());
  }
  bool isWildcard(const NameExpr& name) const { return interner_.text(name.name) == "_"; }

  void bind(const NameExpr& name, Bound& bound) {
    if (isWildcard(name)) return;
    if (bound.contains(name.name))
      problem(&name, "multiple assignments to name '" + interner_.text(name.name) + "' in pattern");
    bound.names.insert(name.name);
  }

  // The name by which a pattern matches everything, or null.
  static const NameExpr* alwaysMatches(const Expr* pattern) {
    if (auto* name = llvm::dyn_cast<NameExpr>(pattern)) return name;
    if (auto* named = llvm::dyn_cast<NamedExpr>(pattern))
      return alwaysMatches(named->value) ? named->target : nullptr;
    // Of alternatives all but the last are reported where they stand.
    if (auto* either = llvm::dyn_cast<BinOp>(pattern)) return alwaysMatches(either->right);
    return nullptr;
  }

  void alternatives(const BinOp& either, Bound& bound) {
    llvm::SmallVector<const Expr*, 4> all{either.right};
    const Expr* left = either.left;
    for (auto* more = llvm::dyn_cast<BinOp>(left); more; more = llvm::dyn_cast<BinOp>(left)) {
      all.push_back(more->right);
      left = more->left;
    }
    all.push_back(left);
    Bound first;
    for (size_t i = all.size(); i-- > 0;) {
      Bound here;
      here.around = &bound;
      pattern(all[i], here);
      if (i > 0) mayFail(all[i]);
      if (i + 1 == all.size())
        first.names = std::move(here.names);
      else if (here.names != first.names)
        return problem(&either, "alternative patterns bind different names");
    }
    bound.names.insert(first.names.begin(), first.names.end());
  }

  const Interner& interner_;
  Reporter& emit_;
};

} // namespace

void checkPatterns(const Match& match, const Interner& interner, Reporter& emit) {
  Checker checker(interner, emit);
  for (const MatchCase& one : match.cases) {
    Bound bound;
    checker.pattern(one.pattern, bound);
    if (!one.guard && &one != &match.cases.back()) checker.mayFail(one.pattern);
  }
}

} // namespace gluond::syntax
