// Arithmetic of integers, bits and predicates.
#include "Decoder.h"

#include <algorithm>

namespace ptx {
Step decodeFloat(Decoder& d); // Floats.cpp

namespace {

struct Kind {
  unsigned bits;
  bool isSigned;
};
using Binary = uint64_t (*)(const uint64_t*, Kind);

int64_t s(uint64_t value, Kind kind) {
  return kind.isSigned ? extended(value, kind.bits) : int64_t(value & maskOf(kind.bits));
}
uint64_t u(uint64_t value, Kind kind) {
  return value & maskOf(kind.bits);
}

uint64_t wideProduct(uint64_t a, uint64_t b, Kind kind, bool high) {
  __int128 product = kind.isSigned ? __int128(s(a, kind)) * s(b, kind)
                                   : __int128((unsigned __int128)u(a, kind) * u(b, kind));
  return uint64_t(high ? (unsigned __int128)product >> kind.bits : (unsigned __int128)product);
}

uint64_t divided(const uint64_t* v, Kind kind) {
  if (!u(v[1], kind)) return ~0ull;
  if (!kind.isSigned) return u(v[0], kind) / u(v[1], kind);
  return s(v[1], kind) == -1 ? -uint64_t(s(v[0], kind)) : uint64_t(s(v[0], kind) / s(v[1], kind));
}
uint64_t remainder(const uint64_t* v, Kind kind) {
  if (!u(v[1], kind)) return v[0];
  if (!kind.isSigned) return u(v[0], kind) % u(v[1], kind);
  return s(v[1], kind) == -1 ? 0 : uint64_t(s(v[0], kind) % s(v[1], kind));
}
uint64_t shiftedLeft(const uint64_t* v, Kind kind) {
  uint64_t by = v[1] & 0xffffffff;
  return by >= kind.bits ? 0 : v[0] << by;
}
uint64_t shiftedRight(const uint64_t* v, Kind kind) {
  uint64_t by = std::min<uint64_t>(v[1] & 0xffffffff, kind.bits);
  if (kind.isSigned) return uint64_t(extended(v[0], kind.bits) >> std::min<uint64_t>(by, 63));
  return by >= 64 ? 0 : u(v[0], kind) >> by;
}
uint64_t field(const uint64_t* v, Kind kind) { // bfe
  uint64_t from = v[1] & 0xff, length = v[2] & 0xff;
  if (!length) return 0;
  uint64_t value = from >= kind.bits ? (kind.isSigned && s(v[0], kind) < 0 ? ~0ull : 0)
                                     : uint64_t(s(v[0], kind) >> from);
  if (!kind.isSigned) return value & maskOf(unsigned(std::min<uint64_t>(length, 64)));
  return length >= 64 ? value : uint64_t(extended(value, unsigned(length)));
}
uint64_t insertedField(const uint64_t* v, Kind kind) { // bfi
  uint64_t from = v[2] & 0xff, length = std::min<uint64_t>(v[3] & 0xff, 64);
  if (from >= kind.bits) return v[1];
  uint64_t mask = maskOf(unsigned(length)) << from;
  return (v[1] & ~mask) | (v[0] << from & mask);
}

const std::map<std::string, std::pair<unsigned, Binary>>& operations() {
  static const std::map<std::string, std::pair<unsigned, Binary>> table = {
      {"add", {2, [](const uint64_t* v, Kind) { return v[0] + v[1]; }}},
      {"sub", {2, [](const uint64_t* v, Kind) { return v[0] - v[1]; }}},
      {"div", {2, divided}},
      {"rem", {2, remainder}},
      {"and", {2, [](const uint64_t* v, Kind) { return v[0] & v[1]; }}},
      {"or", {2, [](const uint64_t* v, Kind) { return v[0] | v[1]; }}},
      {"xor", {2, [](const uint64_t* v, Kind) { return v[0] ^ v[1]; }}},
      {"not", {1, [](const uint64_t* v, Kind) { return ~v[0]; }}},
      {"cnot", {1, [](const uint64_t* v, Kind kind) { return uint64_t(u(v[0], kind) == 0); }}},
      {"neg", {1, [](const uint64_t* v, Kind) { return -v[0]; }}},
      {"abs", {1, [](const uint64_t* v, Kind kind) { return s(v[0], kind) < 0 ? -v[0] : v[0]; }}},
      {"min",
       {2,
        [](const uint64_t* v, Kind kind) {
          return kind.isSigned ? uint64_t(std::min(s(v[0], kind), s(v[1], kind)))
                               : std::min(u(v[0], kind), u(v[1], kind));
        }}},
      {"max",
       {2,
        [](const uint64_t* v, Kind kind) {
          return kind.isSigned ? uint64_t(std::max(s(v[0], kind), s(v[1], kind)))
                               : std::max(u(v[0], kind), u(v[1], kind));
        }}},
      {"shl", {2, shiftedLeft}},
      {"shr", {2, shiftedRight}},
      {"popc",
       {1, [](const uint64_t* v, Kind kind) { return uint64_t(std::popcount(u(v[0], kind))); }}},
      {"clz",
       {1, [](const uint64_t* v,
              Kind kind) { return uint64_t(std::countl_zero(u(v[0], kind))) - (64 - kind.bits); }}},
      {"brev",
       {1,
        [](const uint64_t* v, Kind kind) {
          uint64_t result = 0;
          for (unsigned i = 0; i < kind.bits; ++i)
            result |= (v[0] >> i & 1) << (kind.bits - 1 - i);
          return result;
        }}},
      {"bfe", {3, field}},
      {"bfi", {4, insertedField}},
  };
  return table;
}

// Sums of numbers of several words: add.cc leaves a carry (sub.cc a borrow), which addc adds.
Step carried(Decoder& d) {
  const std::string& name = d.in.parts[0];
  bool reads = name.back() == 'c', writes = d.take("cc");
  bool multiplies = name.starts_with("mad"), subtracts = name.starts_with("sub");
  std::string part = multiplies ? d.takeOneOf({"lo", "hi"}) : "";
  if (multiplies && part.empty()) d.unknown("lo or hi");
  Type type = d.type();
  Kind kind{type.bits, type.kind == 's'};
  std::vector<Source> sources;
  for (size_t i = 1; i <= (multiplies ? 3u : 2u); ++i)
    sources.push_back(d.source(i));
  d.done();
  int target = d.target(0);
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      uint64_t first = sources[0](warp, lane), second = sources.back()(warp, lane);
      if (multiplies) first = wideProduct(first, sources[1](warp, lane), kind, part == "hi");
      unsigned __int128 x = u(first, kind), y = u(second, kind);
      if (reads) y += warp.carry >> lane & 1;
      unsigned __int128 result = subtracts ? x - y : x + y;
      warp.at(target, lane) = u(uint64_t(result), kind);
      if (writes)
        warp.carry = (warp.carry & ~(1u << lane)) | uint32_t(result >> kind.bits & 1) << lane;
    });
    return Outcome::Next;
  };
}

