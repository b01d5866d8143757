// The names of a function being generated: Triton's `lscope` and `local_defs`. Insertion order
// matters: it decides the order of loop-carried values and of the results of an if. It is copied at
// every region, so it is made of flat arrays; long ones are looked up by hash.
#pragma once

#include "language/values/Value.h"

#include <algorithm>
#include <bit>

namespace gluond::codegen {

class LocalScope {
public:
  const language::Value* find(Name name) const {
    size_t at = indexOf(name);
    return at == names_.size() ? nullptr : &values_[at];
  }
  // The same for a name that is probably at index `guess`.
  const language::Value* find(Name name, size_t guess) const {
    return guess < names_.size() && names_[guess] == name ? &values_[guess] : find(name);
  }
  bool contains(Name name) const { return find(name) != nullptr; }
  // Appends a new name; an existing one keeps its place.
  void set(Name name, language::Value value) {
    size_t at = indexOf(name);
    if (at < names_.size()) {
      values_[at] = value;
      return;
    }
    names_.push_back(name);
    values_.push_back(value);
    if (names_.size() > few) addToTable();
  }
  void clear() {
    names_.clear();
    values_.clear();
    table_.clear();
  }
  size_t size() const { return names_.size(); }
  Name name(size_t i) const { return names_[i]; }
  language::Value value(size_t i) const { return values_[i]; }

private:
  static constexpr size_t few = 24; // up to this many are compared one by one

  size_t indexOf(Name name) const {
    if (table_.empty())
      return static_cast<size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    for (size_t slot = slotOf(name); table_[slot]; slot = (slot + 1) & (table_.size() - 1))
      if (names_[table_[slot] - 1] == name) return table_[slot] - 1;
    return names_.size();
  }
  size_t slotOf(Name name) const {
    return (name.id * 0x9E3779B97F4A7C15u >> 32) & (table_.size() - 1);
  }
  void addToTable() {
    size_t first = names_.size() - 1;
    if (names_.size() * 2 > table_.size()) {
      table_.assign(std::bit_ceil(names_.size() * 4), 0);
      first = 0;
    }
    for (size_t i = first; i < names_.size(); ++i) {
      size_t slot = slotOf(names_[i]);
      while (table_[slot])
        slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = static_cast<uint32_t>(i + 1);
    }
  }

  llvm::SmallVector<Name, 24> names_;
  llvm::SmallVector<language::Value, 24> values_;
  llvm::SmallVector<uint32_t, 0> table_; // 1-based indices of names, by hash; empty if few
};

} // namespace gluond::codegen
