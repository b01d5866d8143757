#include "passes/controlflow/AllocateWarpGroups.h"

#include "chips/Chip.h"
#include "chips/Occupancy.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "passes/memory/SharedMemory.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::passes {
using namespace mlir;
using ttg::WarpSpecializeOp;

namespace {

constexpr int32_t registersOfIdleWarps = 16, registersForSystemCalls = 32;
constexpr int32_t registersPerCta = chips::nvidiaRegisters;

// Adds partitions that return at once until there are `groups` whole groups.
void padPartitions(WarpSpecializeOp op, unsigned groups) {
  unsigned missing = groups * chips::warpsOfGroup - op.getTotalPartitionWarps();
  SmallVector<int32_t> padding;
  while (missing > 0) {
    auto size = static_cast<int32_t>(llvm::bit_floor(missing));
    padding.push_back(size);
    missing -= size;
  }
  auto partitions = op.getPartitionOp();
  OperationState state(partitions.getLoc(), partitions->getName(), partitions->getOperands(),
                       TypeRange());
  for (Region& region : partitions->getRegions())
    state.addRegion()->takeBody(region);
  SmallVector<int32_t> numWarps(op.getPartitionNumWarps());
  for (int32_t size : padding) {
    numWarps.push_back(size);
    Block& body = state.addRegion()->emplaceBlock();
    for (Value capture : partitions.getExplicitCaptures())
      body.addArgument(capture.getType(), capture.getLoc());
    OpBuilder builder(op.getContext()); // the body is not attached yet
    builder.setInsertionPointToStart(&body);
    ttg::WarpReturnOp::create(builder, op.getLoc());
  }
  op.setPartitionNumWarps(numWarps);
  if (auto requested = op.getRequestedRegisters()) {
    SmallVector<int32_t> registers(*requested);
    registers.append(padding.size(), registersOfIdleWarps);
    op.setRequestedRegisters(registers);
  }
  OpBuilder builder(partitions);
  builder.create(state);
  partitions.erase();
}

// The largest partitions get the lowest warps.
SmallVector<int32_t> startWarps(ArrayRef<int32_t> numWarps, int32_t first) {
  SmallVector<unsigned> bySize = llvm::to_vector(llvm::seq<unsigned>(numWarps.size()));
  for (auto* it = bySize.begin(); it != bySize.end(); ++it) // stable insertion
    std::rotate(std::upper_bound(bySize.begin(), it, *it,
                                 [&](unsigned a, unsigned b) { return numWarps[a] > numWarps[b]; }),
                it, std::next(it));
  SmallVector<int32_t> starts(numWarps.size());
  for (unsigned index : bySize) {
    starts[index] = first;
    first += numWarps[index];
  }
  return starts;
}

// Code that prints or asserts calls into the system, which needs some registers.
int32_t registersFor(Region& region, int32_t requested) {
  bool callsSystem = region
                         .walk([](Operation* op) {
                           return isa<tt::AssertOp, tt::PrintOp>(op) ? WalkResult::interrupt()
                                                                     : WalkResult::advance();
                         })
                         .wasInterrupted();
  return callsSystem ? std::max(requested, registersForSystemCalls) : requested;
}

// The registers of each partition's threads as requested, after those of the default region, which
// gets the rest of `maxRegisters` per thread; nothing if that is too few, or if none are requested.
std::optional<SmallVector<int32_t>> distributeRegisters(WarpSpecializeOp op, int32_t maxRegisters,
                                                        int32_t baseWarps) {
  auto requested = op.getRequestedRegisters();
  auto starts = op.getWarpGroupStartIds();
  if (!requested || !starts || op.getTotalPartitionWarps() % chips::warpsOfGroup != 0)
    return std::nullopt;
  ArrayRef<int32_t> numWarps = op.getPartitionNumWarps();
  SmallVector<unsigned> byStart = llvm::to_vector(llvm::seq<unsigned>(numWarps.size()));
  llvm::sort(byStart, [&](unsigned a, unsigned b) { return (*starts)[a] < (*starts)[b]; });
  struct Group {
    SmallVector<unsigned> partitions;
    int32_t registers = 0, warps = 0;
  };
  SmallVector<Group> groups;
  auto regions = op.getPartitionRegions();
  for (unsigned index : byStart) {
    if (groups.empty() || (*starts)[index] % chips::warpsOfGroup == 0) groups.emplace_back();
    Group& group = groups.back();
    group.partitions.push_back(index);
    int32_t wanted = registersFor(*regions[index], (*requested)[index]);
    group.registers =
        std::max(group.registers, int32_t(llvm::alignTo(wanted, chips::groupRegisterStep)));
    group.warps += numWarps[index];
  }
  int32_t budget = maxRegisters * baseWarps;
  for (const Group& group : groups)
    budget += (maxRegisters - group.registers) * group.warps;
  if (budget <= 0) return std::nullopt;
  int32_t left = budget / baseWarps / chips::groupRegisterStep * chips::groupRegisterStep;
  if (left < registersFor(op.getDefaultRegion(), chips::leastGroupRegisters)) return std::nullopt;
  SmallVector<int32_t> registers(1 + numWarps.size());
  registers.front() = left;
  for (const Group& group : groups)
    for (unsigned index : group.partitions)
      registers[1 + index] = group.registers;
  return registers;
}

int64_t registersOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getEncoding() || !type.getElementType().isIntOrFloat()) return 0;
  constexpr int64_t bitsOfRegister = 32;
  return llvm::divideCeilSigned(ir::toLinearLayout(type).inSize(layout::Dim::Register) *
                                    tt::bitWidth(type.getElementType()),
                                bitsOfRegister);
}

