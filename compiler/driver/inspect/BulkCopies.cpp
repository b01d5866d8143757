#include "driver/inspect/BulkCopies.h"

#include "chips/MemorySizes.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::driver {

namespace {

using namespace mlir;
using chips::lineBytes, chips::sectorBytes;

// Rows of consecutive bytes. Those of a scattered block are requested one by one.
struct Rows {
  int64_t count = 1, elements = 1, bytes = 0;
  int64_t total() const { return count * bytes; }
};
Rows rowsOf(const KernelOperation& operation) {
  Rows rows;
  for (int64_t size : operation.shape) {
    rows.count *= rows.elements;
    rows.elements = size;
  }
  rows.bytes = std::max<int64_t>(1, rows.elements * operation.elementBits / 8);
  return rows;
}

// The block of one message of TMA, which is narrower than the swizzle is wide.
std::vector<int64_t> messageOf(const OperationParts& parts) {
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(parts.memory.getEncoding());
  if (!encoding || parts.indices) return {};
  auto block = ttg::getTMABlockShape(ttg::getShapePerCTA(encoding, parts.memory.getShape()),
                                     tt::bitWidth(parts.memory.getElementType()),
                                     encoding.getSwizzlingByteWidth(), encoding.getFp4Padded(),
                                     encoding.getTransposed(), true, ttg::TMAMode::Tiled, nullptr);
  if (failed(block)) return {};
  return {block->begin(), block->end()};
}

// Returns what made the descriptor: an argument of the kernel, or an operation. Offsets added on
// the way are appended to `added`, for the first iteration of every loop, as in ElementValues.
Value originOf(Value descriptor, SmallVectorImpl<Value>& added) {
  for (;;) {
    if (auto argument = dyn_cast<BlockArgument>(descriptor)) {
      Operation* parent = argument.getOwner()->getParentOp();
      unsigned index = argument.getArgNumber();
      if (auto loop = dyn_cast<scf::ForOp>(parent); loop && index > 0)
        descriptor = loop.getInitArgs()[index - 1];
      else if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(parent);
               partitions && index < partitions->getNumOperands())
        descriptor = partitions->getOperand(index);
      else
        return descriptor;
    } else if (auto update = descriptor.getDefiningOp<amdg::UpdateTensorDescriptorOp>()) {
      llvm::append_range(added, update.getAddOffsets());
      descriptor = update.getDesc();
    } else
      return descriptor;
  }
}

// Returns the sizes of a descriptor's tensor, with null for those that are not known.
SmallVector<Value> sizesOf(Value origin, size_t rank) {
  if (auto made = origin.getDefiningOp<tt::MakeTensorDescOp>())
    return llvm::to_vector(made.getShape());
  auto argument = dyn_cast<BlockArgument>(origin);
  auto function = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  // A descriptor argument is followed by its tensor's sizes and strides.
  SmallVector<Value> sizes;
  for (unsigned i = 1; function && i <= rank; ++i)
    if (argument.getArgNumber() + i < function.getNumArguments())
      sizes.push_back(function.getArgument(argument.getArgNumber() + i));
  return sizes;
}

} // namespace

std::string bulkSummary(const KernelOperation& operation, const OperationParts& parts) {
  Rows rows = rowsOf(operation);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << rows.total() << " bytes, " << rows.count << (rows.count == 1 ? " row of " : " rows of ")
     << rows.bytes << " bytes";
  if (parts.indices) os << ", each at its index";
  if (parts.isMulticast) os << ", multicast";
  return text;
}

// A row is taken to begin at a sector, which bases and strides of 16 bytes allow but for one.
void traceBulk(AccessView& view, const OperationParts& parts, passes::ElementValues& values) {
  Rows rows = rowsOf(view.operation);
  view.elements = rows.elements;
  view.bytes = rows.bytes;
  view.sectors = view.totalSectors = rows.count * llvm::divideCeilSigned(rows.bytes, sectorBytes);
  view.leastSectors = view.totalLeastSectors = llvm::divideCeilSigned(rows.total(), sectorBytes);
  view.lines = rows.count * llvm::divideCeilSigned(rows.bytes, lineBytes);
  BulkCopy& bulk = view.bulk.emplace();
  bulk.isMulticast = parts.isMulticast;
  bulk.isPicked = parts.indices != nullptr;
  bulk.message = messageOf(parts);
  // Returns null if one of them depends on an unknown value.
  auto scalars = [&](ArrayRef<Value> wanted, std::vector<int64_t>& into) {
    for (Value value : wanted) {
      auto known = values.of(value);
      if (!known) return into.clear();
      into.push_back((*known)[0]);
    }
  };
  SmallVector<Value> coordinates = parts.coordinates, added;
  Value origin = originOf(parts.descriptor, added);
  size_t rank = view.operation.shape.size();
  scalars(sizesOf(origin, rank), bulk.tensor);
  if (bulk.tensor.size() != rank) bulk.tensor.clear();
  scalars(coordinates, bulk.origin);
  // Places added to a descriptor, a whole one each time, the data mover's way.
  if (coordinates.empty()) {
    std::vector<int64_t> all;
    scalars(added, all);
    if (all.size() == added.size()) bulk.origin.assign(rank, 0);
    for (auto [i, value] : llvm::enumerate(all))
      bulk.origin[i % rank] += value;
  }
  if (parts.indices) {
    if (auto picked = values.of(parts.indices))
      for (int64_t row = 0; row < view.operation.shape.front(); ++row)
        bulk.rows.push_back((*picked)[static_cast<size_t>(row)]);
    if (bulk.origin.size() == rank) bulk.origin.erase(bulk.origin.begin(), bulk.origin.end() - 1);
  }
  view.unknown = values.unknown();
  view.assumptions = values.assumptions();
}

} // namespace gluond::driver
