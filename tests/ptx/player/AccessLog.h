// What instructions of loads and stores cost a warp, counted from the addresses of its lanes: the panels of gluond count
// it from layouts, and tests compare the two.
#pragma once

#include <cstdint>
#include <map>
#include <span>

namespace ptx {

struct Warp;

// Of the first warp that executes an instruction, the first time, in the first CTA.
struct AccessCost {
  bool isShared = false;
  unsigned lanes = 0, bytes = 0; // bytes of a lane
  unsigned cost = 0;             // shared memory: wavefronts; global memory: sectors of 32 bytes
};

class AccessLog {
public:
  // `lanes` access `bytes` each, at generic addresses `at(lane)`.
  template <typename Address> void add(Warp& warp, uint32_t lanes, unsigned bytes, Address at) {
    if (!lanes || !isFirst(warp, lanes)) return;
    uint64_t addresses[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) addresses[lane] = at(lane);
    count(warp, lanes, bytes, addresses);
  }
  // By index of the instruction.
  const std::map<int, AccessCost>& costs() const { return costs_; }

private:
  std::map<int, AccessCost> costs_;

  bool isFirst(const Warp& warp, uint32_t lanes) const;
  void count(const Warp& warp, uint32_t lanes, unsigned bytes, std::span<const uint64_t, 32> at);
};

} // namespace ptx
