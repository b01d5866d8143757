#include "driver/assumptions/AssumedLaunch.h"

#include "chips/Target.h"
#include "codegen/context/CodegenContext.h"
#include "diagnostics/Traits.h"
#include "driver/assumptions/GuessedMistakes.h"
#include "driver/assumptions/WarpsOfLayouts.h"
#include "evaluate/launches/Launch.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;
using diagnostics::Trait;

namespace {

// Returns whether a mistake does not depend on the launch of the kernel.
bool isCertainWithoutTypes(Id id) {
  return has(id, Trait::Protocol) || has(id, Trait::WithoutTypes);
}

// Returns a target whose chip differs in what kernels are written for: in whether it has launch
// control, as Blackwell's chips do.
chips::Target otherNvidiaTarget(const chips::Target& target) {
  const chips::Chip* other = llvm::find_if(chips::allChips(), [](const chips::Chip& chip) {
    return chip.has(chips::Feature::LaunchControl);
  });
  return *chips::Target::parse(target.has(chips::Feature::LaunchControl) ? chips::standardTarget
                                                                         : other->target);
}

// Keeps those mistakes that occur in each of a few very different launches.
void keepCommon(std::vector<Diagnostic>& mistakes, codegen::CodegenContext& context,
                const codegen::Specialization& specialization, const EvaluatedFile& program,
                CancellationToken token) {
  struct Launch {
    unsigned warps, ctas;
    bool onOtherTarget;
  };
  static constexpr Launch launches[] = {
      {1, 1, false}, {2, 2, false}, {8, 1, true}, {16, 16, false}};
  for (const Launch& launch : launches) {
    if (mistakes.empty() || mustStop(token)) return mistakes.clear();
    codegen::Specialization other = specialization;
    other.options.numWarps = launch.warps;
    other.options.numCtas = launch.ctas;
    if (launch.onOtherTarget && other.target.isCuda())
      other.target = otherNvidiaTarget(other.target);
    codegen::GeneratedModule generated = generateWithWarpsOfLayouts(
        context, other, program, {.cancellation = token, .assumesNothing = true});
    llvm::erase_if(mistakes, [&](const Diagnostic& mistake) {
      return llvm::none_of(generated.diagnostics, [&](const Diagnostic& each) {
        return each.id == mistake.id && each.location.file == mistake.location.file &&
               each.location.range == mistake.location.range && each.message == mistake.message;
      });
    });
  }
}

} // namespace

bool ranOut(llvm::ArrayRef<Diagnostic> diagnostics) {
  return llvm::any_of(diagnostics,
                      [](const Diagnostic& each) { return each.id == Id::BudgetExhausted; });
}

bool assumes(const Variant& variant) {
  if (variant.origin == Origin::Default) return true;
  return variant.origin == Origin::Launch &&
         (!knowsOptions(variant) ||
          llvm::any_of(variant.launch->arguments,
                       [](const evaluate::LaunchArgument& each) { return each.isAssumed; }));
}

bool knowsOptions(const Variant& variant) {
  return variant.origin == Origin::Launch &&
         llvm::none_of(variant.launch->options, [](const evaluate::LaunchOption& option) {
           return option.value.isUnknown();
         });
}

std::vector<Diagnostic> certainOf(std::vector<Diagnostic> assumed, const Variant& variant,
                                  codegen::CodegenContext& context,
                                  codegen::Specialization specialization,
                                  const EvaluatedFile& program, LintModule lint,
                                  CancellationToken token) {
  llvm::erase_if(assumed, [](const Diagnostic& diagnostic) {
    return diagnostic.severity <= Severity::Warning && !isCertainWithoutTypes(diagnostic.id);
  });
  const codegen::Specialization guessable = specialization;
  for (auto [argument, given] : llvm::zip(specialization.arguments, variant.launch->arguments))
    if (variant.origin == Origin::Default || given.isAssumed) argument.type = nullptr;
  codegen::GeneratedModule generated = codegen::generateSource(
      context, specialization, program, {.cancellation = token, .assumesNothing = true});
  // If compiling gives up because of an endless loop, guesses do too.
  if (ranOut(generated.diagnostics)) return assumed;
  std::vector<Diagnostic> doubtful;
  for (Diagnostic& diagnostic : generated.diagnostics) {
    if (diagnostic.severity != Severity::Error || has(diagnostic.id, Trait::OfTarget)) continue;
    if (knowsOptions(variant) || !has(diagnostic.id, Trait::OfOptions))
      assumed.push_back(std::move(diagnostic));
    else if (has(diagnostic.id, Trait::HoldsForSome))
      doubtful.push_back(std::move(diagnostic));
  }
  keepCommon(doubtful, context, specialization, program, token);
  llvm::move(doubtful, std::back_inserter(assumed));
  auto add = [&](std::vector<Diagnostic> more) {
    for (Diagnostic& diagnostic : more)
      if (llvm::none_of(assumed, [&](const Diagnostic& known) {
            return known.id == diagnostic.id && known.location.file == diagnostic.location.file &&
                   known.location.range.begin == diagnostic.location.range.begin;
          }))
        assumed.push_back(std::move(diagnostic));
  };
  add(commonMistakes(variant, context, specialization, program, token));
  // A module with errors is incomplete.
  if (llvm::none_of(assumed,
                    [](const Diagnostic& each) { return each.severity == Severity::Error; }))
    add(commonLints(variant, context, guessable, program, lint, token));
  return assumed;
}

} // namespace gluond::driver
