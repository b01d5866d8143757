// The target of a specialization: the chip and the launch options that the frontend depends on.
//
// Plain data with Triton's defaults (backends/{nvidia,amd}/compiler.py). driver/ fills it from a
// launch record; rules read it through IrBuilder::target() and IrBuilder::options().
#pragma once

#include "chips/CodeOptions.h"
#include "chips/Target.h"

#include <vector>

namespace gluond::codegen {

using chips::Feature;
using chips::Target;

struct Options {
  unsigned numWarps = 4;
  unsigned numCtas = 1;
  unsigned numStages = 3;
  std::optional<unsigned> maxnreg;
  bool debug = false;
  bool sanitizeOverflow = true;
  std::string instrumentationMode; // names of sanitizers: "iisan,consan"
  // These follow from the target unless the launch sets them (see defaultOptions).
  std::vector<std::string> supportedFp8Dtypes;
  std::vector<std::string> deprecatedFp8DotOperandDtypes;
  std::string defaultDotInputPrecision;
  std::vector<std::string> allowedDotInputPrecisions;
  unsigned maxNumImpreciseAccDefault = 0;
  chips::CodeOptions code; // not looked at by the frontend

  // Returns whether a sanitizer is on.
  bool instruments(llvm::StringRef sanitizer) const;
};

// Returns what parse_options({}) of the target's backend returns.
Options defaultOptions(const Target& target);

} // namespace gluond::codegen
