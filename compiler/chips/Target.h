// The name of what a program is compiled for: "cuda:90" or "hip:gfx942".
#pragma once

#include "chips/Chip.h"

#include <string>

namespace gluond::chips {

struct Target {
  Vendor vendor = Vendor::Nvidia;
  unsigned capability = 90; // 90 for sm_90; 0 for AMD
  std::string arch;         // "sm90" or "gfx942", as options.arch has it
  unsigned warpSize = 32;
  Features features = featuresOf(standardTarget);

  bool isCuda() const { return vendor == Vendor::Nvidia; }
  bool isHip() const { return vendor == Vendor::Amd; }
  bool has(Feature feature) const { return features.has(feature); }
  // Returns the name as in launch records and ttg.target.
  std::string name() const;
  // Parses "cuda:90" or "hip:gfx942"; returns nullopt for other text. The chip may have no row.
  static std::optional<Target> parse(llvm::StringRef name);
};

} // namespace gluond::chips
