#include "layout/access/TransposedAccess.h"

#include "chips/Vendor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

const TransposedLoad* transposedLoadOf(const chips::Chip& chip, unsigned elementBits) {
  constexpr unsigned lane = TransposedLoad::lane;
  static constexpr TransposedLoad cdna4[] = {
      {"ds_read_b64_tr_b16", 16, 2, 2, {lane + 2, lane + 3, 0, 1, lane + 4}},
      {"ds_read_b64_tr_b8", 8, 3, 3, {lane + 3, 0, 1, 2, lane + 4}},
      {"ds_read_b64_tr_b4", 4, 4, 4, {0, 1, 2, 3, lane + 4}}};
  static constexpr TransposedLoad cdna5[] = {
      {"ds_load_tr16_b128", 16, 3, 3, {0, 1, 2, lane + 3, lane + 4}},
      {"ds_load_tr8_b64", 8, 3, 3, {0, 1, lane + 3, 2, lane + 4}},
      {"ds_load_tr4_b64", 4, 4, 4, {0, 1, 2, lane + 4, 3}}};
  llvm::ArrayRef<TransposedLoad> loads;
  auto generation = chips::amdGenerationOf(chip);
  if (generation == chips::AmdGeneration::Cdna4) loads = cdna4;
  if (generation == chips::AmdGeneration::Cdna5) loads = cdna5;
  const auto* found = llvm::find_if(
      loads, [&](const TransposedLoad& load) { return load.elementBits == elementBits; });
  return found == loads.end() ? nullptr : found;
}

std::optional<MatrixAccess> transposedAccess(const LinearLayout& toOffsets,
                                             const TransposedLoad& load, const Padding& padding) {
  uint64_t run = uint64_t(1) << load.runBits, withinRun = run - 1;
  if (!padding.keeps(static_cast<int64_t>(run)) || toOffsets.outDims() != Dims{Dim::Offset} ||
      !toOffsets.hasIn(Dim::Register) || !toOffsets.hasIn(Dim::Lane) || !toOffsets.hasIn(Dim::Warp))
    return std::nullopt;
  f2::Columns registers = toOffsets.columns(Dim::Register), lanes = toOffsets.columns(Dim::Lane);
  if (registers.size() < load.resultBits || lanes.size() < load.runBits + 1) return std::nullopt;
  for (unsigned bit = 0; bit < lanes.size(); ++bit)
    if ((lanes[bit] & withinRun) != (bit < load.runBits ? uint64_t(1) << bit : 0) ||
        (bit < load.runBits && lanes[bit] & ~withinRun))
      return std::nullopt;
  for (Dim dim : {Dim::Register, Dim::Warp})
    for (uint64_t column : toOffsets.columns(dim))
      if (column & withinRun) return std::nullopt;

  MatrixAccess access;
  access.isTransposed = true;
  f2::ColumnVector instructions, runs;
  for (unsigned bit = 0; bit < registers.size(); ++bit) {
    if (bit < load.resultBits) {
      access.wordBits.push_back(bit);
      continue;
    }
    access.instructionBits.push_back(bit);
    instructions.push_back(registers[bit]);
  }
  for (unsigned source : load.sources)
    runs.push_back(source < TransposedLoad::lane ? registers[source]
                                                 : lanes[source - TransposedLoad::lane]);
  for (size_t bit = runs.size(); bit < lanes.size(); ++bit)
    runs.push_back(lanes[bit]);
  access.rows = LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, toOffsets.outSize(Dim::Offset))
                    .sublayout({}, {Dim::Offset})
                    .appendIn(Dim::Register, instructions)
                    .appendIn(Dim::Lane, runs)
                    .appendIn(Dim::Warp, toOffsets.columns(Dim::Warp));
  if (!access.rows.valid()) return std::nullopt;
  return access;
}

} // namespace gluond::layout
