#include "ir/ttng/TensorMemory.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"
#include "layout/instructions/TmemMessages.h"
#include "layout/named/Properties.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using layout::LinearLayout;

TMemAllocation getTmemAllocSizes(ttg::MemDescType type) {
  LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid() || !linear.hasIn(Dim::Row)) return {};
  int64_t bits = tt::bitWidth(type.getElementType());
  TMemAllocation result{linear.inSize(Dim::Row),
                        static_cast<int64_t>(llvm::divideCeil(linear.inSize(Dim::Col) * bits, 32))};
  // One block of 16 rows per warp: the other 16 rows stay free for other buffers.
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
  // ptxas checks the message size against the module's limit, whatever the partition's is.
  if (auto attr = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersAttr))
    result = std::min(result, static_cast<int>(attr.getInt()));
  return result;
}

std::optional<TMemAccess> tmemAccess(RankedTensorType tensor, ttg::MemDescType memory,
                                     int maxRegisters) {
  auto messages = layout::tmemMessages(ir::toLinearLayout(tensor), ir::toLinearLayout(memory),
                                       tt::bitWidth(memory.getElementType()), maxRegisters);
  if (!messages) return std::nullopt;
  return TMemAccess{.unpacked = messages->unpacked};
}

bool isTMemCompatible(Operation* op, RankedTensorType tensor, ttg::MemDescType memory) {
  return tmemAccess(tensor, memory, maxRegisters(op)).has_value();
}

// With 8 warps: if warp 4 has data along another dimension than warps 1, 2 and lane 16, those two
// are exchanged, so that reductions stay in a warp.
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
  unsigned bits = tt::bitWidth(memory.getElementType());
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
