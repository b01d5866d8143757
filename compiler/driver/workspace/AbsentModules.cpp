#include "driver/workspace/AbsentModules.h"

#include "codegen/suggestions/Suggest.h"
#include "driver/workspace/Imports.h"
#include "evaluate/values/PythonCoverage.h"
#include "files/Walk.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

// The modules of a folder, and the names that any of its entries has up to the first period: a
// module may be a library (fast.cpython-311.so) or be made from another file (fast.pyx).
struct FolderNames {
  FolderNames(const Snapshot& snapshot, llvm::StringRef folder) {
    for (const files::Entry& entry : files::entriesBeneath(snapshot.folders(), folder))
      add(entry.name, entry.kind == files::Entry::Kind::Folder);
    for (const std::string& open : snapshot.openPaths())
      if (path::parent_path(open) == folder) add(path::filename(open), false);
  }
  bool mayHave(llvm::StringRef name) const { return name.starts_with("_") || all.contains(name); }

  llvm::StringSet<> modules, all;

private:
  void add(llvm::StringRef entry, bool isFolder) {
    all.insert(entry.split('.').first);
    if ((isFolder && !entry.contains('.')) || entry.consume_back(".py")) modules.insert(entry);
  }
};

AbsentModule absentFrom(const FolderNames& names, llvm::StringRef folder, llvm::StringRef wanted) {
  codegen::Nearest nearest(wanted);
  llvm::SmallVector<llvm::StringRef> sorted(names.modules.keys());
  llvm::sort(sorted);
  for (llvm::StringRef each : sorted)
    if (!each.starts_with("_")) nearest.offer(each);
  AbsentModule absent;
  absent.folder = path::filename(folder).str();
  absent.meant = nearest.name().str();
  absent.isSlip = nearest.isClear();
  return absent;
}

// Follows the parts from a folder down to the one that does not exist.
std::optional<AbsentModule> absentBelow(const Snapshot& snapshot, std::string folder,
                                        llvm::ArrayRef<llvm::StringRef> parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    auto package = snapshot.found(folder + "/__init__.py");
    if (package && package->text().text().contains("__path__")) return std::nullopt;
    FolderNames names(snapshot, folder);
    if (names.all.empty()) return std::nullopt; // it is no folder, or not of the workspace
    if (!names.modules.contains(parts[i])) {
      if (names.mayHave(parts[i])) return std::nullopt;
      AbsentModule absent = absentFrom(names, folder, parts[i]);
      absent.part = i;
      return absent;
    }
    folder += "/" + parts[i].str();
  }
  return std::nullopt;
}

// Whether definitions and assignments at the top level of a file bind all the names.
bool definesAll(const Snapshot& snapshot, const File& file, llvm::ArrayRef<llvm::StringRef> names) {
  auto tree = file.tree(snapshot.names(), {});
  if (!tree) return false;
  llvm::StringSet<> bound;
  auto bind = [&](const syntax::Expr* target) {
    if (auto* name = llvm::dyn_cast<syntax::NameExpr>(target))
      bound.insert(snapshot.names().text(name->name));
  };
  for (const syntax::Stmt* stmt : tree->body())
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(stmt))
      bound.insert(snapshot.names().text(function->name.name));
    else if (auto* cls = llvm::dyn_cast<syntax::ClassDef>(stmt))
      bound.insert(snapshot.names().text(cls->name.name));
    else if (auto* assign = llvm::dyn_cast<syntax::Assign>(stmt))
      llvm::for_each(assign->targets, bind);
    else if (auto* annotated = llvm::dyn_cast<syntax::AnnAssign>(stmt))
      bind(annotated->target);
  return llvm::all_of(names, [&](llvm::StringRef name) { return bound.contains(name); });
}

