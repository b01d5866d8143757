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

// AMD's chips with the same instructions. Those before CDNA 3, for which gluond makes no code,
// count as CDNA 3.
enum class AmdGeneration : uint8_t { Cdna3, Cdna4, Rdna3, Rdna4, Cdna5 };
// Returns nullopt for NVIDIA's chips.
std::optional<AmdGeneration> amdGenerationOf(const Chip& chip);

} // namespace gluond::chips
