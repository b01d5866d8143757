// What may be said of a kernel of which no launch is known, or not all that it is launched with.
// Types, compile-time arguments, num_warps and the target are assumed there: what only an
// assumption makes wrong must not be told.
#pragma once

#include "codegen/context/Source.h"
#include "driver/assumptions/GuessedLints.h"
#include "driver/launches/Kernels.h"

namespace gluond::driver {

// Whether a variant assumes anything of that.
bool assumes(const Variant& variant);
// Whether it says with how many warps, and with what other options, the kernel is launched.
bool knowsOptions(const Variant& variant);

// Whether compiling gave up on a kernel: a loop without end, most likely.
bool ranOut(llvm::ArrayRef<diagnostics::Diagnostic> diagnostics);
// Guesses are many, and a kernel that needs more than this under one is told nothing by the others.
inline constexpr uint64_t stepsOfGuess = 125'000; // an eighth of the usual

// Of the diagnostics made with what a variant assumes, those that hold whatever it is, and then the
// mistakes that show when nothing is known of it. `lint` as in GuessedLints.h.
std::vector<diagnostics::Diagnostic>
certainOf(std::vector<diagnostics::Diagnostic> assumed, const Variant& variant,
          codegen::CodegenContext& context, codegen::Specialization specialization,
          const Program& program, LintModule lint, CancellationToken token);

} // namespace gluond::driver
