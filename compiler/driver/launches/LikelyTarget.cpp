#include "driver/launches/LikelyTarget.h"

#include "chips/Chip.h"
#include "chips/GluonModules.h"
#include "driver/launches/WarpSizeInLayouts.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/Twine.h>

namespace gluond::driver {

using namespace syntax;

namespace {

using chips::GluonModule;

// Features that only Hopper has, for files that import from Blackwell's modules as well.
constexpr llvm::StringLiteral onlyHopper = "warpgroup_mma";
constexpr llvm::StringLiteral onlyBlackwell[] = {"tcgen05_", "allocate_tensor_memory"};

class ModulesOfFile {
public:
  explicit ModulesOfFile(const SyntaxTree& tree) : tree_(tree), text_(tree.source().text()) {
    for (const Stmt* stmt : tree.body())
      imports(*stmt);
    // gl.nvidia.blackwell.tcgen05_mma needs no import of its own
    for (const GluonModule& row : modules_)
      if (mentions(row)) used_[indexOf(row)] = true;
  }

  const GluonModule* first(llvm::StringRef vendor) const {
    for (const GluonModule& row : modules_)
      if (row.vendor == vendor && used_[indexOf(row)]) return &row;
    return nullptr;
  }
  bool module(llvm::StringRef name) const {
    return llvm::any_of(
        modules_, [&](const GluonModule& row) { return row.name == name && used_[indexOf(row)]; });
  }
  bool says(llvm::StringRef word) const { return text_.contains(word); }

  // The module of the chip whose matrix instructions the file's layouts are for, or null if it has
  // none, or several: AMDMFMALayout(version=4) is written for cdna4, also with functions of cdna3.
  const GluonModule* ofLayouts() const {
    if (!says("AMDMFMALayout") && !says("AMDWMMALayout")) return nullptr;
    const GluonModule* found = nullptr;
    bool isOne = true;
    auto look = [&](const Node* node) {
      auto* call = llvm::dyn_cast<Call>(node);
      const GluonModule* row = call ? ofLayout(*call) : nullptr;
      isOne &= !row || !found || row == found;
      if (row) found = row;
      return true;
    };
    for (const Stmt* stmt : tree_.body())
      walk(stmt, look);
    return isOne ? found : nullptr;
  }

  // The module of AMD's chip that the words of the file name, in comments and texts, too; null if
  // they name none, or several. Modules that the file uses are no words about a chip.
  const GluonModule* named() const {
    const GluonModule* found = nullptr;
    bool isOne = true;
    for (llvm::StringRef rest = text_; !rest.empty();) {
      rest = rest.drop_until(llvm::isAlnum);
      std::string word = rest.take_while(llvm::isAlnum).lower();
      rest = rest.drop_front(word.size());
      if (word.size() < 5 || !llvm::isDigit(word.back())) continue;
      auto* row = llvm::find_if(modules_, [&](const GluonModule& each) {
        bool isModule = each.name == word && !used_[indexOf(each)];
        return each.vendor == "amd" && (isModule || each.target.substr(4) == word);
      });
      if (row == modules_.end()) continue;
      isOne &= !found || found->target == row->target;
      found = row;
    }
    return isOne ? found : nullptr;
  }

private:
  const GluonModule* ofLayout(const Call& call) const {
    const Interner& names = tree_.interner();
    auto* member = llvm::dyn_cast<Attribute>(call.func);
    auto* name = llvm::dyn_cast<NameExpr>(call.func);
    llvm::StringRef layout = names.text(member ? member->attribute.name
                                        : name ? name->name
                                               : Name{});
    if (layout != "AMDMFMALayout" && layout != "AMDWMMALayout") return nullptr;
    const Expr* version = call.args.empty() ? nullptr : call.args.front();
    for (const Keyword& keyword : call.keywords)
      if (names.text(keyword.name.name) == "version") version = keyword.value;
    auto* number = llvm::dyn_cast_or_null<Constant>(version);
    if (!number || number->constant != ConstantKind::Int) return nullptr;
    auto* row = llvm::find_if(modules_, [&](const GluonModule& each) {
      const chips::Chip* chip = each.vendor == "amd" ? chips::findChip(each.target) : nullptr;
      unsigned has = !chip ? 0 : layout == "AMDMFMALayout" ? chip->mfmaVersion : chip->wmmaVersion;
      return has > 0 && has == number->integer;
    });
    return row == modules_.end() ? nullptr : row;
  }

