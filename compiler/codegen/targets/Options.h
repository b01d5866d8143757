// The launch options of a specialization that the frontend depends on.
//
// Plain data with Triton's defaults (backends/{nvidia,amd}/compiler.py). driver/ fills it from a
// launch record; rules read it through IrBuilder::options(), and the chip through
// IrBuilder::target().
#pragma once

#include "chips/CodeOptions.h"
#include "chips/Target.h"
#include "evaluate/launches/LaunchOptions.h"

#include <vector>

namespace gluond::codegen {

using chips::Feature;
using chips::Target;

struct Options {
  // The table of launch options has the defaults of these (see defaultOptions).
  unsigned numWarps = evaluate::usualWarps;
  unsigned numCtas = 0;
  unsigned numStages = 0;
  std::optional<unsigned> maxnreg;
  bool debug = false;
  bool sanitizeOverflow = false;

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
