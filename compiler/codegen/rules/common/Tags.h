// Types that distinguish rows sharing a rule: second arguments of RULE_OF in the builtin table.
#pragma once

#include <cstdint>

namespace gluond::codegen {

enum class Hint : uint8_t { Divisibility, Contiguity, Constancy };
enum class ArithmeticKind : uint8_t { Add, Sub, Mul };
enum class MathKind : uint8_t {
  exp,
  exp2,
  log,
  log2,
  cos,
  sin,
  sqrt,
  rsqrt,
  erf,
  floor,
  ceil,
  sqrt_rn
};
enum class AtomicKind : uint8_t { Add, Max, Min, And, Or, Xor, Xchg };
enum class ReduceKind : uint8_t { Add, Min, Max, And, Or, Xor };
enum class PackedKind : uint8_t { Add, Sub, Mul, Fma, Min, Max };

enum class DeviceFunction : uint16_t {
#define DEVICE(name, ...) name,
#include "language/builtins/Libdevice.inc"
#undef DEVICE
};

} // namespace gluond::codegen
