#include "driver/hostfixes/ForgottenDots.h"

#include "diagnostics/Reporter.h"
#include "driver/workspace/Imports.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

using diagnostics::FixId;
using diagnostics::Id;

namespace path = llvm::sys::path;

namespace {

class Dots {
public:
  Dots(const File& file, const syntax::SyntaxTree& tree, const Snapshot& snapshot,
       std::vector<diagnostics::Diagnostic>& out)
      : file_(file), tree_(tree), snapshot_(snapshot), names_(snapshot.names()),
        emit_(out, file.id()) {}

  void tellAll() {
    llvm::StringRef folder = path::parent_path(file_.path());
    if (!isPlainPackage(folder)) return;
    bool hasDots = llvm::any_of(tree_.body(), [](const syntax::Stmt* stmt) {
      auto* from = llvm::dyn_cast<syntax::ImportFrom>(stmt);
      return from && from->level > 0;
    });
    if (!hasDots) return;
    for (const syntax::Stmt* stmt : tree_.body())
      if (auto* from = llvm::dyn_cast<syntax::ImportFrom>(stmt);
          from && from->level == 0 && !from->module.empty())
        tellForgottenDot(folder, from->module, *from);
      else if (auto* import = llvm::dyn_cast<syntax::Import>(stmt);
               import && import->names.size() == 1 && import->names.front().path.size() == 1)
        tellForgottenDot(folder, import->names.front().path, *import);
  }

private:
  // Whether a folder is a package that is searched for modules under its own name only, as far as
  // the project's settings and the files around tell.
  bool isPlainPackage(llvm::StringRef folder) const {
    if (folder.empty() || !snapshot_.found((folder + "/__init__.py").str()) ||
        llvm::is_contained(snapshot_.settings().roots, folder) ||
        llvm::is_contained(snapshot_.folders(), folder))
      return false;
    constexpr llvm::StringLiteral extending[] = {"conftest.py", "pyproject.toml", "pytest.ini",
                                                 "setup.cfg",   "tox.ini",        "__init__.py"};
    auto mayExtend = [&](const File& file) {
      llvm::StringRef text = file.text().text();
      bool extends =
          text.contains("sys.path") || text.contains("pythonpath") || text.contains("__path__");
      return extends &&
             (path::parent_path(file.path()) == folder || text.contains(path::filename(folder)));
    };
    if (file_.text().text().contains("sys.path")) return false;
    for (llvm::StringRef up = folder; !up.empty(); up = path::parent_path(up)) {
      for (llvm::StringRef name : extending)
        if (auto file = snapshot_.found((up + "/" + name).str()); file && mayExtend(*file))
          return false;
      if (llvm::is_contained(snapshot_.folders(), up)) break;
    }
    return true;
  }

  // Whether a library may have the name as well, which `import triton` in `ops/` beside
  // `ops/triton/` means: one that gluond knows, or that the project requires.
  bool isOfLibrary(llvm::StringRef folder, llvm::StringRef name) const {
    if (evaluate::pythonHas("standard library", name) || evaluate::nativeModule(name) ||
        evaluate::isTritonModule(name))
      return true;
    constexpr llvm::StringLiteral requiring[] = {"pyproject.toml",   "setup.py",        "setup.cfg",
                                                 "requirements.txt", "environment.yml", "Pipfile"};
    for (llvm::StringRef up = folder; !up.empty(); up = path::parent_path(up)) {
      for (llvm::StringRef file : requiring)
        if (auto found = snapshot_.found((up + "/" + file).str());
            found && found->text().text().contains(name))
          return true;
      if (llvm::is_contained(snapshot_.folders(), up)) break;
    }
    return false;
  }

  void tellForgottenDot(llvm::StringRef folder, llvm::ArrayRef<syntax::Identifier> module,
                        const syntax::Stmt& statement) {
    llvm::StringRef first = names_.text(module.front().name);
    auto isIn = [&](llvm::StringRef where) {
      std::string base = (where + "/" + first).str();
      return snapshot_.found(base + ".py") || snapshot_.found(base + "/__init__.py");
    };
    if (!isIn(folder) || isOfLibrary(folder, first)) return;
    for (const std::string& base : importFolders(snapshot_, file_.path()))
      if (base != folder && isIn(base)) return;
    text::Range range{module.front().range.begin, module.back().range.end};
    std::string written = file_.text().slice(range).str(), meant = "." + written;
    auto told = emit_(Id::MissingImport, range, written,
                      "sys.path, which does not contain the folder of the package '" +
                          path::filename(folder).str() + "',",
                      "; did you mean '" + meant + "'?");
    if (auto* diagnostic = told.get()) diagnostic->severity = diagnostics::Severity::Warning;
    if (llvm::isa<syntax::ImportFrom>(statement)) {
      told.fix(FixId::TryText, {{range, meant}}, meant);
      return;
    }
    std::string relative = "from . import " + written;
    told.fix(FixId::TryText, {{{statement.range.begin, range.end}, relative}}, relative);
  }

  const File& file_;
  const syntax::SyntaxTree& tree_;
  const Snapshot& snapshot_;
  const Interner& names_;
  diagnostics::Reporter emit_;
};

} // namespace

void tellForgottenDots(const File& file, const syntax::SyntaxTree& tree, const Snapshot& snapshot,
                       std::vector<diagnostics::Diagnostic>& out) {
  Dots(file, tree, snapshot, out).tellAll();
}

} // namespace gluond::driver
