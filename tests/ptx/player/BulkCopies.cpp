// The tensor memory accelerator: copies of boxes, rows and im2col columns; tensor maps made by
// kernels.
#include "Barriers.h"
#include "Decoder.h"
#include "Numbers.h"
#include "TensorMap.h"

#include <cmath>
#include <cstring>

namespace ptx {

namespace {

// Element types as tensor maps number them.
constexpr unsigned bitsOfElement[] = {8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 32, 32, 4, 4, 6};
constexpr unsigned paddedNibbles = 14; // 16 elements of 4 bits in 16 bytes of shared memory

struct Copy {
  TensorMap map;
  std::vector<int64_t> coordinates, offsets; // offsets of im2col
  bool rows = false;                         // gather4, scatter4
  unsigned bits() const { return bitsOfElement[map.element]; }
  unsigned rank() const { return map.rankLessOne + 1u; }
  bool isPadded() const { return map.element == paddedNibbles; }
};

// Calls `each(shared offset, bytes, global address or 0)` for runs within the innermost dimension.
template <typename Function> void forRuns(const Copy& copy, Function each) {
  const TensorMap& map = copy.map;
  unsigned rank = copy.rank(), bits = copy.bits();
  // Of 16 elements at a time where they are padded, else of one.
  unsigned step = bits < 8 ? 16 : 1, globalBytes = bits * step / 8,
           sharedStep = copy.isPadded() ? 16 : globalBytes;
  uint64_t at = 0;
  auto row = [&](const int64_t* position) { // position[0] is where the row begins
    uint32_t length = map.isIm2Col ? map.channels : map.box[0];
    bool inside = true;
    uint64_t address = map.address;
    for (unsigned axis = 1; axis < rank; ++axis) {
      inside &= position[axis] >= 0 && position[axis] < int64_t(map.dims[axis]);
      address += uint64_t(position[axis]) * map.strides[axis - 1];
    }
    for (uint32_t i = 0; i < length; i += step, at += sharedStep) {
      int64_t x = position[0] + i;
      bool here = inside && x >= 0 && x < int64_t(map.dims[0]);
      each(at, globalBytes, here ? address + uint64_t(x) * bits / 8 : 0);
    }
  };
  int64_t position[5] = {};
  for (unsigned axis = 0; axis < rank && axis < copy.coordinates.size(); ++axis)
    position[axis] = copy.coordinates[axis];
  if (copy.rows) {
    for (unsigned i = 0; i < 4; ++i) {
      position[1] = copy.coordinates[1 + i];
      row(position);
    }
    return;
  }
  if (map.isIm2Col) { // coordinates: channel, the spatial dimensions, image
    unsigned spatial = rank - 2;
    for (uint32_t pixel = 0; pixel < map.pixels; ++pixel) {
      int64_t moved[5] = {position[0]};
      for (unsigned axis = 0; axis < spatial; ++axis)
        moved[axis + 1] = position[axis + 1] + copy.offsets[axis];
      moved[rank - 1] = position[rank - 1];
      row(moved);
      for (unsigned axis = 0;; ++axis) {
        if (axis == spatial) {
          ++position[rank - 1];
          break;
        }
        position[axis + 1] += std::max<uint32_t>(map.elementStrides[axis + 1], 1);
        if (position[axis + 1] < int64_t(map.dims[axis + 1]) + map.upper[axis]) break;
        position[axis + 1] = map.lower[axis];
      }
    }
    return;
  }
  uint32_t index[5] = {};
  for (;;) {
    int64_t moved[5] = {position[0]};
    for (unsigned axis = 1; axis < rank; ++axis)
      moved[axis] = position[axis] + index[axis];
    row(moved);
    unsigned axis = 1;
    while (axis < rank && ++index[axis] == map.box[axis])
      index[axis++] = 0;
    if (axis == rank) return;
  }
}

void check(const Copy& copy, uint64_t shared, const Warp& warp, int pc) {
  const TensorMap& map = copy.map;
  if (copy.rank() > 5 || map.swizzle > 3 || map.element > 15 || map.interleave || !map.dims[0])
    refuse("no tensor map: " + where(warp, pc));
  unsigned inner = map.box[0] * (copy.isPadded() ? 8 : copy.bits()) / 8;
  if (!map.isIm2Col && map.swizzle && inner > 16u << map.swizzle)
    refuse("the box is wider than the swizzle: " + where(warp, pc));
  if (shared % 128)
    refuse("TMA: shared address " + std::to_string(shared & 0xffffff) +
           " is not aligned to 128: " + where(warp, pc));
  if (map.address % 16) refuse("TMA: the tensor is not aligned: " + where(warp, pc));
  for (unsigned axis = 1; axis < copy.rank(); ++axis)
    if (map.strides[axis - 1] % 16)
      refuse("TMA: a stride is no multiple of 16 bytes: " + where(warp, pc));
  if (!copy.rows && copy.coordinates.size() != copy.rank())
    refuse("TMA: " + std::to_string(copy.coordinates.size()) + " coordinates: " + where(warp, pc));
}

void load(Machine& machine, Cta& cta, const Copy& copy, uint64_t shared, uint64_t barrierRank,
          uint64_t barrier) {
  uint64_t total = 0;
  unsigned mode = copy.map.swizzle;
  forRuns(copy, [&](uint64_t at, unsigned bytes, uint64_t from) {
    uint64_t address = swizzled(shared + at, mode);
    unsigned width = copy.isPadded() ? 16 : bytes;
    uint8_t* target = machine.shared(cta, address, 1, "TMA");
    uint8_t data[16] = {};
    if (from) {
      machine.memory.read(from, data, bytes);
    } else if (copy.map.fill) {
      for (unsigned i = 0; i < bytes; ++i)
        data[i] = i % 2 || bytes == 1 ? 0x7f : 0xff;
    }
    std::memcpy(target, data, width);
    total += width;
  });
  completeBytes(machine, cta, barrierRank << ctaShift | (barrier & 0xffffff), int64_t(total));
}

uint64_t combined(const std::string& how, unsigned element, uint64_t old, uint64_t value) {
  static const char* const names[] = {"u8",  "u16", "u32", "s32",  "u64", "s64", "f16",
                                      "f32", "f32", "f64", "bf16", "f32", "f32"};
  Type type = *typeOf(names[element]);
  if (how == "and") return old & value;
  if (how == "or") return old | value;
  if (how == "xor") return old ^ value;
  if (type.kind == 'f') {
    Format format = formatOf(type.format);
    double a = numberOf(format, old), b = numberOf(format, value);
    return bitsFor(format, how == "add" ? a + b : how == "min" ? std::fmin(a, b) : std::fmax(a, b));
  }
  if (how == "add") return old + value;
  bool less =
      type.kind == 's' ? extended(value, type.bits) < extended(old, type.bits) : value < old;
  return (how == "min") == less ? value : old;
}

void store(Machine& machine, Cta& cta, const Copy& copy, uint64_t shared,
           const std::string& reduction) {
  forRuns(copy, [&](uint64_t at, unsigned bytes, uint64_t to) {
    if (!to) return;
    uint8_t* from = machine.shared(cta, swizzled(shared + at, copy.map.swizzle), 1, "TMA");
    if (reduction.empty()) {
      machine.memory.write(to, from, bytes);
      return;
    }
    uint64_t old = 0, value = 0;
    machine.memory.read(to, &old, bytes);
    std::memcpy(&value, from, bytes);
    value = combined(reduction, copy.map.element, old, value);
    machine.memory.write(to, &value, bytes);
  });
}

void finish(std::deque<std::vector<std::function<void()>>>& groups, size_t keep) {
  while (groups.size() > keep + 1) {
    for (auto& operation : groups.front())
      operation();
    groups.pop_front();
  }
}

// The map's address and coordinates of an operand `[map, {x, y}]`.
struct Place {
  Source map;
  std::vector<Source> coordinates;
};
Place placeOf(Decoder& d, size_t index) {
  const Operand& all = d.operand(index);
  if (all.kind != Operand::Address || all.parts.size() != 2) d.unknown();
  Place place{d.source(all.parts[0]), {}};
  for (const Operand& part : all.parts[1].parts)
    place.coordinates.push_back(d.source(part));
  return place;
}

Copy copyOf(Warp& warp, unsigned lane, const Place& place, bool rows) {
  Copy copy;
  warp.machine().read(warp, lane, place.map(warp, lane), &copy.map, 128);
  copy.rows = rows;
  for (const Source& source : place.coordinates)
    copy.coordinates.push_back(int32_t(source(warp, lane)));
  return copy;
}

Step tensorCopies(Decoder& d, const std::string& reduction) {
  if (d.takeOneOf({"1d", "2d", "3d", "4d", "5d"}).empty()) d.unknown();
  bool rows = d.take("tile::gather4") || d.take("tile::scatter4"), columns = d.take("im2col");
  d.take("tile"), d.take("im2col_no_offs");
  bool stores = d.take("bulk_group"), pairs = d.take("cta_group::2"),
       multicast = d.take("multicast::cluster");
  d.take("cta_group::1");
  bool hinted = d.take("L2::cache_hint");
  d.take("mbarrier::complete_tx::bytes");
  d.take("global");
  d.take("shared::cta") || d.take("shared::cluster");
  d.done();
  if (stores) {
    Place place = placeOf(d, 0);
    Source shared = d.address(1);
    return [=](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        Copy copy = copyOf(warp, lane, place, rows);
        uint64_t address = shared(warp, lane) & 0xffffffff;
        check(copy, address, warp, warp.pc[lane]);
        auto operation = [=, &machine = warp.machine(), cta = warp.cta] {
          store(machine, *cta, copy, address, reduction);
        };
        if (warp.machine().launch.late)
          warp.stores.back().push_back(operation);
        else
          operation();
      });
      return Outcome::Next;
    };
  }
  Source shared = d.address(0), barrier = d.address(2), mask;
  Place place = placeOf(d, 1);
  size_t next = 3;
  std::vector<Source> offsets;
  if (columns) offsets = d.sources(next++);
  if (multicast) mask = d.source(next++);
  if (hinted) ++next;
  if (next != d.count()) d.unknown("operands");
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      Copy copy = copyOf(warp, lane, place, rows);
      for (const Source& offset : offsets)
        copy.offsets.push_back(int64_t(offset(warp, lane) & 0xffff));
      uint64_t address = shared(warp, lane) & 0xffffffff, at = barrier(warp, lane) & 0xffffffff;
      check(copy, address, warp, warp.pc[lane]);
      uint64_t ranks = multicast ? mask(warp, lane) & 0xffff : 1ull << (address >> ctaShift & 0xff);
      warp.machine().later([=, &machine = warp.machine(), cta = warp.cta] {
        for (unsigned rank = 0; rank < 16; ++rank) {
          if (!(ranks >> rank & 1)) continue;
          uint64_t told = !multicast ? at >> ctaShift & 0xff
                          : pairs    ? (rank & ~1u) | (at >> ctaShift & 1)
                                     : rank;
          load(machine, *cta, copy, uint64_t(rank) << ctaShift | (address & 0xffffff), told, at);
        }
      });
    });
    return Outcome::Next;
  };
}

