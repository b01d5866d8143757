#include "driver/fixes/ReleaseShim.h"

#include "diagnostics/Reporter.h"
#include "releases/ApiChanges.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using namespace syntax;

namespace {

// Which of two names is the newer one, if one of them replaced the other.
llvm::StringRef newerOf(llvm::StringRef a, llvm::StringRef b) {
  for (const releases::Successor& row : releases::successors()) {
    if (!row.isSame) continue;
    if (row.name == a && row.replacement == b) return b;
    if (row.name == b && row.replacement == a) return a;
  }
  return {};
}

bool isImport(const Stmt& statement) {
  if (llvm::isa<Import, ImportFrom>(statement)) return true;
  auto* guarded = llvm::dyn_cast<Try>(&statement);
  return guarded && llvm::all_of(guarded->body, [](const Stmt* each) { return isImport(*each); });
}

bool binds(const Node& node, Name name) {
  auto is = [&](const Alias& alias) {
    return alias.asName.name ? alias.asName.name == name
                             : !alias.path.empty() && alias.path.front().name == name;
  };
  if (auto* import = llvm::dyn_cast<Import>(&node)) return llvm::any_of(import->names, is);
  if (auto* from = llvm::dyn_cast<ImportFrom>(&node)) return llvm::any_of(from->names, is);
  bool isBound = false;
  forEachChild(node, [&](const Node& child) { isBound |= binds(child, name); });
  return isBound;
}

// Whether `word` stands in a text without a dot before it.
bool isUsed(llvm::StringRef text, llvm::StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    bool isWhole = end == text.size() || !isPart(text[end]);
    if (isWhole && (at == 0 || (!isPart(text[at - 1]) && text[at - 1] != '.'))) return true;
  }
  return false;
}

const Attribute* attributeAt(Stmts statements, text::Range range) {
  for (const Node* each : pathTo(statements, range.begin))
    if (auto* attribute = llvm::dyn_cast<Attribute>(each);
        attribute && attribute->attribute.range == range)
      return attribute;
  return nullptr;
}

// `gl.nvidia.tma` and its like: a chain of names.
bool isChain(const Expr* expr) {
  while (auto* attribute = llvm::dyn_cast<Attribute>(expr))
    expr = attribute->value;
  return llvm::isa<NameExpr>(expr);
}

} // namespace

std::optional<diagnostics::Fix> shimFor(const Snapshot& snapshot, const File& file,
                                        const Finding& finding) {
  if (finding.diagnostic.location.file != file.id() || file.notebook()) return std::nullopt;
  auto tree = file.tree(snapshot.names(), {});
  if (!tree) return std::nullopt;
  llvm::StringRef text = file.text().text();
  auto textOf = [&](text::Range range) { return text.slice(range.begin, range.end); };
  for (const diagnostics::Fix& fix : finding.diagnostic.fixes) {
    if (fix.edits.size() != 1) continue;
    const text::Edit& edit = fix.edits.front();
    const Attribute* use = attributeAt(tree->body(), edit.range);
    if (!use || !isChain(use->value)) continue;
    std::string written = textOf(edit.range).str(), owner = textOf(use->value->range).str();
    llvm::StringRef newer = newerOf(written, edit.text);
    if (newer.empty()) continue;
    llvm::StringRef older = newer == written ? llvm::StringRef(edit.text) : written;

    // After the imports, of which one binds the module.
    const Stmt* last = nullptr;
    bool isBound = false;
    Name root = ownerOf(use->value)->name;
    for (const Stmt* statement : tree->body()) {
      if (!isImport(*statement)) continue;
      if (statement->range.begin > use->range.begin) break;
      isBound |= binds(*statement, root);
      if (isBound) last = statement;
    }
    if (!last) continue;

    auto definition = [&](llvm::StringRef name) {
      return (name + " = " + owner + "." + newer + " if hasattr(" + owner + ", \"" + newer +
              "\") else " + owner + "." + older)
          .str();
    };
    std::string longName = owner + "_" + newer.str();
    llvm::replace(longName, '.', '_');
    std::vector<text::Edit> edits = {{use->range, ""}};
    for (const std::string& name : {newer.str(), longName}) {
      bool isDefined = text.contains("\n" + definition(name) + "\n");
      if (!isDefined && isUsed(text, name)) continue;
      if (!isDefined)
        edits.push_back({{last->range.end, last->range.end}, "\n\n" + definition(name)});
      edits.front().text = name;
      diagnostics::FixTitle title =
          diagnostics::fixTitle(diagnostics::FixId::TryText, llvm::StringRef(name));
      return diagnostics::Fix{std::move(title), std::move(edits)};
    }
  }
  return std::nullopt;
}

} // namespace gluond::driver