bool isCarried(const Decoder& d) {
  return std::ranges::find(d.left, "cc") != d.left.end();
}

Step integer(Decoder& d) {
  if (isCarried(d)) return carried(d);
  for (const std::string& part : d.left)
    if (auto type = typeOf(part); type && type->kind == 'f') return decodeFloat(d);
  Type type = d.type();
  auto [count, function] = operations().at(d.in.parts[0]);
  if (type.kind != 'p' && type.bits < 8) d.unknown();
  bool saturates = d.take("sat"), isAtLeastZero = d.take("relu"); // of min and max
  if (type.lanes > 1 && saturates) d.unknown();
  std::vector<Source> sources;
  for (size_t i = 1; i <= count; ++i)
    sources.push_back(d.source(i));
  Kind kind{type.bits / type.lanes, type.kind == 's'};
  bool adds = d.in.parts[0] == "add";
  auto plain = [kind, isAtLeastZero, function = function](const uint64_t* v) {
    uint64_t result = function(v, kind);
    return isAtLeastZero && s(result, kind) < 0 ? 0 : result;
  };
  if (type.lanes > 1) return elementwise(d, sources, type.bits, packed(type, count, plain));
  return elementwise(d, sources, type.bits, [kind, adds, saturates, plain](const uint64_t* v) {
    if (!saturates) return plain(v);
    int64_t result = adds ? s(v[0], kind) + s(v[1], kind) : s(v[0], kind) - s(v[1], kind);
    return uint64_t(std::clamp<int64_t>(result, INT32_MIN, INT32_MAX));
  });
}

