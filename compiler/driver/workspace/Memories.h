// What the folders of driver/ keep between requests: caches, listings, indices. One thing of each
// type, made when first asked for, so that a new one needs a line where it is used and none here.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gluond::driver {

// The base of what is kept. It guards itself: any thread may ask for it.
struct Memory {
  virtual ~Memory() = default;
  // The document at `path` was closed, or its text must not be evaluated any more.
  virtual void drop(llvm::StringRef path) {}
};

class Memories {
public:
  // T is a Memory that needs no arguments.
  template <typename T> T& of() {
    std::lock_guard lock(mutex_);
    for (const auto& [key, memory] : all_)
      if (key == &keyOf<T>) return static_cast<T&>(*memory);
    return static_cast<T&>(*all_.emplace_back(&keyOf<T>, std::make_unique<T>()).second);
  }
  void drop(llvm::StringRef path) {
    std::lock_guard lock(mutex_);
    for (const auto& each : all_)
      each.second->drop(path);
  }

private:
  template <typename T> static constexpr char keyOf = 0; // its address
  std::mutex mutex_;
  std::vector<std::pair<const char*, std::unique_ptr<Memory>>> all_;
};

} // namespace gluond::driver
