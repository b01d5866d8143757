#include "lsp/features/navigation/Symbols.h"

#include "driver/workspace/WorkspaceFiles.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include <map>

namespace gluond::lsp {

using namespace syntax;

text::Range wholeRange(const Node& node, const text::SourceText& source) {
  text::Range range = rangeWithDecorators(node);
  if (range.begin == node.range.begin) return range;
  llvm::StringRef before = source.text().take_front(range.begin).rtrim(" \t");
  if (before.ends_with("@")) range.begin = static_cast<text::Offset>(before.size() - 1);
  return range;
}

namespace {

class Outline {
public:
  explicit Outline(const SyntaxTree& tree) : tree_(tree) {}

  void body(Stmts body, bool inClass, std::vector<OutlineSymbol>& out) {
    for (const Stmt* stmt : body) {
      if (auto* def = llvm::dyn_cast<FunctionDef>(stmt)) {
        function(*def, inClass, out);
      } else if (auto* def = llvm::dyn_cast<ClassDef>(stmt)) {
        OutlineSymbol symbol{text(def->name),   decorators(def->decorators),
                             SymbolKind::Class, wholeRange(*def, tree_.source()),
                             def->name.range,   {}};
        this->body(def->body, true, symbol.children);
        seen_.erase(&symbol.children);
        out.push_back(std::move(symbol));
      } else if (auto* assign = llvm::dyn_cast<Assign>(stmt)) {
        for (const Expr* target : assign->targets)
          variable(target, stmt->range, inClass, out);
      } else if (auto* assign = llvm::dyn_cast<AnnAssign>(stmt)) {
        variable(assign->target, stmt->range, inClass, out);
      } else if (auto* branch = llvm::dyn_cast<If>(stmt)) {
        this->body(branch->body, inClass, out);
        this->body(branch->orelse, inClass, out);
      } else if (auto* attempt = llvm::dyn_cast<Try>(stmt)) {
        this->body(attempt->body, inClass, out);
      }
    }
  }

private:
  std::string text(Identifier identifier) const {
    std::string name = tree_.interner().text(identifier.name).str();
    return name.empty() ? "?" : name; // LSP forbids empty names
  }
  std::string source(text::Range range) const { return tree_.source().slice(range).str(); }

  std::string decorators(Exprs decorators) const {
    std::string text;
    for (const Expr* decorator : decorators) {
      auto* call = llvm::dyn_cast<Call>(decorator);
      text += (text.empty() ? "@" : " @") + source(call ? call->func->range : decorator->range);
    }
    return text;
  }

  // What @gluon.jit looks like under any alias; the evaluator knows for certain, the outline need
  // not wait for it.
  static bool isJit(llvm::StringRef decorators) {
    return decorators.contains(".jit") || decorators.contains("@jit") ||
           decorators.contains("@gluon");
  }

  void function(const FunctionDef& def, bool inClass, std::vector<OutlineSymbol>& out) {
    OutlineSymbol symbol{text(def.name),       decorators(def.decorators),
                         SymbolKind::Function, wholeRange(def, tree_.source()),
                         def.name.range,       {}};
    if (inClass)
      symbol.kind = SymbolKind::Method;
    else if (isJit(symbol.detail))
      symbol.kind = SymbolKind::Kernel;
    for (const Stmt* stmt : def.body) // nested definitions; locals are no part of an outline
      if (llvm::isa<FunctionDef, ClassDef>(stmt))
        body(llvm::ArrayRef(&stmt, 1), false, symbol.children);
    seen_.erase(&symbol.children);
    out.push_back(std::move(symbol));
  }

  void variable(const Expr* target, text::Range range, bool inClass,
                std::vector<OutlineSymbol>& out) {
    if (auto* tuple = llvm::dyn_cast<Tuple>(target)) {
      for (const Expr* element : tuple->elements)
        variable(element, range, inClass, out);
      return;
    }
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (!name || !isFirst(text({name->name, {}}), out)) return;
    std::string label = text({name->name, name->range});
    bool isConstant = llvm::none_of(label, [](char c) { return c >= 'a' && c <= 'z'; });
    out.push_back({label,
                   "",
                   inClass      ? SymbolKind::Field
                   : isConstant ? SymbolKind::Constant
                                : SymbolKind::Variable,
                   range,
                   name->range,
                   {}});
  }

  // Whether no symbol of that name is in the list. Names of lists that are still being filled are
  // kept: an outer list waits while an inner one grows.
  bool isFirst(const std::string& name, const std::vector<OutlineSymbol>& out) {
    Seen& seen = seen_[&out];
    for (; seen.count < out.size(); ++seen.count)
      seen.names.insert(out[seen.count].name);
    return !seen.names.contains(name);
  }

