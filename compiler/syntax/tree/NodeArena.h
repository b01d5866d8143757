// Owns the nodes of one parse, and the counter for their ids.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/Support/Allocator.h>

#include <type_traits>

namespace gluond::syntax {

class NodeArena {
public:
  explicit NodeArena(uint32_t firstId = 0) : nextId_(firstId) {}

  template <typename T> T* make(text::Range range) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* node = new (allocator_.Allocate<T>()) T();
    node->kind = T::nodeKind;
    node->id = nextId_++;
    node->range = range;
    return node;
  }
  // Makes a bitwise copy with the same id; the caller must handle what it points to.
  template <typename T> T* duplicate(const T* node) {
    return new (allocator_.Allocate<T>()) T(*node);
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> items) {
    if (items.empty()) return {};
    T* data = allocator_.Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), data);
    return {data, items.size()};
  }
  template <typename T> llvm::ArrayRef<T> copy(const llvm::SmallVectorImpl<T>& items) {
    return copy(llvm::ArrayRef<T>(items));
  }
  Stmts copy(const llvm::SmallVectorImpl<Stmt*>& items) {
    if (items.empty()) return {};
    auto* data = allocator_.Allocate<const Stmt*>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), data);
    return {data, items.size()};
  }
  llvm::StringRef copy(llvm::StringRef text) {
    return text.empty() ? llvm::StringRef() : text.copy(allocator_);
  }

  uint32_t nextId() const { return nextId_; }
  void setNextId(uint32_t id) { nextId_ = id; }
  size_t bytes() const { return allocator_.getTotalMemory(); }

private:
  llvm::BumpPtrAllocator allocator_;
  uint32_t nextId_;
};

} // namespace gluond::syntax
