// Comparing values by structure: what `==` says of Python's own immutable values, layouts and
// types.
#pragma once

#include "language/Value.h"

namespace gluond::language {

enum class Equality : uint8_t {
  Python, // 1 == True == 1.0; a list equals a tuple of equal items (as Triton's tuples do)
  Exact,  // the same kinds and text: both print alike
};

bool equal(Value a, Value b, Equality how = Equality::Python);
bool equal(const LayoutObject& a, const LayoutObject& b, Equality how = Equality::Python);
// Equal values (by Python's rule) have equal hashes.
unsigned hashOf(Value value);
unsigned hashOf(const LayoutObject& layout);

// The items of a tuple or a list; empty for anything else.
Items itemsOf(Value value);
bool isSequence(Value value); // tuple or list

} // namespace gluond::language
