#include "AccessLog.h"
#include "Machine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace ptx {

namespace {

constexpr unsigned wordBytes = 4, bankCount = 32, sectorBytes = 32, wavefrontBytes = 128;

// Lanes of one phase are served together: as many as fill a wavefront, in order.
unsigned wavefronts(uint32_t lanes, unsigned bytes, std::span<const uint64_t, 32> at) {
  unsigned perPhase = std::clamp(wavefrontBytes / std::max(bytes, wordBytes), 1u, 32u);
  unsigned result = 0;
  for (unsigned first = 0; first < 32; first += perPhase) {
    std::array<std::set<uint64_t>, bankCount> words;
    for (unsigned lane = first; lane < first + perPhase; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      for (uint64_t word = at[lane] / wordBytes; word <= (at[lane] + bytes - 1) / wordBytes; ++word)
        words[word % bankCount].insert(word);
    }
    size_t most = 0;
    for (const auto& each : words)
      most = std::max(most, each.size());
    result += unsigned(most);
  }
  return result;
}

unsigned sectors(uint32_t lanes, unsigned bytes, std::span<const uint64_t, 32> at) {
  std::set<uint64_t> touched;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      for (uint64_t sector = at[lane] / sectorBytes; sector <= (at[lane] + bytes - 1) / sectorBytes;
           ++sector)
        touched.insert(sector);
  return unsigned(touched.size());
}

} // namespace

bool AccessLog::isFirst(const Warp& warp, uint32_t lanes) const {
  const Cta& cta = *warp.cta;
  return !cta.id[0] && !cta.id[1] && !cta.id[2] &&
         !costs_.contains(warp.pc[size_t(std::countr_zero(lanes))]);
}

void AccessLog::count(const Warp& warp, uint32_t lanes, unsigned bytes,
                      std::span<const uint64_t, 32> at) {
  auto first = size_t(std::countr_zero(lanes));
  AccessCost cost;
  cost.isShared = at[first] >= sharedWindow && at[first] < parameterWindow;
  cost.lanes = unsigned(std::popcount(lanes));
  cost.bytes = bytes;
  cost.cost = cost.isShared ? wavefronts(lanes, bytes, at) : sectors(lanes, bytes, at);
  costs_.emplace(warp.pc[first], cost);
}

} // namespace ptx
