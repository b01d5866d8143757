// What a specialization is compiled for: the chip and the launch options that the frontend looks
// at.
//
// Plain data with Triton's defaults (backends/{nvidia,amd}/compiler.py); driver/ fills it from a
// launch record, rules read it through Emitter::target() and Emitter::options().
#pragma once

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
  // Follow from the target unless the launch says otherwise (see defaultOptions).
  std::vector<std::string> supportedFp8Dtypes;
  std::vector<std::string> deprecatedFp8DotOperandDtypes;
  std::string defaultDotInputPrecision;
  std::vector<std::string> allowedDotInputPrecisions;
  unsigned maxNumImpreciseAccDefault = 0;

  // Whether a sanitizer is on.
  bool instruments(llvm::StringRef sanitizer) const;
};

// What parse_options({}) of the target's backend gives.
Options defaultOptions(const Target& target);

} // namespace gluond::codegen
