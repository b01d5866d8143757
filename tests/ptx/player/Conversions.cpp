// cvt, cvta and cvt.pack: from one format to another.
#include "Decoder.h"
#include "Numbers.h"

#include <cmath>

namespace ptx {

namespace {

double rounded(double number, const std::string& how) {
  if (how == "rni") return std::nearbyint(number);
  if (how == "rzi") return std::trunc(number);
  if (how == "rmi") return std::floor(number);
  if (how == "rpi") return std::ceil(number);
  return number;
}

uint64_t toInteger(double number, const Type& to) {
  if (std::isnan(number)) return to.bits == 64 ? 1ull << 63 : to.kind == 's' ? 0 : 0;
  bool isSigned = to.kind == 's';
  double low = isSigned ? -std::ldexp(1, int(to.bits) - 1) : 0,
         high = std::ldexp(1, int(to.bits) - isSigned);
  if (number <= low) return uint64_t(isSigned ? int64_t(low) : 0);
  if (number >= high) return maskOf(to.bits - isSigned);
  return isSigned ? uint64_t(int64_t(number)) : uint64_t(number);
}

Step convert(Decoder& d) {
  std::string toRound = d.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  std::string mode = d.takeOneOf({"rn", "rz", "rm", "rp", "rna"});
  bool flushes = d.take("ftz"), relu = d.take("relu"), saturates = d.take("satfinite"),
       clamps = d.take("sat");
  Type to = d.type();
  auto second = d.maybeType();
  if (!second) d.unknown("one type");
  Type from = *second;
  d.done();
  // Two sources, or packed ones, into a packed result.
  if (to.kind == 'f' && (to.lanes > 1 || from.lanes > 1)) {
    Format result = formatOf(to.format), given = formatOf(from.format);
    if (mode == "rm" || (mode == "rp" && result != Format::UE8M0)) d.unknown();
    unsigned width = to.bits / to.lanes, fromWidth = from.bits / from.lanes;
    bool split = from.lanes == 1; // the first source is the upper half
    if (split && (d.count() != 3 || to.lanes != 2)) d.unknown();
    auto one = [=](double number) {
      if (relu && number < 0) number = 0;
      return bitsFor(result, number, mode == "rz", saturates) & maskOf(width);
    };
    if (split)
      return elementwise(d, {d.source(1, &from), d.source(2, &from)}, to.bits,
                         [=](const uint64_t* v) {
                           return one(numberOf(given, v[0])) << width | one(numberOf(given, v[1]));
                         });
    return elementwise(d, {d.source(1, &from)}, to.bits, [=](const uint64_t* v) {
      uint64_t bits = 0;
      for (unsigned i = 0; i < to.lanes; ++i)
        bits |= one(numberOf(given, v[0] >> i * fromWidth & maskOf(fromWidth))) << i * width;
      return bits;
    });
  }
  std::vector<Source> sources{d.source(1, &from)};
  if (from.kind == 'f' && to.kind == 'f') {
    Format result = formatOf(to.format), given = formatOf(from.format);
    if (mode == "rm" || mode == "rp") d.unknown();
    bool nearest = mode == "rna" || mode == "rn";
    if (result == Format::TF32 && !nearest && mode != "rz") d.unknown();
    bool even = result == Format::TF32 && mode == "rn";
    return elementwise(d, sources, to.bits, [=](const uint64_t* v) -> uint64_t {
      double number = rounded(numberOf(given, v[0]), toRound);
      if (flushes && std::fabs(number) < 0x1p-126) number = std::copysign(0.0, number);
      if (clamps) number = std::isnan(number) ? 0 : std::fmin(std::fmax(number, 0), 1);
      if (relu && number < 0) number = 0;
      if (even) {
        uint32_t bits = std::bit_cast<uint32_t>(float(number));
        return (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
      }
      return bitsFor(result, number, mode == "rz", saturates);
    });
  }
  if (from.kind == 'f') {
    Format given = formatOf(from.format);
    if (toRound.empty()) d.unknown("no rounding");
    return elementwise(d, sources, to.bits, [=](const uint64_t* v) {
      return toInteger(rounded(numberOf(given, v[0]), toRound), to);
    });
  }
  if (to.kind == 'f') {
    Format result = formatOf(to.format);
    if (to.bits == 64 || mode != "rn") {
      return elementwise(d, sources, to.bits, [=](const uint64_t* v) {
        double number =
            from.kind == 's' ? double(extended(v[0], from.bits)) : double(v[0] & maskOf(from.bits));
        return bitsFor(result, number, mode == "rz");
      });
    }
    return elementwise(d, sources, to.bits, [=](const uint64_t* v) -> uint64_t {
      // One rounding, from 64 bits as well.
      float number =
          from.kind == 's' ? float(extended(v[0], from.bits)) : float(v[0] & maskOf(from.bits));
      if (result == Format::F32) return std::bit_cast<uint32_t>(number);
      return bitsFor(result, from.bits > 32     ? double(number)
                             : from.kind == 's' ? double(extended(v[0], from.bits))
                                                : double(v[0] & maskOf(from.bits)));
    });
  }
  // Registers have 16 bits at least, and a number with a sign fills them with it.
  bool fills = to.kind == 's' && to.bits == 8;
  return elementwise(d, sources, fills ? 16 : to.bits, [=](const uint64_t* v) -> uint64_t {
    uint64_t value =
        from.kind == 's' ? uint64_t(extended(v[0], from.bits)) : v[0] & maskOf(from.bits);
    if (!clamps) return fills ? uint64_t(extended(value, to.bits)) : value;
    double number = from.kind == 's' ? double(int64_t(value)) : double(value);
    return toInteger(number, to);
  });
}

Step convertAddress(Decoder& d) {
  bool back = d.take("to"),
       shared = d.take("shared") || d.take("shared::cta") || d.take("shared::cluster");
  bool param = d.take("param"), local = d.take("local"), global = d.take("global");
  d.take("const");
  Type type = d.type();
  uint64_t window = shared ? sharedWindow : param ? parameterWindow : local ? localWindow : 0;
  if (!window && !global) d.unknown();
  return elementwise(d, {d.source(1)}, type.bits,
                     [=](const uint64_t* v) { return back ? v[0] - window : v[0] + window; });
}

Step isSpace(Decoder& d) { // isspacep
  std::string space =
      d.takeOneOf({"global", "shared", "shared::cta", "shared::cluster", "local", "param"});
  if (space.empty()) d.unknown();
  return elementwise(d, {d.source(1)}, 1, [=](const uint64_t* v) -> uint64_t {
    if (space == "global") return v[0] >= globalWindow;
    if (space == "local") return v[0] >= localWindow && v[0] < globalWindow;
    if (space == "param") return v[0] >= parameterWindow && v[0] < localWindow;
    return v[0] >= sharedWindow && v[0] < parameterWindow;
  });
}

} // namespace

void addConversions(Table& table) {
  table["cvt"] = convert;
  table["cvta"] = convertAddress;
  table["isspacep"] = isSpace;
}

} // namespace ptx
