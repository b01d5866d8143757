#include "driver/launches/LikelyTarget.h"

#include "syntax/SyntaxTree.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>

namespace gluond::driver {

using namespace syntax;

namespace {

// Modules below triton.experimental.gluon.language, the most particular first: of those of one
// vendor that a file uses, the first decides.
struct ModuleRow {
  llvm::StringLiteral vendor, module, target;
};
constexpr ModuleRow moduleRows[] = {
    {"nvidia", "rubin", "cuda:107"},        {"nvidia", "blackwell", "cuda:100"},
    {"nvidia", "hopper", "cuda:90"},        {"nvidia", "ampere", "cuda:90"},
    {"amd", "cdna5", "hip:gfx1250"},        {"amd", "gfx1250", "hip:gfx1250"},
    {"amd", "cdna4", "hip:gfx950"},         {"amd", "cdna3", "hip:gfx942"},
    {"amd", "rdna4", "hip:gfx1201"},        {"amd", "rdna3", "hip:gfx1100"},
    {"amd", "AMDMFMALayout", "hip:gfx942"}, {"amd", "AMDWMMALayout", "hip:gfx1250"},
};
constexpr llvm::StringLiteral standard = "cuda:90";
// What Hopper alone has, for files that import from Blackwell's modules as well.
constexpr llvm::StringLiteral onlyHopper = "warpgroup_mma";
constexpr llvm::StringLiteral onlyBlackwell[] = {"tcgen05_", "allocate_tensor_memory"};

class Uses {
public:
  explicit Uses(const SyntaxTree& tree) : tree_(tree), text_(tree.source().text()) {
    for (const Stmt* stmt : tree.body())
      imports(*stmt);
    // gl.nvidia.blackwell.tcgen05_mma needs no import of its own
    for (const ModuleRow& row : moduleRows)
      used_[&row - moduleRows] |= mentions(row);
  }

  const ModuleRow* first(llvm::StringRef vendor) const {
    for (const ModuleRow& row : moduleRows)
      if (row.vendor == vendor && used_[&row - moduleRows]) return &row;
    return nullptr;
  }
  bool module(llvm::StringRef name) const {
    return llvm::any_of(moduleRows, [&](const ModuleRow& row) {
      return row.module == name && used_[&row - moduleRows];
    });
  }
  bool says(llvm::StringRef word) const { return text_.contains(word); }

private:
  void imports(const Node& node) {
    if (auto* import = llvm::dyn_cast<Import>(&node)) {
      for (const Alias& alias : import->names)
        add(alias.path, {});
    } else if (auto* from = llvm::dyn_cast<ImportFrom>(&node)) {
      for (const Alias& alias : from->names)
        add(from->module, alias.path);
      if (from->isStar) add(from->module, {});
    } else if (llvm::isa<If, Try>(node)) {
      forEachChild(node, [&](const Node& child) { imports(child); });
    }
  }

  // "... language . vendor . module", however it is cut into `from` and `import`
  void add(llvm::ArrayRef<Identifier> module, llvm::ArrayRef<Identifier> names) {
    llvm::SmallVector<llvm::StringRef, 8> path;
    for (const Identifier& each : module)
      path.push_back(tree_.interner().text(each.name));
    for (const Identifier& each : names)
      path.push_back(tree_.interner().text(each.name));
    for (size_t i = 0; i + 2 < path.size(); ++i)
      for (const ModuleRow& row : moduleRows)
        if (path[i] == "language" && path[i + 1] == row.vendor && path[i + 2] == row.module)
          used_[&row - moduleRows] = true;
  }

  // A dotted name that goes on behind the module or ends in the layout, and is no host module's.
  bool mentions(const ModuleRow& row) const {
    std::string dotted = (llvm::Twine(".") + row.vendor.data() + "." + row.module.data()).str();
    for (size_t at = text_.find(dotted); at != llvm::StringRef::npos;
         at = text_.find(dotted, at + 1)) {
      char next = at + dotted.size() < text_.size() ? text_[at + dotted.size()] : '\0';
      if ((next == '.' || next == '(') && !text_.take_front(at).ends_with("gluon")) return true;
    }
    return false;
  }

  const SyntaxTree& tree_;
  llvm::StringRef text_;
  bool used_[std::size(moduleRows)] = {};
};

} // namespace

llvm::StringRef likelyTarget(const SyntaxTree& tree) {
  llvm::StringRef text = tree.source().text();
  if (!text.contains("nvidia") && !text.contains("amd")) return standard;
  Uses uses(tree);
  const ModuleRow* nvidia = uses.first("nvidia");
  const ModuleRow* amd = uses.first("amd");
  if (!nvidia) return amd ? llvm::StringRef(amd->target) : llvm::StringRef(standard);
  if (amd) return standard;
  // TMA and barriers are imported from either module for both chips: what is used decides.
  if (uses.module("hopper") && nvidia->target != standard &&
      (uses.says(onlyHopper) ||
       llvm::none_of(onlyBlackwell, [&](llvm::StringRef word) { return uses.says(word); })))
    return standard;
  return nvidia->target;
}

} // namespace gluond::driver
