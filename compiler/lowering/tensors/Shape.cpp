// Ops that rename registers: the layout of the result is such that no element leaves its thread.
#include "ir/ttg/Ops.h"
#include "layout/named/Transforms.h"
#include "lowering/FunctionEmitter.h"
#include "lowering/Handlers.h"
#include "lowering/memory/SharedAccess.h"

namespace gluond::lowering {

namespace {

using layout::Coordinates;

// Gives each register of the result the source's register with the element that `toSource` tells:
// lanes and warps hold corresponding parts on both sides, so it is enough to look at thread 0.
bool rename(FunctionEmitter& e, mlir::Operation* op, mlir::Value source, const LinearLayout& from,
            mlir::Value result, llvm::function_ref<Coordinates(const Coordinates&)> toSource) {
  llvm::DenseMap<uint64_t, unsigned> byPlace;
  for (auto [i, place] : llvm::enumerate(registerPlaces(from)))
    byPlace.try_emplace(place, static_cast<unsigned>(i));
  const LinearLayout& to = e.layoutOf(result.getType());
  RegisterList registers;
  for (uint64_t place : registerPlaces(to)) {
    auto found = byPlace.find(from.pack(toSource(to.unpack(place))));
    if (found == byPlace.end())
      return e.fail(op, "the layout of the result would move elements between threads");
    registers.push_back(e.get(source)[found->second]);
  }
  e.set(result, registers);
  return true;
}

bool splat(FunctionEmitter& e, mlir::Operation* op) {
  e.set(op->getResult(0),
        RegisterList(e.registerCount(op->getResult(0).getType()), e.scalar(op->getOperand(0))));
  return true;
}

bool unsplat(FunctionEmitter& e, mlir::Operation* op) {
  e.set(op->getResult(0), e.get(op->getOperand(0)).front());
  return true;
}

bool expandDims(FunctionEmitter& e, mlir::Operation* op) {
  unsigned axis = mlir::cast<tt::ExpandDimsOp>(op).getAxis();
  return rename(e, op, op->getOperand(0), e.layoutOf(op->getOperand(0).getType()), op->getResult(0),
                [&](const Coordinates& at) {
                  Coordinates source = at;
                  source.erase(source.begin() + axis);
                  return source;
                });
}

bool broadcast(FunctionEmitter& e, mlir::Operation* op) {
  auto shape = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getShape();
  return rename(e, op, op->getOperand(0), e.layoutOf(op->getOperand(0).getType()), op->getResult(0),
                [&](const Coordinates& at) {
                  Coordinates source = at;
                  for (auto [size, coordinate] : llvm::zip(shape, source))
                    if (size == 1) coordinate = 0;
                  return source;
                });
}

bool transpose(FunctionEmitter& e, mlir::Operation* op) {
  llvm::ArrayRef<int32_t> order = mlir::cast<tt::TransOp>(op).getOrder();
  return rename(e, op, op->getOperand(0), e.layoutOf(op->getOperand(0).getType()), op->getResult(0),
                [&](const Coordinates& at) {
                  Coordinates source(at.size());
                  for (auto [i, from] : llvm::enumerate(order))
                    source[static_cast<size_t>(from)] = at[i];
                  return source;
                });
}

bool reshape(FunctionEmitter& e, mlir::Operation* op) {
  auto reshape = mlir::cast<tt::ReshapeOp>(op);
  auto type = mlir::cast<mlir::RankedTensorType>(reshape.getType());
  if (reshape.getAllowReorder() && e.registerCount(type) == e.get(reshape.getSrc()).size()) {
    e.set(reshape, e.get(reshape.getSrc()));
    return true;
  }
  LinearLayout from =
      layout::reshapeTensor(e.layoutOf(reshape.getSrc().getType()), type.getShape());
  return rename(e, op, reshape.getSrc(), from, reshape, [](const Coordinates& at) { return at; });
}

bool join(FunctionEmitter& e, mlir::Operation* op) {
  const LinearLayout& from = e.layoutOf(op->getOperand(0).getType());
  const LinearLayout& to = e.layoutOf(op->getResult(0).getType());
  llvm::DenseMap<uint64_t, unsigned> byPlace;
  for (auto [i, place] : llvm::enumerate(registerPlaces(from)))
    byPlace.try_emplace(place, static_cast<unsigned>(i));
  RegisterList registers;
  for (uint64_t place : registerPlaces(to)) {
    Coordinates at = to.unpack(place);
    unsigned side = static_cast<unsigned>(at.pop_back_val());
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end())
      return e.fail(op, "the layout of the result would move elements between threads");
    registers.push_back(e.get(op->getOperand(side))[found->second]);
  }
  e.set(op->getResult(0), registers);
  return true;
}

bool split(FunctionEmitter& e, mlir::Operation* op) {
  for (int32_t side = 0; side < 2; ++side)
    if (!rename(e, op, op->getOperand(0), e.layoutOf(op->getOperand(0).getType()),
                op->getResult(static_cast<unsigned>(side)), [&](const Coordinates& at) {
                  Coordinates source = at;
                  source.push_back(side);
                  return source;
                }))
      return false;
  return true;
}

bool concatenate(FunctionEmitter& e, mlir::Operation* op) {
  RegisterList registers = e.flatten(op->getOperands());
  if (registers.size() != e.registerCount(op->getResult(0).getType()))
    return e.fail(op, "the layout of the result repeats elements");
  e.set(op->getResult(0), registers);
  return true;
}

bool makeRange(FunctionEmitter& e, mlir::Operation* op) {
  auto range = mlir::cast<tt::MakeRangeOp>(op);
  const LinearLayout& layout = e.layoutOf(range.getType());
  llvm::Value* here = e.applyHere(layout, e.i32(0)).front();
  uint64_t reached = layout.outputMask({Dim::Lane, Dim::Warp, Dim::Block}, Dim::Dim0);
  RegisterList registers;
  for (uint64_t place : registerPlaces(layout)) {
    llvm::Value* number = e.i32(static_cast<int64_t>(place));
    llvm::Value* value = reached & place ? e.b.CreateXor(here, number) : e.disjointOr(here, number);
    registers.push_back(e.b.CreateAdd(value, e.i32(range.getStart()), "", true, true));
  }
  e.set(range, registers);
  return true;
}

// ---- Views of memory.

// Returns the byte where a slot of a buffer begins. Padding follows the elements of all slots as if
// they were one buffer.
llvm::Value* slotBegin(FunctionEmitter& e, ttg::MemDescType slot, llvm::Value* number) {
  ttg::PaddedSharedEncodingAttr padding = ttg::getPaddedEncoding(slot.getEncoding());
  if (!padding) return e.b.CreateMul(number, e.i32(passes::sharedBytes(slot)));
  int64_t elements = 1;
  for (int64_t size : ttg::getShapePerCTA(slot.getEncoding(), slot.getShape()))
    elements *= size;
  llvm::Value* first = e.b.CreateMul(number, e.i32(elements), "", true, true);
  return e.b.CreateMul(padded(e, padding, first),
                       e.i32(std::max(1u, e.memoryBits(slot.getElementType()) / 8)));
}

bool indexMemory(FunctionEmitter& e, mlir::Operation* op) {
  auto index = mlir::cast<ttg::MemDescIndexOp>(op);
  Registers source = e.get(index.getSrc());
  auto one = index.getType();
  auto whole = ttg::MemDescType::get(one.getShape(), one.getElementType(), one.getEncoding(),
                                     one.getMemorySpace(), true, one.getShape());
  // A slice of several elements begins somewhere among them.
  llvm::Value* number = e.b.CreateAdd(e.scalar(index.getIndex()), source[1]);
  llvm::Value* bytes = slotBegin(e, whole, number);
  RegisterList registers{e.b.CreateGEP(e.b.getInt8Ty(), source.front(), bytes)};
  registers.append(source.begin() + 2, source.end());
  e.set(index, registers);
  return true;
}

bool sliceMemory(FunctionEmitter& e, mlir::Operation* op) {
  auto slice = mlir::cast<ttg::MemDescSubsliceOp>(op);
  Registers source = e.get(slice.getSrc());
  RegisterList registers{source.front()};
  for (auto [value, offset] : llvm::zip(source.drop_front(), slice.getOffsets()))
    registers.push_back(e.b.CreateAdd(value, e.i32(offset)));
  e.set(slice, registers);
  return true;
}

bool transposeMemory(FunctionEmitter& e, mlir::Operation* op) {
  auto transpose = mlir::cast<ttg::MemDescTransOp>(op);
  Registers source = e.get(transpose.getSrc());
  RegisterList registers{source.front()};
  for (int32_t from : transpose.getOrder())
    registers.push_back(source[1 + static_cast<size_t>(from)]);
  e.set(transpose, registers);
  return true;
}

// Another shape or type for all of a buffer: views of parts keep their place through the base.
bool reinterpretMemory(FunctionEmitter& e, mlir::Operation* op) {
  mlir::Value source = op->getOperand(0);
  auto from = mlir::cast<ttg::MemDescType>(source.getType());
  auto to = mlir::cast<ttg::MemDescType>(op->getResult(0).getType());
  llvm::Value* offset = e.b.CreateMul(e.viewOffset(source),
                                      e.i32(std::max(1u, e.memoryBits(from.getElementType()) / 8)));
  RegisterList registers{e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(source), offset)};
  registers.append(to.getRank(), e.i32(0));
  e.set(op->getResult(0), registers);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> shapeOps() {
  static constexpr OpRow rows[] = {
      {"tt.splat", splat},
      {"tt.unsplat", unsplat},
      {"tt.expand_dims", expandDims},
      {"tt.broadcast", broadcast},
      {"tt.trans", transpose},
      {"tt.reshape", reshape},
      {"tt.join", join},
      {"tt.split", split},
      {"tt.cat", concatenate},
      {"tt.make_range", makeRange},
      {"ttg.memdesc_index", indexMemory},
      {"ttg.memdesc_subslice", sliceMemory},
      {"ttg.memdesc_trans", transposeMemory},
      {"ttg.memdesc_reshape", reinterpretMemory},
      {"ttg.memdesc_reinterpret", reinterpretMemory},
  };
  return rows;
}

} // namespace gluond::lowering
