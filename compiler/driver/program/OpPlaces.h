// Maps an op of the IR to the place in the user's files from which it was made.
#pragma once

#include "driver/program/EvaluatedFile.h"

#include <mlir/IR/Location.h>

#include <optional>
#include <vector>

namespace gluond::driver {

// The place of an op, and the places of the calls it was inlined through, innermost first.
struct OpPlace {
  std::optional<diagnostics::Location> place;
  std::vector<diagnostics::Location> calls;

  // The innermost place in the program: a function of Triton's library has none, its call has.
  std::optional<diagnostics::Location> innermost() const {
    return place || calls.empty() ? place : std::optional(calls.front());
  }
};

// For ops made from `program`, which must outlive this. Any thread that may read the IR may use it.
class PlaceReader {
public:
  explicit PlaceReader(const EvaluatedFile& program) : program_(program) {}
  OpPlace read(mlir::Location location) const;

private:
  std::optional<diagnostics::Location> first(mlir::Location location) const;
  const EvaluatedFile& program_;
};

} // namespace gluond::driver
