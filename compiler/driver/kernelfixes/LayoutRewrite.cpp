#include "driver/kernelfixes/LayoutRewrite.h"

#include "layout/named/Spelling.h"
#include "text/PartWithEdits.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>

#include <algorithm>
#include <numeric>

namespace gluond::driver {

using syntax::Expr;

namespace {

using Values = llvm::SmallVector<int64_t, 4>;

// One entry of a list: its text, and its value in the launch in question.
struct Entry {
  std::string text;
  int64_t value;
  bool isNumber;         // written as one
  bool needsParentheses; // as a factor
};
using Entries = llvm::SmallVector<Entry, 4>;

syntax::Exprs elementsOf(const Expr* list) {
  if (auto* written = llvm::dyn_cast<syntax::List>(list)) return written->elements;
  if (auto* written = llvm::dyn_cast<syntax::Tuple>(list)) return written->elements;
  return {};
}

Entries entriesOf(const Expr* list, llvm::ArrayRef<int64_t> values,
                  const text::SourceText& source) {
  Entries entries;
  for (auto [expr, value] : llvm::zip(elementsOf(list), values))
    entries.push_back({source.slice(expr->range).str(), value, writtenNumber(expr).has_value(),
                       !llvm::isa<syntax::NameExpr, syntax::Constant, syntax::Attribute,
                                  syntax::Call, syntax::Subscript>(expr)});
  return entries;
}

std::string factor(const Entry& entry) {
  return entry.needsParentheses ? "(" + entry.text + ")" : entry.text;
}

// The entries of a list with other values. Every expression stays, moves, or becomes part of a
// product; `isForOneLaunch` where one is lost.
Entries rewritten(const Entries& entries, llvm::ArrayRef<int64_t> wanted, bool& isForOneLaunch) {
  size_t count = entries.size();
  Entries result(count);
  llvm::SmallVector<bool, 4> isDone(count, false), isUsed(count, false);
  auto put = [&](size_t at, const Entry& entry) {
    result[at] = entry;
    isDone[at] = true;
  };
  for (size_t i = 0; i < count; ++i)
    if (entries[i].value == wanted[i]) {
      put(i, entries[i]);
      isUsed[i] = true;
    }
  for (size_t i = 0; i < count; ++i)
    for (size_t from = 0; from < count && !isDone[i]; ++from)
      if (!isUsed[from] && entries[from].value == wanted[i]) {
        put(i, entries[from]);
        isUsed[from] = true;
      }
  // Remaining factors are added where they fit.
  for (size_t i = 0; i < count; ++i) {
    if (isDone[i]) continue;
    std::string text;
    int64_t value = 1;
    bool isNumber = true;
    for (size_t from = 0; from < count; ++from) {
      const Entry& entry = entries[from];
      if (isUsed[from] || entry.isNumber || wanted[i] % (value * entry.value)) continue;
      text += (text.empty() ? "" : " * ") + factor(entry);
      value *= entry.value;
      isNumber = false;
      isUsed[from] = true;
    }
    for (size_t from = 0; from < count && isNumber; ++from) {
      const Entry& entry = entries[from];
      if (isUsed[from] || entry.isNumber || wanted[i] <= 1 || entry.value % wanted[i]) continue;
      text = factor(entry) + " // " + std::to_string(entry.value / wanted[i]);
      value = wanted[i];
      isNumber = false;
      isUsed[from] = true;
    }
    if (wanted[i] != value || isNumber)
      text += (text.empty() ? "" : " * ") + std::to_string(wanted[i] / value);
    put(i, {text, wanted[i], isNumber, !isNumber});
  }
  for (size_t from = 0; from < count; ++from)
    isForOneLaunch |= !isUsed[from] && !entries[from].isNumber;
  return result;
}

std::string listText(const Entries& entries) {
  std::string text = "[";
  for (auto [i, entry] : llvm::enumerate(entries))
    text += (i ? ", " : "") + entry.text;
  return text + "]";
}

// The exchange of dimensions that turns all sizes of one tile into those of the other at once:
// entries that happen to be equal in this launch move along.
std::optional<llvm::SmallVector<size_t, 4>> turn(const layout::Layout& from,
                                                 const layout::Layout& to) {
  auto *a = from.as<layout::Blocked>(), *b = to.as<layout::Blocked>();
  size_t rank = a ? a->order.size() : 0;
  if (!a || !b || rank != b->order.size() || rank > 4) return std::nullopt;
  llvm::SmallVector<size_t, 4> by(rank);
  std::iota(by.begin(), by.end(), size_t{0});
  do {
    auto agrees = [&](const auto& now, const auto& then) {
      return llvm::all_of(llvm::seq<size_t>(0, rank),
                          [&](size_t i) { return then[i] == now[by[i]]; });
    };
    if (agrees(a->sizePerThread, b->sizePerThread) &&
        agrees(a->threadsPerWarp, b->threadsPerWarp) && agrees(a->warpsPerCTA, b->warpsPerCTA))
      return by;
  } while (std::next_permutation(by.begin(), by.end()));
  return std::nullopt;
}

} // namespace

std::optional<LayoutRewrite> rewriteLayout(const syntax::Call& call, const layout::Layout& from,
                                           const layout::Layout& to,
                                           const syntax::SyntaxTree& tree) {
  const text::SourceText& source = tree.source();
  auto before = layoutArguments(from), after = layoutArguments(to);
  if (before.empty() || layout::gluonClass(from) != layout::gluonClass(to)) return std::nullopt;
  auto exchange = turn(from, to);
  LayoutRewrite result;
  for (auto [i, had] : llvm::enumerate(before)) {
    const LayoutArgument& wants = after[i];
    const Expr* written = i < call.args.size() ? call.args[i] : nullptr;
    for (const syntax::Keyword& keyword : call.keywords)
      if (tree.interner().text(keyword.name.name) == had.name) written = keyword.value;
    bool isSize = exchange && i < 3;
    if (!written) {
      if (had.values == wants.values) continue;
      return std::nullopt; // it has its default
    }
    std::string text;
    if (!had.isList) {
      if (had.values == wants.values) continue;
      text = std::to_string(wants.values.front());
      result.isForOneLaunch |= !writtenNumber(written);
    } else if (Entries entries = entriesOf(written, had.values, source);
               entries.size() == had.values.size() && entries.size() == wants.values.size()) {
      Entries made;
      if (isSize)
        for (size_t each : *exchange)
          made.push_back(entries[each]);
      else
        made = rewritten(entries, wants.values, result.isForOneLaunch);
      text = listText(made);
      if (text == listText(entries)) continue;
    } else {
      if (had.values == wants.values) continue;
      Entries numbers;
      for (int64_t value : wants.values)
        numbers.push_back({std::to_string(value), value, true, false});
      text = listText(numbers);
      result.isForOneLaunch = true;
    }
    result.edits.push_back({written->range, text});
  }
  result.text = text::withEdits(source, call.range, result.edits);
  return result;
}

} // namespace gluond::driver
