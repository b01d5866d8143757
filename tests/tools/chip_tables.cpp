// chip_tables [--check] FILE: writes what other languages know of the chips, as TypeScript for
// menus (FILE.ts) or as Python for programs that ask for a device and for launches (FILE.py), or
// (with --check) fails when FILE is not what it would write.
#include "GeneratedPage.h"
#include "chips/Chip.h"
#include "chips/CodeOptions.h"
#include "chips/GluonModules.h"
#include "chips/GpuModels.h"
#include "chips/MemorySizes.h"
#include "chips/Vendor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

using namespace gluond::chips;

namespace {

std::string typeScript() {
  std::string text =
      "// Generated from compiler/chips by the target chip_tables; do not edit.\n\n"
      "// A target, and the chip by the names that people know.\n"
      "export interface Target {\n"
      "  id: string;\n"
      "  vendor: string;\n"
      "  products: string;\n"
      "  architecture: string;\n"
      "  warpSize: number;\n"
      "}\n\n"
      "// The target of programs where nothing names one.\n"
      "export const standardTarget = '" +
      standardTarget.str() +
      "';\n\n"
      "// The names of all targets, those without a chip included.\n"
      "export const targetPattern = '" +
      targetPattern.str() +
      "';\n\n"
      "// The bytes of a sector and of a line of global memory, and those that a bank of shared "
      "memory "
      "answers at a time.\n"
      "export const sectorBytes = " +
      std::to_string(sectorBytes) + ";\nexport const lineBytes = " + std::to_string(lineBytes) +
      ";\nexport const bankBytes = " + std::to_string(bankBytes) +
      ";\n"
      "// The banks of a chip without a row.\n"
      "export const usualBanks = " +
      std::to_string(Banks().count) +
      ";\n"
      "// The widths in bytes of the swizzles of shared memory, the widest first.\n"
      "export const swizzleWidths: readonly number[] = [" +
      llvm::join(llvm::map_range(swizzleWidths, [](unsigned each) { return std::to_string(each); }),
                 ", ") +
      "];\n\n"
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

// The text of a code option that says what gluond assumes without it.
std::string standardOf(const CodeOptionRow& row) {
  for (llvm::StringRef text : {"true", "false", "0", "wgp", ""})
    if (CodeOptions options; row.set(options, text) && options == CodeOptions()) return text.str();
  return "?";
}

std::string python() {
  std::string text =
      "# Generated from compiler/chips by the target chip_tables; do not edit.\n"
      "\"\"\"The chips that gluond knows, as far as programs ask for a device.\"\"\"\n\n"
      "from typing import NamedTuple\n\n\n"
      "class Chip(NamedTuple):\n"
      "    device: str  # as a driver names the usual one\n"
      "    warp_size: int\n"
      "    capability: tuple[int, int]  # as torch reports it\n"
      "    shared: int  # bytes of shared memory that a program can have\n"
      "    shared_per_unit: int  # bytes that a multiprocessor has for all its programs\n"
      "    threads_per_unit: int  # that a multiprocessor runs at a time\n"
      "    units: int  # multiprocessors, as a driver counts them\n\n\n"
      "# The target of programs where nothing names one, and the usual target of AMD.\n"
      "STANDARD_TARGET = \"" +
      standardTarget.str() + "\"\nSTANDARD_AMD_TARGET = \"" + standardWaveTarget.str() +
      "\"\n\n"
      "# Before this generation (the number before the last two digits of an architecture of AMD) "
      "warps have 64 lanes, from then on 32.\n"
      "FIRST_GENERATION_OF_NARROW_WARPS = " +
      std::to_string(firstGenerationOfNarrowWarps) +
      "\n\n"
      "# Of a multiprocessor, as every driver says it: AMD's accumulation registers do not count.\n"
      "REGISTERS_PER_UNIT = " +
      std::to_string(nvidiaRegisters) +
      "\n\n"
      "# By target: NVIDIA's from old to new, then AMD's.\n"
      "CHIPS = {\n";
  for (const Chip& chip : allChips()) {
    llvm::StringRef device = usualDevice(chip.target);
    if (device.empty() || !chip.limits) continue;
    const Limits& limits = *chip.limits;
    text += "    \"" + chip.target.str() + "\": Chip(\"" + device.str() + "\"";
    auto [major, minor] = reportedCapability(chip.target);
    text += ", " + std::to_string(chip.warpSize) + ", (" + std::to_string(major) + ", " +
            std::to_string(minor) + ")";
    for (int64_t number :
         {limits.sharedPerProgram, limits.sharedPerUnit,
          int64_t{limits.warpsPerUnit} * chip.warpSize, int64_t{usualUnits(chip.target)}})
      text += ", " + std::to_string(number);
    text += "),\n";
  }
  text += "}\n\n# The launch options that change the machine code alone, and what gluond assumes "
          "without them.\n"
          "CODE_OPTIONS = {\n";
  for (const CodeOptionRow& row : codeOptionRows())
    text += "    \"" + row.name.str() + "\": \"" + standardOf(row) + "\",\n";
  text += "}\n\n# Every target that a user may name.\nTARGETS = (\n";
  for (const Chip& chip : allChips())
    text += "    \"" + chip.target.str() + "\",\n";
  return text + ")\n";
}

} // namespace

int main(int argc, char** argv) {
  bool isPython = argc > 1 && llvm::StringRef(argv[argc - 1]).ends_with(".py");
  return gluond::test::writeOrCheckPage(argc, argv, "chip_tables",
                                        isPython ? python() : typeScript());
}
