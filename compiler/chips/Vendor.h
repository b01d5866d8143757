// Which vendor's chip a target names. Code that differs between the vendors asks this, and never
// looks at the text of a target.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

// Returns nullopt for text that is no target. The chip may have no row.
std::optional<Vendor> vendorOf(llvm::StringRef target);
inline bool isAmd(llvm::StringRef target) {
  return vendorOf(target) == Vendor::Amd;
}

} // namespace gluond::chips
