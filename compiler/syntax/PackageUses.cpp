#include "syntax/PackageUses.h"

#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::syntax {
// Whether the first argument is the name of the package or of a module of it. The function has many
// names (import_module, __import__, importorskip); none of them matters.
static bool isCalledWith(const Call& call, llvm::StringRef package) {
  auto* name = call.args.empty() ? nullptr : llvm::dyn_cast<Constant>(call.args.front());
  return name && name->constant == ConstantKind::Str && name->string.split('.').first == package;
}

bool importsPackage(const SyntaxTree& tree, llvm::StringRef package) {
  auto isOfPackage = [&](llvm::ArrayRef<Identifier> path) {
    return !path.empty() && tree.interner().text(path.front().name) == package;
  };
  bool found = false;
  for (const Stmt* stmt : tree.body())
    walk(stmt, [&](const Node* node) {
      if (auto* import = llvm::dyn_cast<Import>(node))
        found |=
            llvm::any_of(import->names, [&](const Alias& each) { return isOfPackage(each.path); });
      else if (auto* from = llvm::dyn_cast<ImportFrom>(node))
        found |= from->level == 0 && isOfPackage(from->module);
      else if (auto* call = llvm::dyn_cast<Call>(node))
        found |= isCalledWith(*call, package);
      return !found;
    });
  return found;
}

} // namespace gluond::syntax
