// What lanes of a warp, warps of a CTA and CTAs of a cluster tell each other without memory.
#include "Decoder.h"
#include "Numbers.h"

namespace ptx {

namespace {

// Waits for the whole warp unless the mask names some lanes.
void members(Decoder& d, size_t index) {
  const Operand& mask = d.operand(index);
  d.needsWhole = mask.kind == Operand::Integer && (mask.value & 0xffffffff) == 0xffffffff;
}

Step shuffle(Decoder& d) {
  d.take("sync");
  std::string mode = d.takeOneOf({"idx", "up", "down", "bfly"});
  d.type();
  d.done();
  members(d, 4);
  int target = d.target(0), predicate = d.operand(0).second;
  Source value = d.source(1), number = d.source(2), clamp = d.source(3);
  return [=](Warp& warp, uint32_t lanes) {
    uint64_t given[32], taken[32];
    bool inside[32];
    forEach(lanes, [&](unsigned lane) { given[lane] = value(warp, lane); });
    forEach(lanes, [&](unsigned lane) {
      unsigned by = unsigned(number(warp, lane) & 0x1f), both = unsigned(clamp(warp, lane));
      unsigned segment = both >> 8 & 0x1f, limit = both & 0x1f;
      unsigned most = (lane & segment) | (limit & ~segment), least = lane & segment;
      int from = mode == "up"     ? int(lane) - int(by)
                 : mode == "down" ? int(lane + by)
                 : mode == "bfly" ? int(lane ^ by)
                                  : int(least | (by & ~segment));
      bool ok = mode == "up" ? from >= int(most) : from <= int(most);
      inside[lane] = ok;
      if (!ok) from = int(lane);
      if (!(lanes >> from & 1))
        refuse("shfl: lane " + std::to_string(from) +
               " does not take part: " + where(warp, warp.pc[lane]));
      taken[lane] = given[from];
    });
    forEach(lanes, [&](unsigned lane) {
      if (target >= 0) warp.at(target, lane) = taken[lane] & 0xffffffff;
      if (predicate >= 0) warp.at(predicate, lane) = inside[lane];
    });
    return Outcome::Next;
  };
}

Step vote(Decoder& d) {
  d.take("sync");
  std::string mode = d.takeOneOf({"all", "any", "uni", "ballot"});
  d.type();
  d.done();
  members(d, 2);
  int target = d.target(0);
  Source value = d.source(1);
  return [=](Warp& warp, uint32_t lanes) {
    uint32_t set = 0;
    forEach(lanes, [&](unsigned lane) { set |= uint32_t(value(warp, lane) & 1) << lane; });
    uint64_t result = mode == "all"   ? set == lanes
                      : mode == "any" ? set != 0
                      : mode == "uni" ? set == 0 || set == lanes
                                      : set;
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = result; });
    return Outcome::Next;
  };
}

Step match(Decoder& d) {
  d.take("sync");
  if (!d.take("any")) d.unknown();
  d.type();
  d.done();
  members(d, 2);
  int target = d.target(0);
  Source value = d.source(1);
  return [=](Warp& warp, uint32_t lanes) {
    uint64_t results[32] = {};
    forEach(lanes, [&](unsigned lane) {
      forEach(lanes, [&](unsigned other) {
        results[lane] |= uint64_t(value(warp, lane) == value(warp, other)) << other;
      });
    });
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = results[lane]; });
    return Outcome::Next;
  };
}

Step reduce(Decoder& d) { // redux
  d.take("sync");
  std::string how = d.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  bool absolute = d.take("abs"), keepsNan = d.take("NaN");
  Type type = d.type();
  d.done();
  members(d, 2);
  int target = d.target(0);
  Source value = d.source(1);
  return [=](Warp& warp, uint32_t lanes) {
    bool first = true;
    uint64_t whole = 0;
    forEach(lanes, [&](unsigned lane) {
      uint64_t one = value(warp, lane) & 0xffffffff;
      if (absolute) one &= 0x7fffffff;
      if (first) {
        whole = one, first = false;
        return;
      }
      bool less = type.kind == 's' ? int32_t(one) < int32_t(whole) : one < whole;
      if (type.kind == 'f') {
        double a = numberOf(Format::F32, one), b = numberOf(Format::F32, whole);
        less = a < b || (a == b && one > whole);
        if (a != a || b != b) {
          whole = keepsNan ? 0x7fffffff : a != a ? whole : one;
          return;
        }
      }
      if (how == "add") whole += one;
      if (how == "and") whole &= one;
      if (how == "or") whole |= one;
      if (how == "xor") whole ^= one;
      if (how == "min" && less) whole = one;
      if (how == "max" && !less) whole = one;
    });
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = whole & 0xffffffff; });
    return Outcome::Next;
  };
}

Step elect(Decoder& d) {
  d.take("sync");
  d.done();
  members(d, 1);
  int target = d.target(0), predicate = d.operand(0).second;
  return [=](Warp& warp, uint32_t lanes) {
    unsigned leader = unsigned(std::countr_zero(lanes));
    forEach(lanes, [&](unsigned lane) {
      if (target >= 0) warp.at(target, lane) = leader;
      if (predicate >= 0) warp.at(predicate, lane) = lane == leader;
    });
    return Outcome::Next;
  };
}

