// Turns the suggestion of a lint into an edit of the source: finds the call, statement or layout
// expression that it is about.
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "driver/program/LayoutExpression.h"
#include "lints/findings/Findings.h"

#include <optional>

namespace gluond::driver {

// Where the calls of a suggestion are, all in one file.
struct SuggestionPlaces {
  diagnostics::Location at;
  std::optional<diagnostics::Location> arguments;
  std::vector<diagnostics::Location> copies;
};

// Returns nullopt if the source does not show what to edit, for example if a layout is computed or
// a call has another form. `launch` holds the calls that lead to the kernel's launch, outermost
// first; it is empty if they are in another file.
std::optional<diagnostics::Fix> lintFix(const lints::Suggestion& suggestion,
                                        const SuggestionPlaces& places,
                                        llvm::ArrayRef<text::Range> launch,
                                        const EvaluatedFile& program, LayoutExpressions& layouts);

} // namespace gluond::driver
