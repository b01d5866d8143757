// What the name of a target says: the vendor, and the generation of an architecture of AMD. Code
// that differs between the vendors asks this, and never looks at the text of a target.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

// The names of targets as a regular expression, for places that cannot call Target::parse(): menus
// and schemas of settings.
constexpr llvm::StringLiteral targetPattern =
    "cuda:([5-9][0-9]|[1-9][0-9]{2})|hip:gfx[1-9][0-9]*[0-9a-f]{2}(-strict)?";

// Triton's rule for any architecture of AMD: before generation 10 (GCN and CDNA) 64 lanes run
// together, from then on (RDNA and gfx1250) 32.
constexpr unsigned firstGenerationOfNarrowWarps = 10;

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