Step activeMask(Decoder& d) {
  d.type();
  return [target = d.target(0)](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = lanes; });
    return Outcome::Next;
  };
}

// Another generation of the barrier begins when all its warps have arrived.
Outcome meet(Warp& warp, unsigned number, unsigned threads, bool waits, bool any = false,
             bool all = true, unsigned count = 0) {
  if (number >= 16) refuse("a barrier's number is 16 or more: " + where(warp, warp.pc[0]));
  NamedBarrier& barrier = warp.cta->barriers[number];
  if (warp.waitsFor == int(number)) {
    if (barrier.generation == warp.generation) return Outcome::Wait;
    warp.waitsFor = -1;
    return Outcome::Next;
  }
  barrier.arrived += 32;
  if (any) barrier.any = true;
  if (!all) barrier.all = false;
  barrier.count += count;
  if (barrier.arrived > threads)
    refuse("more threads arrive at a barrier than it has: " + where(warp, warp.pc[0]));
  if (barrier.arrived == threads) {
    barrier.arrived = 0;
    ++barrier.generation;
    return Outcome::Next;
  }
  if (!waits) return Outcome::Next;
  warp.waitsFor = int(number);
  warp.generation = barrier.generation;
  return Outcome::Wait;
}

Step clusterBarrier(Decoder& d) {
  bool arrives = d.take("arrive"), waits = d.take("wait");
  d.takeOneOf({"release", "acquire", "relaxed"}), d.take("aligned");
  d.done();
  if (arrives == waits) d.unknown();
  d.needsWhole = true;
  return [=](Warp& warp, uint32_t) {
    ClusterBarrier& barrier = warp.machine().clusterBarrier;
    if (waits) return barrier.generation == warp.clusterGeneration ? Outcome::Wait : Outcome::Next;
    warp.clusterGeneration = barrier.generation;
    if (++barrier.arrived == warp.cta->cluster.size() * warp.cta->warps.size())
      barrier.arrived = 0, ++barrier.generation;
    return Outcome::Next;
  };
}

Step barrier(Decoder& d) {
  if (d.take("cluster")) return clusterBarrier(d);
  d.needsWhole = true;
  d.take("cta"), d.take("aligned");
  if (d.take("warp")) {
    if (!d.take("sync")) d.unknown();
    d.done();
    members(d, 0);
    return [](Warp&, uint32_t) { return Outcome::Next; };
  }
  bool syncs = d.take("sync"), arrives = d.take("arrive"), reduces = d.take("red");
  d.take("all");
  if (reduces) {
    std::string how = d.takeOneOf({"popc", "and", "or"});
    d.type();
    d.done();
    bool counted = d.count() == 4;
    int target = d.target(0);
    Source number = d.source(1), threads = counted ? d.source(2) : Source(),
           value = d.source(d.count() - 1);
    return [=](Warp& warp, uint32_t lanes) {
      unsigned set = 0;
      forEach(lanes, [&](unsigned lane) { set += value(warp, lane) & 1; });
      unsigned id = unsigned(number(warp, 0)),
               total = counted ? unsigned(threads(warp, 0)) : warp.machine().module.threads;
      NamedBarrier& one = warp.cta->barriers[id];
      if (!one.arrived && warp.waitsFor != int(id)) one.any = false, one.all = true, one.count = 0;
      Outcome outcome = meet(warp, id, total, true, set != 0, set == 32, set);
      if (outcome == Outcome::Next)
        forEach(lanes, [&](unsigned lane) {
          warp.at(target, lane) = how == "popc" ? one.count : how == "and" ? one.all : one.any;
        });
      return outcome;
    };
  }
  d.done();
  if (syncs == arrives) d.unknown();
  bool counted = d.count() > 1;
  Source number = d.source(0), threads = counted ? d.source(1) : Source();
  return [=](Warp& warp, uint32_t lanes) {
    unsigned lane = unsigned(std::countr_zero(lanes));
    return meet(warp, unsigned(number(warp, lane)),
                counted ? unsigned(threads(warp, lane)) : warp.machine().module.threads, syncs);
  };
}

Step mapAddress(Decoder& d) { // mapa
  bool shared = d.take("shared::cluster");
  Type type = d.type();
  return elementwise(d, {d.source(1), d.source(2)}, type.bits, [=](const uint64_t* v) {
    uint64_t window = shared ? 0 : sharedWindow;
    return window + (((v[0] - window) & ((1u << ctaShift) - 1)) | (v[1] & 0xff) << ctaShift);
  });
}

Step rankOf(Decoder& d) { // getctarank
  bool shared = d.take("shared::cluster");
  d.type();
  return elementwise(d, {d.source(1)}, 32, [=](const uint64_t* v) {
    return (v[0] - (shared ? 0 : sharedWindow)) >> ctaShift;
  });
}

} // namespace

void addWarps(Table& table) {
  table["shfl"] = shuffle;
  table["vote"] = vote;
  table["match"] = match;
  table["redux"] = reduce;
  table["elect"] = elect;
  table["activemask"] = activeMask;
  table["bar"] = table["barrier"] = barrier;
  table["mapa"] = mapAddress;
  table["getctarank"] = rankOf;
}

} // namespace ptx
