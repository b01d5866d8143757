#include "debug/Variables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

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
  if (thread >= state.threads.size()) return;
  // The partitions of one gl.warp_specialize are called at the same place: `calls` alone does not
  // tell their variables apart.
  bool isOfParent = row.isOfParent && thread != 0;
  uint32_t owner = isOfParent ? state.threads[thread].parent : thread;
  const Thread& running = state.threads[owner];
  for (size_t f = running.frames.size(); f-- > 0;) {
    if (!isOfParent && f != row.frame) continue;
    const Frame& frame = running.frames[f];
    for (const Variable& variable : code.functions[frame.function].variables) {
      if (variable.calls != row.calls) continue;
      gluon::VariableOp definition = definitionOf(variable, frame);
      if (definition && visit({&variable, definition, owner, f, 0})) return;
    }
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

std::optional<VariablePart> findWhole(const simulate::KernelCode& code, const State& state,
                                      uint32_t thread, const Row& row, llvm::StringRef name) {
  std::optional<VariablePart> found;
  forEachVariable(code, state, thread, row, [&](const VariablePart& first) {
    if (first.variable->name == name) found = first;
    return found.has_value();
  });
  return found;
}

Datum wholeOf(const VariablePart& first, const State& state) {
  VariablePart each = first;
  auto parts = std::make_shared<Parts>();
  for (mlir::Attribute path : each.definition.getPaths()) {
    Datum leaf = datumOf(each, state);
    std::string text = llvm::cast<mlir::StringAttr>(path).getValue().str();
    if (text.empty()) return leaf;
    parts->leaves.push_back({std::move(text), std::move(leaf)});
    ++each.part;
  }
  return {{}, {}, each.definition.getType().value_or("").str(), {}, std::move(parts)};
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

// ---------------------------------------------------------------- parts of values

std::optional<Datum> partOf(const Datum& whole, llvm::StringRef path) {
  if (!whole.parts) return std::nullopt;
  auto inner = std::make_shared<Parts>();
  for (const auto& [own, leaf] : whole.parts->leaves) {
    llvm::StringRef rest = own;
    if (!rest.consume_front(path)) continue;
    if (rest.empty()) return leaf;
    if (rest[0] == '.' || rest[0] == '[') inner->leaves.push_back({rest.str(), leaf});
  }
  if (inner->leaves.empty()) return std::nullopt;
  return Datum{{}, {}, {}, {}, std::move(inner)};
}

std::vector<std::string> stepsOf(const Datum& whole) {
  std::vector<std::string> steps;
  if (!whole.parts) return steps;
  for (const auto& [path, leaf] : whole.parts->leaves) {
    std::string step = path.substr(0, path.find_first_of(".[", 1));
    if (!llvm::is_contained(steps, step)) steps.push_back(std::move(step));
  }
  return steps;
}

// A line such as "(top=[0.5, 1.0, ...], count=3)", and the parts to open.
void Look::showParts(Item& item, const Datum& whole) const {
  constexpr size_t longest = 160;
  std::vector<std::string> steps = stepsOf(whole);
  item.text = "(";
  for (const std::string& step : steps) {
    if (item.text.size() > 1) item.text += ", ";
    if (item.text.size() > longest) {
      item.text += "...";
      break;
    }
    if (step[0] == '.') item.text += step.substr(1) + "=";
    item.text += textOf(*partOf(whole, step));
  }
  item.text += steps.size() == 1 && steps[0][0] == '[' ? ",)" : ")";
  if (steps.empty()) return;
  item.named = steps.size();
  item.parts = [look = *this, whole, steps, base = item.expression](bool isIndexed, size_t,
                                                                    size_t) {
    std::vector<Item> items;
    for (const std::string& step : isIndexed ? std::vector<std::string>() : steps)
      items.push_back(look.show(step[0] == '.' ? step.substr(1) : step,
                                base.empty() ? std::string() : base + step, *partOf(whole, step)));
    return items;
  };
}

} // namespace gluond::debug
