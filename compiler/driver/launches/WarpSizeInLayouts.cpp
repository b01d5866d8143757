#include "driver/launches/WarpSizeInLayouts.h"

#include "language/parameters/CalledFunctions.h"
#include "layout/named/FieldNames.h"
#include "support/Interner.h"
#include "syntax/SyntaxTree.h"
#include "syntax/tree/Visitor.h"

namespace gluond::driver {

using namespace syntax;

namespace {

// The numbers that statements of a file give to names: N = 64, N = gl.constexpr(64) and
// N: gl.constexpr = 64. A name that has several is none.
class Numbers {
public:
  explicit Numbers(const SyntaxTree& tree) : names_(tree.interner()) {
    for (const Stmt* stmt : tree.body()) {
      auto* assigned = llvm::dyn_cast<Assign>(stmt);
      auto* annotated = llvm::dyn_cast<AnnAssign>(stmt);
      if (assigned)
        for (const Expr* target : assigned->targets)
          add(target, assigned->value);
      if (annotated && annotated->value) add(annotated->target, annotated->value);
    }
  }
  // Returns the number that the expression is, or nullopt.
  std::optional<int64_t> of(const Expr* expr) const {
    if (auto* name = llvm::dyn_cast<NameExpr>(expr)) {
      auto found = numbers_.find(name->name);
      return found == numbers_.end() ? std::nullopt : found->second;
    }
    auto* number = llvm::dyn_cast<Constant>(expr);
    if (!number || number->constant != ConstantKind::Int) return std::nullopt;
    return number->integer;
  }

private:
  void add(const Expr* target, const Expr* value) {
    auto* name = llvm::dyn_cast<NameExpr>(target);
    if (!name) return;
    if (auto* call = llvm::dyn_cast<Call>(value); call && call->args.size() == 1) {
      if (language::calledName(call->func, names_) == "constexpr") value = call->args.front();
    }
    auto [known, isNew] = numbers_.try_emplace(name->name, of(value));
    if (!isNew && known->second != of(value)) known->second = std::nullopt;
  }

  const Interner& names_;
  llvm::DenseMap<Name, std::optional<int64_t>> numbers_;
};

// The product of a list or tuple of whole numbers above zero; nothing for anything else.
std::optional<unsigned> productOf(const Expr* expr, const Numbers& numbers) {
  llvm::ArrayRef<const Expr*> items;
  if (auto* list = llvm::dyn_cast_or_null<List>(expr))
    items = list->elements;
  else if (auto* tuple = llvm::dyn_cast_or_null<Tuple>(expr))
    items = tuple->elements;
  unsigned product = items.empty() ? 0 : 1;
  for (const Expr* item : items) {
    constexpr int64_t most = 1024;
    std::optional<int64_t> number = numbers.of(item);
    if (!number || *number < 1 || *number > most || product > most) return std::nullopt;
    product *= static_cast<unsigned>(*number);
  }
  return product ? std::optional(product) : std::nullopt;
}

} // namespace

std::optional<unsigned> writtenWarpSize(const SyntaxTree& tree) {
  if (!tree.source().text().contains("BlockedLayout")) return std::nullopt;
  Numbers numbers(tree);
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
    if (auto written = productOf(threads, numbers)) {
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
