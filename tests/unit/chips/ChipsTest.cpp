// The table is whole: every row says what others rely on, and lists that name chips name rows.
#include "chips/BlackwellFeatures.h"
#include "chips/Chip.h"
#include "chips/ChipsWithFeature.h"
#include "chips/CodeOptions.h"
#include "chips/GluonModules.h"
#include "chips/GpuModels.h"
#include "chips/MatrixInstructions.h"
#include "chips/MemorySizes.h"
#include "chips/Target.h"
#include "chips/Vendor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Regex.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::chips {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

TEST(Chips, rowsAreWhole) {
  llvm::StringSet<> targets;
  for (const Chip& chip : allChips()) {
    SCOPED_TRACE(chip.target.str());
    EXPECT_TRUE(targets.insert(chip.target).second) << "two rows";
    auto target = Target::parse(chip.target);
    ASSERT_TRUE(target);
    EXPECT_EQ(target->name(), chip.target);
    EXPECT_EQ(target->vendor, chip.vendor());
    EXPECT_EQ(target->capability, chip.capability());
    EXPECT_EQ(target->warpSize, chip.warpSize);
    EXPECT_EQ(target->features, chip.features);
    EXPECT_FALSE(chip.name.empty());
    EXPECT_FALSE(chip.words.empty() && chip.architecture.empty());
    EXPECT_TRUE(chip.warpSize == 32 || chip.warpSize == 64);
    EXPECT_EQ(mostThreadsPerProgram % chip.warpSize, 0u);
    EXPECT_TRUE(chip.family.empty() || chip.target.starts_with(chip.family));
    EXPECT_EQ(chip.has(Feature::Mfma), chip.mfmaVersion != 0);
    EXPECT_EQ(chip.has(Feature::Wmma), chip.wmmaVersion != 0);
    // NVIDIA's rows choose a version of PTX; AMD's take the chip as LLVM has it.
    if (chip.vendor() == Vendor::Nvidia) {
      EXPECT_EQ(chip.processor.empty(), chip.processorFeatures.empty());
    }
    if (chip.isComplete) {
      EXPECT_FALSE(chip.processor.empty());
    }
    // What menus offer has figures, and a device for programs that ask for one.
    EXPECT_EQ(chip.products.empty(), chip.usualDevice.empty());
    if (!chip.products.empty()) {
      EXPECT_TRUE(chip.limits);
    }
    if (auto* device = findGpuModel(chip.usualDevice, chip.target)) {
      EXPECT_EQ(device->target, chip.target);
    }
  }
}

// A row that was lost would only make its chip one without a row.
TEST(Chips, areThese) {
  std::vector<std::string> targets, models;
  for (const Chip& chip : allChips())
    targets.push_back(chip.target.str());
  EXPECT_THAT(targets,
              ElementsAre("cuda:70", "cuda:72", "cuda:75", "cuda:80", "cuda:86", "cuda:87",
                          "cuda:89", "cuda:90", "cuda:100", "cuda:101", "cuda:103", "cuda:107",
                          "cuda:110", "cuda:120", "cuda:121", "hip:gfx906", "hip:gfx908",
                          "hip:gfx90a", "hip:gfx942", "hip:gfx942-strict", "hip:gfx950",
                          "hip:gfx1100", "hip:gfx1101", "hip:gfx1102", "hip:gfx1103", "hip:gfx1150",
                          "hip:gfx1151", "hip:gfx1152", "hip:gfx1153", "hip:gfx1200", "hip:gfx1201",
                          "hip:gfx1250", "hip:gfx1250-strict", "hip:gfx1251"))
      << "a row of chips/Chips.cpp came or went: this list names them all";
  for (const GpuModel& model : allGpuModels())
    models.push_back(model.name.str());
  EXPECT_THAT(models, UnorderedElementsAreArray({"B300",
                                                 "B200",
                                                 "GH200 480GB",
                                                 "GH200",
                                                 "H200",
                                                 "H100 PCIe",
                                                 "H100 NVL",
                                                 "H100",
                                                 "H800",
                                                 "H20",
                                                 "A100-SXM4-80GB",
                                                 "A100 80GB",
                                                 "A100",
                                                 "A800",
                                                 "A30",
                                                 "A40",
                                                 "A10",
                                                 "RTX A6000",
                                                 "RTX 3090",
                                                 "RTX 3080",
                                                 "L40S",
                                                 "L40",
                                                 "L4",
                                                 "RTX 6000 Ada",
                                                 "RTX 4090",
                                                 "RTX 4080",
                                                 "RTX 5090",
                                                 "RTX 5080",
                                                 "T4",
                                                 "MI355X",
                                                 "MI350X",
                                                 "MI325X",
                                                 "MI300X",
                                                 "MI300A",
                                                 "RX 7900 XTX",
                                                 "RX 7900 XT",
                                                 "W7900",
                                                 "RX 9070 XT",
                                                 "RX 9070"}))
      << "a row of chips/GpuModels.cpp came or went: this list names them all";
}

