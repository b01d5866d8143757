#include "chips/MatrixInstructions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::chips {

bool hasWmmaShape(unsigned version, Mnk shape) {
  struct Row {
    unsigned version;
    Mnk shape;
  };
  static constexpr Row rows[] = {
      {1, {16, 16, 16}},  {2, {16, 16, 16}}, {2, {16, 16, 32}},
      {3, {16, 16, 4}},   {3, {16, 16, 32}}, {3, {16, 16, 64}},
      {3, {16, 16, 128}}, {3, {32, 16, 64}}, {3, {32, 16, 128}},
  };
  return llvm::any_of(rows,
                      [&](const Row& row) { return row.version == version && row.shape == shape; });
}

llvm::ArrayRef<unsigned> wmmaKs(unsigned version, unsigned elementBits, bool isFloat) {
  struct Row {
    unsigned version, bits;
    bool isFloat;
    std::array<unsigned, 2> k; // the second is 0 if there is one only
  };
  static constexpr Row rows[] = {
      {1, 16, true, {16}}, {1, 8, false, {16}}, {2, 16, true, {16}},
      {2, 8, false, {16}}, {2, 8, true, {16}},  {3, 32, true, {4}},
      {3, 16, true, {32}}, {3, 8, false, {64}}, {3, 8, true, {64, 128}},
  };
  for (const Row& row : rows)
    if (row.version == version && row.bits == elementBits && row.isFloat == isFloat)
      return llvm::ArrayRef(row.k).take_front(row.k[1] ? 2 : 1);
  return {};
}

bool hasWmmaKWidth(unsigned version, unsigned kWidth) {
  if (version >= 3) return kWidth != 0;
  return kWidth == 8 || kWidth == 16 || (version == 2 && kWidth == 4);
}

bool leavesKernelEmpty(unsigned chipsVersion, unsigned version, bool isFloat8) {
  if (!chipsVersion || chipsVersion == version) return false;
  return chipsVersion >= 3 || version >= 3 || (version == 2 && isFloat8);
}

bool hasScaledMfmaShape(Mnk shape) {
  return shape == Mnk{32, 32, 64} || shape == Mnk{16, 16, 128};
}

bool hasScaledWmmaShape(Mnk shape, bool areOperandsFp4) {
  return shape == Mnk{16, 16, 128} || (areOperandsFp4 && shape == Mnk{32, 16, 128});
}

llvm::ArrayRef<std::array<unsigned, 2>> mfmaTiles() {
  static constexpr std::array<unsigned, 2> tiles[] = {{32, 32}, {16, 16}, {64, 4}, {4, 64}};
  return tiles;
}

unsigned mfmaVersionOn(unsigned chipsVersion, unsigned version) {
  return chipsVersion ? std::min(chipsVersion, version) : version;
}

unsigned bestMfmaVersion(unsigned chipsVersion, unsigned version, MfmaOperand operand) {
  bool isFixed = operand == MfmaOperand::Float8 || !chipsVersion;
  return isFixed ? mfmaVersionOn(chipsVersion, version) : chipsVersion;
}

llvm::SmallVector<unsigned, 2> mfmaKs(unsigned version, MfmaOperand operand,
                                      std::array<unsigned, 2> tile) {
  using enum MfmaOperand;
  struct Row {
    unsigned first, last; // versions that have it
    MfmaOperand operand;
    std::array<unsigned, 2> tile;
    unsigned k;
  };
  static constexpr std::array<unsigned, 2> square32{32, 32}, square16{16, 16}, high{64, 4},
      wide{4, 64};
  static constexpr Row rows[] = {
      {2, 4, Float64, square16, 4},   {1, 4, Float32, square32, 2},  {1, 4, Float32, square16, 4},
      {1, 4, Float32, high, 16},      {1, 4, Float32, wide, 16},     {1, 4, Float16, square32, 8},
      {1, 4, Float16, square16, 16},  {1, 4, Float16, high, 64},     {1, 4, Float16, wide, 64},
      {4, 4, Float16, square32, 16},  {4, 4, Float16, square16, 32}, {1, 1, BFloat16, square32, 4},
      {1, 2, BFloat16, square16, 8},  {2, 4, BFloat16, square32, 8}, {2, 4, BFloat16, square16, 16},
      {2, 4, BFloat16, high, 64},     {2, 4, BFloat16, wide, 64},    {4, 4, BFloat16, square32, 16},
      {4, 4, BFloat16, square16, 32}, {1, 2, Int8, square32, 8},     {1, 2, Int8, square16, 16},
      {1, 4, Int8, high, 64},         {1, 4, Int8, wide, 64},        {3, 4, Int8, square32, 16},
      {3, 4, Int8, square16, 32},     {4, 4, Int8, square32, 32},    {4, 4, Int8, square16, 64},
      {3, 4, Float8, square32, 16},   {3, 4, Float8, square16, 32},
  };
  llvm::SmallVector<unsigned, 2> ks;
  for (const Row& row : rows)
    if (row.first <= version && version <= row.last && row.operand == operand && row.tile == tile)
      ks.push_back(row.k);
  return ks;
}

const GroupProduct& groupProduct(Feature feature) {
  static constexpr GroupProduct wgmma = {Feature::WarpGroupMma, 64, 64, 8, 256, 8, 32,
                                         "warpgroup_mma"},
                                tcgen05 = {Feature::TensorMemory, 64, 128, 16, 256, 16, 32,
                                           "tcgen05_mma"};
  return feature == Feature::WarpGroupMma ? wgmma : tcgen05;
}

const GroupProduct* groupProductOf(Features features) {
  for (Feature feature : {Feature::WarpGroupMma, Feature::TensorMemory})
    if (features.has(feature)) return &groupProduct(feature);
  return nullptr;
}

} // namespace gluond::chips
