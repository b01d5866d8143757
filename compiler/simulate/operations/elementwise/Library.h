// The functions of the device libraries (libdevice, OCML, OCKL), by name.
//
// They are calculated in fp64 and rounded once, so that results may differ from a GPU's in the last
// digits. Those whose name gives a direction of rounding (fadd_rz) round in it.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>

namespace gluond::simulate::library {

// The forms of functions, by the numbers that they take and give.
using Reals = double (*)(const double* arguments);
// Bits in the lower end; `bits` is the size of the first argument.
using Bits = uint64_t (*)(const uint64_t* arguments, unsigned bits);
// Functions that depend on the type, as arithmetic that rounds towards zero, down or up does.
struct Directed {
  float (*narrow)(const float* arguments, int mode) = nullptr;
  double (*wide)(const double* arguments, int mode) = nullptr;
  int mode = 0; // of <cfenv>
};
// A conversion that says how it rounds.
struct Conversion {
  enum class From : uint8_t { Real, Signed, Unsigned } from;
  enum class To : uint8_t { Real, Signed, Unsigned } to;
  int mode = 0;
};

struct Function {
  Reals reals = nullptr;
  Bits bits = nullptr;
  Directed directed;
  std::optional<Conversion> conversion;
};
// Finds a function by its whole symbol, such as "__nv_fadd_rz". Returns nullopt if there is none.
std::optional<Function> find(llvm::StringRef symbol);

} // namespace gluond::simulate::library
