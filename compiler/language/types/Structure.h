// Compares values by structure, like `==` on Python's own immutable values, layouts and
// types.
#pragma once

#include "language/values/Value.h"

namespace gluond::language {

enum class Equality : uint8_t {
  Python, // 1 == True == 1.0; a tuple of Triton's equals a list or tuple of equal items
  Exact,  // the same kinds and text: both print alike
};

// It always terminates, as does hashOf(): values that nest without end, or share so many parts that
// it would take too long, are compared up to most() and by identity beyond that.
bool equal(Value a, Value b, Equality how = Equality::Python);
bool equal(const LayoutObject& a, const LayoutObject& b, Equality how = Equality::Python);
// Equal values (by Python's rule) have equal hashes.
unsigned hashOf(Value value);
unsigned hashOf(const LayoutObject& layout);

// The size of a value: how deeply its parts nest, and how many there are, shared parts counted each
// time. Text counts by its length.
struct Extent {
  unsigned depth;
  size_t parts;
};
// The limit for a compile-time value of a kernel, because names, types and messages grow with
// it.
inline constexpr unsigned maxNesting = 64;
inline constexpr Extent mostOfAConstant{maxNesting, size_t{1} << 18};
enum class Fit : uint8_t { Fits, TooDeep, TooLarge };
// Returns whether a value stays within `most`, looking no further. Objects of the program's own
// classes count as one, except dataclasses and aggregates, which count with their fields. `counted`
// receives the number of parts seen.
Fit fit(Value value, Extent most = mostOfAConstant, size_t* counted = nullptr);

// The items of a tuple or a list; empty for anything else.
Items itemsOf(Value value);
bool isSequence(Value value); // tuple or list

} // namespace gluond::language
