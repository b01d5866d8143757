#include "lsp/features/facts/FileFacts.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using codegen::FactKind;
using codegen::TypeFact;

namespace {

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

FileFacts::FileFacts(const driver::Snapshot& snapshot, std::shared_ptr<const driver::File> file,
                     driver::Worker& worker, CancellationToken token)
    : snapshot_(snapshot), file_(std::move(file)), token_(token),
      analyzer_(snapshot, worker, token) {}

// A quick check knows the selected variants alone.
static driver::Depth depthFor(llvm::StringRef variant) {
  return variant.empty() ? driver::Depth::Quick : driver::Depth::Full;
}

void FileFacts::only(std::string kernel, std::string variant) {
  kernel_ = std::move(kernel);
  variant_ = std::move(variant);
}

const driver::Variant& FileFacts::variantOf(const Known& known) const {
  const driver::Kernel& kernel = *known.kernel;
  const driver::Variant* wanted = variant_.empty() ? nullptr : kernel.find(variant_);
  return wanted ? *wanted : kernel.variants[kernel.selected];
}

const driver::KernelList* FileFacts::kernels() {
  if (!std::exchange(isListed_, true)) {
    // The displayed facts are those of the selected variants, which a quick check knows.
    list_ = driver::kernelsOf(snapshot_, file_, token_, depthFor(variant_));
    if (list_) addKernels(list_);
  }
  return list_.get();
}

void FileFacts::addKernels(std::shared_ptr<const driver::KernelList> list) {
  for (const driver::Kernel& kernel : list->kernels) {
    Known& known = known_.emplace_back();
    known.list = list;
    known.kernel = &kernel;
  }
}

llvm::ArrayRef<driver::Anchor> FileFacts::reached(Known& known) {
  if (!std::exchange(known.isReached, true)) known.reached = analyzer_.reached(variantOf(known));
  return known.reached;
}

llvm::ArrayRef<FileFacts::Reach> FileFacts::reaches() {
  if (reaches_) return *reaches_;
  reaches_.emplace();
  for (const auto& caller : list_->callers)
    if (auto list = driver::kernelsOf(snapshot_, caller, token_, depthFor(variant_)))
      addKernels(std::move(list));
  for (auto [i, known] : llvm::enumerate(known_))
    for (const driver::Anchor& anchor : reached(known))
      if (anchor.file == file_->id())
        reaches_->push_back({anchor.range, 0, static_cast<uint32_t>(i)});
  llvm::sort(*reaches_,
             [](const Reach& a, const Reach& b) { return a.range.begin < b.range.begin; });
  text::Offset furthest = 0;
  for (Reach& each : *reaches_)
    each.furthest = furthest = std::max(furthest, each.range.end);
  return *reaches_;
}

llvm::SmallVector<FileFacts::Known*, 8> FileFacts::reaching(text::Offset offset) {
  if (!kernels()) return {};
  auto isWanted = [&](const Known& known) {
    return kernel_.empty() || known.kernel->qualname == kernel_;
  };
  const driver::Kernel* around = list_->at(offset);
  size_t number = around ? static_cast<size_t>(around - list_->kernels.data()) : 0;
  Known* own = around ? &known_[number] : nullptr;
  // Inside a kernel, only that kernel counts; what the others reach need not be computed.
  if (own && !reached(*own).empty() && own->reached.front().file == file_->id() &&
      own->reached.front().range.touches(offset)) {
    if (!isWanted(*own)) return {};
    return {own};
  }
  llvm::SmallVector<uint32_t, 8> others;
  llvm::ArrayRef<Reach> all = reaches();
  const Reach* next =
      llvm::partition_point(all, [&](const Reach& each) { return each.range.begin <= offset; });
  for (const Reach* each = next; each != all.begin() && each[-1].furthest >= offset; --each)
    if (each[-1].range.touches(offset)) others.push_back(each[-1].known);
  llvm::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  own = around ? &known_[number] : nullptr; // there are more by now
  llvm::SmallVector<Known*, 8> found;
  if (own && (own->reached.empty() || llvm::is_contained(others, static_cast<uint32_t>(number))))
    found.push_back(own);
  for (uint32_t each : others)
    if (&known_[each] != own) found.push_back(&known_[each]);
  llvm::erase_if(found, [&](const Known* each) { return !isWanted(*each); });
  return found;
}

const FileFacts::Known& FileFacts::made(Known& known) {
  if (!std::exchange(known.isMade, true)) {
    known.facts = analyzer_.facts(variantOf(known));
    if (known.facts)
      for (auto [i, each] : llvm::enumerate(known.facts->expressions))
        if (each.location.file == file_->id())
          known.byRange.try_emplace({each.location.range.begin, each.location.range.end},
                                    static_cast<uint32_t>(i));
  }
  return known;
}

Fact FileFacts::fact(const Known& known, const codegen::ExpressionFact& expression) const {
  const driver::Variant& variant = variantOf(known);
  return {known.facts,
          known.list,
          known.facts->types[expression.type],
          expression.location.range,
          *known.kernel,
          variant,
          variant.target,
          expression.view ? &known.facts->views[*expression.view] : nullptr};
}

std::optional<Fact> FileFacts::at(text::Offset offset) {
  for (Known* each : reaching(offset)) {
    const Known& known = made(*each);
    if (!known.facts) continue;
    const codegen::ExpressionFact* best = nullptr;
    // If two touch here, takes the one that continues after the cursor.
    auto size = [&](text::Range range) {
      return (range.end - range.begin) * 2 + (range.end == offset);
    };
    for (const codegen::ExpressionFact& fact : known.facts->expressions)
      if (fact.location.file == file_->id() && fact.location.range.touches(offset) &&
          (!best || size(fact.location.range) < size(best->location.range)))
        best = &fact;
    if (best) return fact(known, *best);
  }
  return std::nullopt;
}

std::optional<Fact> FileFacts::withLayoutAt(text::Offset offset) {
  for (Known* each : reaching(offset)) {
    const Known& known = made(*each);
    if (!known.facts) continue;
    const codegen::ExpressionFact* best = nullptr;
    for (const codegen::ExpressionFact& fact : known.facts->expressions) {
      text::Range range = fact.location.range;
      if (fact.location.file == file_->id() && range.touches(offset) &&
          !known.facts->types[fact.type].layout.empty() &&
          (!best ||
           range.end - range.begin < best->location.range.end - best->location.range.begin))
        best = &fact;
    }
    if (best) return fact(known, *best);
  }
  return std::nullopt;
}

std::optional<Fact> FileFacts::of(text::Range range) {
  for (Known* each : reaching(range.begin)) {
    const Known& known = made(*each);
    if (!known.facts) continue;
    if (auto it = known.byRange.find({range.begin, range.end}); it != known.byRange.end())
      return fact(known, known.facts->expressions[it->second]);
  }
  return std::nullopt;
}

std::optional<Fact> FileFacts::inAnotherSpecialization(text::Range range) {
  unsigned left = 8; // each may have to be compiled
  for (Known* known : reaching(range.begin))
    for (const driver::Variant& variant : known->kernel->variants) {
      if (&variant == &known->kernel->variants[known->kernel->selected]) continue;
      if (left-- == 0) return std::nullopt;
      auto facts = analyzer_.facts(variant);
      if (!facts) continue;
      bool isPoint = range.begin == range.end;
      auto fits = [&](text::Range of) {
        return isPoint ? of.begin <= range.begin && range.begin < of.end : of == range;
      };
      const codegen::ExpressionFact* smallest = nullptr;
      for (const codegen::ExpressionFact& each : facts->expressions) {
        text::Range of = each.location.range;
        if (each.location.file != file_->id() || !fits(of)) continue;
        if (!smallest ||
            of.end - of.begin < smallest->location.range.end - smallest->location.range.begin)
          smallest = &each;
      }
      if (smallest)
        return Fact{
            facts,          known->list, facts->types[smallest->type], smallest->location.range,
            *known->kernel, variant};
    }
  return std::nullopt;
}

std::optional<Fact> FileFacts::withLayout(text::Range line) {
  for (Known* each : reaching(line.end)) {
    const Known& known = made(*each);
    if (!known.facts) continue;
    const codegen::ExpressionFact* first = nullptr;
    for (const codegen::ExpressionFact& fact : known.facts->expressions) {
      text::Range range = fact.location.range;
      if (fact.location.file == file_->id() && line.touches(range.begin) &&
          (!first || range.begin < first->location.range.begin) &&
          !known.facts->types[fact.type].layout.empty())
        first = &fact;
    }
    if (first) return fact(known, *first);
  }
  return std::nullopt;
}

// Whether the kernel computes with it; otherwise it is a constant or has no value.
static bool isValue(FactKind kind) {
  return kind != FactKind::Constexpr && kind != FactKind::Other;
}

// Whether the name there is assigned by a statement or a `:=`.
static bool isAssigned(const syntax::SyntaxTree& tree, text::Offset offset) {
  auto path = syntax::pathFrom(tree.body(), offset);
  if (path.empty() || !llvm::isa<syntax::NameExpr>(path.front())) return false;
  const syntax::Node* target = path.front();
  for (const syntax::Node* node : llvm::drop_begin(path)) {
    if (llvm::isa<syntax::Tuple, syntax::List, syntax::Starred>(node)) {
      target = node;
      continue;
    }
    if (auto* assign = llvm::dyn_cast<syntax::Assign>(node))
      return llvm::is_contained(assign->targets, target);
    if (auto* assign = llvm::dyn_cast<syntax::AnnAssign>(node)) return assign->target == target;
    if (auto* assign = llvm::dyn_cast<syntax::AugAssign>(node)) return assign->target == target;
    if (auto* loop = llvm::dyn_cast<syntax::For>(node)) return loop->target == target;
    if (auto* named = llvm::dyn_cast<syntax::NamedExpr>(node)) return named->target == target;
    return false;
  }
  return false;
}

std::optional<Fact> layoutFactAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token) {
  FileFacts facts(snapshot, file, worker, token);
  auto fact = facts.at(offset);
  if (fact && !fact->layout().empty()) return fact;
  // A constant is rarely meant, unless the line is about it: `BM: gl.constexpr = a.shape[0]`.
  if ((fact && isValue(fact->type.kind)) ||
      isAssigned(*file->tree(snapshot.names(), token), offset))
    return std::nullopt;
  if (auto around = facts.withLayoutAt(offset)) return around;
  const text::SourceText& text = file->text();
  uint32_t line = text.lineOf(offset);
  text::Offset begin = text.lineStart(line);
  return facts.withLayout({begin, begin + static_cast<text::Offset>(text.line(line).size())});
}

