#include "driver/fixes/UnusedImports.h"

#include "driver/hostfixes/MethodFixes.h"
#include "driver/users/Importers.h"
#include "text/Words.h"

#include <llvm/Support/Path.h>

namespace gluond::driver {

std::optional<text::Edit> unusedImport(const Snapshot& snapshot, const File& before,
                                       const File& after, const CancellationToken& token) {
  if (llvm::sys::path::filename(after.path()) == "__init__.py") return std::nullopt;
  auto tree = after.tree(snapshot.names(), token);
  if (!tree || !tree->errors().empty()) return std::nullopt;
  const Interner& names = snapshot.names();
  for (const syntax::Stmt* stmt : tree->body()) {
    auto* import = llvm::dyn_cast<syntax::ImportFrom>(stmt);
    if (!import || import->level > 0 || import->module.empty() ||
        names.text(import->module.front().name) != "triton")
      continue;
    if (after.text().slice(import->range).contains('#')) continue; // a comment has its reason
    for (const syntax::Alias& alias : import->names) {
      if (alias.path.empty()) continue;
      llvm::StringRef name =
          names.text(alias.asName.name ? alias.asName.name : alias.path.front().name);
      // Strings count: `__all__` may have the name.
      bool wasUsed = text::countWord(before.text().text(), name) > 1;
      if (!wasUsed || text::countWord(after.text().text(), name) != 1 ||
          isMentionedElsewhere(snapshot, after, name, token))
        continue;
      if (auto edit = withoutName(*tree, *import, alias.path.front().range)) return edit;
    }
  }
  return std::nullopt;
}

} // namespace gluond::driver