  const SyntaxTree& tree_;
  struct Seen {
    size_t count = 0;
    llvm::StringSet<> names;
  };
  std::map<const std::vector<OutlineSymbol>*, Seen> seen_;
};

class Folds {
public:
  explicit Folds(const SyntaxTree& tree) : tree_(tree), source_(tree.source()) {}

  std::vector<Fold> run() {
    runs(tree_.body());
    for (const Stmt* stmt : tree_.body())
      visit(*stmt);
    comments();
    llvm::sort(folds_, [](const Fold& a, const Fold& b) {
      return std::pair(a.firstLine, b.lastLine) < std::pair(b.firstLine, a.lastLine);
    });
    // Editors take one fold per line: the outermost.
    folds_.erase(
        std::unique(folds_.begin(), folds_.end(),
                    [](const Fold& a, const Fold& b) { return a.firstLine == b.firstLine; }),
        folds_.end());
    return std::move(folds_);
  }

private:
  void add(text::Offset begin, text::Offset end, Fold::Kind kind = Fold::Kind::Region) {
    uint32_t first = source_.lineOf(begin), last = source_.lineOf(end);
    if (last > first) folds_.push_back({first, last, kind});
  }

  void visit(const Node& node) {
    text::Range range = node.range;
    if (llvm::isa<FunctionDef, ClassDef, For, While, If, With, Try, Match>(node) ||
        llvm::isa<List, Dict, Set, Tuple, Call, Comprehension>(node) ||
        llvm::isa<Constant, JoinedStr>(node))
      if (range.end > range.begin) add(range.begin, range.end - 1);
    forEachChild(node, [&](const Node& child) { visit(child); });
  }

  void runs(Stmts body) {
    for (size_t i = 0; i < body.size();) {
      size_t j = i;
      while (j < body.size() && llvm::isa<Import, ImportFrom>(body[j]))
        ++j;
      if (j > i + 1) add(body[i]->range.begin, body[j - 1]->range.end, Fold::Kind::Imports);
      i = j + 1;
    }
  }

  void comments() {
    for (uint32_t line = 0; line < source_.lineCount();) {
      uint32_t end = line;
      while (end < source_.lineCount() && source_.line(end).ltrim(" \t").starts_with("#"))
        ++end;
      if (end > line + 1) folds_.push_back({line, end - 1, Fold::Kind::Comment});
      line = end + 1;
    }
  }

  const SyntaxTree& tree_;
  const text::SourceText& source_;
  std::vector<Fold> folds_;
};

} // namespace

std::vector<OutlineSymbol> symbolsOf(const SyntaxTree& tree) {
  std::vector<OutlineSymbol> symbols;
  Outline(tree).body(tree.body(), false, symbols);
  return symbols;
}

// How well a name fits: 0 the same, 1 it begins so, 2 has it inside, 3 has its letters in order.
static std::optional<unsigned> distance(llvm::StringRef name, llvm::StringRef query) {
  if (query.empty()) return 1;
  if (name.equals_insensitive(query)) return 0;
  size_t at = name.find_insensitive(query);
  if (at != llvm::StringRef::npos) return at == 0 ? 1 : 2;
  size_t matched = 0;
  for (char c : name)
    if (matched < query.size() && llvm::toLower(c) == llvm::toLower(query[matched])) ++matched;
  return matched == query.size() ? std::optional(3u) : std::nullopt;
}

std::vector<WorkspaceSymbol> workspaceSymbols(const driver::Snapshot& snapshot,
                                              llvm::StringRef query, size_t most,
                                              CancellationToken token) {
  std::vector<std::pair<unsigned, WorkspaceSymbol>> found;
  for (const auto& file : driver::filesWith(snapshot, "gluon", token)) {
    auto tree = file->tree(snapshot.names(), token);
    if (!tree) return {};
    auto collect = [&](auto& self, std::vector<OutlineSymbol> symbols,
                       const std::string& container) -> void {
      for (OutlineSymbol& symbol : symbols) {
        std::vector<OutlineSymbol> children = std::move(symbol.children);
        symbol.children.clear();
        std::string name = symbol.name;
        if (auto rank = distance(name, query))
          found.push_back({*rank, {file, std::move(symbol), container}});
        self(self, std::move(children), name);
      }
    };
    collect(collect, symbolsOf(*tree), "");
  }
  std::vector<size_t> order(found.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) { // the best match first, else in their order
    return std::pair(found[a].first, a) < std::pair(found[b].first, b);
  });
  std::vector<WorkspaceSymbol> symbols;
  for (size_t i : order)
    if (symbols.size() < most) symbols.push_back(std::move(found[i].second));
  return symbols;
}

std::vector<Fold> foldsOf(const SyntaxTree& tree) {
  return Folds(tree).run();
}

} // namespace gluond::lsp
