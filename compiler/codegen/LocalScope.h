// The names of a function under generation: Triton's `lscope` and `local_defs`. Insertion order
// matters: it decides the order of loop-carried values and of the results of an if. Copied at every
// region, so it is two flat arrays.
#pragma once

#include "language/Value.h"

#include <algorithm>

namespace gluond::codegen {

class LocalScope {
public:
  const language::Value* find(Name name) const {
    auto it = std::find(names_.begin(), names_.end(), name);
    return it == names_.end() ? nullptr : &values_[static_cast<size_t>(it - names_.begin())];
  }
  bool contains(Name name) const { return find(name) != nullptr; }
  // A new name goes to the end; an old one keeps its place.
  void set(Name name, language::Value value) {
    auto it = std::find(names_.begin(), names_.end(), name);
    if (it != names_.end()) {
      values_[static_cast<size_t>(it - names_.begin())] = value;
      return;
    }
    names_.push_back(name);
    values_.push_back(value);
  }
  void clear() {
    names_.clear();
    values_.clear();
  }
  size_t size() const { return names_.size(); }
  Name name(size_t i) const { return names_[i]; }
  language::Value value(size_t i) const { return values_[i]; }

private:
  llvm::SmallVector<Name, 24> names_;
  llvm::SmallVector<language::Value, 24> values_;
};

} // namespace gluond::codegen