// A figure that nobody has looked up is missing, and the row is named here: no other may lack them.
TEST(Chips, limitsAreKnown) {
  std::vector<std::string> unknown;
  for (const Chip& chip : allChips()) {
    SCOPED_TRACE(chip.target.str());
    if (!chip.limits) {
      unknown.push_back(chip.target.str());
      continue;
    }
    const Limits& limits = *chip.limits;
    EXPECT_GT(limits.sharedPerProgram, 0);
    EXPECT_GE(limits.sharedPerUnit, limits.sharedPerProgram);
    EXPECT_GE(limits.registersPerThread, 255u);
    // One program of the most threads fits with the fewest registers.
    EXPECT_GE(limits.registersPerUnit, mostThreadsPerProgram * 32);
    EXPECT_GE(limits.warpsPerUnit * chip.warpSize, mostThreadsPerProgram);
    EXPECT_GT(limits.programsPerUnit, 0u);
    EXPECT_EQ(limits.tensorColumns != 0, chip.has(Feature::TensorMemory));
    EXPECT_EQ(limits.namedBarriers, chip.vendor() == Vendor::Nvidia ? 16u : 0u);
  }
  EXPECT_THAT(unknown, ElementsAre("cuda:70", "cuda:72", "cuda:101", "cuda:107", "hip:gfx908"));
}

// Code is made for every chip of the table. Triton compiles for gfx1154 and gfx117x, too, which
// LLVM 22 does not know.
TEST(Chips, codeIsMade) {
  for (const Chip& chip : allChips())
    EXPECT_FALSE(chip.processor.empty()) << chip.target.str();
  EXPECT_NE(findChip("hip:gfx1170")->target, "hip:gfx1170");
}

TEST(Chips, generationsOfAmd) {
  using enum AmdGeneration;
  for (auto [target, generation] : {std::pair("hip:gfx906", Gcn5),
                                    {"hip:gfx908", Cdna1},
                                    {"hip:gfx90a", Cdna2},
                                    {"hip:gfx942", Cdna3},
                                    {"hip:gfx950", Cdna4},
                                    {"hip:gfx1151", Rdna3},
                                    {"hip:gfx1200", Rdna4},
                                    {"hip:gfx1251", Cdna5}})
    EXPECT_EQ(amdGenerationOf(*findChip(target)), generation) << target;
  EXPECT_FALSE(amdGenerationOf(*findChip("cuda:90")));
}

TEST(Chips, areCalledByTheirProductsAndArchitectures) {
  for (auto [target, word] : {std::pair("cuda:90", "h100"),
                              {"cuda:90", "Hopper"},
                              {"cuda:90", "GH200"},
                              {"cuda:103", "Blackwell Ultra"},
                              {"cuda:120", "RTX 50"},
                              {"cuda:120", "rtx"},
                              {"hip:gfx942", "cdna3"},
                              {"hip:gfx942", "CDNA 3"},
                              {"hip:gfx942", "MI300"},
                              {"hip:gfx942", "MI300X"},
                              {"hip:gfx906", "mi50"}})
    EXPECT_TRUE(isCalled(*findChip(target), word)) << target << ", " << word;
  for (const Chip& chip : allChips())
    for (const char* word : {"", " ", "H", "3", "50", "300"})
      EXPECT_FALSE(isCalled(chip, word)) << chip.target.str() << ", " << word;
}

