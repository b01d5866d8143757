#include "driver/analysis/ResultCaches.h"

#include <llvm/ADT/STLExtras.h>

#include <tuple>

namespace gluond::driver {

namespace {

bool areMoved(llvm::ArrayRef<Anchor> from, llvm::ArrayRef<Anchor> to) {
  return llvm::any_of(llvm::zip(from, to), [](const auto& pair) {
    return std::get<0>(pair).range.begin != std::get<1>(pair).range.begin;
  });
}

// Moves places from the old to the new positions of definitions.
class Mover {
public:
  Mover(llvm::ArrayRef<Anchor> from, llvm::ArrayRef<Anchor> to) : from_(from), to_(to) {
    for (auto [i, anchor] : llvm::enumerate(from))
      inOrder_.push_back({anchor.file, anchor.range, i, none});
    llvm::sort(inOrder_, [](const Definition& a, const Definition& b) {
      return std::tuple(a.file, a.range.begin, b.range.end, b.anchor) <
             std::tuple(b.file, b.range.begin, a.range.end, a.anchor);
    });
    for (size_t i = 1; i < inOrder_.size(); ++i) {
      size_t around = i - 1;
      while (around != none && !inOrder_[around].covers(inOrder_[i].file, inOrder_[i].range))
        around = inOrder_[around].around;
      inOrder_[i].around = around;
    }
  }
  bool covers(const diagnostics::Location& location) const { return anchorOf(location) != none; }
  bool coversFixes(const diagnostics::Diagnostic& diagnostic) const {
    return llvm::all_of(diagnostic.fixes, [&](const diagnostics::Fix& fix) {
      return llvm::all_of(fix.edits, [&](const text::Edit& edit) {
        return covers({diagnostic.location.file, edit.range});
      });
    });
  }
  diagnostics::Location operator()(diagnostics::Location location) const {
    size_t i = anchorOf(location);
    if (i != none) {
      text::Offset by = to_[i].range.begin - from_[i].range.begin; // intended to wrap around
      location.range = {location.range.begin + by, location.range.end + by};
    }
    return location;
  }
  diagnostics::Diagnostic operator()(diagnostics::Diagnostic diagnostic) const {
    for (diagnostics::Fix& fix : diagnostic.fixes)
      for (text::Edit& edit : fix.edits)
        edit.range = (*this)({diagnostic.location.file, edit.range}).range;
    diagnostic.location = (*this)(diagnostic.location);
    for (diagnostics::Related& related : diagnostic.related)
      related.location = (*this)(related.location);
    return diagnostic;
  }

private:
  static constexpr size_t none = ~size_t{0};

  // Definitions contain each other or are apart, so that each place has one chain of them.
  struct Definition {
    diagnostics::FileId file;
    text::Range range;
    size_t anchor;
    size_t around; // in inOrder_; none if it is the outermost
    bool covers(diagnostics::FileId in, text::Range other) const {
      return in == file && range.begin <= other.begin && other.end <= range.end;
    }
  };

  // Returns the innermost definition around a place, or none.
  size_t anchorOf(const diagnostics::Location& location) const {
    auto after = llvm::partition_point(inOrder_, [&](const Definition& each) {
      return std::pair(each.file, each.range.begin) <=
             std::pair(location.file, location.range.begin);
    });
    size_t i = after == inOrder_.begin() ? none : size_t(after - inOrder_.begin()) - 1;
    while (i != none && !inOrder_[i].covers(location.file, location.range))
      i = inOrder_[i].around;
    return i == none ? none : inOrder_[i].anchor;
  }

