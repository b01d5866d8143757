// What a program is compiled for, by name: "cuda:90" or "hip:gfx942".
#pragma once

#include "chips/Chip.h"

#include <string>

namespace gluond::chips {

struct Target {
  Vendor vendor = Vendor::Nvidia;
  unsigned capability = 90; // of NVIDIA's: 90 for sm_90; of AMD's 0
  std::string arch;         // "sm90" or "gfx942", as options.arch has it
  unsigned warpSize = 32;
  Features features = featuresOf(standardTarget);

  bool isCuda() const { return vendor == Vendor::Nvidia; }
  bool isHip() const { return vendor == Vendor::Amd; }
  bool has(Feature feature) const { return features.has(feature); }
  // The record's target and the module's ttg.target.
  std::string name() const;
  // Reads a name; nullopt when it is neither "cuda:90" nor "hip:gfx942". There need not be a row.
  static std::optional<Target> parse(llvm::StringRef name);
};

} // namespace gluond::chips