// A package of the project whose name is misspelt: under the other name the module is there, with
// all that the file needs of it.
std::optional<AbsentModule> absentPackage(const Snapshot& snapshot, llvm::StringRef importingPath,
                                          llvm::ArrayRef<llvm::StringRef> parts,
                                          llvm::ArrayRef<llvm::StringRef> names) {
  for (const std::string& base : importFolders(snapshot, importingPath)) {
    AbsentModule absent = absentFrom(FolderNames(snapshot, base), base, parts.front());
    if (!absent.isSlip) continue;
    std::string file = base + "/" + absent.meant;
    for (llvm::StringRef part : parts.drop_front())
      file += "/" + part.str();
    auto meant = snapshot.found(file + ".py");
    if (!meant) meant = snapshot.found(file + "/__init__.py");
    if (!meant || !definesAll(snapshot, *meant, names)) continue;
    absent.mayBeElsewhere = true;
    return absent;
  }
  return std::nullopt;
}

} // namespace

std::optional<AbsentModule> absentModule(const Snapshot& snapshot, llvm::StringRef importingPath,
                                         llvm::ArrayRef<llvm::StringRef> parts, unsigned level,
                                         llvm::ArrayRef<llvm::StringRef> names) {
  llvm::StringRef folder = path::parent_path(importingPath);
  if (parts.empty() || folder.empty()) return std::nullopt;
  if (level > 0) return absentBelow(snapshot, folderOfImport(importingPath, level).str(), parts);
  if (evaluate::pythonHas("standard library", parts.front())) return std::nullopt;
  for (const std::string& base : importFolders(snapshot, importingPath)) {
    FolderNames known(snapshot, base);
    if (!known.mayHave(parts.front())) continue;
    if (parts.size() == 1 || !known.modules.contains(parts.front())) return std::nullopt;
    auto absent = absentBelow(snapshot, base + "/" + parts.front().str(), parts.drop_front());
    if (!absent || absent->meant.empty()) return std::nullopt;
    ++absent->part;
    return absent;
  }
  if (parts.size() > 1) return absentPackage(snapshot, importingPath, parts, names);
  AbsentModule absent = absentFrom(FolderNames(snapshot, folder), folder, parts.front());
  if (!absent.isSlip || names.empty()) return std::nullopt;
  auto meant = snapshot.found((folder + "/" + absent.meant + ".py").str());
  if (!meant || meant->path() == importingPath || !definesAll(snapshot, *meant, names))
    return std::nullopt;
  absent.mayBeElsewhere = true;
  return absent;
}

// The members of a module that the file uses: `module.name`.
static void membersOf(Name module, const syntax::SyntaxTree& tree, const Interner& names,
                      llvm::SmallVectorImpl<llvm::StringRef>& out) {
  for (const syntax::Stmt* stmt : tree.body())
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* member = llvm::dyn_cast<syntax::Attribute>(node);
      auto* owner = member ? llvm::dyn_cast<syntax::NameExpr>(member->value) : nullptr;
      if (owner && owner->name == module) out.push_back(names.text(member->attribute.name));
      return true;
    });
}

std::optional<AbsentModule> absentModule(const Snapshot& snapshot, const File& importing,
                                         const syntax::SyntaxTree& tree,
                                         const syntax::Node& statement, text::Range place) {
  const Interner& names = snapshot.names();
  llvm::SmallVector<syntax::Identifier> parts;
  llvm::SmallVector<llvm::StringRef> texts, needed;
  unsigned level = 0;
  if (auto* from = llvm::dyn_cast<syntax::ImportFrom>(&statement)) {
    level = from->level;
    parts.append(from->module.begin(), from->module.end());
    for (const syntax::Alias& alias : from->names) {
      if (alias.path.empty()) continue;
      if (alias.path.front().range == place) parts.push_back(alias.path.front());
      needed.push_back(names.text(alias.path.front().name));
    }
  } else if (auto* import = llvm::dyn_cast<syntax::Import>(&statement)) {
    for (const syntax::Alias& alias : import->names)
      if (!alias.path.empty() && alias.path.front().range.begin == place.begin) {
        parts.append(alias.path.begin(), alias.path.end());
        Name bound = alias.asName.name ? alias.asName.name : alias.path.front().name;
        if (parts.size() == 1) membersOf(bound, tree, names, needed);
      }
  }
  for (const syntax::Identifier& part : parts)
    texts.push_back(names.text(part.name));
  auto absent = absentModule(snapshot, importing.path(), texts, level, needed);
  if (absent) absent->range = parts[absent->part].range;
  return absent;
}

} // namespace gluond::driver
