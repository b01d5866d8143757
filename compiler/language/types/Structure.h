// Comparing values by structure: what `==` says of Python's own immutable values, layouts and
// types.
#pragma once

#include "language/values/Value.h"

namespace gluond::language {

enum class Equality : uint8_t {
  Python, // 1 == True == 1.0; a list equals a tuple of equal items (as Triton's tuples do)
  Exact,  // the same kinds and text: both print alike
};

// Total, as is hashOf(): values that nest without end, or share what is inside them so often that
// it would take forever, are compared as far as most() goes and by identity from there.
bool equal(Value a, Value b, Equality how = Equality::Python);
bool equal(const LayoutObject& a, const LayoutObject& b, Equality how = Equality::Python);
// Equal values (by Python's rule) have equal hashes.
unsigned hashOf(Value value);
unsigned hashOf(const LayoutObject& layout);

// How much a value is to whoever walks it: how far its parts nest, and how many there are, each
// counted as often as it is met. Text counts by its length.
struct Extent {
  unsigned depth;
  size_t parts;
};
// What a compile-time value of a kernel may be; what is made of it (names, types, messages) grows
// with it.
inline constexpr unsigned maxNesting = 64;
inline constexpr Extent mostOfAConstant{maxNesting, size_t{1} << 18};
enum class Fit : uint8_t { Fits, TooDeep, TooLarge };
// Whether a value stays within `most`. Looks at no more than that of it. Objects of the program's
// own classes count by themselves, save dataclasses and aggregates, which are their fields.
// `counted`: gets the number of parts seen.
Fit fit(Value value, Extent most = mostOfAConstant, size_t* counted = nullptr);

// The items of a tuple or a list; empty for anything else.
Items itemsOf(Value value);
bool isSequence(Value value); // tuple or list

} // namespace gluond::language
