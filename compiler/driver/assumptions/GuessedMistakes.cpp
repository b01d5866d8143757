#include "driver/assumptions/GuessedMistakes.h"

#include "codegen/context/CodegenContext.h"
#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "driver/assumptions/AssumedLaunch.h"
#include "driver/assumptions/WarpsOfLayouts.h"
#include "evaluate/launches/Launch.h"
#include "language/parameters/ParameterUses.h"
#include "language/types/TypeContext.h"
#include "support/Allowance.h"

#include <llvm/ADT/STLExtras.h>

#include <array>
#include <optional>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;
using diagnostics::Trait;
using language::ParameterUses;
using language::ScalarKind;
using namespace syntax;

namespace {

// Whether a mistake counts if all guesses make it.
bool isCertain(Id id) {
  return has(id, Trait::CertainOfLayouts) || has(id, Trait::CertainOfShapes) ||
         has(id, Trait::CertainOfKinds);
}
// Whether other options or another target may remove it.
bool isOfLaunch(Id id) {
  return has(id, Trait::OfTarget) || has(id, Trait::OfOptions) || has(id, Trait::OfAmounts);
}

// A name that a module lacks, in code that only guesses compile: the body of an unrolled loop.
bool isOfModule(const Diagnostic& diagnostic) {
  constexpr diagnostics::ArgumentOf owner(Id::UnknownAttribute, "value");
  return argument(diagnostic, owner).starts_with("module '");
}

bool isSamePlace(const Diagnostic& a, const Diagnostic& b) {
  return a.location.file == b.location.file && a.location.range.begin == b.location.range.begin &&
         a.location.range.end == b.location.range.end;
}

struct MistakeGuess {
  ScalarKind element;
  std::array<int64_t, 3> numbers; // for the first, second, third integer, and so on around
  int64_t count;
  unsigned warps;
  bool scalarsAreOne = false; // Triton makes constants of them
};
constexpr MistakeGuess guesses[] = {
    {ScalarKind::Fp16, {64, 64, 64}, 2, 4},
    {ScalarKind::Fp32, {32, 32, 32}, 3, 8},
    {ScalarKind::Int32, {16, 32, 64}, 2, 1},
    {ScalarKind::Int8, {128, 64, 16}, 3, 2},
};
constexpr MistakeGuess guessOfOnes = {ScalarKind::Fp32, {64, 64, 64}, 2, 4, true};

// A parameter that can only be a scalar, number or pointer; without a type if it may be something
// else.
codegen::KernelArgument argumentOf(const MistakeGuess& guess, const evaluate::LaunchArgument& given,
                                   const ParameterUses& uses, Name name, size_t& number,
                                   language::TypeContext& types) {
  codegen::KernelArgument argument;
  if (given.isConstexpr) {
    int64_t value =
        uses.isCount(name) ? guess.count : guess.numbers[number++ % guess.numbers.size()];
    argument.type = types.constexprType(language::Value::integer(value));
  } else if (given.type && !given.type->isScalar() && !given.type->isPointer()) {
    return argument;
  } else if (uses.isPointer(name) || (given.type && given.type->isPointer())) {
    argument.type = types.pointer(language::scalarType(guess.element));
  } else if (guess.scalarsAreOne) {
    argument.type = types.constexprType(language::Value::integer(1));
  } else {
    argument.type = language::scalarType(ScalarKind::Int32);
  }
  return argument;
}

} // namespace