// Lists are shown from old to new, and a chip keeps what older ones of its vendor have but for the
// products of warp groups and the order of their scales.
TEST(Chips, newerOnesKeepWhatOlderOnesHave) {
  const Chip* older = nullptr;
  for (const Chip& chip : allChips()) {
    if (chip.vendor() != Vendor::Nvidia) continue;
    if (older) {
      EXPECT_LT(older->capability(), chip.capability());
      Features kept = chip.features |
                      Features{Feature::WarpGroupMma, Feature::TensorMemory, Feature::ScalesAlongK};
      EXPECT_EQ(older->features | kept, kept) << older->target.str() << ", " << chip.target.str();
    }
    older = &chip;
  }
}

TEST(Chips, targetsWithoutARowResembleOne) {
  EXPECT_EQ(findChip("cuda:91"), nullptr) << "its limits are not known";
  EXPECT_EQ(closestChip("cuda:91")->target, "cuda:90");
  const Chip* newest = nullptr;
  for (const Chip& chip : allChips())
    if (chip.vendor() == Vendor::Nvidia) newest = &chip;
  EXPECT_EQ(closestChip("cuda:999"), newest);
  EXPECT_EQ(closestChip("cuda:60"), nullptr);
  EXPECT_EQ(findChip("cuda:900"), nullptr);
  EXPECT_EQ(findChip("hip:gfx940")->target, "hip:gfx942");
  EXPECT_EQ(findChip("hip:gfx1170")->target, "hip:gfx1100");
  EXPECT_EQ(findChip("hip:gfx1202")->target, "hip:gfx1200");
  EXPECT_EQ(findChip("hip:gfx1252")->target, "hip:gfx1250") << "not of RDNA4's family";
  EXPECT_EQ(findChip("hip:gfx1030"), nullptr);
  EXPECT_EQ(featuresOf("hip:gfx1030"), Features());
  EXPECT_EQ(featuresOf(""), Features());
  EXPECT_EQ(Target().features, findChip(standardTarget)->features);
}

// Triton's rule: 32 lanes from generation 10 on, whatever the chip.
TEST(Chips, warpsOfArchitecturesWithoutARow) {
  EXPECT_EQ(Target::parse("hip:gfx909")->warpSize, 64u);
  EXPECT_EQ(Target::parse("hip:gfx1030")->warpSize, 32u);
  EXPECT_FALSE(Target::parse("hip:gfx"));
  EXPECT_FALSE(Target::parse("cuda:sm_90"));
  EXPECT_FALSE(Target::parse("H100"));
}

// Menus and schemas of settings test a name with a pattern.
TEST(Chips, patternOfTargets) {
  llvm::Regex pattern("^(" + targetPattern.str() + ")$");
  std::string why;
  ASSERT_TRUE(pattern.isValid(why)) << why;
  for (const Chip& chip : allChips())
    EXPECT_TRUE(pattern.match(chip.target)) << chip.target.str();
  for (llvm::StringRef text : {"",
                               "cuda",
                               "cuda:",
                               "cuda:9",
                               "cuda:49",
                               "cuda:50",
                               "cuda:99",
                               "cuda:100",
                               "cuda:999",
                               "cuda:9000",
                               "cuda:090",
                               "cuda:+90",
                               "cuda:sm_90",
                               "sm_90",
                               "hip:942",
                               "hip:gfx",
                               "hip:gfx1",
                               "hip:gfx42",
                               "hip:gfx803",
                               "hip:gfx90a",
                               "hip:gfx90z",
                               "hip:gfx9-generic",
                               "hip:gfx1030",
                               "hip:gfx1250-strict",
                               "hip:gfx1250-other",
                               "hip:gfx000",
                               "hip:gfx942; rm",
                               " cuda:90",
                               "rocm:gfx942"})
    EXPECT_EQ(pattern.match(text), Target::parse(text).has_value()) << text.str();
}

TEST(Chips, capabilityThatTorchReports) {
  EXPECT_EQ(reportedCapability("cuda:90"), std::pair(9u, 0u));
  EXPECT_EQ(reportedCapability("cuda:103"), std::pair(10u, 3u));
  EXPECT_EQ(reportedCapability("hip:gfx90a"), std::pair(9u, 0u));
  EXPECT_EQ(reportedCapability("hip:gfx942"), std::pair(9u, 4u));
  EXPECT_EQ(reportedCapability("hip:gfx1201"), std::pair(12u, 0u));
  EXPECT_EQ(reportedCapability("hip:gfx1250-strict"), std::pair(12u, 5u));
}