std::optional<Fact> factAt(const driver::Snapshot& snapshot,
                           const std::shared_ptr<const driver::File>& file, text::Offset offset,
                           driver::Worker& worker, CancellationToken token) {
  return FileFacts(snapshot, file, worker, token).at(offset);
}

std::string layoutExpression(const TypeFact& type) {
  return asPython(type.layout);
}

std::string Fact::layout() const {
  return layoutExpression(type);
}

std::string shortText(const TypeFact& type) {
  switch (type.kind) {
  case FactKind::Tensor:
  case FactKind::Accumulator:
  case FactKind::MemoryDescriptor:
  case FactKind::TensorDescriptor: {
    std::string text = type.dtype + "[";
    for (auto [i, size] : llvm::enumerate(type.shape))
      text += (i ? ", " : "") + std::to_string(size);
    text += "]";
    if (type.kind == FactKind::TensorDescriptor) return text + " descriptor";
    if (type.kind == FactKind::Accumulator) return text + " accumulator";
    if (type.kind == FactKind::MemoryDescriptor)
      return text + (type.isTensorMemory ? " tensor memory" : " shared memory");
    return text;
  }
  case FactKind::Scalar:
  case FactKind::Pointer:
    return type.dtype.empty() ? type.text : type.dtype;
  case FactKind::Aggregate:
    return type.className;
  default:
    return "";
  }
}

std::string shortLayout(llvm::StringRef layout) {
  layout.consume_front("gl.");
  llvm::StringRef name = layout.take_until([](char c) { return c == '('; });
  llvm::StringRef arguments = layout.drop_front(name.size());
  llvm::StringRef word = name.rsplit('.').second.empty() ? name : name.rsplit('.').second;
  word.consume_back("Layout");
  if (word != "Slice") return word.str();
  // SliceLayout(1, parent) or SliceLayout(dim=1, parent=parent)
  arguments.consume_front("(");
  arguments.consume_front("dim=");
  auto [dim, parent] = arguments.split(',');
  parent = parent.ltrim();
  parent.consume_front("parent=");
  return "Slice(" + dim.str() + ", " + shortLayout(parent) + ")";
}

} // namespace gluond::lsp
