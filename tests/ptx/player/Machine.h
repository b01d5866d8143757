// What plays a module: memory, CTAs with their shared and tensor memory, warps.
//
// A warp executes the lanes that are furthest behind first; an instruction of the whole warp waits
// for all of them. Asynchronous operations are done at once, or (`late`) only when a wait needs
// them or nothing else can go on, so that a wait that is missing shows.
#pragma once

#include "Module.h"

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptx {

// Windows of generic addresses.
inline constexpr uint64_t sharedWindow = 0x1000'0000'0000, parameterWindow = 0x2000'0000'0000,
                          localWindow = 0x3000'0000'0000, globalWindow = 0x4000'0000'0000;
inline constexpr uint32_t sharedStart = 1024, sharedBytes = 228 * 1024, ctaShift = 24;
inline constexpr uint32_t tensorRows = 128, tensorColumns = 512;

// Part of global memory, and what it holds at first.
struct Region {
  std::string name, fill; // "f16", "i32", ...; "zero"; "data"
  uint64_t at = 0, bytes = 0, seed = 0;
  bool shown = false;   // its contents are printed
  bool rounded = false; // its numbers are such that sums of products are rounded
  std::vector<uint8_t> data;
};

struct Launch {
  unsigned grid[3] = {1, 1, 1}; // in CTAs
  std::vector<std::vector<uint8_t>> parameters;
  std::vector<Region> regions;
  bool late = false;
  uint64_t limit = 400'000'000; // of instructions
};

class GlobalMemory {
public:
  static constexpr uint64_t pageBytes = 1 << 14;
  struct Page {
    std::unique_ptr<uint8_t[]> bytes;
    bool written = false;
  };
  explicit GlobalMemory(const std::vector<Region>& regions) : regions_(&regions) {}
  void read(uint64_t at, void* to, size_t size);
  void write(uint64_t at, const void* from, size_t size);
  const std::unordered_map<uint64_t, Page>& pages() const { return pages_; }
  Page& page(uint64_t number);
  const Region* regionOf(uint64_t at) const;

private:
  const std::vector<Region>* regions_;
  std::unordered_map<uint64_t, Page> pages_;
};

// A matrix instruction as it was given to the tensor cores.
struct Product {
  std::string opcode, words; // descriptors without their addresses, instruction words
  uint64_t operands = 0;     // a hash of the operands' contents
  unsigned warp = 0;         // of wgmma: warps come in any order
};

struct Machine;
struct Cta;
struct Warp;

enum class Outcome : uint8_t { Next, Wait, Jumped };
using Step = std::function<Outcome(Warp&, uint32_t lanes)>;

struct Lanes {
  std::array<uint64_t, 32> at;
};

struct Warp {
  Cta* cta = nullptr;
  unsigned number = 0;
  std::vector<Lanes> registers;
  std::array<int, 32> pc = {};
  uint32_t alive = ~0u;
  uint32_t carry = 0;   // of each lane: what add.cc and its like leave for addc
  bool together = true; // all living lanes are at the same instruction
  // The barrier that this warp has arrived at and waits for.
  int waitsFor = -1;
  uint64_t generation = 0;
  uint64_t clusterGeneration = 0;
  std::vector<uint8_t> local;
  // Copies of cp.async: a group after another, the last one open.
  std::deque<std::vector<std::function<void()>>> copies{1};
  // Likewise products of wgmma (of the first warp of four), and stores by TMA.
  std::deque<std::vector<std::function<void()>>> products{1}, stores{1};
  std::vector<std::function<void()>> tensorStores;

  Machine& machine() const;
  uint64_t& at(int slot, unsigned lane) { return registers[size_t(slot)].at[lane]; }
};

struct NamedBarrier {
  unsigned arrived = 0;
  uint64_t generation = 0;
  bool any = false, all = true;
  unsigned count = 0;
};

struct Cta {
  Machine* machine = nullptr;
  std::vector<Cta*> cluster;
  unsigned rank = 0, id[3] = {};
  std::vector<uint8_t> shared;
  std::vector<uint32_t> tensor; // rows of columns
  std::array<bool, tensorColumns> taken = {};
  bool mayAllocate = true;
  std::array<NamedBarrier, 16> barriers;
  std::vector<Warp> warps;
  std::vector<Product> products;

  uint32_t& cell(uint32_t row, uint32_t column, const char* what);
};

// What instructions of loads and stores cost a warp, counted from the addresses of its lanes: the
// panels of gluond count it from layouts, and tests compare the two. Of the first warp that
// executes an instruction, the first time, in the first CTA.
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

struct ClusterBarrier {
  unsigned arrived = 0;
  uint64_t generation = 0;
};

struct Machine {
  const Module& module;
  const Launch& launch;
  GlobalMemory memory;
  std::vector<Step> steps;
  std::vector<uint8_t> whole; // whether an instruction needs all lanes of its warp
  std::map<std::string, uint64_t> symbols;
  std::vector<uint8_t> parameters;
  std::vector<std::unique_ptr<Cta>> ctas; // of the cluster that is played
  ClusterBarrier clusterBarrier;
  std::deque<std::array<unsigned, 3>> waiting; // clusters that were not launched yet
  std::deque<std::function<void()>> pending;   // asynchronous operations
  std::vector<Product> products;
  std::map<std::string, uint64_t> counts;
  AccessLog accesses;
  uint64_t executed = 0, clock = 0;
  uint64_t localBytes = 0;

  Machine(const Module& module, const Launch& launch);
  void play();
  void playCluster(std::array<unsigned, 3> first);
  // True if the warp did something.
  bool run(Warp& warp, unsigned quantum);
  // At once, or when something waits for it.
  void later(std::function<void()> operation);

  // By generic address.
  void read(Warp& warp, unsigned lane, uint64_t at, void* to, size_t size);
  void write(Warp& warp, unsigned lane, uint64_t at, const void* from, size_t size);
  // Where a shared::cluster address lies.
  uint8_t* shared(Cta& cta, uint64_t address, size_t size, const char* what);
};

inline Machine& Warp::machine() const {
  return *cta->machine;
}

std::string where(const Warp& warp, int pc);

// What mixes bits into a hash.
inline uint64_t mixed(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccd;
  return hash ^ hash >> 33;
}

} // namespace ptx
