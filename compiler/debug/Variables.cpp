#include "debug/Variables.h"

namespace gluond::debug {

using namespace simulate;

// The definition whose value the variable has; null: it has none yet.
static gluon::VariableOp definitionOf(const Variable& variable, const Frame& frame) {
  const auto* number = std::get_if<Scalar>(&frame.registers[variable.current]);
  if (!number || number->bits >= variable.definitions.size()) return {};
  return llvm::cast<gluon::VariableOp>(variable.definitions[number->bits]);
}

// The number of the part's first value among those of the definition.
static size_t firstValue(const VariablePart& part) {
  size_t first = 0;
  gluon::VariableOp definition = part.definition;
  for (int32_t count : definition.getCounts().take_front(part.part))
    first += static_cast<size_t>(count);
  return first;
}

void forEachVariable(const simulate::KernelCode& code, const State& state, uint32_t thread,
                     const Row& row, llvm::function_ref<bool(const VariablePart&)> visit) {
  for (uint32_t at = thread; at < state.threads.size();) {
    const Thread& running = state.threads[at];
    for (size_t f = running.frames.size(); f-- > 0;) {
      if (at == thread && f != row.frame) continue;
      const Frame& frame = running.frames[f];
      for (const Variable& variable : code.functions[frame.function].variables) {
        if (variable.calls != row.calls) continue;
        gluon::VariableOp definition = definitionOf(variable, frame);
        if (definition && visit({&variable, definition, at, f, 0})) return;
      }
    }
    if (at == 0) return;
    at = running.parent;
  }
}

std::optional<VariablePart> findVariable(const simulate::KernelCode& code, const State& state,
                                         uint32_t thread, const Row& row, const std::string& name) {
  size_t end = name.find_first_of(".[");
  std::string base = name.substr(0, end), path = end == std::string::npos ? "" : name.substr(end);
  std::optional<VariablePart> found;
  forEachVariable(code, state, thread, row, [&](const VariablePart& first) {
    if (first.variable->name != base) return false;
    VariablePart each = first;
    for (mlir::Attribute own : each.definition.getPaths()) {
      if (llvm::cast<mlir::StringAttr>(own).getValue() == path) {
        found = each;
        break;
      }
      ++each.part;
    }
    return found.has_value();
  });
  return found;
}

Datum datumOf(const VariablePart& part, const State& state) {
  const Frame& frame = state.threads[part.thread].frames[part.frame];
  gluon::VariableOp definition = part.definition;
  std::string text =
      llvm::cast<mlir::StringAttr>(definition.getTexts()[static_cast<unsigned>(part.part)])
          .getValue()
          .str();
  if (definition.getCounts()[part.part] == 0) return {{}, {}, "constexpr", text};
  size_t first = firstValue(part);
  return {frame.registers[part.variable->parts[first]],
          definition.getValues()[static_cast<unsigned>(first)].getType(),
          text,
          {}};
}

std::optional<uint32_t> registerOf(const VariablePart& part) {
  gluon::VariableOp definition = part.definition;
  if (definition.getCounts()[part.part] == 0) return std::nullopt;
  return part.variable->parts[firstValue(part)];
}

} // namespace gluond::debug
