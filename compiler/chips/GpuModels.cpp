#include "chips/GpuModels.h"

#include "chips/Vendor.h"

namespace gluond::chips {

// NVIDIA's data sheets, without sparsity, at boost clock: A100 (2021), A10, A30, A40 (2021), H100
// (2023), H200 and H20 (2024), GH200 (2024), L4, L40 and L40S (2023), the Ada and Blackwell GPU
// architecture whitepapers for RTX cards (fp16 with fp32 accumulation), B200 and B300 from the HGX
// data sheet, an eighth of a board each. AMD's data sheets of MI300A, MI300X (2023), MI325X (2024),
// MI350X and MI355X (2025), and its product pages of RX 7900, W7900 and RX 9070. A longer name
// precedes a shorter one that it contains.
static constexpr GpuModel models[] = {
    // name, target, GB/s, tf32, fp16, fp8, i8, fp64, fp32
    {"B300", "cuda:103", 8000, 1125, 2250, 4500, 150, 1.2, 75},
    {"B200", "cuda:100", 8000, 1125, 2250, 4500, 4500, 37, 75},
    {"GH200 480GB", "cuda:90", 4000, 494.5, 989.5, 1979, 1979, 67, 67},
    {"GH200", "cuda:90", 4900, 494.5, 989.5, 1979, 1979, 67, 67},
    {"H200", "cuda:90", 4800, 494.5, 989.5, 1979, 1979, 67, 67},
    {"H100 PCIe", "cuda:90", 2000, 378, 756, 1513, 1513, 51, 51},
    {"H100 NVL", "cuda:90", 3900, 417.5, 835.5, 1671, 1671, 60, 60},
    {"H100", "cuda:90", 3350, 494.5, 989.5, 1979, 1979, 67, 67},
    {"H800", "cuda:90", 3350, 494.5, 989.5, 1979, 1979, 1, 67},
    {"H20", "cuda:90", 4000, 74, 148, 296, 296, 1, 44},
    {"A100-SXM4-80GB", "cuda:80", 2039, 156, 312, 0, 624, 19.5, 19.5},
    {"A100 80GB", "cuda:80", 1935, 156, 312, 0, 624, 19.5, 19.5},
    {"A100", "cuda:80", 1555, 156, 312, 0, 624, 19.5, 19.5},
    {"A800", "cuda:80", 2039, 156, 312, 0, 624, 19.5, 19.5},
    {"A30", "cuda:80", 933, 82, 165, 0, 330, 10.3, 10.3},
    {"A40", "cuda:86", 696, 74.8, 149.7, 0, 299.3, 0, 37.4},
    {"A10", "cuda:86", 600, 62.5, 125, 0, 250, 0, 31.2},
    {"RTX A6000", "cuda:86", 768, 77.4, 154.8, 0, 309.7, 0, 38.7},
    {"RTX 3090", "cuda:86", 936, 35.6, 71, 0, 284, 0, 35.6},
    {"RTX 3080", "cuda:86", 760, 29.8, 59.5, 0, 238, 0, 29.8},
    {"L40S", "cuda:89", 864, 183, 362, 733, 733, 0, 91.6},
    {"L40", "cuda:89", 864, 90.5, 181, 362, 362, 0, 90.5},
    {"L4", "cuda:89", 300, 60, 121, 242.5, 242.5, 0, 30.3},
    {"RTX 6000 Ada", "cuda:89", 960, 182, 364, 728, 728, 0, 91.1},
    {"RTX 4090", "cuda:89", 1008, 82.6, 165.2, 330.3, 660.6, 0, 82.6},
    {"RTX 4080", "cuda:89", 717, 48.7, 97.5, 194.9, 389.9, 0, 48.7},
    {"RTX 5090", "cuda:120", 1792, 104.8, 209.5, 419, 838, 0, 104.8},
    {"RTX 5080", "cuda:120", 960, 56.3, 112.6, 225.1, 450.2, 0, 56.3},
    {"T4", "cuda:75", 320, 0, 65, 0, 130, 0, 8.1},
    {"MI355X", "hip:gfx950", 8000, 0, 2516.6, 5033.2, 5033.2, 78.6, 157.3},
    {"MI350X", "hip:gfx950", 8000, 0, 2306.9, 4613.7, 4613.7, 72.1, 144.2},
    {"MI325X", "hip:gfx942", 6000, 653.7, 1307.4, 2614.9, 2614.9, 163.4, 163.4},
    {"MI300X", "hip:gfx942", 5300, 653.7, 1307.4, 2614.9, 2614.9, 163.4, 163.4},
    {"MI300A", "hip:gfx942", 5300, 490.3, 980.6, 1961.2, 1961.2, 122.6, 122.6},
    {"RX 7900 XTX", "hip:gfx1100", 960, 0, 122.8, 0, 122.8, 0, 61.4},
    {"RX 7900 XT", "hip:gfx1100", 800, 0, 103, 0, 103, 0, 51.5},
    {"W7900", "hip:gfx1100", 864, 0, 122.6, 0, 122.6, 0, 61.3},
    {"RX 9070 XT", "hip:gfx1201", 640, 0, 195, 389, 389, 0, 48.7},
    {"RX 9070", "hip:gfx1201", 640, 0, 145, 289, 289, 0, 36.1},
};

double GpuModel::matrixRate(llvm::StringRef type) const {
  if (type == "fp16" || type == "bf16") return fp16;
  if (type == "tf32") return tf32;
  if (type == "fp8") return fp8;
  if (type == "i8") return i8;
  if (type == "fp64") return fp64;
  return type == "fp32" ? fp32 : 0;
}

llvm::ArrayRef<GpuModel> allGpuModels() {
  return models;
}

const GpuModel* findGpuModel(llvm::StringRef deviceName, llvm::StringRef target) {
  for (const GpuModel& model : models) {
    if (model.target != target) continue;
    // A whole word: "NVIDIA L4" is no L40.
    for (size_t at = deviceName.find(model.name); at != llvm::StringRef::npos;
         at = deviceName.find(model.name, at + 1)) {
      llvm::StringRef after = deviceName.drop_front(at + model.name.size());
      bool begins = at == 0 || deviceName[at - 1] == ' ',
           ends = after.empty() || after[0] == ' ' || after[0] == '-';
      if (begins && ends) return &model;
    }
  }
  return nullptr;
}

llvm::StringRef usualDevice(llvm::StringRef target) {
  const Chip* chip = findChip(target);
  return chip && chip->target == target ? chip->usualDevice : llvm::StringLiteral("");
}

unsigned usualUnits(llvm::StringRef target) {
  constexpr unsigned likely = 132, likelyOfAmd = 256;
  const Chip* chip = findChip(target);
  if (chip && chip->units) return chip->units;
  return isAmd(target) ? likelyOfAmd : likely;
}

std::pair<unsigned, unsigned> reportedCapability(llvm::StringRef target) {
  if (!isAmd(target)) {
    unsigned number = capabilityOf(target);
    return {number / 10, number % 10};
  }
  llvm::StringRef digits = target.split(":gfx").second;
  digits.consume_back("-strict");
  unsigned major = 0;
  digits.drop_back(2).getAsInteger(10, major);
  unsigned minor = 0;
  digits.take_back(2).take_front().getAsInteger(16, minor);
  return {major, minor};
}

} // namespace gluond::chips