TEST(Chips, oldestThatHasAFeature) {
  EXPECT_EQ(oldestWith(Feature::AsyncCopy), "sm_80");
  EXPECT_EQ(oldestWith(Feature::Tma), "sm_90");
}

TEST(Chips, thoseThatHaveAFeatureInWords) {
  EXPECT_EQ(chipsWith(Feature::Tma), "Hopper or later (cuda:90)");
  EXPECT_EQ(chipsWith(Feature::WarpGroupMma), "Hopper (cuda:90)");
  // Both ends of the row of chips, until the newest has tensor memory again.
  EXPECT_THAT(chipsWith(Feature::TensorMemory), StartsWith("Blackwell "));
  EXPECT_EQ(chipsWith(Feature::Clusters, Vendor::Amd), "gfx1250 (hip:gfx1250 to hip:gfx1251)");
  EXPECT_EQ(chipsWith(Feature::Xf32), "");
}

TEST(Chips, asynchronousCopies) {
  auto sizes = [](llvm::StringRef target) { return asyncCopyBytes(*findChip(target)).vec(); };
  EXPECT_THAT(sizes("cuda:75"), ElementsAre());
  EXPECT_THAT(sizes("cuda:90"), ElementsAre(4, 8, 16));
  EXPECT_THAT(sizes("hip:gfx942"), ElementsAre(4));
  EXPECT_THAT(sizes("hip:gfx950"), ElementsAre(4, 16));
  EXPECT_THAT(sizes("hip:gfx1100"), ElementsAre());
  EXPECT_THAT(sizes("hip:gfx1250"), ElementsAre(1, 4, 8, 16));
  for (const Chip& chip : allChips())
    for (unsigned bytes : asyncCopyBytes(chip))
      EXPECT_LE(bytes, widestAccessBytes) << chip.target.str();
}

TEST(Chips, vendors) {
  EXPECT_EQ(vendorOf("hip:gfx942"), Vendor::Amd);
  EXPECT_EQ(vendorOf("cuda:777"), Vendor::Nvidia);
  EXPECT_FALSE(vendorOf("hip"));
  EXPECT_FALSE(isAmd("gfx942"));
}

TEST(Chips, otherListsNameRows) {
  for (const GluonModule& module : gluonModules()) {
    const Chip* chip = findChip(module.target);
    ASSERT_TRUE(chip && chip->target == module.target) << module.name.str();
    EXPECT_EQ(chip->vendor() == Vendor::Nvidia, module.vendor == "nvidia") << module.name.str();
  }
  for (const Chip& chip : allChips()) { // rows of BlackwellFeatures.cpp
    BlackwellFeatures parts = blackwellPartsOf(chip);
    bool hasParts = parts.integerProducts || parts.reducingLoads || parts.floatRedux;
    EXPECT_EQ(hasParts, chip.has(Feature::TensorMemory) && !chip.processor.empty())
        << chip.target.str();
  }
  for (const GpuModel& model : allGpuModels()) {
    const Chip* chip = findChip(model.target);
    ASSERT_TRUE(chip && chip->target == model.target) << model.name.str();
    EXPECT_GT(model.bandwidth, 0) << model.name.str();
    EXPECT_EQ(findGpuModel(model.name, model.target), &model)
        << model.name.str() << " stands after a shorter name that it holds";
    bool isAmd = chip->vendor() == Vendor::Amd;
    bool hasFp8 =
        isAmd ? chip->mfmaVersion >= 3 || chip->wmmaVersion >= 2 : chip->has(Feature::Fp8);
    EXPECT_EQ(model.tf32 > 0, chip->has(isAmd ? Feature::Xf32 : Feature::AmpereMma))
        << model.name.str();
    EXPECT_EQ(model.fp8 > 0, hasFp8) << model.name.str();
  }
}