// Registers that the default warps need at most, as far as tensors tell: what the loops around an
// operation carry, twice the largest tensor, and as many as addresses and masks usually take.
int64_t registersOfDefault(ModuleOp module) {
  constexpr int64_t beside = 48;
  int64_t carried = 0, largest = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (isa<ttg::WarpSpecializePartitionsOp>(op)) return WalkResult::skip();
    for (Value result : op->getResults())
      largest = std::max(largest, registersOf(result));
    for (Region& region : op->getRegions())
      for (Value argument : region.getArguments())
        if (isa<LoopLikeOpInterface>(op)) carried += registersOf(argument);
    return WalkResult::advance();
  });
  return carried + 2 * largest + beside;
}

int32_t registersAtLaunch(int32_t programs, int32_t totalWarps, int32_t threadsPerWarp) {
  return registersPerCta / programs / totalWarps / threadsPerWarp / chips::groupRegisterStep *
         chips::groupRegisterStep;
}

// Whether a multiprocessor of Hopper has room for two programs of so many registers at the launch,
// in shared memory and in what is left for the default warps. Measured there only.
bool leavesRoomForTwo(ModuleOp module, ArrayRef<WarpSpecializeOp> ops, int32_t maxRegisters,
                      int32_t baseWarps) {
  const chips::Chip* chip = chips::findChip(ttg::targetOf(module));
  if (!chip || !chip->limits || !chip->has(chips::Feature::WarpGroupMma) ||
      maxRegisters < chips::leastGroupRegisters)
    return false;
  int64_t bytes = chip->limits->reservedShared;
  module.walk([&](ttg::LocalAllocOp alloc) { bytes += sharedBytes(alloc.getType()); });
  if (2 * bytes > chip->limits->sharedPerUnit) return false;
  int64_t needed = registersOfDefault(module);
  return llvm::all_of(ops, [&](WarpSpecializeOp op) {
    if (!op.getRequestedRegisters()) return true;
    auto registers = distributeRegisters(op, maxRegisters, baseWarps);
    return registers && registers->front() >= needed;
  });
}

// In functions that are not inlined warps count from 0, whoever calls them.
void setWarpIdOffsets(ModuleOp module) {
  if (tt::follows(releases::Rule::WarpsHaveNoOffset, module.getContext())) return;
  auto zero = Builder(module.getContext()).getI32IntegerAttr(0);
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPrivate()) function->setAttr(ttg::warpIdOffsetAttr, zero);
}

} // namespace

void allocateWarpGroups(ModuleOp module) {
  setWarpIdOffsets(module);
  SmallVector<WarpSpecializeOp> ops;
  module.walk([&](WarpSpecializeOp op) { ops.push_back(op); });
  unsigned most = 0;
  for (WarpSpecializeOp op : ops)
    most = std::max(most, op.getTotalPartitionWarps());
  auto groups = static_cast<unsigned>(llvm::divideCeil(most, chips::warpsOfGroup));
  auto baseWarps = static_cast<int32_t>(ttg::lookupNumWarps(module).value_or(chips::warpsOfGroup));
  for (WarpSpecializeOp op : ops)
    padPartitions(op, groups);
  for (WarpSpecializeOp op : ops)
    op.setWarpGroupStartIds(startWarps(op.getPartitionNumWarps(), baseWarps));
  Builder builder(module.getContext());
  auto totalWarps = baseWarps + static_cast<int32_t>(groups * chips::warpsOfGroup);
  module->setAttr("ttg.total-num-warps", builder.getI32IntegerAttr(totalWarps));
  if (llvm::none_of(ops,
                    [](WarpSpecializeOp op) { return op.getRequestedRegisters().has_value(); }))
    return;
  auto threadsPerWarp = static_cast<int32_t>(ttg::lookupThreadsPerWarp(module));
  auto given = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersAttr);
  int32_t maxRegisters = registersAtLaunch(1, totalWarps, threadsPerWarp),
          ofTwo = registersAtLaunch(2, totalWarps, threadsPerWarp);
  if (given)
    maxRegisters = static_cast<int32_t>(given.getInt());
  else if (leavesRoomForTwo(module, ops, ofTwo, baseWarps))
    maxRegisters = ofTwo;
  bool any = false;
  for (WarpSpecializeOp op : ops)
    if (auto registers = distributeRegisters(op, maxRegisters, baseWarps)) {
      op.setActualRegisters(*registers);
      any = true;
    }
  if (any) module->setAttr(ttg::maxRegistersAttr, builder.getI32IntegerAttr(maxRegisters));
}

} // namespace gluond::passes
