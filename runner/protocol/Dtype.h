// Element types as Triton names them: their size, and their values as numbers.
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
  // Of floats that are not IEEE's binary32 or 64.
  unsigned exponentBits = 0, mantissaBits = 0;
  int bias = 0;
  enum class Special { Ieee, FiniteNan, NegativeZeroNan } special = Special::Ieee;
  double relative, absolute; // tolerances that a result of this type can be held to
};

// "fp16", "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "i1".."i64",
// "u1".."u64"; also Triton's and NumPy's long names ("float16", "int32"). Null: there is none.
const Dtype* findDtype(std::string_view name);

double readElement(const Dtype& dtype, const void* bytes);
// Rounds to nearest even; what is too large becomes infinity, or the largest number where there is
// no infinity. Integers are truncated and wrap around.
void writeElement(const Dtype& dtype, double value, void* bytes);
// Integers above 2^53 as they are.
int64_t readInteger(const Dtype& dtype, const void* bytes);
void writeInteger(const Dtype& dtype, int64_t value, void* bytes);

} // namespace gluond::runner
