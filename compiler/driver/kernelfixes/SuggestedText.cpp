#include "driver/kernelfixes/SuggestedText.h"

#include "driver/kernelfixes/LocalNames.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using syntax::Call;
using syntax::Expr;

namespace {

// "1:phase": by position or by name. Returns null if the call has none.
const Expr* argument(const Call& call, llvm::StringRef which, const syntax::SyntaxTree& tree) {
  auto [number, keyword] = which.split(':');
  for (const syntax::Keyword& each : call.keywords)
    if (!keyword.empty() && tree.interner().text(each.name.name) == keyword) return each.value;
  size_t position = 0;
  if (number.getAsInteger(10, position) || position >= call.args.size()) return nullptr;
  return call.args[position];
}

std::string moduleOf(const Call& call, const text::SourceText& source) {
  auto* attribute = llvm::dyn_cast<syntax::Attribute>(call.func);
  if (!attribute) return "";
  return source.slice({call.func->range.begin, attribute->attribute.range.begin}).str();
}

bool isKnown(const Expr& expr, const SuggestedCalls& calls, const syntax::SyntaxTree& tree) {
  return calls.statement && isKnownAt(expr, *calls.statement, tree, calls.isAfter);
}

// "a_desc.block_type.nbytes + 2 * b_desc.block_type.nbytes": one term for each descriptor.
std::optional<std::string> bytesOf(const SuggestedCalls& calls, const syntax::SyntaxTree& tree) {
  llvm::MapVector<llvm::StringRef, unsigned> times;
  for (const Call* copy : calls.copies) {
    const Expr* descriptor = copy && !copy->args.empty() ? copy->args.front() : nullptr;
    if (!llvm::isa_and_present<syntax::NameExpr, syntax::Attribute>(descriptor) ||
        !isKnown(*descriptor, calls, tree))
      return std::nullopt;
    ++times[tree.source().slice(descriptor->range)];
  }
  std::string sum;
  for (auto [descriptor, count] : times)
    sum += (sum.empty() ? "" : " + ") + (count > 1 ? std::to_string(count) + " * " : "") +
           descriptor.str() + ".block_type.nbytes";
  if (sum.empty()) return std::nullopt;
  return sum;
}

// ", pred=i < n": the condition of all copies, which an expect for them needs, too; "" if they have
// none.
std::optional<std::string> conditionOf(const SuggestedCalls& calls,
                                       const syntax::SyntaxTree& tree) {
  std::optional<std::string> condition;
  for (const Call* copy : calls.copies) {
    if (!copy) return std::nullopt;
    auto* function = llvm::dyn_cast<syntax::Attribute>(copy->func);
    auto* plain = llvm::dyn_cast<syntax::NameExpr>(copy->func);
    llvm::StringRef name = tree.interner().text(function ? function->attribute.name
                                                : plain  ? plain->name
                                                         : Name());
    const Expr* pred = argument(*copy, name.contains("gather") ? "5:pred" : "4:pred", tree);
    if (pred && !isKnown(*pred, calls, tree)) return std::nullopt;
    std::string own = pred ? ", pred=" + tree.source().slice(pred->range).str() : std::string();
    if (condition && *condition != own) return std::nullopt;
    condition = std::move(own);
  }
  return condition;
}

std::optional<std::string> valueOf(llvm::StringRef placeholder, const SuggestedCalls& calls,
                                   const syntax::SyntaxTree& tree) {
  if (placeholder == "bytes") return bytesOf(calls, tree);
  if (placeholder == "pred") return conditionOf(calls, tree);
  const Call* call = placeholder.consume_front("other.") ? calls.other : calls.here;
  if (!call) return std::nullopt;
  if (placeholder == "module") return moduleOf(*call, tree.source());
  bool isGrouped = placeholder.consume_front("group.");
  const Expr* value = argument(*call, placeholder, tree);
  if (!value || !isKnown(*value, calls, tree)) return std::nullopt;
  std::string text = tree.source().slice(value->range).str();
  if (isGrouped && llvm::isa<syntax::Constant>(value)) return std::nullopt; // to be written anew
  bool isPrimary = llvm::isa<syntax::NameExpr, Call, syntax::Attribute>(value);
  return isGrouped && !isPrimary ? "(" + text + ")" : text;
}

} // namespace

std::optional<std::string> fillSuggestion(llvm::StringRef text, const SuggestedCalls& calls,
                                          const syntax::SyntaxTree& tree) {
  std::string filled;
  while (true) {
    auto [before, rest] = text.split('{');
    filled += before;
    if (rest.empty()) return filled;
    llvm::StringRef placeholder;
    std::tie(placeholder, text) = rest.split('}');
    auto value = valueOf(placeholder, calls, tree);
    if (!value) return std::nullopt;
    filled += *value;
  }
}

} // namespace gluond::driver
