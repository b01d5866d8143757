// Which vendor's chip a target names, and which generation of AMD's it belongs to. Code that
// differs between the vendors asks this, and never looks at the text of a target.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

// Returns nullopt for text that is no target. The chip may have no row.
std::optional<Vendor> vendorOf(llvm::StringRef target);
inline bool isAmd(llvm::StringRef target) {
  return vendorOf(target) == Vendor::Amd;
}

// AMD's chips with the same instructions. Gcn5 is the last generation before CDNA (gfx906), and has
// what all of CDNA has but matrix instructions. Each is newer than those before it in its line.
enum class AmdGeneration : uint8_t { Gcn5, Cdna1, Cdna2, Cdna3, Cdna4, Rdna3, Rdna4, Cdna5 };
// Returns nullopt for NVIDIA's chips.
std::optional<AmdGeneration> amdGenerationOf(const Chip& chip);

} // namespace gluond::chips
