#include "chips/TypeScript.h"

#include "chips/Chip.h"

namespace gluond::chips {

std::string typeScript() {
  std::string text =
      "// Generated from compiler/chips by build/bin/chip_types; do not edit.\n\n"
      "// A target, and the chip by the names that people know.\n"
      "export interface Target {\n"
      "  id: string;\n"
      "  vendor: string;\n"
      "  products: string;\n"
      "  architecture: string;\n"
      "  warpSize: number;\n"
      "}\n\n"
      "// What programs are compiled for where nothing names a target.\n"
      "export const standardTarget = '" +
      standardTarget.str() +
      "';\n\n"
      "// The targets that menus offer. Any other that the server understands can stand in a "
      "pyproject.toml.\n"
      "export const targets: readonly Target[] = [\n";
  for (const Chip& chip : allChips()) {
    if (chip.products.empty()) continue;
    text += "  { id: '" + chip.target.str() + "', vendor: '" +
            (chip.vendor() == Vendor::Nvidia ? "NVIDIA" : "AMD") + "', products: '" +
            chip.products.str() + "', architecture: '" + chip.architecture.str() +
            "', warpSize: " + std::to_string(chip.warpSize) + " },\n";
  }
  return text + "];\n";
}

} // namespace gluond::chips
