#include "lsp/features/Facts.h"

#include "lsp/features/NameIndex.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

namespace {

// Kernels in the order in which they are likely to speak for a place: the one around it first, then
// the others (for helpers that they call).
std::vector<const driver::Kernel*> candidates(const driver::KernelList& list, text::Offset offset) {
  std::vector<const driver::Kernel*> order;
  const driver::Kernel* around = list.at(offset);
  if (around) order.push_back(around);
  for (const driver::Kernel& kernel : list.kernels)
    if (&kernel != around) order.push_back(&kernel);
  return order;
}

// Lists written inside a kernel are tuples of Triton's, whose text is no Python: order=(0). As
// lists they can be evaluated again.
std::string asPython(llvm::StringRef layout) {
  std::string text = layout.str();
  std::vector<bool> isTuple; // of the parentheses open here
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') {
      char before = i > 0 ? text[i - 1] : ' ';
      isTuple.push_back(before == '=' || before == ' ' || before == '[');
      if (isTuple.back()) text[i] = '[';
    } else if (text[i] == ')' && !isTuple.empty()) {
      if (isTuple.back()) text[i] = ']';
      isTuple.pop_back();
    }
  }
  return text;
}

} // namespace

std::string Fact::layout() const {
  if (!type.layout.empty()) return asPython(type.layout);
  bool isLayout =
      type.kind == codegen::FactKind::Constexpr && llvm::StringRef(type.text).contains("Layout(");
  return isLayout ? asPython(type.text) : "";
}

std::string shortText(const codegen::TypeFact& type) {
  using codegen::FactKind;
  switch (type.kind) {
  case FactKind::Tensor:
  case FactKind::MemoryDescriptor:
  case FactKind::TensorDescriptor: {
    std::string text = type.dtype + "[";
    for (auto [i, size] : llvm::enumerate(type.shape))
      text += (i ? ", " : "") + std::to_string(size);
    return text + "]" + (type.kind == FactKind::MemoryDescriptor ? " memory" : "");
  }
  case FactKind::Scalar:
  case FactKind::Pointer:
    return type.dtype.empty() ? type.text : type.dtype;
  default:
    return "";
  }
}

std::optional<Fact> factAt(const driver::Snapshot& snapshot,
                           const std::shared_ptr<const driver::File>& file, text::Offset offset,
                           driver::Worker& worker, CancellationToken token) {
  auto list = driver::kernelsOf(snapshot, file, token);
  if (!list) return std::nullopt;
  driver::Analyzer analyzer(snapshot, worker, token);
  for (const driver::Kernel* kernel : candidates(*list, offset)) {
    const driver::Variant& variant = kernel->variants[kernel->selected];
    auto result = analyzer.analyze(variant, true);
    if (!result) return std::nullopt;
    if (!result->facts) continue;
    const codegen::ExpressionFact* best = nullptr;
    auto length = [](text::Range range) { return range.end - range.begin; };
    for (const codegen::ExpressionFact& fact : result->facts->expressions)
      if (fact.location.file == file->id() && fact.location.range.touches(offset) &&
          (!best || length(fact.location.range) < length(best->location.range)))
        best = &fact;
    if (best)
      return Fact{result->facts->types[best->type], best->location.range, kernel->qualname,
                  variant.label, variant.target};
  }
  return std::nullopt;
}

std::optional<Fact> layoutFactAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token) {
  auto fact = factAt(snapshot, file, offset, worker, token);
  if (fact && !fact->layout().empty()) return fact;
  const text::SourceText& text = file->text();
  unsigned line = text.lineOf(offset);
  auto list = driver::kernelsOf(snapshot, file, token);
  if (!list) return std::nullopt;
  driver::Analyzer analyzer(snapshot, worker, token);
  for (const driver::Kernel* kernel : candidates(*list, offset)) {
    const driver::Variant& variant = kernel->variants[kernel->selected];
    auto result = analyzer.analyze(variant, true);
    if (!result) return std::nullopt;
    if (!result->facts) continue;
    std::optional<Fact> first;
    for (const codegen::ExpressionFact& each : result->facts->expressions) {
      text::Range range = each.location.range;
      if (each.location.file != file->id() || text.lineOf(range.begin) != line ||
          (first && first->range.begin <= range.begin))
        continue;
      Fact here{result->facts->types[each.type], range, kernel->qualname, variant.label,
                variant.target};
      if (!here.layout().empty()) first = std::move(here);
    }
    if (first) return first;
  }
  return std::nullopt;
}

std::vector<NamedFact> factsOfNames(const driver::Snapshot& snapshot,
                                    const std::shared_ptr<const driver::File>& file,
                                    text::Range range, driver::Worker& worker,
                                    CancellationToken token) {
  std::vector<NamedFact> names;
  auto list = driver::kernelsOf(snapshot, file, token);
  auto tree = file->tree(snapshot.names(), token);
  if (!list || !tree) return names;
  NameIndex index = NameIndex::build(*tree);
  llvm::DenseMap<text::Offset, text::Offset> bound; // begin -> end
  for (const Occurrence& occurrence : index.occurrences())
    if (occurrence.binds && range.begin <= occurrence.range.begin &&
        occurrence.range.end <= range.end &&
        index.entities()[occurrence.entity].kind == EntityKind::Variable)
      bound[occurrence.range.begin] = occurrence.range.end;
  driver::Analyzer analyzer(snapshot, worker, token);
  for (const driver::Kernel& kernel : list->kernels) {
    auto result = analyzer.analyze(kernel.variants[kernel.selected], true);
    if (!result) return {};
    if (!result->facts) continue;
    for (const codegen::ExpressionFact& fact : result->facts->expressions) {
      if (fact.location.file != file->id()) continue;
      auto it = bound.find(fact.location.range.begin);
      if (it == bound.end() || it->second != fact.location.range.end) continue;
      names.push_back({fact.location.range, result->facts->types[fact.type]});
      bound.erase(it); // a helper shows what its first kernel makes of it
    }
  }
  return names;
}

} // namespace gluond::lsp
