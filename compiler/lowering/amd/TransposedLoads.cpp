// Loads from shared memory by which the lanes of a warp transpose a matrix
// (layout/access/TransposedAccess.h says when they fit).
#include "ir/amdg/Ops.h"
#include "layout/access/TransposedAccess.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"
#include "lowering/memory/SharedAccess.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

struct Instruction {
  llvm::StringLiteral name;
  unsigned intrinsic;
};
constexpr Instruction instructions[] = {
    {"ds_read_b64_tr_b16", In::amdgcn_ds_read_tr16_b64},
    {"ds_read_b64_tr_b8", In::amdgcn_ds_read_tr8_b64},
    {"ds_load_tr16_b128", In::amdgcn_ds_load_tr16_b128},
    {"ds_load_tr8_b64", In::amdgcn_ds_load_tr8_b64},
    {"ds_read_b64_tr_b4", In::amdgcn_ds_read_tr4_b64},
    {"ds_load_tr4_b64", In::amdgcn_ds_load_tr4_b64},
};
unsigned intrinsicOf(const layout::TransposedLoad& load) {
  const auto* found =
      llvm::find_if(instructions, [&](const Instruction& each) { return each.name == load.name; });
  assert(found != std::end(instructions));
  return found->intrinsic;
}

// Lanes read what others wrote. Where every lane reads what it wrote itself, no barrier stands
// between, and the compiler must be told.
void meetUnlessMet(FunctionEmitter& e) {
  for (llvm::Instruction& last : llvm::reverse(*e.b.GetInsertBlock())) {
    if (llvm::isa<llvm::FenceInst>(last)) return;
    if (last.mayWriteToMemory()) break;
  }
  e.warpBarrier();
}

} // namespace

bool AmdTarget::loadMatrices(FunctionEmitter& e, const SharedPlace& place, llvm::Type* element,
                             llvm::MutableArrayRef<llvm::Value*> values,
                             OnlyOffsets onlyOffsets) const {
  const layout::TransposedLoad* load = layout::transposedLoadOf(chip_, place.elementBits);
  if (!load || place.blocks || place.otherBlock) return false;
  auto access = layout::transposedAccess(place.offsets, *load, place.paddings());
  if (!access || !beginsWithRun(place, 1u << load->runBits)) return false;
  // All runs of an instruction are wanted, or none.
  if (onlyOffsets && access->rows.outputMask({Dim::Lane}, Dim::Offset) & onlyOffsets->first)
    return false;
  meetUnlessMet(e);
  unsigned count = 1u << load->resultBits, bits = count * place.elementBits;
  llvm::Type* vector = place.elementBits == 16
                           ? llvm::FixedVectorType::get(e.b.getInt16Ty(), count)
                           : llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  llvm::Type* wordVector = llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  forEachRow(
      e, place, *access,
      [&](llvm::Value* address, unsigned number) {
        llvm::CallInst* whole = e.intrinsic(intrinsicOf(*load), {vector}, {address});
        RegisterList words = elementsOf(e, e.b.CreateBitCast(whole, wordVector));
        for (auto [position, value] : llvm::enumerate(unpack(e, words, element, count)))
          values[access->registerOf(number, 0, position)] = value;
      },
      onlyOffsets);
  return true;
}

namespace {

// Pairs of 4-bit numbers that are neighbours along one dimension in memory, and along the other one
// in registers.
bool loadRepacked(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::LocalLoadPackedTransposedOp>(operation);
  auto type = mlir::cast<mlir::RankedTensorType>(op.getType());
  auto memory = mlir::cast<ttg::MemDescType>(op.getSrc().getType());
  const layout::TransposedLoad* load = layout::transposedLoadOf(chipOf(e), 4);
  auto rank = static_cast<unsigned>(type.getRank());
  bool isA = mlir::cast<ttg::DotOperandEncodingAttr>(type.getEncoding()).getOpIdx() == 0;
  layout::Dim rows = layout::tensorDim(rank - 2), columns = layout::tensorDim(rank - 1);
  // Both by single numbers: the lowest bit of a register, or of an offset, is the one of a pair.
  LinearLayout inRegisters =
      LinearLayout::identity1D(2, Dim::Register, isA ? columns : rows) * e.layoutOf(type);
  LinearLayout inMemory =
      LinearLayout::identity1D(2, Dim::Offset, isA ? rows : columns) * bufferLayout(memory);
  SharedPlace place;
  place.base = e.viewBase(op.getSrc());
  place.view = e.viewOffset(op.getSrc());
  place.padding = ttg::getPaddedEncoding(memory.getEncoding());
  place.elementBits = 8;
  std::optional<LinearLayout> offsets;
  if (load && inRegisters.valid() && inMemory.valid())
    offsets = inRegisters.transposeOuts(inMemory.outDims()).invertAndCompose(inMemory);
  std::optional<layout::MatrixAccess> access;
  if (offsets)
    access = layout::transposedAccess(
        offsets->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset}), *load);
  constexpr unsigned runBytes = 8;
  if (!access || !beginsWithRun(place, runBytes) || !place.paddings().keeps(runBytes) ||
      e.viewBlock(op.getSrc()))
    return e.fail(op, "the layouts do not fit the instruction that repacks 4-bit numbers");
  // Addresses are of bytes. Runs have 16 numbers: nothing is lost.
  layout::f2::ColumnVector ofRegister, ofLane, ofWarp;
  for (auto [dim, bytes] : {std::pair(Dim::Register, &ofRegister), std::pair(Dim::Lane, &ofLane),
                            std::pair(Dim::Warp, &ofWarp)})
    for (uint64_t column : access->rows.columns(dim))
      bytes->push_back(column >> 1);
  access->rows = access->rows.withColumns(Dim::Register, ofRegister)
                     .withColumns(Dim::Lane, ofLane)
                     .withColumns(Dim::Warp, ofWarp);
  meetUnlessMet(e);
  RegisterList values(e.registerCount(type));
  llvm::Type* vector = llvm::FixedVectorType::get(e.b.getInt32Ty(), runBytes / 4);
  forEachRow(e, place, *access, [&](llvm::Value* address, unsigned number) {
    RegisterList words = elementsOf(e, e.intrinsic(intrinsicOf(*load), {vector}, {address}));
    for (auto [pair, value] : llvm::enumerate(unpack(e, words, e.b.getInt8Ty(), runBytes)))
      values[access->registerOf(number, 0, 2 * pair) / 2] = value;
  });
  e.set(op.getResult(), values);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> transposedLoadOps() {
  static constexpr OpRow rows[] = {{"amdg.local_load_packed_transposed", loadRepacked}};
  return rows;
}

} // namespace gluond::lowering::amd