  size_t indexOf(const GluonModule& row) const {
    return static_cast<size_t>(&row - modules_.data());
  }

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
      for (const GluonModule& row : modules_)
        if (path[i] == "language" && path[i + 1] == row.vendor && path[i + 2] == row.name)
          used_[indexOf(row)] = true;
  }

  // A dotted name that continues after the module or ends in the layout, not of a host module.
  bool mentions(const GluonModule& row) const {
    std::string dotted = ("." + llvm::Twine(row.vendor) + "." + row.name).str();
    for (size_t at = text_.find(dotted); at != llvm::StringRef::npos;
         at = text_.find(dotted, at + 1)) {
      char next = at + dotted.size() < text_.size() ? text_[at + dotted.size()] : '\0';
      if ((next == '.' || next == '(') && !text_.take_front(at).ends_with("gluon")) return true;
    }
    return false;
  }

  const SyntaxTree& tree_;
  llvm::StringRef text_;
  llvm::ArrayRef<GluonModule> modules_ = chips::gluonModules();
  std::vector<bool> used_ = std::vector<bool>(modules_.size());
};

} // namespace

llvm::StringRef likelyTarget(const SyntaxTree& tree) {
  llvm::StringRef text = tree.source().text();
  auto byLayouts = [&]() -> llvm::StringRef { // of 64 lanes, which AMD's chips alone have
    return writtenWarpSize(tree) == 64u ? chips::standardWaveTarget : chips::standardTarget;
  };
  if (!text.contains("nvidia") && !text.contains_insensitive("amd")) return byLayouts();
  ModulesOfFile uses(tree);
  const GluonModule* nvidia = uses.first("nvidia");
  const GluonModule* amd = uses.first("amd");
  if (!nvidia) {
    // Newer chips have the operations of older ones, too.
    const GluonModule* layouts = uses.ofLayouts();
    if (layouts && (!amd || layouts < amd)) amd = layouts;
    if (amd && !layouts)
      if (const GluonModule* named = uses.named(); named && named < amd) amd = named;
    return amd ? llvm::StringRef(amd->target) : byLayouts();
  }
  if (amd) return chips::standardTarget;
  // TMA and barriers are imported from either module for both chips: the used functions decide.
  if (uses.module("hopper") && nvidia->target != chips::standardTarget &&
      (uses.says(onlyHopper) ||
       llvm::none_of(onlyBlackwell, [&](llvm::StringRef word) { return uses.says(word); })))
    return chips::standardTarget;
  return nvidia->target;
}

std::optional<chips::Vendor> vendorOf(const SyntaxTree& tree) {
  llvm::StringRef text = tree.source().text();
  if (!text.contains("nvidia") && !text.contains("amd")) return std::nullopt;
  ModulesOfFile uses(tree);
  bool ofNvidia = uses.first("nvidia"), ofAmd = uses.first("amd");
  if (ofNvidia == ofAmd) return std::nullopt;
  return ofNvidia ? chips::Vendor::Nvidia : chips::Vendor::Amd;
}

// Returns the target whose chip the path names, the last one if there are several; "" if none.
static std::string targetNamedBy(llvm::StringRef path) {
  std::string target;
  llvm::SmallVector<llvm::StringRef, 16> words;
  llvm::SplitString(path, words, "/\\_-. ");
  for (llvm::StringRef word : words) {
    std::string named;
    if (word.starts_with("gfx") && llvm::all_of(word.drop_front(3), llvm::isHexDigit))
      named = "hip:" + word.str();
    if (word.consume_front("sm")) named = "cuda:" + word.rtrim("a").str();
    if (!named.empty() && chips::findChip(named)) target = named;
  }
  return target;
}

std::string likelyTarget(const SyntaxTree& tree, llvm::StringRef path) {
  std::string used = likelyTarget(tree).str(), named = targetNamedBy(path);
  auto vendor = [](llvm::StringRef target) { return target.split(':').first; };
  bool saysNothing = used == chips::standardTarget;
  return !named.empty() && (saysNothing || vendor(used) == vendor(named)) ? named : used;
}

} // namespace gluond::driver
