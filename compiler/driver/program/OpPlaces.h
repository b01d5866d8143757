// From an op of the IR to the place in the user's files that it was made of.
#pragma once

#include "driver/program/Program.h"

#include <mlir/IR/Location.h>

#include <optional>
#include <vector>

namespace gluond::driver {

// The place of an op, and the places of the calls it was inlined through, innermost first.
struct OpPlace {
  std::optional<diagnostics::Location> place;
  std::vector<diagnostics::Location> calls;
};

// Of ops that were made of `program`, which must outlive this. Any thread that may read the IR.
class PlaceReader {
public:
  explicit PlaceReader(const Program& program) : program_(program) {}
  OpPlace read(mlir::Location location) const;

private:
  std::optional<diagnostics::Location> first(mlir::Location location) const;
  const Program& program_;
};

} // namespace gluond::driver
