// Sets of names that flow through a project. A search numbers the names that it meets, so that
// handing thousands of them from file to file costs a word for 64 of them.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace gluond::driver {

// The names of one search, numbered in the order in which they were met. It belongs to one thread.
class NamePool {
public:
  uint32_t number(llvm::StringRef name) {
    auto [it, isNew] = numbers_.try_emplace(name, static_cast<uint32_t>(names_.size()));
    if (isNew) names_.push_back(it->getKey());
    return it->second;
  }
  // Returns nullopt for a name that no set has.
  std::optional<uint32_t> find(llvm::StringRef name) const {
    auto it = numbers_.find(name);
    return it == numbers_.end() ? std::nullopt : std::optional(it->second);
  }
  llvm::StringRef text(uint32_t number) const { return names_[number]; }

private:
  llvm::StringMap<uint32_t> numbers_;
  std::vector<llvm::StringRef> names_; // the keys of the map
};

class NameSet {
public:
  bool empty() const { return words_.empty(); }
  bool contains(uint32_t name) const {
    return name / bits < words_.size() && (words_[name / bits] >> name % bits & 1) != 0;
  }
  // Returns whether it is new.
  bool insert(uint32_t name) {
    if (contains(name)) return false;
    if (words_.size() <= name / bits) words_.resize(name / bits + 1);
    words_[name / bits] |= uint64_t{1} << name % bits;
    return true;
  }
  void insertAll(const NameSet& others) {
    if (words_.size() < others.words_.size()) words_.resize(others.words_.size());
    for (size_t i = 0; i < others.words_.size(); ++i)
      words_[i] |= others.words_[i];
  }
  // Visits the names that `others` lacks, in order.
  void forEachBeside(const NameSet& others, llvm::function_ref<void(uint32_t)> visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      uint64_t left = words_[i] & ~(i < others.words_.size() ? others.words_[i] : 0);
      for (; left; left &= left - 1)
        visit(static_cast<uint32_t>(i * bits) + static_cast<uint32_t>(std::countr_zero(left)));
    }
  }
  void forEach(llvm::function_ref<void(uint32_t)> visit) const { forEachBeside({}, visit); }

private:
  static constexpr uint32_t bits = 64;
  std::vector<uint64_t> words_; // the last one is not zero
};

} // namespace gluond::driver
