// Sequences, dicts and sets: subscripts, slices, membership, and the methods of list, tuple, dict
// and set.
#pragma once

#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

int64_t rangeLength(const RangeObject& range);
// Returns a member, 0 <= index < rangeLength(). The product alone may overflow int64.
inline int64_t rangeMember(const RangeObject& range, int64_t index) {
  return static_cast<int64_t>(static_cast<uint64_t>(range.start) +
                              static_cast<uint64_t>(index) * static_cast<uint64_t>(range.step));
}

// slice.indices(length), clamped as in Python. It fails after raising if a bound is no int or the
// step is 0.
struct Bounds {
  int64_t start, stop, step, count;
  size_t at(size_t i) const { // the index of the i-th member, i < count
    return static_cast<size_t>(start) + i * static_cast<size_t>(step);
  }
};
// Returns nullopt if bounds are unknown, or after raising.
std::optional<Bounds> sliceBounds(Interpreter& in, const SliceObject& slice, int64_t length);

llvm::ArrayRef<NativeRow> listMethods();
llvm::ArrayRef<NativeRow> tupleMethods();
llvm::ArrayRef<NativeRow> dictMethods();
llvm::ArrayRef<NativeRow> setMethods();

// Makes all items of a list unknown. Returns false after raising, if that is too much work.
bool forgetItems(Interpreter& in, ListObject& list);

// Returns what a key has, for an operation that adds the key if it is missing. A dict that may have
// one key more after it becomes uncertain.
Value getBeforeAdding(Interpreter& in, const DictObject* dict, Value key);

// Stable merge sort with Python's `<` on key(item). Returns false after raising. `unknown` is set
// if an order could not be known.
bool sortValues(Interpreter& in, llvm::SmallVectorImpl<Value>& items, Value key, bool reverse,
                bool& unknown);

} // namespace gluond::evaluate
