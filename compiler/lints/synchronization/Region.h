// A piece of an allocation in shared or tensor memory, derived from views of it with known
// indices.
//
// Shared memory is measured in bytes of the tensor's elements (padding and swizzling do not change
// which regions overlap), tensor memory in columns. The kinds, from exact to vague:
//   Whole  the range [begin, end) itself
//   Box    a box at constant offsets of the tensor that the range holds
//   Fuzzy  something within the range
// overlaps() is true only if the two certainly share an element: vague regions cause no reports.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>

namespace gluond::lints::synchronization {

struct Region {
  enum class Kind : uint8_t { Whole, Box, Fuzzy };
  uint32_t alloc = 0;
  Kind kind = Kind::Whole;
  int64_t begin = 0, end = 0;
  struct Side {
    int64_t offset, size;
    friend bool operator==(Side, Side) = default;
  };
  llvm::SmallVector<Side, 4> box; // Kind::Box
};

inline bool touches(const Region& a, const Region& b) {
  return a.alloc == b.alloc && a.begin < b.end && b.begin < a.end;
}

// Whether the two are boxes of one tensor without a common element.
inline bool areApart(const Region& a, const Region& b) {
  if (a.kind != Region::Kind::Box || b.kind != Region::Kind::Box || a.begin != b.begin ||
      a.end != b.end || a.box.size() != b.box.size())
    return false;
  for (size_t i = 0; i < a.box.size(); ++i)
    if (a.box[i].offset >= b.box[i].offset + b.box[i].size ||
        b.box[i].offset >= a.box[i].offset + a.box[i].size)
      return true;
  return false;
}

inline bool mayOverlap(const Region& a, const Region& b) {
  return touches(a, b) && !areApart(a, b);
}

inline bool covers(const Region& a, const Region& b) {
  if (a.alloc != b.alloc || a.begin > b.begin || a.end < b.end) return false;
  if (a.kind == Region::Kind::Whole) return true;
  if (a.kind != Region::Kind::Box || b.kind != Region::Kind::Box || a.begin != b.begin ||
      a.end != b.end || a.box.size() != b.box.size())
    return false;
  for (size_t i = 0; i < a.box.size(); ++i)
    if (a.box[i].offset > b.box[i].offset ||
        a.box[i].offset + a.box[i].size < b.box[i].offset + b.box[i].size)
      return false;
  return true;
}

inline bool overlaps(const Region& a, const Region& b) {
  if (!touches(a, b)) return false;
  using Kind = Region::Kind;
  if (a.kind == Kind::Whole && b.kind == Kind::Whole) return true;
  if (a.kind == Kind::Whole || b.kind == Kind::Whole) return covers(a, b) || covers(b, a);
  return a.kind == Kind::Box && b.kind == Kind::Box && a.begin == b.begin && a.end == b.end &&
         a.box.size() == b.box.size() && !areApart(a, b);
}

} // namespace gluond::lints::synchronization
