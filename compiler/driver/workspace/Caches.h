// The objects that the folders of driver/ keep between requests: caches, listings, indices. There
// is one object of each type, created on first use, so that a new type needs no line here.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gluond::driver {

// The base class of these objects. They lock themselves: any thread may use them.
struct Cache {
  virtual ~Cache() = default;
  // The document at `path` was closed, or its text must not be evaluated any more.
  virtual void drop(llvm::StringRef path) {}
};

class Caches {
public:
  // T is a Cache with a default constructor.
  template <typename T> T& of() {
    std::lock_guard lock(mutex_);
    for (const auto& [key, cache] : all_)
      if (key == &keyOf<T>) return static_cast<T&>(*cache);
    return static_cast<T&>(*all_.emplace_back(&keyOf<T>, std::make_unique<T>()).second);
  }
  void drop(llvm::StringRef path) {
    std::lock_guard lock(mutex_);
    for (const auto& each : all_)
      each.second->drop(path);
  }

private:
  template <typename T> static constexpr char keyOf = 0; // used for its address
  std::mutex mutex_;
  std::vector<std::pair<const char*, std::unique_ptr<Cache>>> all_;
};

} // namespace gluond::driver
