#include "codegen/builder/Unit.h"

#include "codegen/builder/Values.h"
#include "codegen/context/WellKnown.h"
#include "language/types/Structure.h"
#include "support/Allowance.h"

#include <utility>

namespace gluond::codegen {

static evaluate::InterpreterOptions interpreterOptions(const Specialization& specialization,
                                                       const SourceOptions& options,
                                                       IrBridge& bridge) {
  evaluate::InterpreterOptions result;
  result.ir = &bridge;
  result.target = specialization.target.name();
  result.release = specialization.release;
  result.cancellation = options.cancellation;
  result.budget.steps = options.steps * 4; // compile-time functions do little at a time
  // A file has many specializations, and their heaps live as long as they.
  result.budget.memoryBytes = 64u << 20;
  result.budget.integerBits = 1u << 12;
  return result;
}

Unit::Unit(CodegenContext& context, const Specialization& specialization, const SourceFiles& files,
           const SourceOptions& options, VerifierMessages& messages, GeneratedModule& result)
    : context(context), specialization(specialization), files(files), options(options),
      result(result), bridge(*this),
      interpreter(heap, context.names(), context.types(),
                  interpreterOptions(specialization, options, bridge)),
      builder(context, *this), layoutPlaces(*this), memory(context.memoryOf(files)),
      dependencies(interpreter, context.names(), heap, memory->acceptable), messages(messages),
      steps(options.steps) {
  if (options.recordFacts) {
    result.facts = std::make_unique<ExpressionFacts>();
    facts = std::make_unique<FactRecorder>(*result.facts, files);
  }
}

FileLocations* Unit::locationsOf(const language::ModuleObject* module) {
  if (!module) return nullptr;
  auto [it, isNew] = locations_.try_emplace(module);
  if (!isNew) return it->second;
  const SourceFile* file = files.find(*module);
  if (!file) file = context.prelude().source(*module);
  if (file) it->second = &memory->locations(context.mlir(), *file, module->path);
  return it->second;
}

const FileLocations* Unit::fileNamed(llvm::StringRef path) const {
  for (const auto& [module, locations] : locations_)
    if (locations && module->path == path) return locations;
  return nullptr;
}

bool Unit::isNew(diagnostics::Id id, diagnostics::Location location) {
  uint64_t place = uint64_t(location.range.begin) << 32 | location.range.end;
  return reported_.insert({place, uint64_t(location.file.id) << 16 | static_cast<uint16_t>(id)})
      .second;
}

void Unit::markIncomplete(const llvm::Twine& because) {
  if (result.incomplete) return;
  result.incomplete = true;
  result.incompleteBecause = because.str();
}

void Unit::giveUp(const syntax::Node* at, llvm::StringRef why) {
  if (gaveUp) return;
  gaveUp = true;
  // This is reported even in uncertain code, because it holds in any case.
  unsigned silence = std::exchange(suppressed, 0);
  builder.error(diagnostics::Id::BudgetExhausted, at, why);
  suppressed = silence;
  markIncomplete(why);
}

bool Unit::poll() {
  constexpr unsigned stepsBetweenPolls = 256;
  if (gaveUp) return false;
  if (options.cancellation.isCancelled()) {
    gaveUp = true;
    markIncomplete("cancelled");
    return false;
  }
  if (Spending::isSpent()) {
    const Allowance& allowance = *Spending::spent();
    if (allowance.spent() == Allowance::Spent::Memory)
      giveUp(builder.node(), "the analysis took more than " +
                                 std::to_string(allowance.limits().bytes >> 20) + " MB");
    else
      giveUp(builder.node(), "the analysis took more than " +
                                 std::to_string(allowance.limits().cpu.count()) + " ms");
    return false;
  }
  if (steps == 0) {
    giveUp(builder.node(), "the kernel takes too many steps to compile");
    return false;
  }
  untilPoll_ = static_cast<unsigned>(std::min<uint64_t>(steps, stepsBetweenPolls)) - 1;
  steps -= untilPoll_ + 1;
  return true;
}

Value Unit::admitParts(Value value, const syntax::Node* at) {
  using language::Fit;
  size_t parts = 0;
  Fit fit = language::fit(value, language::mostOfAConstant, &parts);
  spend(parts);
  if (fit == Fit::Fits) return value;
  giveUp(at, fit == Fit::TooDeep ? "a value nests deeper than 64 levels"
                                 : "a value has more than 262,144 parts");
  return Value::unknown();
}

Value Unit::pythonBuiltin(Name name) {
  return context.wellKnown().isPythonBuiltin(name) ? interpreter.pythonBuiltin(name)
                                                   : Value::absent();
}

std::optional<Name> Unit::pythonBuiltinName(Value value) {
  if (auto* cls = value.as<language::ClassObject>(); cls && !cls->native)
    return std::nullopt; // the program's own
  for (Name builtin : context.wellKnown().pythonBuiltins)
    if (isPython(value, builtin)) return builtin;
  return std::nullopt;
}

} // namespace gluond::codegen
