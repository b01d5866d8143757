#include "chips/Chip.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::chips {

namespace {

// ---- NVIDIA

using enum Feature;

// Each generation has the features of the one before it, except for wgmma and tcgen05.
constexpr Features turing = {Mma, LoadMatrix};
constexpr Features ampere =
    turing | Features{AmpereMma, AsyncCopy, Mbarrier, WarpReduce, WideSharedCopies};
constexpr Features ada = ampere | Features{Fp8};
constexpr Features sinceHopper =
    ada | Features{Clusters, Tma,         AsyncStore, AsyncProxy,   MbarrierTry,
                   Elect,    StoreMatrix, VectorSums, WarpRegisters};
constexpr Features hopper = sinceHopper | Features{WarpGroupMma};
constexpr Features sinceBlackwell = sinceHopper | Features{LaunchControl};
constexpr Features blackwell = sinceBlackwell | Features{TensorMemory};
constexpr Features rubin = blackwell | Features{ScalesAlongK};

// CUDA's programming guide, compute capabilities; the sixteen barriers are those of PTX's `bar`.
constexpr Limits nvidia(int64_t sharedPerProgram, int64_t sharedPerUnit, unsigned warps,
                        unsigned programs, unsigned tensorColumns = 0) {
  return {sharedPerProgram, sharedPerUnit, 255, nvidiaRegisters, 8, warps, programs,
          tensorColumns,    1024,          16};
}

// ---- AMD

constexpr Features gcn = {BufferAccess};
constexpr Features cdna = gcn | Features{Mfma};
constexpr Features rdna = {Wmma};
constexpr Features cdna5 = {Wmma, ScaledWmma, Clusters};

// A SIMD: the vector registers that its warps share, in each lane.
struct Simd {
  unsigned lanes, warps, registers, registerStep;
};

// AMD's ISA guides and LLVM's occupancy. Programs of one warp take no barrier, so that nothing but
// warps limits their number.
constexpr Limits amd(llvm::StringLiteral unit, int64_t sharedPerProgram, int64_t sharedPerUnit,
                     unsigned registersPerThread, Simd simd) {
  unsigned warps = simd.warps * partsOfUnit;
  Limits limits{sharedPerProgram,
                sharedPerUnit,
                registersPerThread,
                int64_t{simd.registers} * simd.lanes * partsOfUnit,
                simd.registerStep,
                warps,
                warps};
  limits.unit = unit;
  return limits;
}
constexpr Limits cdnaLimits(int64_t shared) {
  return amd("CU", shared, shared, 512, {64, 8, 512, 8});
}
constexpr Limits cdna5Limits = amd("CU", 327680, 327680, 1024, {32, 16, 1024, 16});
// A program has the LDS of one CU, and runs on both CUs of a WGP. Rows count WGPs as units, half
// the CUs that ROCm's page of GPU specifications gives for RX 7900 XTX, 7800 XT, 7600, 9060 XT,
// 9070 XT.
constexpr Limits rdnaLimits(Simd simd) {
  return amd("WGP", 65536, 131072, 256, simd);
}
constexpr Limits largeRdna = rdnaLimits({32, 16, 1536, 24}),
                 smallRdna = rdnaLimits({32, 16, 1024, 16});

// Instructions on 16 bits reach either half of a register, so that two values share one. LLVM 22
// has them for RDNA4, but does not use them unless told; LLVM 24 does.
constexpr llvm::StringLiteral halfRegisters = "+real-true16";

// CDNA 3's as measured (ROCm's blog about LDS bank conflicts, and others), CDNA 4's as Triton's
// pass for padding states them. Stores are served 128 bytes at a time on both, and so are CDNA 4's
// loads of other widths, as if it had 32 banks (AMD's rocRoller counts them so, too).
constexpr unsigned wideLanesOfCdna3[] = {1, 2, 20}, wideLanesOfCdna4[] = {1, 2, 12, 20};
constexpr LoadPhases loadsOfCdna3[] = {{16, 32, wideLanesOfCdna3}},
                     loadsOfCdna4[] = {{8, 64}, {16, 64, wideLanesOfCdna4}};
constexpr Banks banksOfCdna3 = {32, loadsOfCdna3}, banksOfCdna4 = {32, loadsOfCdna4};

constexpr Chip chips[] = {
    {.target = "cuda:70",
     .name = "sm_70 (Volta)",
     .words = "Volta V100",
     .processor = "sm_70",
     .processorFeatures = "+ptx86"},
    {.target = "cuda:72",
     .name = "sm_72 (Volta)",
     .words = "Volta Xavier",
     .processor = "sm_72",
     .processorFeatures = "+ptx86"},
    {.target = "cuda:75",
     .name = "sm_75 (Turing)",
     .words = "Turing T4",
     .features = turing,
     .limits = nvidia(65536, 65536, 32, 16),
     .units = 40,
     .processor = "sm_75",
     .processorFeatures = "+ptx86"},
    {.target = "cuda:80",
     .name = "sm_80 (Ampere)",
     .products = "A100",
     .architecture = "Ampere",
     .usualDevice = "NVIDIA A100",
     .features = ampere,
     .limits = nvidia(166912, 167936, 64, 32),
     .units = 108,
     .processor = "sm_80",
     .processorFeatures = "+ptx86",
     .isComplete = true},
    {.target = "cuda:86",
     .name = "sm_86 (Ampere)",
     .products = "RTX 30, A10, A40",
     .architecture = "Ampere",
     .usualDevice = "NVIDIA A40",
     .features = ampere,
     .limits = nvidia(101376, 102400, 48, 16),
     .units = 84,
     .processor = "sm_86",
     .processorFeatures = "+ptx86",
     .isComplete = true},
    {.target = "cuda:87",
     .name = "sm_87 (Ampere)",
     .words = "Ampere Orin",
     .features = ampere,
     .limits = nvidia(166912, 167936, 48, 16),
     .processor = "sm_87",
     .processorFeatures = "+ptx86"},
    {.target = "cuda:89",
     .name = "sm_89 (Ada)",
     .products = "RTX 40, L4, L40",
     .architecture = "Ada",
     .usualDevice = "NVIDIA L40S",
     .features = ada,
     .limits = nvidia(101376, 102400, 48, 24),
     .units = 142,
     .processor = "sm_89",
     .processorFeatures = "+ptx86",
     .isComplete = true},
    {.target = "cuda:90",
     .name = "sm_90 (Hopper)",
     .products = "H100, H200",
     .architecture = "Hopper",
     .words = "GH200",
     .usualDevice = "NVIDIA H200",
     .features = hopper,
     .limits = nvidia(232448, 233472, 64, 32),
     .units = 132,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_90a",
     .processorFeatures = "+ptx86",
     .isComplete = true},
    {.target = "cuda:100",
     .name = "sm_100 (Blackwell)",
     .products = "B200, GB200",
     .architecture = "Blackwell",
     .words = "B100",
     .usualDevice = "NVIDIA B200",
     .features = blackwell,
     .limits = nvidia(232448, 233472, 64, 32, tensorMemoryColumns),
     .units = 148,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_100a",
     .processorFeatures = "+ptx88"},
    {.target = "cuda:101",
     .name = "sm_101 (Blackwell)",
     .words = "Blackwell Thor",
     .features = blackwell,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_101a",
     .processorFeatures = "+ptx88"},
    {.target = "cuda:103",
     .name = "sm_103 (Blackwell)",
     .products = "B300, GB300",
     .architecture = "Blackwell Ultra",
     .usualDevice = "NVIDIA B300",
     .features = blackwell,
     .limits = nvidia(232448, 233472, 64, 32, tensorMemoryColumns),
     .units = 148,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_103a",
     .processorFeatures = "+ptx88"},
    {.target = "cuda:107",
     .name = "sm_107 (Rubin)",
     .words = "Rubin",
     .features = rubin,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_107a",
     .processorFeatures = "+ptx94"},
    {.target = "cuda:110",
     .name = "sm_110 (Blackwell)",
     .words = "Blackwell Thor",
     .features = blackwell,
     .limits = nvidia(232448, 233472, 48, 24, tensorMemoryColumns),
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_110a",
     .processorFeatures = "+ptx90"},
    {.target = "cuda:120",
     .name = "sm_120 (Blackwell)",
     .products = "RTX 50",
     .architecture = "Blackwell",
     .words = "RTX",
     .usualDevice = "NVIDIA RTX PRO 6000",
     .features = sinceBlackwell,
     .limits = nvidia(101376, 102400, 48, 24),
     .units = 188,
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_120a",
     .processorFeatures = "+ptx88"},
    {.target = "cuda:121",
     .name = "sm_121 (Blackwell)",
     .words = "Blackwell Spark",
     .features = sinceBlackwell,
     .limits = nvidia(101376, 102400, 48, 24),
     .deprecatedFp8Operands = "fp8e4b15",
     .processor = "sm_121a",
     .processorFeatures = "+ptx88"},

    {.target = "hip:gfx906",
     .name = "gfx906 (GCN5)",
     .words = "GCN5 Vega20 MI50 MI60",
     .warpSize = 64,
     .features = gcn,
     .limits = amd("CU", 65536, 65536, 256, {64, 10, 256, 4}),
     .processor = "gfx906"},
    {.target = "hip:gfx908",
     .name = "gfx908 (CDNA1)",
     .words = "CDNA1 MI100",
     .warpSize = 64,
     .features = cdna,
     .mfmaVersion = 1,
     .processor = "gfx908"},
    {.target = "hip:gfx90a",
     .name = "gfx90a (CDNA2)",
     .products = "MI250",
     .architecture = "CDNA 2",
     .words = "MI200",
     .usualDevice = "AMD Instinct MI250X",
     .warpSize = 64,
     .features = cdna,
     .limits = cdnaLimits(65536),
     .mfmaVersion = 2,
     .units = 110,
     .processor = "gfx90a"},
    {.target = "hip:gfx942",
     .name = "gfx942 (CDNA3)",
     .products = "MI300",
     .architecture = "CDNA 3",
     .words = "MI300X MI325",
     .usualDevice = "AMD Instinct MI300X",
     .family = "hip:gfx94",
     .warpSize = 64,
     .features = cdna | Features{Xf32, BufferToShared},
     .limits = cdnaLimits(65536),
     .banks = banksOfCdna3,
     .mfmaVersion = 3,
     .units = 304,
     .processor = "gfx942"},
    // Triton compares the architecture with "gfx942" and so gives this one neither.
    {.target = "hip:gfx942-strict",
     .name = "gfx942 (CDNA3)",
     .words = "CDNA3",
     .warpSize = 64,
     .features = cdna,
     .limits = cdnaLimits(65536),
     .banks = banksOfCdna3,
     .mfmaVersion = 3,
     .units = 304,
     .processor = "gfx942"},
    {.target = "hip:gfx950",
     .name = "gfx950 (CDNA4)",
     .products = "MI350",
     .architecture = "CDNA 4",
     .words = "MI355",
     .usualDevice = "AMD Instinct MI355X",
     .family = "hip:gfx95",
     .warpSize = 64,
     .features = cdna | Features{BufferToShared, WideSharedCopies},
     .limits = cdnaLimits(163840),
     .banks = banksOfCdna4,
     .mfmaVersion = 4,
     .units = 256,
     .deprecatedFp8Operands = "fp8e4b8 fp8e5b16",
     .processor = "gfx950"},
    {.target = "hip:gfx1100",
     .name = "gfx11 (RDNA3)",
     .products = "RX 7900",
     .architecture = "RDNA 3",
     .usualDevice = "AMD Radeon RX 7900 XTX",
     .family = "hip:gfx11",
     .features = rdna,
     .limits = largeRdna,
     .wmmaVersion = 1,
     .units = 48,
     .processor = "gfx1100"},
    {.target = "hip:gfx1101",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = largeRdna,
     .wmmaVersion = 1,
     .units = 30,
     .processor = "gfx1101"},
    {.target = "hip:gfx1102",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = smallRdna,
     .wmmaVersion = 1,
     .units = 16,
     .processor = "gfx1102"},
    {.target = "hip:gfx1103",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = smallRdna,
     .wmmaVersion = 1,
     .processor = "gfx1103"},
    {.target = "hip:gfx1150",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = smallRdna,
     .wmmaVersion = 1,
     .processor = "gfx1150"},
    {.target = "hip:gfx1151",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = largeRdna,
     .wmmaVersion = 1,
     .processor = "gfx1151"},
    {.target = "hip:gfx1152",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = smallRdna,
     .wmmaVersion = 1,
     .processor = "gfx1152"},
    {.target = "hip:gfx1153",
     .name = "gfx11 (RDNA3)",
     .words = "RDNA3",
     .features = rdna,
     .limits = smallRdna,
     .wmmaVersion = 1,
     .processor = "gfx1153"},
    {.target = "hip:gfx1200",
     .name = "gfx12 (RDNA4)",
     .words = "RDNA4",
     .family = "hip:gfx12",
     .features = rdna,
     .limits = largeRdna,
     .wmmaVersion = 2,
     .units = 16,
     .processor = "gfx1200",
     .processorFeatures = halfRegisters},
    {.target = "hip:gfx1201",
     .name = "gfx12 (RDNA4)",
     .products = "RX 9070",
     .architecture = "RDNA 4",
     .usualDevice = "AMD Radeon RX 9070 XT",
     .features = rdna,
     .limits = largeRdna,
     .wmmaVersion = 2,
     .units = 32,
     .processor = "gfx1201",
     .processorFeatures = halfRegisters},
    {.target = "hip:gfx1250",
     .name = "gfx1250",
     .products = "gfx1250",
     .words = "CDNA5 MI400 MI450",
     .usualDevice = "AMD gfx1250",
     .family = "hip:gfx125",
     .features = cdna5,
     .limits = cdna5Limits,
     .banks = {64},
     .wmmaVersion = 3,
     .processor = "gfx1250"},
    // The same chip, compiled with other settings.
    {.target = "hip:gfx1250-strict",
     .name = "gfx1250",
     .words = "CDNA5",
     .features = cdna5,
     .limits = cdna5Limits,
     .banks = {64},
     .wmmaVersion = 3,
     .processor = "gfx1250"},
    {.target = "hip:gfx1251",
     .name = "gfx1251",
     .words = "CDNA5",
     .features = cdna5,
     .limits = cdna5Limits,
     .banks = {64},
     .wmmaVersion = 3,
     .processor = "gfx1251"},
};

} // namespace

