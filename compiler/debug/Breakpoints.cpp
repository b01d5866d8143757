#include "debug/Breakpoints.h"

#include <llvm/ADT/StringRef.h>

namespace gluond::debug {

using namespace simulate;

std::optional<bool> isHit(const std::string& hits, uint64_t count) {
  llvm::StringRef text = llvm::StringRef(hits).trim();
  if (text.empty()) return true;
  for (llvm::StringRef op : {">=", "<=", "==", ">", "<", "%", "="}) {
    if (!text.consume_front(op)) continue;
    uint64_t number;
    if (text.trim().getAsInteger(10, number)) return std::nullopt;
    if (op == ">=") return count >= number;
    if (op == "<=") return count <= number;
    if (op == ">") return count > number;
    if (op == "<") return count < number;
    if (op == "%") return number != 0 && count % number == 0;
    return count == number;
  }
  uint64_t number;
  if (text.getAsInteger(10, number)) return std::nullopt;
  return count == number;
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