Step replace(Decoder& d) {       // tensormap
  if (d.take("cp_fenceproxy")) { // copies it to global memory
    for (const char* part : {"global", "shared::cta", "tensormap::generic", "release", "acquire",
                             "gpu", "sys", "cta", "cluster", "sync", "aligned"})
      d.take(part);
    d.done();
    return [to = d.address(0), from = d.address(1)](Warp& warp, uint32_t lanes) {
      unsigned lane = unsigned(std::countr_zero(lanes));
      uint8_t bytes[128];
      std::memcpy(bytes,
                  warp.machine().shared(*warp.cta, from(warp, lane) & 0xffffffff, 128, "tensormap"),
                  128);
      warp.machine().write(warp, lane, to(warp, lane), bytes, 128);
      return Outcome::Next;
    };
  }
  d.take("replace"), d.take("tile");
  std::string field =
      d.takeOneOf({"global_address", "rank", "box_dim", "global_dim", "global_stride",
                   "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"});
  bool shared = d.take("shared::cta");
  d.take("global"), d.take("b1024"), d.take("b32"), d.take("b64");
  d.done();
  if (field.empty()) d.unknown();
  bool numbered = d.count() == 3;
  Source at = d.address(0), number = numbered ? d.source(1) : Source(),
         value = d.source(numbered ? 2 : 1);
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      TensorMap map;
      uint64_t address = shared ? (at(warp, lane) & 0xffffffff) + sharedWindow : at(warp, lane),
               word = value(warp, lane);
      warp.machine().read(warp, lane, address, &map, 128);
      size_t axis = number(warp, lane);
      if (axis > 4) refuse("tensormap.replace: dimension " + std::to_string(axis));
      if (field == "global_address") map.address = word;
      if (field == "rank") map.rankLessOne = uint8_t(word);
      if (field == "box_dim") map.box[axis] = uint32_t(word);
      if (field == "global_dim") map.dims[axis] = uint32_t(word);
      if (field == "global_stride") map.strides[axis] = word;
      if (field == "element_stride") map.elementStrides[axis] = uint32_t(word);
      if (field == "elemtype") map.element = uint8_t(word);
      if (field == "interleave_layout") map.interleave = uint8_t(word);
      if (field == "swizzle_mode") map.swizzle = uint8_t(word);
      if (field == "fill_mode") map.fill = uint8_t(word);
      warp.machine().write(warp, lane, address, &map, 128);
    });
    return Outcome::Next;
  };
}

