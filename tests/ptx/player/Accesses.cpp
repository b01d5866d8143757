// Loads and stores of every kind of memory, copies by threads, matrices of 8x8 in shared memory.
#include "Decoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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

// Which memory an address is in, and hints that change nothing.
struct Space {
  uint64_t window = 0;
  bool isParameter = false;
  // The generic address.
  uint64_t of(uint64_t at) const {
    return window ? (window == sharedWindow ? at & 0xffffffff : at) + window : at;
  }
};
Space spaceOf(Decoder& d) {
  Space space;
  d.takeOneOf({"weak", "relaxed", "acquire", "release", "volatile"});
  d.takeOneOf({"cta", "cluster", "gpu", "sys"});
  d.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"});
  for (const char* prefix : {"L1::", "L2::", "level::"})
    while (!d.takeStarting(prefix).empty()) {
    }
  if (d.take("shared") || d.take("shared::cta") || d.take("shared::cluster"))
    space.window = sharedWindow;
  if (d.take("param") || d.take("param::entry"))
    space.window = parameterWindow, space.isParameter = true;
  if (d.take("local")) space.window = localWindow;
  d.take("global"), d.take("const");
  return space;
}

Step load(Decoder& d) {
  d.takeOneOf({"cg", "nc"});
  Space space = spaceOf(d);
  unsigned count = d.takeCount('v');
  Type type = d.type();
  d.done();
  std::vector<int> targets = d.targets(0);
  if (d.operand(1).kind == Operand::Address &&
      d.operand(1).parts[0].name == "call parameter") // vprintf's result
    return [=](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) { warp.at(targets[0], lane) = 0; });
      return Outcome::Next;
    };
  if (targets.size() != count) d.unknown();
  Source address = d.address(1);
  unsigned width = type.bits / 8;
  return [=](Warp& warp, uint32_t lanes) {
    if (!space.isParameter)
      warp.machine().accesses.add(warp, lanes, width * unsigned(targets.size()),
                                  [&](unsigned lane) { return space.of(address(warp, lane)); });
    forEach(lanes, [&](unsigned lane) {
      uint8_t bytes[32];
      uint64_t at = space.of(address(warp, lane));
      if (at % (width * targets.size()))
        refuse("address " + std::to_string(at) + " is not aligned: " + where(warp, warp.pc[lane]));
      warp.machine().read(warp, lane, at, bytes, width * targets.size());
      for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] < 0) continue;
        if (width == 16) { // b128
          std::memcpy(&warp.at(targets[i], lane), bytes, 8);
          std::memcpy(&warp.at(targets[i] + 1, lane), bytes + 8, 8);
          continue;
        }
        uint64_t value = 0;
        std::memcpy(&value, bytes + i * width, width);
        warp.at(targets[i], lane) = type.kind == 's' ? uint64_t(extended(value, type.bits)) : value;
      }
    });
    return Outcome::Next;
  };
}

Step store(Decoder& d) {
  Space space = spaceOf(d);
  unsigned count = d.takeCount('v');
  Type type = d.type();
  d.done();
  if (space.isParameter)
    return [](Warp&, uint32_t) { return Outcome::Next; }; // an argument of a call
  std::vector<Source> sources = d.sources(1, &type);
  if (sources.size() != count) d.unknown();
  Source address = d.address(0);
  unsigned width = type.bits / 8;
  if (width == 16) d.unknown();
  return [=](Warp& warp, uint32_t lanes) {
    warp.machine().accesses.add(warp, lanes, width * unsigned(sources.size()),
                                [&](unsigned lane) { return space.of(address(warp, lane)); });
    forEach(lanes, [&](unsigned lane) {
      uint8_t bytes[32];
      for (size_t i = 0; i < sources.size(); ++i) {
        uint64_t value = sources[i](warp, lane);
        std::memcpy(bytes + i * width, &value, width);
      }
      uint64_t at = space.of(address(warp, lane));
      if (at % (width * sources.size()))
        refuse("address " + std::to_string(at) + " is not aligned: " + where(warp, warp.pc[lane]));
      warp.machine().write(warp, lane, at, bytes, width * sources.size());
    });
    return Outcome::Next;
  };
}

