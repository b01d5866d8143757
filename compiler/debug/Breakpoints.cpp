#include "debug/Breakpoints.h"

#include "debug/Expressions.h"

#include <llvm/ADT/StringRef.h>

namespace gluond::debug {

using namespace simulate;

namespace {

struct HitCount {
  std::string op; // "" for a mere number
  uint64_t number = 0;
};

std::optional<HitCount> parseHits(llvm::StringRef text) {
  text = text.trim();
  HitCount parsed;
  for (llvm::StringRef op : {">=", "<=", "==", ">", "<", "%", "="})
    if (text.consume_front(op)) {
      parsed.op = op.str();
      break;
    }
  if (text.trim().getAsInteger(10, parsed.number)) return std::nullopt;
  return parsed;
}

} // namespace

std::optional<bool> isHit(const std::string& hits, uint64_t count) {
  if (llvm::StringRef(hits).trim().empty()) return true;
  auto parsed = parseHits(hits);
  if (!parsed) return std::nullopt;
  const auto& [op, number] = *parsed;
  if (op == ">=") return count >= number;
  if (op == "<=") return count <= number;
  if (op == ">") return count > number;
  if (op == "<") return count < number;
  if (op == "%") return number != 0 && count % number == 0;
  return count == number;
}

std::string conditionFails(const std::string& why) {
  return "The condition cannot be evaluated: " + why + ".";
}

std::string mistakeIn(const std::string& condition) {
  if (llvm::StringRef(condition).trim().empty()) return {};
  std::string why = whyNoExpression(condition);
  return why.empty() ? why : conditionFails(why);
}

std::string mistakeIn(const Breakpoint& breakpoint) {
  const std::string& hits = breakpoint.hits;
  if (std::string why = mistakeIn(breakpoint.condition); !why.empty()) return why;
  if (llvm::StringRef(hits).trim().empty()) return {};
  auto parsed = parseHits(hits);
  if (!parsed)
    return "'" + hits + "' is no hit count: use a number, or >, >=, ==, <, <=, % with one.";
  const auto& [op, number] = *parsed;
  bool isNever = op == "<" ? number <= 1 : op != ">" && op != ">=" && number == 0;
  return isNever ? "'" + hits + "' is never reached: hits count from 1." : std::string();
}

size_t Watch::bytes() const {
  size_t all = 0;
  for (const Spot& spot : spots)
    all += spot.bytes;
  for (const Part& part : parts)
    all += part.bytes;
  return all;
}

namespace {

std::string text(const void* at, size_t bytes) {
  return std::string(static_cast<const char*>(at), bytes);
}

std::string bytesAt(const Spot& spot, const Machine& machine, const State& state) {
  auto of = [&](const SharedMemory& memory) {
    bool fits = spot.address <= memory.size() && spot.bytes <= memory.size() - spot.address;
    return fits ? text(memory.data() + spot.address, spot.bytes) : std::string();
  };
  switch (spot.kind) {
  case Spot::Kind::Shared:
    return of(state.shared);
  case Spot::Kind::TensorMemory:
    return of(state.tensorMemory);
  case Spot::Kind::Global: {
    const std::byte* at = machine.memory().at(spot.address, spot.bytes);
    return at ? text(at, spot.bytes) : std::string();
  }
  case Spot::Kind::Barrier: {
    auto barrier = state.barriers.find(static_cast<uint32_t>(spot.address));
    return barrier == state.barriers.end() ? "" : text(&barrier->second.phase, 8);
  }
  }
  return {};
}

} // namespace

std::string watchedBytes(const Watch& watch, const Machine& machine, const State& state) {
  std::string all;
  for (const Spot& spot : watch.spots)
    all += bytesAt(spot, machine, state);
  if (!watch.spots.empty()) return all;
  if (watch.thread >= state.threads.size()) return {};
  for (const Frame& frame : state.threads[watch.thread].frames) {
    if (frame.function != watch.function || watch.reg >= frame.registers.size()) continue;
    const simulate::Value& value = frame.registers[watch.reg];
    if (const auto* scalar = std::get_if<Scalar>(&value))
      return text(&scalar->bits, bytesOf(scalar->element));
    const auto* tensor = std::get_if<TensorRef>(&value);
    if (!tensor || !*tensor) return {};
    for (const Watch::Part& part : watch.parts)
      if (part.offset <= (*tensor)->bytes() && part.bytes <= (*tensor)->bytes() - part.offset)
        all += text((*tensor)->data() + part.offset, part.bytes);
    return all;
  }
  return {};
}

} // namespace gluond::debug
