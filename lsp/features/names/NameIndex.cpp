#include "lsp/features/names/NameIndex.h"

#include "syntax/tree/Children.h"
#include "syntax/tree/PatternNames.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gluond::lsp {

using namespace syntax;

// Works in two passes: the first opens scopes and binds names, the second resolves uses. A use is
// resolved when all bindings of its scope are known, because Python binds a name for the whole
// function wherever the assignment is.
class NameIndexBuilder {
public:
  explicit NameIndexBuilder(NameIndex& index) : index_(index) {}

  void run(const SyntaxTree& tree) {
    openScope({0, tree.source().size()}, false);
    for (const Stmt* stmt : tree.body())
      visit(*stmt);
    size_t bindings = index_.occurrences_.size();
    index_.occurrences_.reserve(bindings + uses_.size() + keywords_.size());
    for (const Use& use : uses_)
      resolve(use);
    for (const KeywordUse& use : keywords_)
      resolveKeyword(use);
    sortByPlace(bindings);
    // `x += 1` and `for` dry runs mention one place twice; the binding is kept.
    auto same = [](const Occurrence& a, const Occurrence& b) { return a.range == b.range; };
    index_.occurrences_.erase(
        std::unique(index_.occurrences_.begin(), index_.occurrences_.end(), same),
        index_.occurrences_.end());
    for (const Occurrence& each : index_.occurrences_)
      if (Entity& entity = index_.entities_[each.entity]; each.binds && entity.bindings++ == 0)
        entity.first = each.range;
    index_.sortScopes();
    index_.sortUses();
    for (NameIndex::Scope& scope : index_.scopes_) {
      constexpr size_t few = 16;
      if (scope.entities.size() <= few) continue;
      scope.byName = scope.entities;
      llvm::sort(scope.byName, [&](uint32_t a, uint32_t b) {
        return index_.entities_[a].name < index_.entities_[b].name;
      });
    }
  }

private:
  static constexpr uint32_t none = ~0u;
  struct Use {
    Name name;
    text::Range range;
    uint32_t scope;
    bool binds;
  };
  struct KeywordUse {
    const Call* call;
    Identifier name;
    uint32_t scope;
  };

  // Bindings and uses are each nearly sorted: a target comes after its value, a name after its
  // decorators.
  void sortByPlace(size_t bindings) {
    auto before = [](const Occurrence& a, const Occurrence& b) {
      return std::pair(a.range.begin, !a.binds) < std::pair(b.range.begin, !b.binds);
    };
    auto begin = index_.occurrences_.begin(), middle = begin + static_cast<ptrdiff_t>(bindings),
         end = index_.occurrences_.end();
    for (auto [first, last] : {std::pair(begin, middle), std::pair(middle, end)})
      sortNearlySorted(first, last, before);
    std::vector<Occurrence> sorted(index_.occurrences_.size(), Occurrence{});
    std::merge(begin, middle, middle, end, sorted.begin(), before);
    index_.occurrences_ = std::move(sorted);
  }
  // By insertion, as long as that takes few steps.
  template <typename Iterator, typename Before>
  static void sortNearlySorted(Iterator first, Iterator last, Before before) {
    auto steps = 16 * (last - first);
    for (Iterator each = first; each != last; ++each) {
      auto value = *each;
      Iterator at = each;
      for (; at != first && before(value, at[-1]); --at, --steps)
        *at = at[-1];
      *at = value;
      if (steps < 0) return std::sort(first, last, before);
    }
  }

  uint32_t openScope(text::Range range, bool isClass) {
    uint32_t scope = static_cast<uint32_t>(index_.scopes_.size());
    index_.scopes_.push_back({range, scope_, isClass, {}, {}});
    names_.emplace_back();
    redirects_.emplace_back();
    return scope_ = scope;
  }

  // ------------------------------------------------------------- binding
  uint32_t bindIn(uint32_t scope, Name name, EntityKind kind, const Node* node,
                  const Alias* alias) {
    auto [it, isNew] =
        names_[scope].try_emplace(name, static_cast<uint32_t>(index_.entities_.size()));
    if (isNew) {
      index_.entities_.push_back({name, kind, node, alias, scope});
      index_.scopes_[scope].entities.push_back(it->second);
    } else if (Entity& entity = index_.entities_[it->second]; entity.kind == EntityKind::Variable) {
      entity = {name, kind, node, alias, scope};
    }
    return it->second;
  }
  void bind(Identifier identifier, EntityKind kind, const Node* node = nullptr,
            const Alias* alias = nullptr) {
    if (!identifier.name) return;
    // A comprehension's `:=` binds in the function around it; global and nonlocal somewhere else.
    if (redirects_[scope_].contains(identifier.name)) {
      uses_.push_back({identifier.name, identifier.range, scope_, true});
      if (redirects_[scope_][identifier.name] == 0) bindIn(0, identifier.name, kind, node, alias);
      return;
    }
    uint32_t entity = bindIn(scope_, identifier.name, kind, node, alias);
    index_.occurrences_.push_back({identifier.range, entity, true, false});
  }
  void bindTargets(Exprs targets) {
    for (const Expr* target : targets)
      bindTarget(target);
  }
  void bindTarget(const Expr* target) {
    if (!target) return;
    if (auto* name = llvm::dyn_cast<NameExpr>(target))
      return bind({name->name, name->range}, EntityKind::Variable);
    if (auto* tuple = llvm::dyn_cast<Tuple>(target)) return bindTargets(tuple->elements);
    if (auto* list = llvm::dyn_cast<List>(target)) return bindTargets(list->elements);
    if (auto* starred = llvm::dyn_cast<Starred>(target)) return bindTarget(starred->value);
    visit(*target); // a.b = ..., a[i] = ...
  }

