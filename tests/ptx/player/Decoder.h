// From an instruction's text to what executes it. A decoder takes the opcode's parts one by one;
// what is left over is not known and ends the process.
#pragma once

#include "Machine.h"

#include <bit>
#include <functional>

namespace ptx {

inline uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}
inline int64_t extended(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value) : int64_t(value << (64 - bits)) >> (64 - bits);
}

// Calls `each(lane)` for every lane.
template <typename Function> void forEach(uint32_t lanes, Function each) {
  for (; lanes; lanes &= lanes - 1)
    each(unsigned(std::countr_zero(lanes)));
}

// .u32, .f16x2, .pred
struct Type {
  std::string name;
  char kind = 'b'; // u, s, b, f; p of predicates
  unsigned bits = 0;
  std::string format; // of floats: f32, f16, bf16, ...
  unsigned lanes = 1; // packed in one register
};
std::optional<Type> typeOf(const std::string& name);

// What an operand gives a lane.
struct Source {
  enum : uint8_t { Slot, Constant, Function } kind = Constant;
  bool negated = false;
  int slot = -1;
  uint64_t constant = 0;
  std::function<uint64_t(Warp&, unsigned)> function;
  uint64_t operator()(Warp& warp, unsigned lane) const {
    uint64_t value = kind == Slot       ? warp.at(slot, lane)
                     : kind == Constant ? constant
                                        : function(warp, lane);
    return negated ? value ^ 1 : value;
  }
};

struct Decoder {
  Machine& machine;
  const Instruction& in;
  std::vector<std::string> left; // parts of the opcode after the first
  bool needsWhole = false;

  Decoder(Machine& machine, const Instruction& in)
      : machine(machine), in(in), left(in.parts.begin() + 1, in.parts.end()) {}

  bool take(const std::string& part);
  // The first that is there, else "".
  std::string takeOneOf(std::initializer_list<const char*> parts);
  std::string takeStarting(const std::string& prefix);
  // The 4 of .v4 or .x4, where `letter` is v or x; 1 where there is none.
  unsigned takeCount(char letter);
  // The first type that is left.
  Type type();
  std::optional<Type> maybeType();
  void done() const;
  [[noreturn]] void unknown(const std::string& why = "") const;

  size_t count() const { return in.operands.size(); }
  const Operand& operand(size_t index) const;
  // `bits` and `real` matter to decimal numbers.
  Source source(size_t index, const Type* type = nullptr) const {
    return source(operand(index), type);
  }
  Source source(const Operand& operand, const Type* type = nullptr) const;
  // Of a vector, its parts; else the operand itself.
  std::vector<Source> sources(size_t index, const Type* type = nullptr) const;
  int target(size_t index) const { return target(operand(index)); }
  int target(const Operand& operand) const;
  std::vector<int> targets(size_t index) const;
  Source address(size_t index) const;
};

using Family = Step (*)(Decoder&);
void decode(Machine& machine);

// Each registers its instructions by the first part of their opcodes.
using Table = std::map<std::string, Family>;
void addIntegers(Table& table);
void addFloats(Table& table);
void addConversions(Table& table);
void addControl(Table& table);
void addWarps(Table& table);
void addAccesses(Table& table);
void addAtomics(Table& table);
void addBarriers(Table& table);
void addBulkCopies(Table& table);
void addProducts(Table& table);
void addTensorMemory(Table& table);

// Applies `one` to each of the numbers packed in a register of each of `count` operands.
std::function<uint64_t(const uint64_t*)> packed(const Type& type, size_t count,
                                                std::function<uint64_t(const uint64_t*)> one);

// A result for each lane from its operands.
Step elementwise(Decoder& d, std::vector<Source> sources, unsigned bits,
                 std::function<uint64_t(const uint64_t*)> function);
// setp: a predicate for each lane, and its opposite where that is asked for; each combined with the
// fourth operand by "and", "or" or "xor", or by nothing.
Step comparison(Decoder& d, const std::string& combined,
                std::function<bool(Warp&, unsigned lane)> holds);

} // namespace ptx
