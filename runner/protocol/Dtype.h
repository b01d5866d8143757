// Element types by Triton's names: their sizes, and conversions of their values to numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gluond::runner {

struct Dtype {
  enum class Kind { Signed, Unsigned, Bool, Float };
  const char* name; // "fp16"
  Kind kind;
  unsigned bytes;
  // For floats other than IEEE's binary32 and binary64.
  unsigned exponentBits = 0, mantissaBits = 0;
  int bias = 0;
  enum class Special { Ieee, FiniteNan, NegativeZeroNan } special = Special::Ieee;
  double relative, absolute; // default tolerances for results of this type
};

// Finds "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "i1".."i64",
// "u1".."u64"; also Triton's and NumPy's long names ("float16", "int32"). Returns null if unknown.
const Dtype* findDtype(std::string_view name);

double readElement(const Dtype& dtype, const void* bytes);
// Reads `count` elements that lie one after another.
void readElements(const Dtype& dtype, const char* bytes, size_t count, double* values);
// Rounds to nearest even; numbers that are too large become infinity, or the largest number if
// there is no infinity. Integers are truncated and wrap around.
void writeElement(const Dtype& dtype, double value, void* bytes);
// Preserves integers above 2^53.
int64_t readInteger(const Dtype& dtype, const void* bytes);
void writeInteger(const Dtype& dtype, int64_t value, void* bytes);

} // namespace gluond::runner