  llvm::ArrayRef<Anchor> from_, to_;
  std::vector<Definition> inOrder_;
};

} // namespace

std::shared_ptr<const KernelResult> moved(const AnalysisCache::Entry& entry,
                                          llvm::ArrayRef<Anchor> to) {
  if (!areMoved(entry.anchors, to)) return entry.result;
  Mover move(entry.anchors, to);
  for (const diagnostics::Diagnostic& diagnostic : entry.result->diagnostics)
    if (diagnostic.id == diagnostics::Id::ConditionallyDefined || !move.coversFixes(diagnostic))
      return nullptr;
  auto result = std::make_shared<KernelResult>(*entry.result);
  for (diagnostics::Diagnostic& diagnostic : result->diagnostics)
    diagnostic = move(diagnostic);
  for (CostFact& cost : result->costs)
    cost.place = move(cost.place);
  if (result->facts) {
    auto facts = std::make_shared<codegen::ExpressionFacts>(*result->facts);
    for (codegen::ExpressionFact& fact : facts->expressions)
      fact.location = move(fact.location);
    for (codegen::TypeFact& type : facts->types)
      if (type.definition) type.definition = move(*type.definition);
    result->facts = std::move(facts);
  }
  return result;
}

bool canMove(const KernelResult& result, llvm::ArrayRef<Anchor> anchors) {
  Mover move(anchors, anchors);
  return llvm::all_of(result.diagnostics, [&](const diagnostics::Diagnostic& diagnostic) {
    return move.covers(diagnostic.location) &&
           llvm::all_of(diagnostic.related,
                        [&](const auto& related) { return move.covers(related.location); });
  });
}

// The approximate size of a result, counted once, when it is stored.
static size_t bytesOf(const AnalysisCache::Entry& entry) {
  const KernelResult& result = *entry.result;
  size_t bytes = 512 + entry.anchors.size() * sizeof(Anchor);
  for (const diagnostics::Diagnostic& each : result.diagnostics)
    bytes +=
        sizeof each + each.message.size() + each.related.size() * 128 + each.fixes.size() * 256;
  for (const CostFact& each : result.costs)
    bytes += sizeof each + each.text.size();
  if (!result.facts) return bytes;
  for (const codegen::TypeFact& each : result.facts->types)
    bytes += sizeof each + each.text.size() + each.layout.size() + each.members.size() * 64;
  return bytes + result.facts->views.size() * (sizeof(codegen::ViewFact) + 32) +
         result.facts->expressions.size() * sizeof(codegen::ExpressionFact);
}

std::optional<AnalysisCache::Entry> AnalysisCache::find(uint64_t key) {
  std::lock_guard lock(mutex_);
  auto it = index_.find(key);
  if (it == index_.end()) return std::nullopt;
  entries_.splice(entries_.end(), entries_, it->second);
  return it->second->entry;
}

void AnalysisCache::keep(uint64_t key, Entry entry) {
  size_t bytes = bytesOf(entry);
  std::lock_guard lock(mutex_);
  if (auto it = index_.find(key); it != index_.end()) {
    bytes_ -= it->second->bytes;
    entries_.erase(it->second);
  }
  entries_.push_back({key, std::move(entry), bytes});
  index_[key] = std::prev(entries_.end());
  bytes_ += bytes;
  while (bytes_ > mostBytes_ && entries_.size() > 1) {
    bytes_ -= entries_.front().bytes;
    index_.erase(entries_.front().key);
    entries_.pop_front();
  }
}

void CodeCache::keep(uint64_t key, const Assembled& code) {
  std::lock_guard lock(mutex_);
  if (entries_.size() >= most) entries_.clear();
  entries_[key] = code;
}

std::optional<Assembled> CodeCache::find(uint64_t key) {
  std::lock_guard lock(mutex_);
  auto it = entries_.find(key);
  if (it == entries_.end()) return std::nullopt;
  return it->second;
}

void StageCache::keep(const std::string& key, const StageResult& result) {
  auto bytesOf = [](const StageResult& each) {
    return each.text.size() + each.lines.size() * sizeof(LineOrigin);
  };
  std::lock_guard lock(mutex_);
  llvm::erase_if(entries_, [&](const auto& entry) {
    bool isSame = entry.first == key;
    if (isSame) bytes_ -= bytesOf(*entry.second);
    return isSame;
  });
  bytes_ += bytesOf(result);
  while (!entries_.empty() && (entries_.size() >= most || bytes_ > mostBytes)) {
    bytes_ -= bytesOf(*entries_.front().second);
    entries_.pop_front();
  }
  entries_.emplace_back(key, std::make_shared<StageResult>(result));
}

std::shared_ptr<const StageResult> StageCache::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  for (const auto& [known, result] : entries_)
    if (known == key) return result;
  return nullptr;
}

} // namespace gluond::driver
