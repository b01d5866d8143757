#include "syntax/Correspondence.h"

#include "syntax/tree/Children.h"
#include "syntax/tree/Fields.h"

#include <llvm/ADT/STLExtras.h>

#include <bit>

namespace gluond::syntax {

using text::Offset;
using text::Range;

namespace {

// Walks two trees side by side as long as they are the same except for places. The functions it is
// given must outlive it.
class Walk {
public:
  using Found = llvm::function_ref<void(const Node& before, const Node& after)>;
  Walk(llvm::function_ref<bool(const FunctionDef&)> mayDiffer, Found found)
      : mayDiffer_(mayDiffer), found_(found) {}

  // Calls found() for every pair on the way. Returns false if they are not the same.
  bool same(Stmts before, Stmts after) { return sameItems(before, after); }

private:
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Name> ||
             std::is_same_v<T, llvm::StringRef>)
  bool same(const T& a, const T& b) {
    return a == b;
  }
  bool same(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }
  bool same(Range, Range) { return true; }
  bool same(const Identifier& a, const Identifier& b) { return a.name == b.name; }
  template <typename T>
    requires std::is_base_of_v<Node, T>
  bool same(const T* a, const T* b) {
    return a && b ? sameNodes(*a, *b) : a == b;
  }
  bool same(const Keyword& a, const Keyword& b) {
    return same(a.name, b.name) && same(a.value, b.value);
  }
  bool same(const Parameter& a, const Parameter& b) {
    return a.kind == b.kind && same(a.name, b.name) && same(a.annotation, b.annotation) &&
           same(a.defaultValue, b.defaultValue);
  }
  bool same(const DictItem& a, const DictItem& b) {
    return same(a.key, b.key) && same(a.value, b.value);
  }
  bool same(const Generator& a, const Generator& b) {
    return a.isAsync == b.isAsync && same(a.target, b.target) && same(a.iter, b.iter) &&
           sameItems(a.conditions, b.conditions);
  }
  bool same(const WithItem& a, const WithItem& b) {
    return same(a.context, b.context) && same(a.target, b.target);
  }
  bool same(const ExceptHandler& a, const ExceptHandler& b) {
    return a.isStar == b.isStar && same(a.name, b.name) && same(a.type, b.type) &&
           sameItems(a.body, b.body);
  }
  bool same(const MatchCase& a, const MatchCase& b) {
    return same(a.pattern, b.pattern) && same(a.guard, b.guard) && sameItems(a.body, b.body);
  }
  bool same(const Alias& a, const Alias& b) {
    return same(a.asName, b.asName) && sameItems(a.path, b.path);
  }
  template <typename T> bool same(llvm::ArrayRef<T> a, llvm::ArrayRef<T> b) {
    return sameItems(a, b);
  }
  template <typename T> bool sameItems(llvm::ArrayRef<T> a, llvm::ArrayRef<T> b) {
    return llvm::equal(a, b, [&](const T& x, const T& y) { return same(x, y); });
  }

  bool sameNodes(const Node& a, const Node& b) {
    if (a.kind != b.kind) return false;
    found_(a, b);
    if (auto* function = llvm::dyn_cast<FunctionDef>(&a); function && mayDiffer_(*function)) {
      auto* other = llvm::cast<FunctionDef>(&b);
      return same(function->name, other->name) && function->isAsync == other->isAsync &&
             function->docstring == other->docstring &&
             sameItems(function->decorators, other->decorators) &&
             sameItems(function->parameters, other->parameters) &&
             same(function->returns, other->returns);
    }
    return withFields(a.kind, [&]<typename T>(FieldsOf<T>, auto... fields) {
      return (same(llvm::cast<T>(&a)->*fields, llvm::cast<T>(&b)->*fields) && ...);
    });
  }

  llvm::function_ref<bool(const FunctionDef&)> mayDiffer_;
  Found found_;
};

bool isDefinition(const Node& node) {
  return llvm::isa<FunctionDef, ClassDef, Lambda>(&node);
}

} // namespace

std::optional<Correspondence>
Correspondence::between(const SyntaxTree& before, const SyntaxTree& after,
                        llvm::function_ref<bool(const FunctionDef&)> mayDiffer) {
  std::vector<SyntaxTree::Piece> from = before.pieces(), to = after.pieces();
  if (from.size() != to.size()) return std::nullopt;
  Correspondence result;
  result.pairs_.reserve(from.size());
  for (auto [a, b] : llvm::zip(from, to)) {
    Pair pair{a.range, b.range.begin - a.range.begin, a.body, b.body};
    // Recovery of a broken piece depends on more than its text.
    pair.isEqual = a.cut == b.cut && !a.isRecovered && !b.isRecovered &&
                   before.source().slice(a.range) == after.source().slice(b.range);
    if (!pair.isEqual) {
      pair.isWalked = true;
      auto found = [&](const Node& x, const Node& y) {
        if (isDefinition(x)) result.nodes_[&x] = &y;
        result.ranges_[{x.range.begin, x.range.end}] = y.range;
      };
      Walk walk(mayDiffer, found);
      if (!walk.same(a.body, b.body)) return std::nullopt;
    }
    result.pairs_.push_back(pair);
  }
  return result;
}

Correspondence::Pair* Correspondence::around(Offset place) {
  auto it =
      llvm::partition_point(pairs_, [&](const Pair& pair) { return pair.before.end <= place; });
  return it != pairs_.end() && it->before.begin <= place ? &*it : nullptr;
}

const Node* Correspondence::find(const Node* before) {
  if (!before || !isDefinition(*before)) return nullptr;
  Pair* pair = around(before->range.begin);
  if (!pair) return nullptr;
  if (!pair->isWalked) {
    // Most queries are for statements at column 0, near the beginning of their piece.
    constexpr size_t few = 8;
    for (auto [from, to] : llvm::zip(pair->from.take_front(few), pair->to.take_front(few)))
      if (from == before) return to;
    pair->isWalked = true;
    auto isWhole = [](const FunctionDef&) { return false; };
    auto found = [&](const Node& x, const Node& y) {
      if (isDefinition(x)) nodes_[&x] = &y;
    };
    Walk walk(isWhole, found);
    if (!walk.same(pair->from, pair->to)) return nullptr;
  }
  return nodes_.lookup(before);
}

std::optional<Range> Correspondence::of(Range before) const {
  const Pair* pair = around(before.begin);
  if (!pair || before.end > pair->before.end) return std::nullopt;
  if (pair->isEqual) return Range{before.begin + pair->moved, before.end + pair->moved};
  auto it = ranges_.find({before.begin, before.end});
  return it == ranges_.end() ? std::nullopt : std::optional(it->second);
}

} // namespace gluond::syntax
