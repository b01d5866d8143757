// Arithmetic of floats, packed ones too.
#include "Decoder.h"
#include "Numbers.h"

#include <cmath>

namespace ptx {

namespace {

struct Rules {
  Format format;
  bool flushes = false, saturates = false, keepsNan = false, relu = false, towardsZero = false;
  bool signedByBoth = false; // min.xorsign.abs
};

double loaded(uint64_t bits, const Rules& rules) {
  double number = numberOf(rules.format, bits);
  if (rules.flushes && std::fabs(number) < 0x1p-126) number = std::copysign(0.0, number);
  return number;
}
uint64_t stored(double number, const Rules& rules) {
  if (rules.saturates) number = std::isnan(number) ? 0 : std::fmin(std::fmax(number, 0), 1);
  if (rules.relu) number = std::isnan(number) ? number : number > 0 ? number : 0;
  if (rules.format != Format::F64 && rules.flushes && std::fabs(number) < 0x1p-126)
    number = std::copysign(0.0, number);
  return bitsFor(rules.format, number, rules.towardsZero);
}

double smaller(double a, double b, bool keepsNan) {
  if (std::isnan(a) || std::isnan(b)) return keepsNan ? NAN : std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

// The smaller of two, or with sign -1 the larger.
double extreme(const double* v, const Rules& rules, double sign) {
  if (!rules.signedByBoth) return sign * smaller(sign * v[0], sign * v[1], rules.keepsNan);
  double result = sign * smaller(sign * std::fabs(v[0]), sign * std::fabs(v[1]), rules.keepsNan);
  return std::signbit(v[0]) != std::signbit(v[1]) ? -result : result;
}

using Function = double (*)(const double*, const Rules&);
const std::map<std::string, std::pair<unsigned, Function>>& operations() {
  static const std::map<std::string, std::pair<unsigned, Function>> table = {
      {"add", {2, [](const double* v, const Rules&) { return v[0] + v[1]; }}},
      {"sub", {2, [](const double* v, const Rules&) { return v[0] - v[1]; }}},
      {"mul", {2, [](const double* v, const Rules&) { return v[0] * v[1]; }}},
      {"div", {2, [](const double* v, const Rules&) { return v[0] / v[1]; }}},
      {"fma",
       {3,
        [](const double* v, const Rules& rules) -> double {
          return rules.format == Format::F32 && !rules.towardsZero
                     ? double(std::fma(float(v[0]), float(v[1]), float(v[2])))
                     : std::fma(v[0], v[1], v[2]);
        }}},
      {"min", {2, [](const double* v, const Rules& rules) { return extreme(v, rules, 1); }}},
      {"max", {2, [](const double* v, const Rules& rules) { return extreme(v, rules, -1); }}},
      {"ex2", {1, [](const double* v, const Rules&) { return double(std::exp2(float(v[0]))); }}},
      {"lg2", {1, [](const double* v, const Rules&) { return double(std::log2(float(v[0]))); }}},
      {"sin", {1, [](const double* v, const Rules&) { return double(std::sin(float(v[0]))); }}},
      {"cos", {1, [](const double* v, const Rules&) { return double(std::cos(float(v[0]))); }}},
      {"tanh", {1, [](const double* v, const Rules&) { return double(std::tanh(float(v[0]))); }}},
      {"sqrt", {1, [](const double* v, const Rules&) { return std::sqrt(v[0]); }}},
      {"rsqrt", {1, [](const double* v, const Rules&) { return 1 / std::sqrt(v[0]); }}},
      {"rcp", {1, [](const double* v, const Rules&) { return 1 / v[0]; }}},
  };
  return table;
}

Rules rulesOf(Decoder& d, const Type& type) {
  Rules rules{formatOf(type.format)};
  rules.flushes = d.take("ftz"), rules.saturates = d.take("sat"), rules.keepsNan = d.take("NaN"),
  rules.relu = d.take("relu");
  rules.signedByBoth = d.take("xorsign");
  if (rules.signedByBoth && !d.take("abs")) d.unknown();
  rules.towardsZero = d.take("rz");
  if (rules.towardsZero && rules.format != Format::F32) d.unknown();
  d.takeOneOf({"rn", "full", "approx"}), d.take("noftz");
  return rules;
}

Step arithmetic(Decoder& d) {
  std::string name = d.in.parts[0] == "mad" ? "fma" : d.in.parts[0];
  Type type = d.type();
  if (type.kind != 'f') d.unknown();
  if (auto other = d.maybeType();
      other && other->name != type.name) { // add.f32.bf16: the first operand is narrower
    Rules rules = rulesOf(d, type), narrow{formatOf(other->format)};
    auto [count, function] = operations().at(name);
    std::vector<Source> sources;
    for (size_t i = 1; i <= count; ++i)
      sources.push_back(d.source(i));
    bool isFma = name == "fma";
    return elementwise(d, sources, type.bits, [=, function = function](const uint64_t* v) {
      double numbers[3] = {loaded(v[0], narrow), loaded(v[1], isFma ? narrow : rules),
                           isFma ? loaded(v[2], rules) : 0};
      return stored(function(numbers, rules), rules);
    });
  }
  Rules rules = rulesOf(d, type);
  auto [count, function] = operations().at(name);
  if ((name == "min" || name == "max") && d.count() == 4) { // of three numbers
    return elementwise(d, {d.source(1, &type), d.source(2, &type), d.source(3, &type)}, type.bits,
                       [=, function = function](const uint64_t* v) {
                         double first[2] = {loaded(v[0], rules), loaded(v[1], rules)};
                         double second[2] = {function(first, rules), loaded(v[2], rules)};
                         return stored(function(second, rules), rules);
                       });
  }
  std::vector<Source> sources;
  for (size_t i = 1; i <= count; ++i)
    sources.push_back(d.source(i, &type));
  return elementwise(
      d, sources, type.bits,
      packed(type, count, [rules, count = count, function = function](const uint64_t* v) {
        double numbers[3] = {};
        for (size_t i = 0; i < count; ++i)
          numbers[i] = loaded(v[i], rules);
        return stored(function(numbers, rules), rules);
      }));
}

Step sign(Decoder& d) { // neg, abs
  bool negates = d.in.parts[0] == "neg";
  Type type = d.type();
  d.take("ftz");
  unsigned width = type.bits / type.lanes;
  return elementwise(d, {d.source(1, &type)}, type.bits, packed(type, 1, [=](const uint64_t* v) {
                       uint64_t bit = 1ull << (width - 1);
                       return negates ? v[0] ^ bit : v[0] & ~bit;
                     }));
}

Step copiedSign(Decoder& d) {
  Type type = d.type();
  uint64_t bit = 1ull << (type.bits - 1);
  return elementwise(d, {d.source(1, &type), d.source(2, &type)}, type.bits,
                     [=](const uint64_t* v) { return (v[0] & bit) | (v[1] & ~bit); });
}

Step tested(Decoder& d) { // testp
  std::string what =
      d.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = d.type();
  Format format = formatOf(type.format);
  return elementwise(d, {d.source(1, &type)}, 1, [=](const uint64_t* v) -> uint64_t {
    double number = numberOf(format, v[0]);
    if (what == "finite") return std::isfinite(number);
    if (what == "infinite") return std::isinf(number);
    if (what == "number") return !std::isnan(number);
    if (what == "notanumber") return std::isnan(number);
    bool normal = std::isfinite(number) &&
                  std::fabs(number) >= (format == Format::F64 ? 0x1p-1022 : 0x1p-126);
    return what == "normal" ? normal : !normal && number != 0 && std::isfinite(number);
  });
}

// The relation of setp and set, by its name.
std::function<bool(double, double)> relationOf(Decoder& d) {
  std::string how = d.takeOneOf(
      {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (how.empty()) d.unknown();
  bool unordered = how.size() == 3 && how.back() == 'u';
  std::string relation = unordered ? how.substr(0, 2) : how;
  return [=](double x, double y) {
    if (relation == "num") return !std::isnan(x) && !std::isnan(y);
    if (relation == "nan") return std::isnan(x) || std::isnan(y);
    if (std::isnan(x) || std::isnan(y)) return unordered;
    return relation == "eq"   ? x == y
           : relation == "ne" ? x != y
           : relation == "lt" ? x < y
           : relation == "le" ? x <= y
           : relation == "gt" ? x > y
                              : x >= y;
  };
}

Step compared(Decoder& d) {
  auto holds = relationOf(d);
  std::string combined = d.takeOneOf({"and", "or", "xor"});
  Type type = d.type();
  Rules rules = rulesOf(d, type);
  d.done();
  Source a = d.source(1, &type), b = d.source(2, &type);
  if (type.lanes == 2 && combined.empty()) { // p|q: of the lower numbers, of the upper ones
    unsigned width = type.bits / 2;
    int targets[2] = {d.target(0), d.operand(0).second};
    return [=](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        for (unsigned half = 0; half < 2; ++half)
          if (targets[half] >= 0)
            warp.at(targets[half], lane) =
                holds(loaded(a(warp, lane) >> half * width & maskOf(width), rules),
                      loaded(b(warp, lane) >> half * width & maskOf(width), rules));
      });
      return Outcome::Next;
    };
  }
  if (type.lanes != 1) d.unknown();
  return comparison(d, combined, [=](Warp& warp, unsigned lane) {
    return holds(loaded(a(warp, lane), rules), loaded(b(warp, lane), rules));
  });
}

// set between numbers of one type: 1 where the relation holds, 0 elsewhere.
Step comparedAsNumbers(Decoder& d) {
  auto holds = relationOf(d);
  bool flushes = d.take("ftz");
  Type to = d.type(), type = d.type();
  if (to.name != type.name || type.kind != 'f') d.unknown();
  Rules rules{formatOf(type.format)};
  rules.flushes = flushes;
  return elementwise(d, {d.source(1, &type), d.source(2, &type)}, type.bits,
                     packed(type, 2, [=](const uint64_t* v) {
                       return stored(holds(loaded(v[0], rules), loaded(v[1], rules)), rules);
                     }));
}

} // namespace

// Of the opcodes that integers have as well.
Step decodeFloat(Decoder& d) {
  const std::string& name = d.in.parts[0];
  if (name == "setp") return compared(d);
  if (name == "neg" || name == "abs") return sign(d);
  return arithmetic(d);
}

void addFloats(Table& table) {
  for (const char* name : {"ex2", "lg2", "sin", "cos", "tanh", "sqrt", "rsqrt", "rcp"})
    table[name] = arithmetic;
  table["copysign"] = copiedSign;
  table["testp"] = tested;
  table["set"] = comparedAsNumbers;
}

} // namespace ptx
