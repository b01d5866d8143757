// Rules of Triton's operations and passes that hold in some releases only. Code asks for a rule
// where it differs from the newest release: `if (holds(Rule::Bfloat16Widens, release))`.
#pragma once

#include "releases/Release.h"

namespace gluond::releases {

enum class Rule : uint8_t {
#define RULE(name, first, last, text) name,
#include "releases/tables/Rules.def"
};

struct RuleRow {
  Rule rule;
  Release first, last;
  llvm::StringLiteral text; // what holds, a clause
};
llvm::ArrayRef<RuleRow> rules();

// None of the rules holds in the newest release.
bool holdsEarlier(Rule rule, Release release);
inline bool holds(Rule rule, Release release) {
  return release != newest && holdsEarlier(rule, release);
}

} // namespace gluond::releases
