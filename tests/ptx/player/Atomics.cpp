// atom and red: on global and shared memory, on several elements at once too.
#include "Decoder.h"
#include "Numbers.h"

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

uint64_t combined(const std::string& how, const Type& type, uint64_t old, uint64_t value,
                  uint64_t other) {
  unsigned bits = type.bits;
  if (how == "exch") return value;
  if (how == "cas") return old == value ? other : old;
  if (how == "and") return old & value;
  if (how == "or") return old | value;
  if (how == "xor") return old ^ value;
  if (how == "inc") return old >= value ? 0 : old + 1;
  if (how == "dec") return old == 0 || old > value ? value : old - 1;
  if (type.kind == 'f') {
    Format format = formatOf(type.format);
    unsigned width = type.bits / type.lanes;
    uint64_t result = 0;
    for (unsigned i = 0; i < type.lanes; ++i) {
      double a = numberOf(format, old >> i * width & maskOf(width)),
             b = numberOf(format, value >> i * width & maskOf(width));
      double sum = how == "add" ? a + b : how == "min" ? std::min(a, b) : std::max(a, b);
      result |= bitsFor(format, sum) << i * width;
    }
    return result;
  }
  if (how == "add") return old + value;
  bool less = type.kind == 's' ? extended(value, bits) < extended(old, bits) : value < old;
  return (how == "min") == less ? value : old;
}

Step atomic(Decoder& d) {
  bool returns = d.in.parts[0] == "atom";
  d.take("async");
  d.takeOneOf({"relaxed", "acquire", "release", "acq_rel"});
  d.takeOneOf({"cta", "cluster", "gpu", "sys"});
  bool shared = d.take("shared") || d.take("shared::cta") || d.take("shared::cluster");
  d.take("global"), d.take("noftz");
  while (!d.takeStarting("L2::").empty()) {
  }
  std::string how =
      d.takeOneOf({"add", "exch", "cas", "and", "or", "xor", "inc", "dec", "min", "max"});
  std::string vector = d.takeOneOf({"v2", "v4", "v8"});
  Type type = d.type();
  d.done();
  if (how.empty() || type.bits > 64) d.unknown();
  size_t first = returns ? 1 : 0;
  std::vector<int> targets = returns ? d.targets(0) : std::vector<int>();
  std::vector<Source> values = d.sources(first + 1, &type);
  Source other = how == "cas" ? d.source(first + 2) : Source(), address = d.address(first);
  unsigned width = type.bits / 8;
  return [=](Warp& warp, uint32_t lanes) {
    warp.machine().accesses.add(warp, lanes, width * unsigned(values.size()), [&](unsigned lane) {
      return shared ? (address(warp, lane) & 0xffffffff) + sharedWindow : address(warp, lane);
    });
    forEach(lanes, [&](unsigned lane) {
      uint64_t at = address(warp, lane);
      if (shared) at = (at & 0xffffffff) + sharedWindow;
      if (at % (width * values.size()))
        refuse("an atomic's address is not aligned: " + where(warp, warp.pc[lane]));
      for (size_t i = 0; i < values.size(); ++i, at += width) {
        uint64_t old = 0;
        warp.machine().read(warp, lane, at, &old, width);
        uint64_t result = combined(how, type, old, values[i](warp, lane) & maskOf(type.bits),
                                   other(warp, lane) & maskOf(type.bits)) &
                          maskOf(type.bits);
        warp.machine().write(warp, lane, at, &result, width);
        if (returns && targets[i] >= 0) warp.at(targets[i], lane) = old;
      }
    });
    return Outcome::Next;
  };
}

} // namespace

void addAtomics(Table& table) {
  table["atom"] = table["red"] = atomic;
}

} // namespace ptx
