#include "diagnostics/Traits.h"

#include <array>

namespace gluond::diagnostics {

namespace {

constexpr uint32_t operator|(uint32_t a, Trait b) {
  return a | static_cast<uint32_t>(b);
}

constexpr size_t count = 0
#define DIAG(...) +1
#include "diagnostics/DiagnosticTable.def"
    ;

constexpr std::array<uint32_t, count> traits = [] {
  using enum Trait;
  std::array<uint32_t, count> result{};
#define TRAITS(name, ...) result[static_cast<size_t>(Id::name)] = uint32_t{0} | __VA_ARGS__;
#include "diagnostics/tables/Traits.def"
#undef TRAITS
  return result;
}();

} // namespace

bool has(Id id, Trait trait) {
  return (traits[static_cast<size_t>(id)] & static_cast<uint32_t>(trait)) != 0;
}

} // namespace gluond::diagnostics