  // ------------------------------------------------------------- walking
  void children(const Node& node) {
    forEachChild(node, [&](const Node& child) { visit(child); });
  }
  void visitAll(Exprs exprs) {
    for (const Expr* expr : exprs)
      visit(*expr);
  }
  void visitBody(Stmts body) {
    for (const Stmt* stmt : body)
      visit(*stmt);
  }
  void visitOptional(const Node* node) {
    if (node) visit(*node);
  }

  void parametersOutside(llvm::ArrayRef<Parameter> parameters) {
    for (const Parameter& parameter : parameters) {
      visitOptional(parameter.annotation);
      visitOptional(parameter.defaultValue);
    }
  }
  void parametersInside(llvm::ArrayRef<Parameter> parameters) {
    for (const Parameter& parameter : parameters)
      bind(parameter.name, EntityKind::Parameter);
  }

  void visit(const Node& node) {
    uint32_t outer = scope_;
    switch (node.kind) {
    case NodeKind::NameExpr: {
      auto& name = llvm::cast<NameExpr>(node);
      uses_.push_back({name.name, name.range, scope_, false});
      return;
    }
    case NodeKind::FunctionDef: {
      auto& def = llvm::cast<FunctionDef>(node);
      visitAll(def.decorators);
      parametersOutside(def.parameters);
      visitOptional(def.returns);
      bind(def.name, EntityKind::Function, &def);
      openScope(def.range, false);
      functionScopes_[&def] = scope_;
      parametersInside(def.parameters);
      declareRedirects(def.body);
      visitBody(def.body);
      break;
    }
    case NodeKind::Lambda: {
      auto& lambda = llvm::cast<Lambda>(node);
      parametersOutside(lambda.parameters);
      openScope(lambda.range, false);
      parametersInside(lambda.parameters);
      visit(*lambda.body);
      break;
    }
    case NodeKind::ClassDef: {
      auto& def = llvm::cast<ClassDef>(node);
      visitAll(def.decorators);
      visitAll(def.bases);
      for (const Keyword& keyword : def.keywords)
        visit(*keyword.value);
      bind(def.name, EntityKind::Class, &def);
      openScope(def.range, true);
      visitBody(def.body);
      break;
    }
    case NodeKind::Comprehension: {
      auto& comprehension = llvm::cast<Comprehension>(node);
      if (!comprehension.generators.empty()) visit(*comprehension.generators.front().iter);
      openScope(comprehension.range, false);
      comprehensions_.push_back(scope_);
      for (const Generator& generator : comprehension.generators) {
        bindTarget(generator.target);
        if (&generator != comprehension.generators.begin()) visit(*generator.iter);
        visitAll(generator.conditions);
      }
      visit(*comprehension.element);
      visitOptional(comprehension.value);
      comprehensions_.pop_back();
      break;
    }
    case NodeKind::NamedExpr: {
      auto& named = llvm::cast<NamedExpr>(node);
      visit(*named.value);
      while (llvm::is_contained(comprehensions_, scope_))
        scope_ = index_.scopes_[scope_].parent;
      bindTarget(named.target);
      break;
    }
    case NodeKind::Assign: {
      auto& assign = llvm::cast<Assign>(node);
      visit(*assign.value);
      for (const Expr* target : assign.targets)
        bindTarget(target);
      return;
    }
    case NodeKind::AugAssign: {
      auto& assign = llvm::cast<AugAssign>(node);
      visit(*assign.value);
      bindTarget(assign.target);
      return;
    }
    case NodeKind::AnnAssign: {
      auto& assign = llvm::cast<AnnAssign>(node);
      visit(*assign.annotation);
      visitOptional(assign.value);
      bindTarget(assign.target);
      return;
    }
    case NodeKind::For: {
      auto& loop = llvm::cast<For>(node);
      visit(*loop.iter);
      bindTarget(loop.target);
      visitBody(loop.body);
      visitBody(loop.orelse);
      return;
    }
    case NodeKind::With: {
      auto& with = llvm::cast<With>(node);
      for (const WithItem& item : with.items) {
        visit(*item.context);
        bindTarget(item.target);
      }
      visitBody(with.body);
      return;
    }
    case NodeKind::Try: {
      auto& attempt = llvm::cast<Try>(node);
      visitBody(attempt.body);
      for (const ExceptHandler& handler : attempt.handlers) {
        visitOptional(handler.type);
        bind(handler.name, EntityKind::Variable);
        visitBody(handler.body);
      }
      visitBody(attempt.orelse);
      visitBody(attempt.finalbody);
      return;
    }
    case NodeKind::Match: {
      auto& match = llvm::cast<Match>(node);
      visit(*match.subject);
      for (const MatchCase& one : match.cases) {
        visitPattern(
            one.pattern, [&](const NameExpr& name) { bindTarget(&name); },
            [&](const Expr& value) { visit(value); });
        visitOptional(one.guard);
        visitBody(one.body);
      }
      return;
    }
    case NodeKind::Import:
      for (const Alias& alias : llvm::cast<Import>(node).names)
        if (!alias.path.empty())
          bind(alias.asName.name ? alias.asName : alias.path.front(), EntityKind::Import, &node,
               &alias);
      return;
    case NodeKind::ImportFrom:
      for (const Alias& alias : llvm::cast<ImportFrom>(node).names) {
        if (alias.path.empty()) continue;
        bind(alias.asName.name ? alias.asName : alias.path.front(), EntityKind::Import, &node,
             &alias);
      }
      return;
    case NodeKind::Global:
      for (const Identifier& name : llvm::cast<Global>(node).names)
        uses_.push_back({name.name, name.range, scope_, false});
      return;
    case NodeKind::TypeAlias: {
      auto& alias = llvm::cast<TypeAlias>(node);
      visit(*alias.value);
      bindTarget(alias.name);
      return;
    }
    case NodeKind::Call: {
      auto& call = llvm::cast<Call>(node);
      children(node);
      for (const Keyword& keyword : call.keywords)
        if (keyword.name.name) keywords_.push_back({&call, keyword.name, scope_});
      return;
    }
    default:
      return children(node);
    }
    scope_ = outer;
  }