TEST(Chips, matrixInstructionsAreThoseOfSomeChip) {
  for (const Chip& chip : allChips()) {
    SCOPED_TRACE(chip.target.str());
    if (chip.wmmaVersion) {
      EXPECT_TRUE(hasWmmaShape(chip.wmmaVersion, {16, 16, chip.wmmaVersion == 3 ? 32u : 16u}));
    }
    if (const GroupProduct* product = groupProductOf(chip.features)) {
      EXPECT_TRUE(chip.has(product->feature));
      EXPECT_LE(product->leastM, product->mostM);
      EXPECT_LE(product->leastN, product->mostN);
    }
  }
  EXPECT_FALSE(hasWmmaShape(1, {16, 16, 32}));
  EXPECT_TRUE(wmmaKs(1, 8, /*isFloat=*/true).empty());
  EXPECT_EQ(wmmaKs(3, 8, true), (llvm::ArrayRef<unsigned>{64, 128}));
  EXPECT_EQ(wmmaKs(3, 8, false), llvm::ArrayRef<unsigned>{64});
  for (unsigned version : {1, 2, 3})
    for (unsigned bits : {8, 16, 32})
      for (bool isFloat : {false, true})
        for (unsigned k : wmmaKs(version, bits, isFloat))
          EXPECT_TRUE(hasWmmaShape(version, {16, 16, k})) << version << ", " << k;
  using Ks = llvm::SmallVector<unsigned, 2>;
  EXPECT_EQ(mfmaKs(4, MfmaOperand::Float16, {16, 16}), (Ks{16, 32}));
  EXPECT_EQ(mfmaKs(3, MfmaOperand::Float16, {16, 16}), Ks{16});
  EXPECT_TRUE(mfmaKs(2, MfmaOperand::Float8, {16, 16}).empty());
}

// Products with scales are instructions of some version, too.
TEST(Chips, scaledProductsAreMatrixInstructions) {
  for (unsigned m : {4u, 16u, 32u, 64u})
    for (unsigned n : {4u, 16u, 32u, 64u})
      for (unsigned k : {4u, 16u, 32u, 64u, 128u}) {
        Mnk shape = {m, n, k};
        std::array<unsigned, 2> tile = {m, n};
        EXPECT_TRUE(!hasScaledWmmaShape(shape, true) || hasWmmaShape(3, shape));
        EXPECT_TRUE(!hasScaledWmmaShape(shape, false) || hasScaledWmmaShape(shape, true));
        EXPECT_TRUE(!hasScaledMfmaShape(shape) || llvm::is_contained(mfmaTiles(), tile));
      }
  EXPECT_TRUE(hasScaledMfmaShape({16, 16, 128}));
  EXPECT_TRUE(hasScaledWmmaShape({32, 16, 128}, true));
  EXPECT_FALSE(hasScaledWmmaShape({32, 16, 128}, false));
}

TEST(Chips, codeOptionsAreSetByTextAndWrittenBack) {
  CodeOptions options;
  EXPECT_EQ(textOf(options), "");
  auto set = [&](llvm::StringRef name, llvm::StringRef value) {
    return findCodeOption(name, Vendor::Amd)->set(options, value);
  };
  EXPECT_TRUE(set("enable_fp_fusion", "false") && set("allow_flush_denorm", "true") &&
              set("waves_per_eu", "2") && set("wgp_cu_mode", "cu") &&
              set("llvm_fn_attrs", "noinline, a=b"));
  EXPECT_EQ(textOf(options), "enable_fp_fusion=false;allow_flush_denorm=true;waves_per_eu=2;"
                             "wgp_cu_mode=cu;llvm_fn_attrs=noinline,a=b;");
  for (auto [name, value] : {std::pair("enable_fp_fusion", "2"),
                             {"waves_per_eu", "-1"},
                             {"waves_per_eu", "99999"},
                             {"waves_per_eu", "many"},
                             {"wgp_cu_mode", "both"},
                             {"llvm_fn_attrs", "=b"}})
    EXPECT_FALSE(set(name, value)) << name << "=" << value;
  EXPECT_FALSE(findCodeOption("waves_per_eu", Vendor::Nvidia));
  EXPECT_TRUE(findCodeOption("enable_fp_fusion", Vendor::Nvidia));
}

TEST(Chips, usualDevicesHaveAllFigures) {
  for (const Chip& chip : allChips()) {
    if (chip.products.empty()) continue;
    EXPECT_FALSE(usualDevice(chip.target).empty()) << chip.target.str();
    EXPECT_TRUE(chip.limits) << chip.target.str();
  }
  EXPECT_EQ(usualUnits("cuda:90"), 132u);
  EXPECT_EQ(usualUnits("hip:gfx942"), 304u);
  EXPECT_EQ(usualUnits("hip:gfx1100"), 48u); // WGPs, as HIP counts them
  EXPECT_EQ(usualUnits("cuda:999"), 132u);
}

} // namespace
} // namespace gluond::chips
