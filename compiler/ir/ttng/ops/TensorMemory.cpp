#include "ir/ttng/TensorMemory.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"
#include "layout/instructions/TmemRegisters.h"
#include "layout/named/Properties.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using layout::LinearLayout;

TMemAllocation getTmemAllocSizes(ttg::MemDescType type) {
  LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid() || !linear.hasIn(Dim::Row)) return {};
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  TMemAllocation result{linear.inSize(Dim::Row),
                        static_cast<int64_t>(llvm::divideCeil(linear.inSize(Dim::Col) * bits, 32))};
  // One block of 16 rows for each warp: the other 16 are left to somebody else.
  constexpr unsigned log2Of16 = 4;
  if (linear.inBits(Dim::Row) > log2Of16 &&
      llvm::all_of(linear.basis(Dim::Row, log2Of16), [](int32_t v) { return v == 0; }))
    result.numRows /= 2;
  if (type.getRank() > 2) result.numCols *= type.getDimSize(0);
  return result;
}

int maxRegisters(Operation* op) {
  auto module = op->getParentOfType<ModuleOp>();
  int result = 256;
  if (!module) return result;
  for (; op != module; op = op->getParentOp()) {
    Operation* parent = op->getParentOp();
    std::optional<int32_t> limit;
    if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(parent)) {
      auto specialize = dyn_cast<ttg::WarpSpecializeOp>(partitions->getParentOp());
      if (!specialize) continue;
      unsigned index = op->getParentRegion()->getRegionNumber();
      if (auto actual = specialize.getActualRegisters(); actual && index + 1 < actual->size())
        limit = (*actual)[index + 1];
      else if (auto requested = specialize.getRequestedRegisters();
               !actual && requested && index < requested->size())
        limit = (*requested)[index];
    } else if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(parent)) {
      if (auto actual = specialize.getActualRegisters(); actual && !actual->empty())
        limit = actual->front();
    }
    if (!limit) continue;
    result = std::min(result, *limit);
    break;
  }
  // ptxas checks the message size against the module's limit, whatever the partition has.
  if (auto attr = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersAttr))
    result = std::min(result, static_cast<int>(attr.getInt()));
  return result;
}

// `access` with its first register bits being `tile`'s, in any order; nothing where it lacks one.
static std::optional<LinearLayout> registersOfTileFirst(const LinearLayout& access,
                                                        const LinearLayout& tile) {
  layout::f2::ColumnVector registers(access.columns(Dim::Register)), first;
  for (unsigned i = 0; i < tile.inBits(Dim::Register); ++i) {
    uint64_t wanted = access.pack(
        {tile.basis(Dim::Register, i, Dim::Row), tile.basis(Dim::Register, i, Dim::Col)});
    auto* found = llvm::find(registers, wanted);
    if (found == registers.end()) return std::nullopt;
    first.push_back(*found);
    registers.erase(found);
  }
  first.append(registers.begin(), registers.end());
  return access.withColumns(Dim::Register, first);
}

// Whether `access` is the tile, repeated at places that the tile does not touch.
static bool repeats(const LinearLayout& access, const LinearLayout& tile) {
  uint64_t mask = 0;
  SmallVector<int32_t> reach(2);
  for (Dim in : tile.inDims())
    for (unsigned i = 0; i < tile.inBits(in); ++i) {
      reach[0] |= tile.basis(in, i, Dim::Row);
      reach[1] |= tile.basis(in, i, Dim::Col);
    }
  if (reach[0] >= access.outSize(Dim::Row) || reach[1] >= access.outSize(Dim::Col)) return false;
  mask = access.pack(reach);
  for (Dim in : access.inDims()) {
    auto columns = access.columns(in);
    unsigned bits = tile.hasIn(in) ? tile.inBits(in) : 0;
    if (bits > columns.size()) return false;
    for (unsigned i = 0; i < columns.size(); ++i)
      if (i < bits ? columns[i] !=
                         access.pack({tile.basis(in, i, Dim::Row), tile.basis(in, i, Dim::Col)})
                   : (columns[i] & mask) != 0)
        return false;
  }
  return true;
}

// Whether the atom moves this, one register of each message at a time at least.
static bool fitsAtom(const LinearLayout& access, layout::TmemAtom atom, bool unpacked,
                     int maxRegisters) {
  LinearLayout tile = layout::tmemAtomTile(atom, unpacked, /*withWarp=*/true);
  if (!tile.valid()) return false;
  // A message has at most half of the registers; a quarter where several are needed and all may be
  // used.
  int64_t most = maxRegisters / 2;
  if (maxRegisters == 256 && access.inSize(Dim::Register) > most) most /= 2;
  if (most / tile.inSize(Dim::Register) < 1) return false;
  auto permuted = registersOfTileFirst(access, tile);
  return permuted && repeats(*permuted, tile);
}