Step matrices(Decoder& d) { // ldmatrix, stmatrix
  bool loads = d.in.parts[0] == "ldmatrix";
  d.take("sync"), d.take("aligned");
  std::string shape = d.takeOneOf({"m8n8", "m16n8", "m16n16"});
  unsigned count = d.takeCount('x');
  bool transposed = d.take("trans");
  d.take("shared") || d.take("shared::cta");
  Type type = d.type();
  d.done();
  d.needsWhole = true;
  if (shape != "m8n8" || type.bits != 16) d.unknown();
  std::vector<int> registers = loads ? d.targets(0) : std::vector<int>();
  std::vector<Source> values = loads ? std::vector<Source>() : d.sources(1);
  Source address = d.address(loads ? 1 : 0);
  return [=](Warp& warp, uint32_t) {
    // Each lane gives the address of a row of 16 bytes.
    warp.machine().accesses.add(warp, uint32_t(maskOf(8 * count)), 16, [&](unsigned lane) {
      return (address(warp, lane) & 0xffffffff) + sharedWindow;
    });
    uint32_t results[4][32];
    for (unsigned matrix = 0; matrix < count; ++matrix) {
      uint8_t* rows[8];
      for (unsigned row = 0; row < 8; ++row)
        rows[row] = warp.machine().shared(*warp.cta, address(warp, 8 * matrix + row) & 0xffffffff,
                                          16, loads ? "ldmatrix" : "stmatrix");
      for (unsigned lane = 0; lane < 32; ++lane) {
        uint32_t word = loads ? 0 : uint32_t(values[matrix](warp, lane));
        for (unsigned half = 0; half < 2; ++half) {
          unsigned row = lane / 4, column = 2 * (lane % 4) + half;
          if (transposed) std::swap(row, column);
          uint16_t element;
          if (loads) {
            std::memcpy(&element, rows[row] + 2 * column, 2);
            word |= uint32_t(element) << 16 * half;
          } else {
            element = uint16_t(word >> 16 * half);
            std::memcpy(rows[row] + 2 * column, &element, 2);
          }
        }
        results[matrix][lane] = word;
      }
    }
    for (unsigned matrix = 0; loads && matrix < count; ++matrix)
      for (unsigned lane = 0; lane < 32; ++lane)
        warp.at(registers[matrix], lane) = results[matrix][lane];
    return Outcome::Next;
  };
}

void finish(std::deque<std::vector<std::function<void()>>>& groups, size_t keep) {
  while (groups.size() > keep + 1) {
    for (auto& operation : groups.front())
      operation();
    groups.pop_front();
  }
}

Step threadCopies(Decoder& d) { // cp.async
  if (d.take("commit_group")) {
    d.done();
    return [](Warp& warp, uint32_t) {
      warp.copies.emplace_back();
      return Outcome::Next;
    };
  }
  if (d.take("wait_group") || d.take("wait_all")) {
    bool all = d.in.operands.empty();
    Source count = all ? Source() : d.source(0);
    return [=](Warp& warp, uint32_t) {
      if (all) warp.copies.emplace_back();
      finish(warp.copies, size_t(count(warp, 0)));
      return Outcome::Next;
    };
  }
  d.takeOneOf({"ca", "cg"});
  while (!d.takeStarting("L2::").empty()) {
  }
  d.take("shared") || d.take("shared::cta");
  d.take("global");
  d.done();
  Source to = d.address(0), from = d.address(1), size = d.source(2);
  Source given = d.count() > 3 && d.operand(3).kind != Operand::Nothing ? d.source(3) : size;
  return [=](Warp& warp, uint32_t lanes) {
    warp.machine().accesses.add(warp, lanes, unsigned(size(warp, 0)),
                                [&](unsigned lane) { return from(warp, lane); });
    forEach(lanes, [&](unsigned lane) {
      uint64_t bytes = size(warp, lane), valid = std::min(given(warp, lane) & 0xffffffff, bytes);
      uint64_t source = from(warp, lane);
      uint8_t* target =
          warp.machine().shared(*warp.cta, to(warp, lane) & 0xffffffff, bytes, "cp.async");
      if (valid && source % bytes)
        refuse("cp.async: the source is not aligned: " + where(warp, warp.pc[lane]));
      auto copy = [=, &machine = warp.machine()] {
        std::memset(target, 0, bytes);
        if (valid) machine.memory.read(source, target, valid);
      };
      if (warp.machine().launch.late)
        warp.copies.back().push_back(copy);
      else
        copy();
    });
    return Outcome::Next;
  };
}

} // namespace

Step barrierCopies(Decoder& d);     // Barriers.cpp: cp.async.mbarrier.arrive
Step bulkCopies(Decoder& d);        // BulkCopies.cpp: cp.async.bulk
Step asynchronousStore(Decoder& d); // Barriers.cpp: st.async

namespace {
Step copies(Decoder& d) {
  if (!d.take("async")) d.unknown();
  if (d.take("bulk")) return bulkCopies(d);
  if (d.take("mbarrier")) return barrierCopies(d);
  return threadCopies(d);
}
Step stores(Decoder& d) {
  return d.take("async") ? asynchronousStore(d) : store(d);
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

void addAccesses(Table& table) {
  table["ld"] = table["ldu"] = load;
  table["st"] = stores;
  table["ldmatrix"] = table["stmatrix"] = matrices;
  table["cp"] = copies;
}

} // namespace ptx
