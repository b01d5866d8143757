// The chips that gluond knows, NVIDIA's and AMD's: a row for each, with everything that depends on
// the chip alone. Code that needs to know what a chip can do calls chip.has(Feature::Tma); no other
// room compares capability numbers or prefixes of architecture names.
//
// A figure that is not known is left out: `limits` is empty, `units` is 0. Callers then report
// nothing about it, because a wrong figure would become a false error.
// docs/contributing/adding-a-target.md says how a chip is added.
#pragma once

#include "chips/Feature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace gluond::chips {

enum class Vendor : uint8_t { Nvidia, Amd };

// The target that programs are compiled for when nothing names one.
constexpr llvm::StringLiteral standardTarget = "cuda:90";

// These are the same on every chip that Gluon runs on.
constexpr unsigned mostThreadsPerProgram = 1024;
constexpr unsigned mostCtasPerCluster = 16;

// Every NVIDIA chip has this many registers of 32 bits in an SM, and one program may have them all.
constexpr unsigned nvidiaRegisters = 64 * 1024;
// The parts of a unit, each of which has registers of its own and runs the warps that are in it:
// NVIDIA's sub-partitions, AMD's SIMDs.
constexpr unsigned partsOfUnit = 4;
// Tensor memory, where a chip has it: columns of 32 bits.
constexpr unsigned tensorMemoryColumns = 512;

// The limits of a chip. A unit is what runs a program: an SM, a CU, or RDNA's WGP. A register is
// one of 32 bits of one thread: a vector register of AMD counts once for each lane.
struct Limits {
  int64_t sharedPerProgram;    // bytes that one program (CTA) can have
  int64_t sharedPerUnit;       // bytes that a unit has for all its programs
  unsigned registersPerThread; // AMD's accumulation registers included
  int64_t registersPerUnit;    // registers, of all threads and all parts
  unsigned registerStep;       // a thread's registers are handed out in multiples of this
  unsigned warpsPerUnit, programsPerUnit;
  unsigned tensorColumns = 0;      // columns of tensor memory; 0 if the chip has none
  int64_t reservedShared = 0;      // bytes of each program that the system takes for itself
  unsigned namedBarriers = 0;      // of a program; 0 if the number is not known
  llvm::StringLiteral unit = "SM"; // what the vendor calls a unit
};

// How shared memory serves loads of one width: it answers one word of 32 bits from each bank at a
// time. The first phase serves the lanes that these numbers give, combined by xor; another phase
// those that differ from them by one number. Without numbers, a phase serves as many consecutive
// lanes as the banks have words for.
struct LoadPhases {
  unsigned bytes; // of each lane
  unsigned banks;
  llvm::ArrayRef<unsigned> lanes = {};
};
struct Banks {
  unsigned count = 32; // for all stores, and for loads that have no row of their own
  llvm::ArrayRef<LoadPhases> loads = {};
};

struct Chip {
  llvm::StringLiteral target; // "cuda:90", "hip:gfx942"
  llvm::StringLiteral name;   // as messages print it: "sm_90 (Hopper)"
  // The name in menus: "H100, H200" of the architecture "Hopper". Menus offer only rows that have
  // products here.
  llvm::StringLiteral products = "";
  llvm::StringLiteral architecture = "";
  // What people may write instead of the target besides these: "GH200" (see isCalled).
  llvm::StringLiteral words = "";
  // What a driver calls the usual product of the target: "NVIDIA H200". Programs that ask for the
  // device where there is no GPU are told this one.
  llvm::StringLiteral usualDevice = "";
  // Targets that begin with this prefix and have no row of their own use this row: "hip:gfx11".
  // Only AMD rows have it; for NVIDIA see featuresOf().
  llvm::StringLiteral family = "";
  unsigned warpSize = 32;
  Features features = {};
  std::optional<Limits> limits = std::nullopt;
  Banks banks = {};
  // The version of AMD's matrix instructions, as in AMDMFMALayout or AMDWMMALayout; 0 if none.
  unsigned mfmaVersion = 0, wmmaVersion = 0;
  unsigned units = 0; // SMs, CUs or WGPs of the usual product; 0 if not known
  // Triton's names of the 8-bit floats that its back end calls deprecated in products.
  llvm::StringLiteral deprecatedFp8Operands = "";
  // What LLVM and the vendor's assembler call the chip, "sm_90a", and LLVM's features: the oldest
  // PTX with everything gluond uses of the chip, so that every assembler that knows the chip
  // accepts it. Both are empty if gluond generates no code for the chip yet.
  llvm::StringLiteral processor = "", processorFeatures = "";
  // True if lowering/ has all operations of the chip and the runner runs the result. For others
  // code is generated if a kernel uses nothing new (Blackwell's tensor memory, for example).
  bool isComplete = false;

  Vendor vendor() const { return target.starts_with("cuda:") ? Vendor::Nvidia : Vendor::Amd; }
  // Returns 90 for "cuda:90" and 0 for AMD chips.
  unsigned capability() const;
  bool has(Feature feature) const { return features.has(feature); }
};

// All rows, in the order in which lists show them: NVIDIA's from old to new, then AMD's.
llvm::ArrayRef<Chip> allChips();

// Returns the row of a target (for AMD also that of its family), or null if there is none.
const Chip* findChip(llvm::StringRef target);

// Returns the row that is closest to a target: its own, or for NVIDIA the newest older one, because
// chips keep most features of their predecessors. So a chip newer than this program has the
// features of its predecessor, while its limits are unknown. Returns null if there is no such row.
const Chip* closestChip(llvm::StringRef target);

// Returns the features of closestChip(target).
Features featuresOf(llvm::StringRef target);

// Returns 90 for "cuda:90" and 0 for anything that is not an NVIDIA target.
unsigned capabilityOf(llvm::StringRef target);

// Whether people call the chip so: by its architecture, a product or another of its words, in any
// case of letters.
bool isCalled(const Chip& chip, llvm::StringRef written);

// Returns the oldest NVIDIA target that has a feature: "sm_90".
llvm::StringRef oldestWith(Feature feature);

} // namespace gluond::chips
