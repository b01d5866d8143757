// Which bytes of memory an access touches: runs of neighbours, in order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gluond::simulate {

struct Bytes {
  struct Run {
    uint64_t from, to; // one past the last byte
    friend bool operator==(Run, Run) = default;
  };
  using Runs = std::vector<Run>;
  uint32_t alloc = 0; // each allocation of each memory has a number
  uint64_t begin = 0, end = 0;
  std::shared_ptr<const Runs> runs; // from `origin` on; null for all bytes from begin to end
  uint64_t origin = 0;

  static Bytes range(uint32_t alloc, uint64_t begin, uint64_t end) {
    return {alloc, begin, end, nullptr, 0};
  }
  // Sorts runs, and joins those that touch each other.
  static std::shared_ptr<const Runs> runsOf(Runs runs);
  static Bytes of(uint32_t alloc, Runs runs);
  size_t size() const { return runs ? runs->size() : 1; }
  Run operator[](size_t i) const {
    if (!runs) return {begin, end};
    return {(*runs)[i].from + origin, (*runs)[i].to + origin};
  }
};

// Returns the first run that two share; it is empty if they share none.
Bytes::Run common(const Bytes& a, const Bytes& b);
inline bool overlaps(const Bytes& a, const Bytes& b) {
  Bytes::Run run = common(a, b);
  return run.from < run.to;
}
bool covers(const Bytes& a, const Bytes& b);

} // namespace gluond::simulate