static std::optional<TMemAccess> accessOf(LinearLayout access, int maxRegisters, unsigned bits,
                                          bool unpacked) {
  access = access.removeZeroBases(Dim::Register);
  if (bits < 32) {
    int64_t perCell = 32 / bits;
    auto zeros = [&] { return LinearLayout::zeros1D(1, Dim::Register, Dim::Col, perCell); };
    layout::IdentityPrefix packed =
        layout::divideIdentityPrefix(access, Dim::Register, Dim::Col, perCell);
    if (packed.size > 1)
      return accessOf(packed.rest, maxRegisters, bits * static_cast<unsigned>(packed.size), false);
    auto pairs =
        bits == 16
            ? access.divideLeft(zeros() * LinearLayout::identity1D(2, Dim::Register, Dim::Col))
            : std::nullopt;
    if (pairs) {
      auto result = accessOf(zeros() * *pairs, maxRegisters, 32, true);
      if (result) result->unpacked = true;
      return result;
    }
    // A register for each element.
    if (auto rest = access.divideLeft(zeros())) return accessOf(*rest, maxRegisters, 32, false);
    return std::nullopt;
  }
  using enum layout::TmemAtom;
  for (auto atom : {I32x32b, I16x256b, I16x64b, I16x128b, I16x32bx2})
    if (fitsAtom(access, atom, unpacked, maxRegisters)) return TMemAccess{};
  return std::nullopt;
}

std::optional<TMemAccess> tmemAccess(RankedTensorType tensor, ttg::MemDescType memory,
                                     int maxRegisters) {
  const LinearLayout& registers = ir::toLinearLayout(tensor);
  LinearLayout cells = ir::toLinearLayout(memory);
  if (!registers.valid() || !cells.valid() || !cells.hasIn(Dim::Row) ||
      registers.outs() != cells.outs() || registers.inBits(Dim::Warp) < 2 ||
      cells.inBits(Dim::Row) < 7)
    return std::nullopt;
  auto access = registers.invertAndCompose(cells);
  if (access) access = access->quotient({Dim::Block});
  if (!access) return std::nullopt;
  // Warps 0 to 3 reach rows 0, 32, 64, 96 each, even where these are copies.
  if (registers.columns(Dim::Warp)[0] != cells.columns(Dim::Row)[5] ||
      registers.columns(Dim::Warp)[1] != cells.columns(Dim::Row)[6])
    return std::nullopt;
  layout::f2::ColumnVector warps(access->columns(Dim::Warp));
  warps[0] = access->pack({32, 0});
  warps[1] = access->pack({64, 0});
  unsigned bits = memory.getElementType().getIntOrFloatBitWidth();
  if (bits > 32) return std::nullopt;
  return accessOf(access->withColumns(Dim::Warp, warps), maxRegisters, bits, /*unpacked=*/false);
}

bool isTMemCompatible(Operation* op, RankedTensorType tensor, ttg::MemDescType memory) {
  return tmemAccess(tensor, memory, maxRegisters(op)).has_value();
}

// With 8 warps: if warp 4 has data along another dimension than warps 1, 2 and lane 16, those two
// change places, so that reductions stay in a warp.
static std::optional<LinearLayout> splitLongM(LinearLayout linear) {
  if (linear.inBits(Dim::Warp) < 3 || linear.inBits(Dim::Lane) < 5) return std::nullopt;
  for (Dim dim : linear.outDims()) {
    bool warp1 = linear.basis(Dim::Warp, 0, dim) == 0, warp2 = linear.basis(Dim::Warp, 1, dim) == 0,
         warp4 = linear.basis(Dim::Warp, 2, dim) == 0,
         lane16 = linear.basis(Dim::Lane, 4, dim) == 0;
    if (lane16 == warp4 || warp1 != warp2 || warp1 != lane16) continue;
    layout::f2::ColumnVector warps(linear.columns(Dim::Warp)), lanes(linear.columns(Dim::Lane));
    std::swap(warps[2], lanes[4]);
    return linear.withColumns(Dim::Warp, warps).withColumns(Dim::Lane, lanes);
  }
  return std::nullopt;
}

SmallVector<Attribute> tmemCompatibleLayouts(Operation* op, ttg::MemDescType memory) {
  SmallVector<Attribute> result;
  LinearLayout cells = ir::toLinearLayout(memory);
  unsigned numWarps = ttg::lookupNumWarps(op).value_or(0);
  unsigned bits = memory.getElementType().getIntOrFloatBitWidth();
  auto add = [&](const std::optional<LinearLayout>& linear) {
    if (linear) result.push_back(ttg::LinearEncodingAttr::get(op->getContext(), *linear));
  };
  using enum layout::TmemAtom;
  for (auto atom : {I32x32b, I16x256b, I16x128b, I16x64b})
    add(layout::tmemRegisterLayout(cells, atom, numWarps, bits));
  if (numWarps == 8)
    if (auto linear = layout::tmemRegisterLayout(cells, I32x32b, numWarps, bits))
      add(splitLongM(*linear));
  return result;
}

LogicalResult checkTMemLoadReduce(RankedTensorType tensor, ttg::MemDescType memory,
                                  int maxRegisters, function_ref<InFlightDiagnostic()> emitError) {
  auto fail = [&](StringRef what) -> LogicalResult {
    return emitError ? LogicalResult(emitError() << what) : failure();
  };
  auto access = tmemAccess(tensor, memory, maxRegisters);
  if (!access) return fail("failed to compute TMEM encoding info");
  if (access->unpacked) return fail("tmem_load reduction requires packed format (unpacked=false)");
  const LinearLayout& linear = ir::toLinearLayout(tensor);
  auto sizes = layout::basesPerDim(linear, Dim::Register);
  if (sizes[1] != linear.outSize(layout::tensorDim(1)))
    return fail("tmem_load reduction with N dimension sharded across threads is not supported.");
  if (sizes[0] != 1)
    return fail("tmem_load reduction with multiple M rows per thread is not supported.");
  return success();
}

} // namespace gluond::ttng