Step product(Decoder& d) {
  if (isCarried(d)) return carried(d);
  for (const std::string& part : d.left)
    if (auto type = typeOf(part); type && type->kind == 'f') return decodeFloat(d);
  bool adds = d.in.parts[0] == "mad" || d.in.parts[0] == "fma";
  std::string part = d.takeOneOf({"lo", "hi", "wide"});
  Type type = d.type();
  Kind kind{type.bits, type.kind == 's'};
  std::vector<Source> sources{d.source(1), d.source(2)};
  if (adds) sources.push_back(d.source(3));
  unsigned bits = part == "wide" ? type.bits * 2 : type.bits;
  bool high = part == "hi";
  if (part.empty()) d.unknown("lo, hi or wide");
  return elementwise(d, sources, bits, [kind, high, adds](const uint64_t* v) {
    return wideProduct(v[0], v[1], kind, high) + (adds ? v[2] : 0);
  });
}

Step bitfieldMask(Decoder& d) {
  d.take("clamp"), d.take("wrap");
  d.type();
  return elementwise(d, {d.source(1), d.source(2)}, 32, [](const uint64_t* v) {
    return v[0] >= 32 ? 0 : maskOf(unsigned(std::min<uint64_t>(v[1], 32))) << v[0];
  });
}

Step findBit(Decoder& d) { // bfind
  bool amount = d.take("shiftamt");
  Type type = d.type();
  return elementwise(d, {d.source(1)}, 32, [=](const uint64_t* v) -> uint64_t {
    uint64_t value = v[0] & maskOf(type.bits);
    if (type.kind == 's' && extended(value, type.bits) < 0) value = ~value & maskOf(type.bits);
    if (!value) return 0xffffffff;
    uint64_t at = 63 - uint64_t(std::countl_zero(value));
    return amount ? type.bits - 1 - at : at;
  });
}

Step table3(Decoder& d) { // lop3
  d.type();
  return elementwise(
      d, {d.source(1), d.source(2), d.source(3), d.source(4)}, 32, [](const uint64_t* v) {
        uint64_t result = 0;
        for (unsigned i = 0; i < 32; ++i) {
          uint64_t index = (v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | (v[2] >> i & 1);
          result |= (v[3] >> index & 1) << i;
        }
        return result;
      });
}

Step funnel(Decoder& d) { // shf
  bool isLeft = d.takeOneOf({"l", "r"}) == "l", wraps = d.takeOneOf({"wrap", "clamp"}) == "wrap";
  d.type();
  return elementwise(d, {d.source(1), d.source(2), d.source(3)}, 32, [=](const uint64_t* v) {
    uint64_t both = (v[1] & 0xffffffff) << 32 | (v[0] & 0xffffffff);
    uint64_t by = wraps ? v[2] & 31 : std::min<uint64_t>(v[2] & 0xffffffff, 32);
    return isLeft ? (by ? both >> (32 - by) : both >> 32) : both >> by;
  });
}

Step permute(Decoder& d) { // prmt
  std::string mode = d.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (!mode.empty()) d.unknown();
  d.type();
  return elementwise(d, {d.source(1), d.source(2), d.source(3)}, 32, [](const uint64_t* v) {
    uint64_t both = (v[1] & 0xffffffff) << 32 | (v[0] & 0xffffffff), result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      uint64_t selector = v[2] >> 4 * i & 0xf, byte = both >> 8 * (selector & 7) & 0xff;
      if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << 8 * i;
    }
    return result;
  });
}

Step move(Decoder& d) {
  Type type = d.type();
  d.done();
  const Operand &to = d.operand(0), &from = d.operand(1);
  bool packs = from.kind == Operand::Vector, unpacks = to.kind == Operand::Vector;
  if (type.bits == 128) { // two words of 64 bits
    if (packs) {
      auto sources = d.sources(1);
      int target = d.target(0);
      return [=](Warp& warp, uint32_t lanes) {
        forEach(lanes, [&](unsigned lane) {
          warp.at(target, lane) = sources[0](warp, lane),
                          warp.at(target + 1, lane) = sources[1](warp, lane);
        });
        return Outcome::Next;
      };
    }
    if (from.kind != Operand::Register) d.unknown();
    std::vector<int> targets =
        unpacks ? d.targets(0) : std::vector<int>{d.target(0), d.target(0) + 1};
    return [=, slot = from.slot](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        uint64_t low = warp.at(slot, lane), high = warp.at(slot + 1, lane);
        if (targets[0] >= 0) warp.at(targets[0], lane) = low;
        if (targets[1] >= 0) warp.at(targets[1], lane) = high;
      });
      return Outcome::Next;
    };
  }
  if (packs || unpacks) {
    auto sources = d.sources(1);
    auto targets = d.targets(0);
    unsigned part = type.bits / unsigned(sources.size()),
             piece = type.bits / unsigned(targets.size());
    return [=](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        uint64_t whole = 0;
        for (size_t i = 0; i < sources.size(); ++i)
          whole |= (sources[i](warp, lane) & maskOf(part)) << i * part;
        for (size_t i = 0; i < targets.size(); ++i)
          if (targets[i] >= 0) warp.at(targets[i], lane) = whole >> i * piece & maskOf(piece);
      });
      return Outcome::Next;
    };
  }
  return elementwise(d, {d.source(1, &type)}, type.bits, [](const uint64_t* v) { return v[0]; });
}

