#include "support/Interner.h"

namespace gluond {

Interner::Interner() : chunks_(std::make_unique<std::atomic<llvm::StringRef*>[]>(maxChunks)) {
  for (unsigned i = 0; i < maxChunks; ++i)
    chunks_[i].store(nullptr, std::memory_order_relaxed);
  intern("");
}

Interner::~Interner() {
  for (unsigned i = 0; i < maxChunks; ++i)
    delete[] chunks_[i].load(std::memory_order_relaxed);
}

Name Interner::intern(llvm::StringRef text) {
  std::lock_guard lock(mutex_);
  auto [entry, isNew] = ids_.try_emplace(text, next_);
  if (isNew) {
    // 16 million names; past that every new name is the empty one, which nothing resolves.
    if ((next_ >> chunkBits) >= maxChunks) {
      entry->second = 0;
      return {};
    }
    auto& chunk = chunks_[next_ >> chunkBits];
    llvm::StringRef* data = chunk.load(std::memory_order_relaxed);
    if (!data) data = new llvm::StringRef[chunkMask + 1];
    data[next_ & chunkMask] = entry->getKey();
    chunk.store(data, std::memory_order_release);
    ++next_;
  }
  return {entry->second};
}

std::optional<Name> Interner::find(llvm::StringRef text) {
  std::lock_guard lock(mutex_);
  auto entry = ids_.find(text);
  if (entry == ids_.end()) return std::nullopt;
  return Name{entry->second};
}

} // namespace gluond
