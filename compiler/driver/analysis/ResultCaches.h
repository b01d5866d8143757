// Caches of the results for kernels: analyses, and the texts of stages. Internal to driver/.
#pragma once

#include "driver/analysis/Analysis.h"

#include <list>
#include <mutex>

namespace gluond::driver {

// Caches results by content, evicting the least recently used beyond a size.
class AnalysisCache : public Cache {
public:
  explicit AnalysisCache(size_t mostBytes) : mostBytes_(mostBytes) {}
  struct Entry {
    std::shared_ptr<const KernelResult> result;
    std::vector<Anchor> anchors;
  };
  std::optional<Entry> find(uint64_t key);
  void keep(uint64_t key, Entry entry);

private:
  struct Kept {
    uint64_t key;
    Entry entry;
    size_t bytes; // approximate
  };
  const size_t mostBytes_;
  std::mutex mutex_;
  size_t bytes_ = 0;
  std::list<Kept> entries_; // least recently used first
  llvm::DenseMap<uint64_t, std::list<Kept>::iterator> index_;
};
// Results with diagnostics, and those with facts.
struct KeptResults : AnalysisCache {
  KeptResults() : AnalysisCache(size_t{24} << 20) {}
};
struct KeptFacts : AnalysisCache {
  KeptFacts() : AnalysisCache(size_t{32} << 20) {}
};

// What the machine code of kernels needs, of those for which it was made, by the same keys.
class CodeCache : public Cache {
public:
  void keep(uint64_t key, const Assembled& code);
  std::optional<Assembled> find(uint64_t key);

private:
  static constexpr size_t most = 4096;
  std::mutex mutex_;
  llvm::DenseMap<uint64_t, Assembled> entries_;
};

// The last text of the stages that were displayed.
class StageCache : public Cache {
public:
  void keep(const std::string& key, const StageResult& result);
  std::shared_ptr<const StageResult> find(const std::string& key);

private:
  static constexpr size_t most = 32, mostBytes = size_t{32} << 20;
  std::mutex mutex_;
  size_t bytes_ = 0; // approximate, of texts and lines
  std::list<std::pair<std::string, std::shared_ptr<const StageResult>>> entries_; // oldest first
};

// Returns a result with its places moved to the definitions' new ones; null if it mentions a place
// in text, or a fix changes text outside of the definitions.
std::shared_ptr<const KernelResult> moved(const AnalysisCache::Entry& entry,
                                          llvm::ArrayRef<Anchor> to);
// Whether every place can be moved; results with places elsewhere are not kept.
bool canMove(const KernelResult& result, llvm::ArrayRef<Anchor> anchors);

} // namespace gluond::driver