// The handle that a cancelled launch leaves: whether one was, and which.
Step launchControl(Decoder& d) {
  if (d.take("try_cancel")) {
    bool all = d.take("multicast::cluster::all");
    for (const char* part : {"async", "shared::cta", "mbarrier::complete_tx::bytes", "b128"})
      d.take(part);
    d.done();
    return [=, to = d.address(0), barrier = d.address(1)](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        uint64_t address = to(warp, lane) & 0xffffff, at = barrier(warp, lane) & 0xffffff;
        warp.machine().later([=, &machine = warp.machine(), cta = warp.cta] {
          uint32_t handle[4] = {};
          if (!machine.waiting.empty()) {
            handle[0] = 1;
            for (unsigned i = 0; i < 3; ++i)
              handle[1 + i] = machine.waiting.front()[i];
            machine.waiting.pop_front();
          }
          for (Cta* each : cta->cluster) {
            if (!all && each != cta) continue;
            uint64_t rank = uint64_t(each->rank) << ctaShift;
            std::memcpy(machine.shared(*each, rank | address, 16, "clusterlaunchcontrol"), handle,
                        16);
            completeBytes(machine, *each, rank | at, 16);
          }
        });
      });
      return Outcome::Next;
    };
  }
  if (!d.take("query_cancel")) d.unknown();
  bool asks = d.take("is_canceled");
  std::string axis = asks ? "" : d.takeStarting("get_first_ctaid");
  d.take("pred"), d.take("b128"), d.take("b32"), d.take("v4");
  d.done();
  if (!asks && axis.empty()) d.unknown();
  std::vector<int> targets = d.targets(0);
  if (d.operand(1).kind != Operand::Register) d.unknown();
  return [=, slot = d.operand(1).slot](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      uint64_t low = warp.at(slot, lane), high = warp.at(slot + 1, lane);
      uint64_t words[4] = {low >> 32, high & 0xffffffff, high >> 32, 0};
      if (asks)
        warp.at(targets[0], lane) = low & 1;
      else if (targets.size() == 1)
        warp.at(targets[0], lane) = words[axis.back() - 'x'];
      else
        for (size_t i = 0; i < targets.size(); ++i)
          if (targets[i] >= 0) warp.at(targets[i], lane) = words[i];
    });
    return Outcome::Next;
  };
}

Step reductions(Decoder& d) { // cp.reduce.async.bulk.tensor; the decoder has taken cp
  std::string how = d.takeOneOf({"add", "min", "max", "and", "or", "xor", "inc", "dec"});
  if (how.empty() || !d.take("tensor")) d.unknown();
  return tensorCopies(d, how);
}

} // namespace

Step bulkCopies(Decoder& d) {
  if (d.take("commit_group")) {
    d.done();
    return [](Warp& warp, uint32_t) {
      warp.stores.emplace_back();
      return Outcome::Next;
    };
  }
  if (d.take("wait_group")) {
    d.take("read");
    d.done();
    return [count = d.source(0)](Warp& warp, uint32_t) {
      finish(warp.stores, size_t(count(warp, 0)));
      return Outcome::Next;
    };
  }
  if (d.take("reduce")) return reductions(d);
  if (d.take("prefetch")) return [](Warp&, uint32_t) { return Outcome::Next; };
  if (!d.take("tensor")) d.unknown();
  return tensorCopies(d, "");
}

void addBulkCopies(Table& table) {
  table["tensormap"] = replace;
  table["clusterlaunchcontrol"] = launchControl;
}

} // namespace ptx
