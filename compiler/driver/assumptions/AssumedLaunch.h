// Chooses the findings that hold for a kernel whose launches are not known, or not completely
// known. Types, compile-time arguments, num_warps and the target are then assumed, and a mistake
// that only an assumption causes must not be reported.
#pragma once

#include "codegen/context/Source.h"
#include "driver/assumptions/GuessedLints.h"
#include "driver/launches/Kernels.h"

namespace gluond::driver {

// Returns whether a variant assumes any of these.
bool assumes(const Variant& variant);
// Returns whether the variant states num_warps and the other launch options.
bool knowsOptions(const Variant& variant);

// Returns whether compiling gave up on a kernel, most likely because of an endless loop.
bool ranOut(llvm::ArrayRef<diagnostics::Diagnostic> diagnostics);
// There are many guesses; if a kernel needs more steps than this in one, the others are skipped.
inline constexpr uint64_t stepsOfGuess = 125'000; // an eighth of the usual limit

// Returns those of the diagnostics found under a variant's assumptions that hold under any
// assumption, then the mistakes found with unknown arguments. `lint` is as in GuessedLints.h.
std::vector<diagnostics::Diagnostic>
certainOf(std::vector<diagnostics::Diagnostic> assumed, const Variant& variant,
          codegen::CodegenContext& context, codegen::Specialization specialization,
          const EvaluatedFile& program, LintModule lint, CancellationToken token);

} // namespace gluond::driver
