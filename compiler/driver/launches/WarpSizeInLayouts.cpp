#include "driver/launches/WarpSizeInLayouts.h"

#include "layout/named/FieldNames.h"
#include "support/Interner.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Visitor.h"

namespace gluond::driver {

using namespace syntax;

namespace {

// The product of a list or tuple of whole numbers above zero; nothing for anything else.
std::optional<unsigned> productOf(const Expr* expr) {
  llvm::ArrayRef<const Expr*> items;
  if (auto* list = llvm::dyn_cast_or_null<List>(expr))
    items = list->elements;
  else if (auto* tuple = llvm::dyn_cast_or_null<Tuple>(expr))
    items = tuple->elements;
  unsigned product = items.empty() ? 0 : 1;
  for (const Expr* item : items) {
    auto* number = llvm::dyn_cast<Constant>(item);
    constexpr int64_t most = 1024;
    if (!number || number->constant != ConstantKind::Int || number->integer < 1 ||
        number->integer > most || product > most)
      return std::nullopt;
    product *= static_cast<unsigned>(number->integer);
  }
  return product ? std::optional(product) : std::nullopt;
}

} // namespace

std::optional<unsigned> writtenWarpSize(const SyntaxTree& tree) {
  if (!tree.source().text().contains("BlockedLayout")) return std::nullopt;
  std::optional<unsigned> size;
  bool isOne = true;
  auto look = [&](const Node* node) {
    auto* call = llvm::dyn_cast<Call>(node);
    if (!call) return true;
    auto* member = llvm::dyn_cast<Attribute>(call->func);
    auto* name = llvm::dyn_cast<NameExpr>(call->func);
    Name called = member ? member->attribute.name : name ? name->name : Name{};
    if (tree.interner().text(called) != "BlockedLayout") return true;
    const Expr* threads = call->args.size() > 1 ? call->args[1] : nullptr;
    for (const Keyword& keyword : call->keywords)
      if (tree.interner().text(keyword.name.name) == layout::fields::threadsPerWarp)
        threads = keyword.value;
    if (auto written = productOf(threads)) {
      isOne &= !size || size == written;
      size = written;
    }
    return true;
  };
  for (const Stmt* stmt : tree.body())
    walk(stmt, look);
  return isOne ? size : std::nullopt;
}

} // namespace gluond::driver
