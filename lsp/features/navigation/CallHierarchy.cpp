#include "lsp/features/navigation/CallHierarchy.h"

#include "lsp/features/navigation/Navigation.h"
#include "lsp/features/navigation/Symbols.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

#include <map>
#include <tuple>

namespace gluond::lsp {

using namespace syntax;

namespace {

CallItem itemOf(const IndexedFile& file, const FunctionDef& def) {
  const Interner& names = file.tree->interner();
  CallItem item;
  item.file = file.file;
  item.name = names.text(def.name.name).str();
  if (const ClassDef* cls = NameResolver::classOf(file, def))
    item.name = names.text(cls->name.name).str() + "." + item.name;
  item.detail = llvm::sys::path::filename(file.file->path()).str();
  item.isKernel = roleOf(*file.tree, file.index, def) == GluonRole::Kernel;
  item.range = wholeRange(def, file.tree->source());
  item.nameRange = def.name.range;
  return item;
}

CallItem itemOf(const IndexedFile& file) {
  CallItem item;
  item.file = file.file;
  item.name = llvm::sys::path::stem(file.file->path()).str();
  item.detail = "module";
  item.isModule = true;
  item.range = {0, file.file->text().size()};
  return item;
}

// f(...) and kernel[grid](...): the expression that names the function.
const Expr* calleeOf(const Call& call) {
  const Expr* callee = call.func;
  if (auto* subscript = llvm::dyn_cast<Subscript>(callee)) callee = subscript->value;
  return callee;
}

const FunctionDef* definitionAt(const IndexedFile& file, text::Range name) {
  for (const Node* node : pathFrom(file.tree->body(), name.begin))
    if (auto* def = llvm::dyn_cast<FunctionDef>(node); def && def->name.range == name) return def;
  return nullptr;
}

// The other ends of calls, in the order in which they are found.
class Edges {
public:
  void add(CallItem item, text::Range place) {
    auto [it, isNew] = places_.try_emplace(
        std::tuple(item.file.get(), item.nameRange.begin, item.nameRange.end, item.isModule),
        edges_.size());
    if (isNew) edges_.push_back({std::move(item), {}});
    edges_[it->second].places.push_back(place);
  }
  std::vector<CallEdge> take() { return std::move(edges_); }

private:
  std::vector<CallEdge> edges_;
  std::map<std::tuple<const driver::File*, text::Offset, text::Offset, bool>, size_t> places_;
};

} // namespace

std::optional<CallItem> callItemAt(NameResolver& resolver, const IndexedFile& file,
                                   text::Offset offset) {
  auto resolved = resolver.at(file, offset);
  if (!resolved || resolved->denoted.kind != Denoted::Kind::Function) return std::nullopt;
  return itemOf(*resolved->denoted.file, *llvm::cast<FunctionDef>(resolved->denoted.node));
}

std::vector<CallEdge> callsTo(NameResolver& resolver, const IndexedFile& file, text::Range name) {
  auto resolved = resolver.at(file, name.begin);
  if (!resolved || !resolved->denoted.symbol) return {};
  Edges edges;
  for (const Use& use : usesOf(resolver, *resolved->denoted.symbol, Where::Workspace)) {
    auto path = pathTo(use.file->tree->body(), use.range.begin);
    bool isCall = false;
    const FunctionDef* around = nullptr;
    for (const Node* node : path) {
      if (auto* call = llvm::dyn_cast<Call>(node))
        isCall |= calleeOf(*call)->range.end == use.range.end;
      // A decorator or default is no part of the function's body.
      if (auto* def = llvm::dyn_cast<FunctionDef>(node); def && def->header.end <= use.range.begin)
        around = def;
    }
    if (!isCall) continue;
    edges.add(around ? itemOf(*use.file, *around) : itemOf(*use.file), use.range);
  }
  return edges.take();
}

std::vector<CallEdge> callsFrom(NameResolver& resolver, const IndexedFile& file, text::Range name) {
  const FunctionDef* def = definitionAt(file, name);
  if (!def) return {};
  Edges edges;
  auto visit = [&](auto& self, const Node& node) -> void {
    if (auto* call = llvm::dyn_cast<Call>(&node)) {
      const Expr* callee = calleeOf(*call);
      Denoted denoted = resolver.of(file, callee);
      text::Range place = callee->range;
      if (auto* attribute = llvm::dyn_cast<Attribute>(callee)) place = attribute->attribute.range;
      if (denoted.kind == Denoted::Kind::Function)
        edges.add(itemOf(*denoted.file, *llvm::cast<FunctionDef>(denoted.node)), place);
    }
    forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  for (const Stmt* stmt : def->body)
    visit(visit, *stmt);
  return edges.take();
}

} // namespace gluond::lsp