Step select(Decoder& d) {
  Type type = d.type();
  return elementwise(d, {d.source(1, &type), d.source(2, &type), d.source(3)}, type.bits,
                     [](const uint64_t* v) { return v[2] & 1 ? v[0] : v[1]; });
}

Step compare(Decoder& d) {
  for (const std::string& part : d.left)
    if (auto type = typeOf(part); type && type->kind == 'f') return decodeFloat(d);
  static const std::map<std::string, bool (*)(int64_t, int64_t)> signedOnes = {
      {"eq", [](int64_t a, int64_t b) { return a == b; }},
      {"ne", [](int64_t a, int64_t b) { return a != b; }},
      {"lt", [](int64_t a, int64_t b) { return a < b; }},
      {"le", [](int64_t a, int64_t b) { return a <= b; }},
      {"gt", [](int64_t a, int64_t b) { return a > b; }},
      {"ge", [](int64_t a, int64_t b) { return a >= b; }}};
  static const std::map<std::string, bool (*)(uint64_t, uint64_t)> unsignedOnes = {
      {"eq", [](uint64_t a, uint64_t b) { return a == b; }},
      {"ne", [](uint64_t a, uint64_t b) { return a != b; }},
      {"lt", [](uint64_t a, uint64_t b) { return a < b; }},
      {"le", [](uint64_t a, uint64_t b) { return a <= b; }},
      {"gt", [](uint64_t a, uint64_t b) { return a > b; }},
      {"ge", [](uint64_t a, uint64_t b) { return a >= b; }},
      {"lo", [](uint64_t a, uint64_t b) { return a < b; }},
      {"ls", [](uint64_t a, uint64_t b) { return a <= b; }},
      {"hi", [](uint64_t a, uint64_t b) { return a > b; }},
      {"hs", [](uint64_t a, uint64_t b) { return a >= b; }}};
  std::string how = d.takeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"});
  std::string combined = d.takeOneOf({"and", "or", "xor"});
  Type type = d.type();
  d.done();
  if (how.empty()) d.unknown();
  Source a = d.source(1), b = d.source(2);
  auto signedOne = signedOnes.count(how) ? signedOnes.at(how) : nullptr;
  auto unsignedOne = unsignedOnes.at(how);
  return comparison(d, combined, [=](Warp& warp, unsigned lane) {
    uint64_t x = a(warp, lane), y = b(warp, lane);
    return type.kind == 's' ? signedOne(extended(x, type.bits), extended(y, type.bits))
                            : unsignedOne(x & maskOf(type.bits), y & maskOf(type.bits));
  });
}

Step dotProduct(Decoder& d) { // dp4a
  Type a = d.type(), b = d.type();
  return elementwise(d, {d.source(1), d.source(2), d.source(3)}, 32, [=](const uint64_t* v) {
    int64_t sum = int64_t(v[2]);
    for (unsigned i = 0; i < 4; ++i) {
      uint64_t x = v[0] >> 8 * i & 0xff, y = v[1] >> 8 * i & 0xff;
      sum += (a.kind == 's' ? extended(x, 8) : int64_t(x)) *
             (b.kind == 's' ? extended(y, 8) : int64_t(y));
    }
    return uint64_t(sum);
  });
}

} // namespace

void addIntegers(Table& table) {
  for (const auto& [name, operation] : operations())
    table[name] = integer;
  for (const char* name : {"mul", "mad", "fma"})
    table[name] = product;
  for (const char* name : {"addc", "subc", "madc"})
    table[name] = carried;
  table["bmsk"] = bitfieldMask;
  table["bfind"] = findBit;
  table["lop3"] = table3;
  table["shf"] = funnel;
  table["prmt"] = permute;
  table["mov"] = move;
  table["selp"] = select;
  table["setp"] = compare;
  table["dp4a"] = dotProduct;
}

} // namespace ptx