std::vector<Diagnostic> commonMistakes(const Variant& variant, codegen::CodegenContext& context,
                                       const codegen::Specialization& specialization,
                                       const EvaluatedFile& program, CancellationToken token) {
  const FunctionDef* def = specialization.kernel->def;
  ParameterUses uses(*def, context.names());
  language::TypeContext& types = context.types();
  bool guessesNumbers = false;

  auto made = [&](const MistakeGuess& guess, std::optional<unsigned> ctas = {}) {
    codegen::Specialization guessed = specialization;
    if (!knowsOptions(variant)) guessed.options.numWarps = guess.warps;
    if (ctas) guessed.options.numCtas = *ctas;
    size_t number = 0;
    for (auto [argument, given, parameter] :
         llvm::zip(guessed.arguments, variant.launch->arguments, def->parameters)) {
      if (variant.origin != Origin::Default && !given.isAssumed) continue;
      Name name = parameter.name.name;
      argument = {};
      if (uses.isOpaque(name) || parameter.kind > ParameterKind::Positional) continue;
      if (given.isConstexpr) {
        if (!given.constant.isUnknown()) continue; // a default that a launch may replace
        if (!uses.isNumber(name)) continue;
        guessesNumbers = true;
      }
      argument = argumentOf(guess, given, uses, name, number, types);
    }
    codegen::SourceOptions options{
        .cancellation = token, .steps = stepsOfGuess, .assumesNothing = true};
    return (knowsOptions(variant) ? codegen::generateSource(context, guessed, program, options)
                                  : generateWithWarpsOfLayouts(context, guessed, program, options))
        .diagnostics;
  };

  std::vector<std::vector<Diagnostic>> found;
  for (const MistakeGuess& guess : guesses) {
    if (mustStop(token)) return {};
    found.push_back(made(guess));
    if (ranOut(found.back())) return {}; // so would others, most likely
    llvm::erase_if(found.back(),
                   [](const Diagnostic& each) { return each.severity != Severity::Error; });
    // A guess that the kernel itself rejects shows nothing.
    if (llvm::any_of(found.back(),
                     [](const Diagnostic& each) { return has(each.id, Trait::ByKernel); }))
      found.pop_back();
  }
  bool isKernel = variant.origin == Origin::Launch || uses.looksLikeKernel();
  auto isOfKinds = [&](const Diagnostic& each) {
    return has(each.id, Trait::CertainOfKinds) ||
           (!isOfLaunch(each.id) && uses.isStringArgument(each.location.range));
  };
  auto counts = [&](const Diagnostic& each) {
    if (isOfKinds(each)) {
      if (!isKernel) return false;
    } else if (!isCertain(each.id)) {
      return false;
    } else if (has(each.id, Trait::CertainOfShapes) && (guessesNumbers || !isKernel)) {
      return false;
    }
    if (each.id == Id::UnknownAttribute && !uses.isOfCall(each.location.range) && !isOfModule(each))
      return false;
    unsigned agree = 0;
    text::Range statement = uses.statementAt(each.location.range);
    for (const std::vector<Diagnostic>& others : found) {
      bool agrees = llvm::any_of(others, [&](const Diagnostic& other) {
        return other.id == each.id && isSamePlace(other, each) &&
               (has(each.id, Trait::GuessedWords) || other.message == each.message);
      });
      // A guess that fails earlier for another reason does not count.
      bool stumbles = !agrees && llvm::any_of(others, [&](const Diagnostic& other) {
        return other.id != each.id && other.location.file == each.location.file &&
               statement.begin <= other.location.range.begin &&
               other.location.range.end <= statement.end;
      });
      if (!agrees && !stumbles) return false;
      agree += agrees;
    }
    return agree >= 2;
  };
  std::vector<Diagnostic> common;
  for (const std::vector<Diagnostic>& each : found)
    for (const Diagnostic& diagnostic : each)
      if (counts(diagnostic) && llvm::none_of(common, [&](const Diagnostic& known) {
            return known.id == diagnostic.id && isSamePlace(known, diagnostic);
          }))
        common.push_back(diagnostic);
  // Other numbers of CTAs may be what the kernel is written for.
  bool mayDepend = !knowsOptions(variant) && llvm::any_of(common, [](const Diagnostic& each) {
    return has(each.id, Trait::OfOptions);
  });
  for (unsigned ctas : {2, 16}) {
    if (!mayDepend) break;
    if (mustStop(token)) return {};
    std::vector<Diagnostic> others = made(guesses[0], ctas);
    llvm::erase_if(common, [&](const Diagnostic& each) {
      return has(each.id, Trait::OfOptions) && llvm::none_of(others, [&](const Diagnostic& other) {
               return other.id == each.id && isSamePlace(other, each) &&
                      (has(each.id, Trait::GuessedWords) || other.message == each.message);
             });
    });
  }
  // Where a constant is required, an argument of 1 is one.
  if (llvm::any_of(common, isOfKinds)) {
    std::vector<Diagnostic> ofOnes = made(guessOfOnes);
    llvm::erase_if(common, [&](const Diagnostic& each) {
      return isOfKinds(each) && llvm::none_of(ofOnes, [&](const Diagnostic& other) {
               return other.id == each.id && isSamePlace(other, each);
             });
    });
  }
  return common;
}

} // namespace gluond::driver