  // global and nonlocal statements of a function, which hold for all of it.
  void declareRedirects(Stmts body) {
    for (const Stmt* stmt : body) {
      if (auto* global = llvm::dyn_cast<Global>(stmt)) {
        for (const Identifier& name : global->names)
          redirects_[scope_][name.name] = global->isNonlocal ? none : 0;
      } else if (!llvm::isa<FunctionDef, ClassDef>(stmt)) {
        forEachChild(*stmt, [&](const Node& child) {
          if (auto* inner = llvm::dyn_cast<Stmt>(&child))
            declareRedirects(llvm::ArrayRef(&inner, 1));
        });
      }
    }
  }

  // ------------------------------------------------------------- looking up
  uint32_t lookup(Name name, uint32_t scope) const {
    bool skipClass = false;
    for (uint32_t at = scope;; at = index_.scopes_[at].parent) {
      auto redirect = redirects_[at].find(name);
      if (redirect != redirects_[at].end() && redirect->second == 0) {
        auto it = names_[0].find(name);
        return it == names_[0].end() ? none : it->second;
      }
      if (!(skipClass && index_.scopes_[at].isClass) && redirect == redirects_[at].end())
        if (auto it = names_[at].find(name); it != names_[at].end()) return it->second;
      skipClass = true;
      if (at == 0) return none;
    }
  }
  void resolve(const Use& use) {
    if (uint32_t entity = lookup(use.name, use.scope); entity != none)
      index_.occurrences_.push_back({use.range, entity, use.binds, false});
  }
  // f(x=1) and kernel[grid](x=1): the parameter x of f, where f is a function of this file.
  void resolveKeyword(const KeywordUse& use) {
    const Expr* callee = use.call->func;
    if (auto* subscript = llvm::dyn_cast<Subscript>(callee)) callee = subscript->value;
    auto* name = llvm::dyn_cast<NameExpr>(callee);
    uint32_t function = name ? lookup(name->name, use.scope) : none;
    if (function == none) return;
    auto scope = functionScopes_.find(index_.entities_[function].node);
    if (scope == functionScopes_.end()) return;
    auto parameter = names_[scope->second].find(use.name.name);
    if (parameter != names_[scope->second].end() &&
        index_.entities_[parameter->second].kind == EntityKind::Parameter)
      index_.occurrences_.push_back({use.name.range, parameter->second, false, true});
  }

