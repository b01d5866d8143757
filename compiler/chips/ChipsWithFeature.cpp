#include "chips/ChipsWithFeature.h"

namespace gluond::chips {

// "Hopper" of "sm_90 (Hopper)", or all of a name that has no generation.
static llvm::StringRef generationOf(const Chip& chip) {
  llvm::StringRef inside = llvm::StringRef(chip.name).split('(').second;
  return inside.empty() ? llvm::StringRef(chip.name) : inside.drop_back();
}

std::string chipsWith(Feature feature, Vendor vendor) {
  const Chip *oldest = nullptr, *newest = nullptr;
  bool hasNewest = false;
  for (const Chip& chip : allChips()) {
    if (chip.vendor() != vendor) continue;
    if ((hasNewest = chip.has(feature))) newest = &chip;
    if (!oldest) oldest = newest;
  }
  if (!oldest) return {};
  std::string targets = oldest->target.str();
  bool isOpen = hasNewest && newest != oldest && vendor == Vendor::Nvidia;
  if (!isOpen && newest != oldest) targets += " to " + newest->target.str();
  return generationOf(*oldest).str() + (isOpen ? " or later" : "") + " (" + targets + ")";
}

} // namespace gluond::chips
