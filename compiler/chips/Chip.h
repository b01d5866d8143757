// The chips that gluond knows, NVIDIA's and AMD's: a row for each, with everything that depends on
// the chip alone. Whoever asks what a chip can do asks chip.has(Feature::Tma); no other room
// compares capability numbers or the beginnings of architecture names.
//
// A figure that is not known is left out: `limits` is empty, `units` is 0. Callers then say nothing
// about it, because a wrong figure would become a false error.
// docs/contributing/adding-a-target.md says how a chip is added.
#pragma once

#include "chips/Feature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace gluond::chips {

enum class Vendor : uint8_t { Nvidia, Amd };

// What programs are compiled for where nothing names a target.
constexpr llvm::StringLiteral standardTarget = "cuda:90";

// These are the same on every chip that Gluon runs on.
constexpr unsigned mostThreadsPerProgram = 1024;
constexpr unsigned mostCtasPerCluster = 16;

// Every NVIDIA chip has this many registers of 32 bits in an SM, and one program may have them all.
constexpr unsigned nvidiaRegisters = 64 * 1024;
// Tensor memory, where a chip has it: columns of 32 bits.
constexpr unsigned tensorMemoryColumns = 512;

// How much of everything there is. A unit is an SM or a CU; registers have 32 bits.
struct Limits {
  int64_t sharedPerProgram; // bytes that one program (CTA) can have
  int64_t sharedPerUnit;    // bytes that a unit has for all its programs
  unsigned registersPerThread;
  int64_t registersPerUnit;
  unsigned warpsPerUnit, programsPerUnit;
  unsigned tensorColumns = 0; // of tensor memory; 0: the chip has none
  int64_t reservedShared = 0; // bytes of each program that the system takes for itself
  unsigned namedBarriers = 0; // of a program; 0: not known
};

// Shared memory answers one word of 32 bits from each bank at a time.
struct Banks {
  unsigned count = 32;
  // The bits of the lane's number that one phase of an access of 128 bits runs over, where they are
  // not simply the lowest ones.
  llvm::ArrayRef<unsigned> phaseLanes128 = {};
};

struct Chip {
  llvm::StringLiteral target; // "cuda:90", "hip:gfx942"
  llvm::StringLiteral name;   // as messages say it: "sm_90 (Hopper)"
  llvm::StringLiteral words;  // what people may write instead of the target: "Hopper H100 H200"
  // What menus call it: "H100, H200" of the architecture "Hopper". Menus offer only rows that have
  // products here.
  llvm::StringLiteral products = "";
  llvm::StringLiteral architecture = "";
  // Targets that begin with this and have no row of their own are described by this row as well:
  // "hip:gfx11". Only AMD's have it; of NVIDIA's see featuresOf().
  llvm::StringLiteral family = "";
  unsigned warpSize = 32;
  Features features = {};
  std::optional<Limits> limits = std::nullopt;
  Banks banks = {};
  // Which version of AMD's matrix instructions it has: that of AMDMFMALayout or AMDWMMALayout.
  unsigned mfmaVersion = 0, wmmaVersion = 0;
  unsigned units = 0; // SMs or CUs of the product that is usual for the target; 0: not known
  // Triton's names of the 8-bit floats that its back end calls deprecated in products.
  llvm::StringLiteral deprecatedFp8Operands = "";
  // What LLVM and the vendor's assembler call the chip, "sm_90a", and the features that LLVM is
  // told: the oldest PTX that has everything which gluond uses of the chip, so that every assembler
  // that knows the chip takes it. Empty: gluond makes no code for the chip yet.
  llvm::StringLiteral processor = "", processorFeatures = "";
  // lowering/ has all operations of the chip, and the runner runs what it makes. For the others
  // code is made as far as a kernel uses nothing new (Blackwell's tensor memory, for example).
  bool isComplete = false;

  Vendor vendor() const { return target.starts_with("cuda:") ? Vendor::Nvidia : Vendor::Amd; }
  // 90 for "cuda:90"; 0 for AMD's.
  unsigned capability() const;
  bool has(Feature feature) const { return features.has(feature); }
};

// All rows, in the order in which lists show them: NVIDIA's from old to new, then AMD's.
llvm::ArrayRef<Chip> allChips();

// The row that describes a target: its own, or of AMD's that of its family. Null: there is none.
const Chip* findChip(llvm::StringRef target);

// The row that a target resembles: its own, or of NVIDIA's the newest one that is older, because
// chips keep most of what older ones have. So a chip that came after this program can do what its
// predecessor does, while its limits are unknown. Null: there is none.
const Chip* closestChip(llvm::StringRef target);

// What a target can do: the features of the row that it resembles.
Features featuresOf(llvm::StringRef target);

// 90 for "cuda:90"; 0 for what is no NVIDIA target.
unsigned capabilityOf(llvm::StringRef target);

// The oldest of NVIDIA's chips that has a feature, and keeps it: "sm_90".
llvm::StringRef oldestWith(Feature feature);

} // namespace gluond::chips
