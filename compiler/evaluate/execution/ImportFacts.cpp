#include "evaluate/execution/ImportFacts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <mutex>

namespace gluond::evaluate {

namespace {

void addCopies(llvm::ArrayRef<const syntax::Stmt*> body, const Interner& names,
               std::vector<std::string>& out) {
  auto note = [&](llvm::ArrayRef<syntax::Identifier> path, llvm::ArrayRef<syntax::Alias> members) {
    auto isGluon = [&](const syntax::Identifier& name) { return names.text(name.name) == "gluon"; };
    for (size_t i = 1; i < path.size(); ++i) {
      if (names.text(path[i].name) != "experimental") continue;
      bool hasGluon = i + 1 < path.size()
                          ? isGluon(path[i + 1])
                          : llvm::any_of(members, [&](const syntax::Alias& member) {
                              return !member.path.empty() && isGluon(member.path[0]);
                            });
      if (!hasGluon || (i == 1 && names.text(path[0].name) == "triton")) continue;
      std::string package;
      for (const syntax::Identifier& part : path.take_front(i))
        (package += package.empty() ? "" : ".") += names.text(part.name);
      out.push_back(std::move(package));
      return;
    }
  };
  for (const syntax::Stmt* stmt : body) {
    if (auto* import = llvm::dyn_cast<syntax::Import>(stmt)) {
      for (const syntax::Alias& alias : import->names)
        note(alias.path, {});
    } else if (auto* from = llvm::dyn_cast<syntax::ImportFrom>(stmt)) {
      if (from->level == 0) note(from->module, from->names);
    } else if (auto* attempt = llvm::dyn_cast<syntax::Try>(stmt)) {
      addCopies(attempt->body, names, out);
    } else if (auto* branch = llvm::dyn_cast<syntax::If>(stmt)) {
      addCopies(branch->body, names, out);
      addCopies(branch->orelse, names, out);
    }
  }
}

std::shared_ptr<const ImportFacts> find(syntax::Stmts body, const Interner& names) {
  auto facts = std::make_shared<ImportFacts>();
  addCopies(body, names, facts->copiesOfTriton);
  facts->wrongLanguage = wrongLanguageImports(body, names);
  return facts;
}

// The facts of the trees that live.
class FactsOfTrees {
public:
  explicit FactsOfTrees(Interner&) {}

  std::shared_ptr<const ImportFacts> of(const ModuleSource& module, const Interner& names) const {
    const auto* key = static_cast<const void*>(module.body.data());
    {
      std::lock_guard lock(mutex_);
      if (auto it = known_.find(key); it != known_.end() && it->second.isOf(module))
        return it->second.facts;
    }
    auto facts = find(module.body, names);
    std::lock_guard lock(mutex_);
    if (known_.size() >= most_) {
      llvm::SmallVector<const void*> dead;
      for (const auto& [tree, each] : known_)
        if (each.owner.expired()) dead.push_back(tree);
      for (const void* tree : dead)
        known_.erase(tree);
      most_ = std::max<size_t>(leastKept, size_t{2} * known_.size());
    }
    known_[key] = {module.owner, module.body.size(), facts};
    return facts;
  }

private:
  struct Known {
    std::weak_ptr<const void> owner;
    size_t statements = 0;
    std::shared_ptr<const ImportFacts> facts;
    // The address alone may be that of a tree which is gone.
    bool isOf(const ModuleSource& module) const {
      return owner.lock() == module.owner && statements == module.body.size();
    }
  };
  static constexpr size_t leastKept = 1024;
  mutable std::mutex mutex_;
  mutable llvm::DenseMap<const void*, Known> known_; // by the tree's statements
  mutable size_t most_ = leastKept;
};

} // namespace

std::shared_ptr<const ImportFacts> importFactsOf(const ModuleSource& module, Interner& names) {
  if (!module.owner || module.body.empty()) return find(module.body, names);
  return names.table<FactsOfTrees>().of(module, names);
}

} // namespace gluond::evaluate