unsigned capabilityOf(llvm::StringRef target) {
  unsigned capability = 0;
  if (!target.consume_front("cuda:") || target.getAsInteger(10, capability)) return 0;
  return capability;
}

unsigned Chip::capability() const {
  return capabilityOf(target);
}

llvm::ArrayRef<Chip> allChips() {
  return chips;
}

const Chip* findChip(llvm::StringRef target) {
  const Chip* found = nullptr;
  for (const Chip& chip : chips) {
    if (chip.target == target) return &chip;
    if (!chip.family.empty() && target.starts_with(chip.family) &&
        (!found || found->family.size() < chip.family.size()))
      found = &chip;
  }
  return found;
}

const Chip* closestChip(llvm::StringRef target) {
  if (const Chip* chip = findChip(target)) return chip;
  const Chip* older = nullptr;
  unsigned capability = capabilityOf(target);
  for (const Chip& chip : chips)
    if (unsigned its = chip.capability(); its && its <= capability) older = &chip;
  return older;
}

Features featuresOf(llvm::StringRef target) {
  const Chip* chip = closestChip(target);
  return chip ? chip->features : Features();
}

bool isCalled(const Chip& chip, llvm::StringRef written) {
  if (written.empty()) return false;
  auto isOneOf = [&](llvm::StringRef text, char separator) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    text.split(names, separator);
    return llvm::any_of(
        names, [&](llvm::StringRef name) { return name.trim().equals_insensitive(written); });
  };
  auto [vendorsWord, number] = chip.architecture.split(' '); // "CDNA 3" is written CDNA3, too
  return isOneOf(chip.words, ' ') || isOneOf(chip.products, ',') ||
         chip.architecture.equals_insensitive(written) ||
         llvm::StringRef((vendorsWord + number).str()).equals_insensitive(written);
}

llvm::StringRef oldestWith(Feature feature) {
  for (const Chip& chip : chips)
    if (chip.has(feature)) return chip.name.split(' ').first;
  return {};
}

} // namespace gluond::chips
