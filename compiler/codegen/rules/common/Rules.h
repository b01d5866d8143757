// What each builtin emits. One function per rule; rows of the builtin table name them (RULE,
// RULE_OF), and several rows may share one. See Emitter.h for what a rule may do.
#pragma once

#include "codegen/emitter/Emitter.h"
#include "language/types/Builtin.h"

namespace gluond::codegen {

// The rule of a row of kind Rule; null for other kinds.
Rule ruleOf(const language::Builtin& builtin);

} // namespace gluond::codegen