  NameIndex& index_;
  uint32_t scope_ = 0;
  std::vector<llvm::DenseMap<Name, uint32_t>> names_; // by scope: name -> entity
  std::vector<llvm::DenseMap<Name, uint32_t>>
      redirects_; // by scope: global names to 0, nonlocal ones to none
  llvm::DenseMap<const Node*, uint32_t> functionScopes_;
  std::vector<uint32_t> comprehensions_; // scopes of those being visited
  std::vector<Use> uses_;
  std::vector<KeywordUse> keywords_;
};

NameIndex NameIndex::build(const SyntaxTree& tree) {
  NameIndex index;
  NameIndexBuilder(index).run(tree);
  return index;
}

const Occurrence* NameIndex::at(text::Offset offset) const {
  auto after =
      std::upper_bound(occurrences_.begin(), occurrences_.end(), offset,
                       [](text::Offset o, const Occurrence& each) { return o < each.range.begin; });
  // Occurrences do not overlap; the last that begins at or before `offset` is the only candidate,
  // but where two touch
  // (`a|b` cannot be; `x|=` can) the one before counts too.
  for (auto it = after; it != occurrences_.begin() && after - it < 2;) {
    --it;
    if (it->range.touches(offset)) return &*it;
  }
  return nullptr;
}

void NameIndex::sortUses() {
  begins_.assign(entities_.size() + 1, 0);
  for (const Occurrence& each : occurrences_)
    ++begins_[each.entity + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
  uses_.resize(occurrences_.size());
  for (uint32_t i = 0; i < occurrences_.size(); ++i)
    uses_[next[occurrences_[i].entity]++] = i;
}

std::vector<Occurrence> NameIndex::of(uint32_t entity) const {
  std::vector<Occurrence> result;
  for (uint32_t i = begins_[entity]; i < begins_[entity + 1]; ++i)
    result.push_back(occurrences_[uses_[i]]);
  return result;
}

void NameIndex::sortScopes() {
  placed_.resize(scopes_.size());
  for (uint32_t i = 0; i < scopes_.size(); ++i)
    placed_[i] = {i, 0};
  llvm::sort(placed_, [&](const PlacedScope& a, const PlacedScope& b) {
    text::Range first = scopes_[a.scope].range, second = scopes_[b.scope].range;
    return std::tuple(first.begin, second.end, a.scope) <
           std::tuple(second.begin, first.end, b.scope);
  });
  std::vector<uint32_t> open; // the scopes around the next one
  for (uint32_t i = 0; i < placed_.size(); ++i) {
    text::Offset begin = scopes_[placed_[i].scope].range.begin;
    while (open.size() > 1 && scopes_[placed_[open.back()].scope].range.end <= begin)
      open.pop_back();
    placed_[i].around = open.empty() ? 0 : open.back();
    open.push_back(i);
  }
}

uint32_t NameIndex::scopeAt(text::Offset offset) const {
  auto after = llvm::partition_point(
      placed_, [&](const PlacedScope& each) { return scopes_[each.scope].range.begin <= offset; });
  if (after == placed_.begin()) return 0;
  auto at = static_cast<uint32_t>(after - placed_.begin()) - 1;
  while (at != 0 && !scopes_[placed_[at].scope].range.touches(offset))
    at = placed_[at].around;
  return placed_[at].scope;
}

const Entity* NameIndex::find(const Scope& scope, Name name) const {
  if (!scope.byName.empty()) { // a name has one entity in a scope
    auto it = llvm::partition_point(scope.byName,
                                    [&](uint32_t entity) { return entities_[entity].name < name; });
    return it != scope.byName.end() && entities_[*it].name == name ? &entities_[*it] : nullptr;
  }
  for (uint32_t entity : scope.entities)
    if (entities_[entity].name == name) return &entities_[entity];
  return nullptr;
}

const Entity* NameIndex::global(Name name) const {
  return find(scopes_.front(), name);
}

const Entity* NameIndex::lookup(Name name, text::Offset offset) const {
  uint32_t scope = scopeAt(offset);
  for (bool first = true;; first = false) {
    if (first || !scopes_[scope].isClass)
      if (const Entity* entity = find(scopes_[scope], name)) return entity;
    if (scope == 0) return nullptr;
    scope = scopes_[scope].parent;
  }
}

std::vector<uint32_t> NameIndex::visibleAt(text::Offset offset) const {
  uint32_t scope = scopeAt(offset);
  std::vector<uint32_t> visible;
  llvm::DenseSet<Name> seen;
  for (bool first = true;; first = false) {
    if (first || !scopes_[scope].isClass)
      for (uint32_t entity : scopes_[scope].entities)
        if (seen.insert(entities_[entity].name).second) visible.push_back(entity);
    if (scope == 0) return visible;
    scope = scopes_[scope].parent;
  }
}

} // namespace gluond::lsp
