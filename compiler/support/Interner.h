// Interned identifiers. A Name is a 32-bit id; two names are the same text iff their ids are equal.
//
// One Interner serves a workspace. intern() may be called from any thread; text() is lock-free for
// a name the calling thread already holds.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseMapInfo.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace gluond {

struct Name {
  uint32_t id = 0; // 0 is the empty name
  explicit operator bool() const { return id != 0; }
  friend bool operator==(Name, Name) = default;
  friend auto operator<=>(Name, Name) = default;
};

class Interner {
public:
  Interner();
  ~Interner();
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  Name intern(llvm::StringRef text);
  // Returns the name of an already interned text, else nullopt. May be called from any thread.
  std::optional<Name> find(llvm::StringRef text);
  // The text lives as long as the interner.
  llvm::StringRef text(Name name) const {
    return chunks_[name.id >> chunkBits].load(std::memory_order_acquire)[name.id & chunkMask];
  }

  // Returns a room's table of well-known names, T(Interner&), created once. May be called from any
  // thread.
  template <typename T> const T& table() {
    static constexpr char key = 0; // its address identifies T
    std::lock_guard lock(tableMutex_);
    std::shared_ptr<const void>& made = tables_[&key];
    if (!made) made = std::make_shared<const T>(*this);
    return *static_cast<const T*>(made.get());
  }

private:
  static constexpr unsigned chunkBits = 12, chunkMask = (1u << chunkBits) - 1, maxChunks = 1u << 12;
  std::mutex mutex_;
  llvm::StringMap<uint32_t> ids_;
  uint32_t next_ = 0;
  std::unique_ptr<std::atomic<llvm::StringRef*>[]> chunks_;
  std::mutex tableMutex_;
  llvm::DenseMap<const char*, std::shared_ptr<const void>> tables_;
};

} // namespace gluond

template <> struct llvm::DenseMapInfo<gluond::Name> {
  static gluond::Name getEmptyKey() { return {~0u}; }
  static gluond::Name getTombstoneKey() { return {~0u - 1}; }
  static unsigned getHashValue(gluond::Name name) { return name.id * 2654435761u; }
  static bool isEqual(gluond::Name a, gluond::Name b) { return a == b; }
};
