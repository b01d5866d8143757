#include "Decoder.h"

#include <algorithm>
#include <cstring>

namespace ptx {

std::optional<Type> typeOf(const std::string& name) {
  Type type;
  type.name = name;
  if (name == "pred") {
    type.kind = 'p', type.bits = 1;
    return type;
  }
  static const std::map<std::string, std::pair<unsigned, unsigned>> floats = {
      {"f16", {16, 1}},    {"bf16", {16, 1}},   {"f32", {32, 1}},    {"f64", {64, 1}},
      {"tf32", {32, 1}},   {"f16x2", {32, 2}},  {"bf16x2", {32, 2}}, {"f32x2", {64, 2}},
      {"e4m3x2", {16, 2}}, {"e5m2x2", {16, 2}}, {"e2m1x2", {8, 2}},  {"ue8m0x2", {16, 2}},
      {"e2m3x2", {16, 2}}, {"e3m2x2", {16, 2}}, {"e4m3", {8, 1}},    {"e5m2", {8, 1}},
      {"e4m3x4", {32, 4}}, {"e5m2x4", {32, 4}}, {"e2m1x4", {16, 4}}, {"e2m3", {8, 1}},
      {"e3m2", {8, 1}},    {"e2m1", {4, 1}},    {"ue8m0", {8, 1}},   {"ue4m3", {8, 1}},
  };
  if (auto found = floats.find(name); found != floats.end()) {
    type.kind = 'f', type.bits = found->second.first, type.lanes = found->second.second;
    type.format = type.lanes > 1 ? name.substr(0, name.find('x')) : name;
    return type;
  }
  if (name == "s16x2" || name == "u16x2") {
    type.kind = name[0], type.bits = 32, type.lanes = 2;
    return type;
  }
  if (name.size() < 2 || !strchr("usb", name[0])) return std::nullopt;
  if (name.find_first_not_of("0123456789", 1) != name.npos) return std::nullopt;
  type.kind = name[0];
  type.bits = unsigned(atoi(name.c_str() + 1));
  return type;
}

bool Decoder::take(const std::string& part) {
  auto found = std::find(left.begin(), left.end(), part);
  if (found == left.end()) return false;
  left.erase(found);
  return true;
}

std::string Decoder::takeOneOf(std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (take(part)) return part;
  return "";
}

std::string Decoder::takeStarting(const std::string& prefix) {
  for (size_t i = 0; i < left.size(); ++i)
    if (left[i].starts_with(prefix)) {
      std::string result = left[i];
      left.erase(left.begin() + long(i));
      return result;
    }
  return "";
}

unsigned Decoder::takeCount(char letter) {
  for (unsigned count : {1u, 2u, 4u, 8u})
    if (take(letter + std::to_string(count))) return count;
  return 1;
}

std::optional<Type> Decoder::maybeType() {
  for (size_t i = 0; i < left.size(); ++i)
    if (auto type = typeOf(left[i])) {
      left.erase(left.begin() + long(i));
      return type;
    }
  return std::nullopt;
}

Type Decoder::type() {
  auto type = maybeType();
  if (!type) unknown("no type");
  return *type;
}

void Decoder::done() const {
  if (!left.empty()) unknown("." + left[0]);
}

void Decoder::unknown(const std::string& why) const {
  refuse("this player does not know (line " + std::to_string(in.line) + "): " + in.text +
         (why.empty() ? "" : " [" + why + "]"));
}

const Operand& Decoder::operand(size_t index) const {
  if (index >= in.operands.size()) unknown("too few operands");
  return in.operands[index];
}

namespace {

std::function<uint64_t(Warp&, unsigned)> special(const Decoder& d, const std::string& name) {
  using Function = std::function<uint64_t(Warp&, unsigned)>;
  auto axis = [&](const std::string& prefix) {
    if (name.size() != prefix.size() + 2 || name.compare(0, prefix.size(), prefix) ||
        name[prefix.size()] != '.')
      return -1;
    return name.back() - 'x';
  };
  if (int i = axis("tid"); i >= 0)
    return i ? Function([](Warp&, unsigned) { return 0; })
             : Function([](Warp& warp, unsigned lane) { return warp.number * 32 + lane; });
  if (int i = axis("ntid"); i >= 0)
    return [i](Warp& warp, unsigned) { return i ? 1 : warp.machine().module.threads; };
  if (int i = axis("ctaid"); i >= 0) return [i](Warp& warp, unsigned) { return warp.cta->id[i]; };
  if (int i = axis("nctaid"); i >= 0)
    return [i](Warp& warp, unsigned) { return warp.machine().launch.grid[i]; };
  if (int i = axis("clusterid"); i >= 0)
    return [i](Warp& warp, unsigned) { return warp.cta->id[i] / warp.machine().module.cluster[i]; };
  if (int i = axis("nclusterid"); i >= 0)
    return [i](Warp& warp, unsigned) {
      return warp.machine().launch.grid[i] / warp.machine().module.cluster[i];
    };
  if (int i = axis("cluster_ctaid"); i >= 0)
    return [i](Warp& warp, unsigned) { return warp.cta->id[i] % warp.machine().module.cluster[i]; };
  if (int i = axis("cluster_nctaid"); i >= 0)
    return [i](Warp& warp, unsigned) { return warp.machine().module.cluster[i]; };
  if (name == "cluster_ctarank") return [](Warp& warp, unsigned) { return warp.cta->rank; };
  if (name == "cluster_nctarank")
    return [](Warp& warp, unsigned) { return warp.cta->cluster.size(); };
  if (name == "laneid") return [](Warp&, unsigned lane) { return lane; };
  if (name == "warpid") return [](Warp& warp, unsigned) { return warp.number; };
  if (name == "smid") return [](Warp&, unsigned) { return 0; };
  if (name == "nsmid") return [](Warp&, unsigned) { return 132; };
  if (name == "lanemask_lt") return [](Warp&, unsigned lane) { return (1u << lane) - 1; };
  if (name == "clock" || name == "clock64" || name == "globaltimer" || name == "clock_hi" ||
      name == "globaltimer_lo")
    return [](Warp& warp, unsigned) { return ++warp.machine().clock; };
  d.unknown("%" + name);
}

} // namespace

Source Decoder::source(const Operand& operand, const Type* type) const {
  Source result;
  result.negated = operand.negated;
  switch (operand.kind) {
  case Operand::Register:
    result.kind = Source::Slot, result.slot = operand.slot;
    return result;
  case Operand::Integer:
    result.constant = operand.value;
    return result;
  case Operand::Decimal:
    result.constant = type && type->bits == 64 && type->lanes == 1
                          ? std::bit_cast<uint64_t>(operand.decimal)
                          : std::bit_cast<uint32_t>(float(operand.decimal));
    return result;
  case Operand::Special:
    result.kind = Source::Function, result.function = special(*this, operand.name);
    return result;
  case Operand::Symbol: {
    auto found = machine.symbols.find(operand.name);
    if (found == machine.symbols.end()) unknown("no variable " + operand.name);
    uint64_t at = found->second + operand.value;
    bool shared = std::any_of(
        machine.module.variables.begin(), machine.module.variables.end(),
        [&](const Variable& one) { return one.name == operand.name && one.space == ".shared"; });
    if (shared) { // an address within the cluster
      result.kind = Source::Function;
      result.function = [at](Warp& warp, unsigned) {
        return at | uint64_t(warp.cta->rank) << ctaShift;
      };
    } else
      result.constant = at;
    return result;
  }
  case Operand::Vector: // packed
    return unknown("a vector as a number"), result;
  default:
    unknown("an operand of this kind");
  }
}

std::vector<Source> Decoder::sources(size_t index, const Type* type) const {
  const Operand& all = operand(index);
  std::vector<Source> result;
  if (all.kind != Operand::Vector) return {source(all, type)};
  for (const Operand& part : all.parts)
    result.push_back(source(part, type));
  return result;
}

int Decoder::target(const Operand& operand) const {
  if (operand.kind == Operand::Nothing) return -1;
  if (operand.kind != Operand::Register) unknown("a result that is no register");
  return operand.slot;
}

std::vector<int> Decoder::targets(size_t index) const {
  const Operand& all = operand(index);
  std::vector<int> result;
  if (all.kind != Operand::Vector) return {target(all)};
  for (const Operand& part : all.parts)
    result.push_back(target(part));
  return result;
}

Source Decoder::address(size_t index) const {
  const Operand& all = operand(index);
  if (all.kind != Operand::Address) return source(all);
  Source base = source(all.parts[0]);
  if (base.kind == Source::Constant) {
    base.constant += all.value;
    return base;
  }
  if (!all.value) return base;
  Source result;
  result.kind = Source::Function;
  result.function = [base, offset = all.value](Warp& warp, unsigned lane) {
    return base(warp, lane) + offset;
  };
  return result;
}

Step elementwise(Decoder& d, std::vector<Source> sources, unsigned bits,
                 std::function<uint64_t(const uint64_t*)> function) {
  d.done();
  int target = d.target(0);
  uint64_t mask = maskOf(bits);
  return [=, sources = std::move(sources), function = std::move(function)](Warp& warp,
                                                                           uint32_t lanes) {
    uint64_t values[6];
    forEach(lanes, [&](unsigned lane) {
      for (size_t i = 0; i < sources.size(); ++i)
        values[i] = sources[i](warp, lane);
      warp.at(target, lane) = function(values) & mask;
    });
    return Outcome::Next;
  };
}

std::function<uint64_t(const uint64_t*)> packed(const Type& type, size_t count,
                                                std::function<uint64_t(const uint64_t*)> one) {
  if (type.lanes == 1) return one;
  unsigned width = type.bits / type.lanes;
  return [=, lanes = type.lanes](const uint64_t* v) {
    uint64_t result = 0, parts[4];
    for (unsigned i = 0; i < lanes; ++i) {
      for (size_t k = 0; k < count; ++k)
        parts[k] = v[k] >> i * width & maskOf(width);
      result |= (one(parts) & maskOf(width)) << i * width;
    }
    return result;
  };
}

Step comparison(Decoder& d, const std::string& combined,
                std::function<bool(Warp&, unsigned lane)> holds) {
  Source given = combined.empty() ? Source() : d.source(3);
  int target = d.target(0), opposite = d.operand(0).second;
  return [=, holds = std::move(holds)](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      auto combine = [&](bool result) {
        if (combined.empty()) return result;
        bool other = given(warp, lane) & 1;
        return combined == "and"  ? result && other
               : combined == "or" ? result || other
                                  : result != other;
      };
      bool result = holds(warp, lane), isSet = combine(result), isOpposite = combine(!result);
      if (target >= 0) warp.at(target, lane) = isSet;
      if (opposite >= 0) warp.at(opposite, lane) = isOpposite;
    });
    return Outcome::Next;
  };
}

void decode(Machine& machine) {
  static const Table table = [] {
    Table all;
    addIntegers(all);
    addFloats(all);
    addConversions(all);
    addControl(all);
    addWarps(all);
    addAccesses(all);
    addAtomics(all);
    addBarriers(all);
    addBulkCopies(all);
    addProducts(all);
    addTensorMemory(all);
    return all;
  }();
  for (const Instruction& instruction : machine.module.code) {
    Decoder d(machine, instruction);
    auto found = table.find(instruction.parts[0]);
    if (found == table.end()) d.unknown();
    machine.steps.push_back(found->second(d));
    machine.whole.push_back(d.needsWhole);
    ++machine.counts[instruction.opcode];
  }
}

} // namespace ptx
