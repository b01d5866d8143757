#include "lowering/WarpSpecialize.h"

#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Handlers.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Support/MathExtras.h>

#include <functional>

namespace gluond::lowering {

namespace {

constexpr unsigned firstPartitionBarrier = 2; // 0 is the default warps', 1 where all meet

llvm::SmallVector<ttg::WarpSpecializeOp> specializations(mlir::Operation* function) {
  llvm::SmallVector<ttg::WarpSpecializeOp> found;
  function->walk([&](ttg::WarpSpecializeOp op) { found.push_back(op); });
  return found;
}

unsigned firstWarpOf(ttg::WarpSpecializeOp op, unsigned partition, unsigned defaultWarps) {
  if (auto starts = op.getWarpGroupStartIds()) return static_cast<unsigned>((*starts)[partition]);
  unsigned first = defaultWarps;
  for (unsigned i = 0; i < partition; ++i)
    first += static_cast<unsigned>(op.getPartitionNumWarps()[i]);
  return first;
}

// A captured register that is passed on, from the start of the captures. Of a tensor every thread
// has its own, one after another: both sides have as many threads, because the tensor's layout says
// how many.
struct Capture {
  llvm::Type* type;
  int64_t offset;
  bool isThreads;
};

int64_t threadsOf(mlir::RankedTensorType tensor) {
  LinearLayout layout = ir::toLinearLayout(tensor);
  return layout.inSize(Dim::Lane) * layout.inSize(Dim::Warp);
}

constexpr int64_t captureAlignment = 16;

// Whether a warp can compute the result from its operands by itself.
bool isRepeatable(mlir::Operation* op) {
  if (op->getNumResults() != 1 || mlir::isa<mlir::RankedTensorType>(op->getResult(0).getType()))
    return false;
  return mlir::isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, tt::AddPtrOp, ttg::MemDescIndexOp>(
             op) ||
         op->getName().getDialectNamespace() == "arith";
}

// Adds what computes `value` from parameters of the kernel and from buffers, whose places in shared
// memory are fixed, in order. Returns whether there is no more to it.
bool addComputation(mlir::Value value, llvm::SmallSetVector<mlir::Operation*, 16>& ops) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value))
    return mlir::isa<tt::FuncOp>(argument.getOwner()->getParentOp());
  mlir::Operation* op = value.getDefiningOp();
  constexpr size_t mostOps = 16; // as in Triton: more may take longer than a load
  if (ops.contains(op)) return true;
  if (!mlir::isa<ttg::LocalAllocOp>(op) &&
      (!isRepeatable(op) || !llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
        return addComputation(operand, ops);
      })))
    return false;
  ops.insert(op);
  return ops.size() <= mostOps;
}

// Whether every warp has the value without being told.
bool isKnownToAll(mlir::Value value) {
  llvm::SmallSetVector<mlir::Operation*, 16> ops;
  return addComputation(value, ops);
}

// Computes the value where the warps that began the kernel have not: their code comes later, and
// computes it anew.
RegisterList knownRegisters(FunctionEmitter& e, mlir::Value value) {
  llvm::SmallSetVector<mlir::Operation*, 16> ops;
  addComputation(value, ops);
  for (mlir::Operation* op : ops) {
    auto buffer = mlir::dyn_cast<ttg::LocalAllocOp>(op);
    if (!buffer) {
      if (!e.op(op)) return {};
      continue;
    }
    RegisterList registers{e.sharedAddress(e.memory().of(buffer)->offset)};
    registers.append(buffer.getType().getRank(), e.i32(0));
    e.set(buffer.getResult(), registers);
  }
  return e.flatten(value);
}

llvm::SmallVector<Capture> capturesOf(FunctionEmitter& e, mlir::ValueRange captures) {
  const llvm::DataLayout& layout = e.state().module.getDataLayout();
  llvm::SmallVector<Capture> found;
  int64_t offset = 0;
  for (mlir::Value value : captures) {
    if (isKnownToAll(value)) continue;
    llvm::SmallVector<llvm::Type*> types;
    e.registerTypes(value.getType(), types);
    auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
    for (llvm::Type* type : types) {
      int64_t size = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
      offset = static_cast<int64_t>(
          llvm::alignTo(offset, tensor ? captureAlignment : std::min(size, captureAlignment)));
      found.push_back({type, offset, bool(tensor)});
      offset += tensor ? size * threadsOf(tensor) : size;
    }
  }
  return found;
}

constexpr unsigned mostWaitingWarps = 64;

llvm::Value* stateAddress(FunctionEmitter& e) {
  return e.sharedAddress(e.functionState().warpSpecializationOffset);
}
llvm::Value* captureAddress(FunctionEmitter& e, const Capture& capture) {
  llvm::Value* address = e.sharedAddress(e.functionState().warpSpecializationOffset +
                                         mostWaitingWarps + capture.offset);
  return capture.isThreads ? e.b.CreateGEP(capture.type, address, e.thread()) : address;
}

void meet(FunctionEmitter& e) {
  e.target().barrierOfAllWarps(e);
}

// Registers of a thread while the default warps work alone: as many for them as there are, the
// waiting warps keep what is left. Zeros where registers stay as the launch gave them.
struct AloneRegisters {
  unsigned main = 0, waiting = 0;
};

AloneRegisters aloneRegisters(FunctionEmitter& e) {
  auto ops = specializations(e.source());
  const auto& own = e.target().traits().registers;
  if (!own || llvm::none_of(ops, [](auto op) { return op.getActualRegisters().has_value(); }))
    return {};
  unsigned mains = ttg::lookupNumWarps(e.source()).value_or(4), waiting = e.state().warps - mains;
  unsigned all = e.state().maxRegisters * e.state().warps;
  AloneRegisters found;
  if (!waiting || all <= own->least * waiting) return {};
  found.main = std::min<unsigned>(own->most,
                                  llvm::alignDown((all - own->least * waiting) / mains, own->unit));
  found.waiting = llvm::alignDown((all - found.main * mains) / waiting, own->unit);
  return found;
}

// Returns the registers of a group (number 0 is the default warps, the partitions follow), or 0 if
// they stay as the launch gave them.
unsigned registersOf(FunctionEmitter& e, ttg::WarpSpecializeOp op, size_t group) {
  auto actual = op.getActualRegisters();
  const auto& own = e.target().traits().registers;
  return actual && own ? std::min(static_cast<unsigned>((*actual)[group]), own->most) : 0;
}

// All warps start with the registers that the launch gave them.
void setRegisters(FunctionEmitter& e, unsigned registers, unsigned now) {
  const auto& own = e.target().traits().registers;
  if (own && registers != now && registers % own->unit == 0 && registers >= own->least)
    e.target().setRegisters(e, registers, now);
}

// The state of each waiting warp: the partition, or one past all partitions of the kernel to end.
void storeStates(FunctionEmitter& e, unsigned defaultWarps,
                 llvm::function_ref<unsigned(unsigned warp)> stateOf) {
  unsigned waiting = e.state().warps - defaultWarps;
  for (unsigned first = 0; first < waiting; first += 4) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
      word |= (first + i < waiting ? stateOf(defaultWarps + first + i) & 255u : 0u) << (8 * i);
    llvm::Value* address = e.b.CreateConstInBoundsGEP1_32(e.b.getInt8Ty(), stateAddress(e), first);
    e.b.CreateAlignedStore(e.i32(word), address, llvm::Align(4));
  }
}

// States number the partitions of all warp_specialize ops of the kernel, in order; the next one is
// "end".
unsigned stateCount(mlir::Operation* function) {
  unsigned count = 0;
  for (ttg::WarpSpecializeOp op : specializations(function))
    count += static_cast<unsigned>(op.getPartitionNumWarps().size());
  return count;
}

} // namespace

bool beginWarps(FunctionEmitter& e) {
  mlir::Operation* function = e.source();
  auto ops = specializations(function);
  if (ops.empty()) return true;
  if (!e.needs(ops.front(), Feature::WarpSpecialization, "warp_specialize needs")) return false;
  unsigned defaultWarps = ttg::lookupNumWarps(function).value_or(4);
  unsigned end = stateCount(function);
  llvm::Value* tid = e.target().threadOfCta(e);
  llvm::Value* warp = e.target().warpOfCta(e, tid);
  llvm::BasicBlock *main = e.newBlock("main"), *arrived = e.newBlock("warps"),
                   *wait = e.newBlock("warps.wait"), *done = e.newBlock("warps.end");
  llvm::Value* isMain = e.b.CreateICmpULT(warp, e.i32(defaultWarps));
  e.state().warpsBegin = llvm::cast<llvm::Instruction>(tid)->getNextNode();

  auto [mainRegisters, now] = aloneRegisters(e);
  e.b.CreateCondBr(isMain, main, arrived);
  e.b.SetInsertPoint(arrived);
  if (now) setRegisters(e, now, e.state().maxRegisters);
  e.b.CreateBr(wait);

  e.b.SetInsertPoint(wait);
  meet(e);
  llvm::Value* own = e.b.CreateInBoundsGEP(e.b.getInt8Ty(), stateAddress(e),
                                           e.b.CreateSub(warp, e.i32(defaultWarps)));
  llvm::Value* state = e.b.CreateLoad(e.b.getInt8Ty(), own, true);
  if (e.target().traits().branchesByUniformValues)
    state = e.b.CreateTrunc(e.target().uniform(e, e.b.CreateZExt(state, e.b.getInt32Ty())),
                            e.b.getInt8Ty());
  llvm::SwitchInst* choice = e.b.CreateSwitch(state, done, end);

  e.b.SetInsertPoint(done);
  e.b.CreateRetVoid();

  unsigned number = 0;
  for (ttg::WarpSpecializeOp op : ops) {
    auto partitions = op.getPartitionOp();
    llvm::SmallVector<Capture> captures = capturesOf(e, partitions.getExplicitCaptures());
    for (auto [i, region] : llvm::enumerate(op.getPartitionRegions())) {
      llvm::BasicBlock* begin = e.newBlock("partition");
      choice->addCase(e.b.getInt8(static_cast<uint8_t>(number++)), begin);
      e.b.SetInsertPoint(begin);
      unsigned registers = registersOf(e, op, i + 1);
      if (registers) setRegisters(e, registers, now);
      FunctionEmitter::Place before =
          e.enterGroup({firstWarpOf(op, static_cast<unsigned>(i), defaultWarps),
                        static_cast<unsigned>(op.getPartitionNumWarps()[i]),
                        firstPartitionBarrier + static_cast<unsigned>(i), false, number});
      auto next = captures.begin();
      for (auto [value, inside] :
           llvm::zip(partitions.getExplicitCaptures(), region->getArguments())) {
        RegisterList registers;
        if (isKnownToAll(value)) {
          registers = knownRegisters(e, value);
          if (registers.empty()) return false;
        } else
          for (unsigned left = e.registerCount(value.getType()); left; --left, ++next)
            registers.push_back(e.b.CreateLoad(next->type, captureAddress(e, *next)));
        e.set(inside, registers);
      }
      meet(e); // all have read: the memory may be written again
      if (!e.region(region->front())) return false;
      meet(e);
      if (registers) setRegisters(e, now, registers);
      e.leaveGroup(before);
      e.b.CreateBr(wait);
    }
  }
  e.b.SetInsertPoint(main);
  if (mainRegisters) setRegisters(e, mainRegisters, e.state().maxRegisters);
  return true;
}

namespace {

bool specialize(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::WarpSpecializeOp>(operation);
  unsigned defaultWarps = e.group().warps;
  auto all = specializations(e.source());
  unsigned first = 0;
  for (ttg::WarpSpecializeOp other : all) {
    if (other == op) break;
    first += static_cast<unsigned>(other.getPartitionNumWarps().size());
  }
  unsigned now = aloneRegisters(e).main;
  auto captures = op.getPartitionOp().getExplicitCaptures();
  llvm::SmallVector<mlir::Value> passed;
  llvm::copy_if(captures, std::back_inserter(passed), std::not_fn(isKnownToAll));
  // No barrier before: the memory of captures and states is nobody else's, and its last readers
  // came to the meeting that ended the last specialization.
  for (auto [value, capture] : llvm::zip(e.flatten(passed), capturesOf(e, captures)))
    e.b.CreateStore(value, captureAddress(e, capture));
  storeStates(e, defaultWarps, [&](unsigned warp) {
    for (unsigned i = 0; i < op.getPartitionNumWarps().size(); ++i) {
      unsigned begin = firstWarpOf(op, i, defaultWarps);
      if (warp >= begin && warp < begin + static_cast<unsigned>(op.getPartitionNumWarps()[i]))
        return first + i;
    }
    return first;
  });
  meet(e);
  // Registers are given up before the second meeting: a partition may wait for them to come to it.
  unsigned registers = registersOf(e, op, 0);
  if (registers) setRegisters(e, registers, now);
  meet(e);
  if (!e.region(op.getDefaultRegion().front())) return false;
  e.bind(op.getResults(), e.flatten(op.getDefaultRegion().front().getTerminator()->getOperands()));
  meet(e);
  if (registers) setRegisters(e, now, registers);
  return true;
}

int64_t capturesBytes(mlir::Operation* function) {
  int64_t most = 0;
  bool any = false;
  for (ttg::WarpSpecializeOp op : specializations(function)) {
    any = true;
    int64_t bytes = 0; // 16 for each register is the most any needs
    for (mlir::Value value : op.getPartitionOp().getExplicitCaptures()) {
      if (isKnownToAll(value)) continue;
      if (auto memory = mlir::dyn_cast<ttg::MemDescType>(value.getType()))
        bytes += 8 + 4 * memory.getRank();
      else if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(value.getType()))
        bytes += captureAlignment + ir::toLinearLayout(tensor).inSize(Dim::Register) *
                                        threadsOf(tensor) * elementBytes(tensor);
      else
        bytes += 8;
    }
    most = std::max(most, bytes + 16);
  }
  return any ? static_cast<int64_t>(llvm::alignTo(mostWaitingWarps + most, 16)) : 0;
}

// Where a group of warps has the memory by which it meets the same group of other CTAs.
llvm::Value* meetingPlace(FunctionEmitter& e, unsigned group) {
  int64_t offset = e.state().functions[e.source()]->warpSpecializationOffset +
                   capturesBytes(e.source()) + TargetEmitter::groupMeetingBytes * group;
  return e.b.CreateConstInBoundsGEP1_32(e.b.getInt8Ty(), e.state().shared,
                                        static_cast<unsigned>(offset));
}
} // namespace

int64_t warpSpecializationBytes(mlir::Operation* function) {
  int64_t captures = capturesBytes(function);
  return captures && ttg::lookupNumCTAs(function) > 1
             ? captures + TargetEmitter::groupMeetingBytes *
                              (1 + static_cast<int64_t>(stateCount(function)))
             : captures;
}

void beginGroupsOfCluster(FunctionEmitter& e) {
  llvm::Value* first = e.b.CreateICmpEQ(e.target().threadOfCta(e), e.i32(0));
  RegisterList places;
  for (unsigned group = 0; group <= stateCount(e.source()); ++group)
    places.push_back(meetingPlace(e, group));
  e.target().prepareGroupMeetings(e, places, first);
  e.wholeClusterBarrier(/*relaxed=*/true);
}

void meetGroupsOfCluster(FunctionEmitter& e) {
  e.state().groupsMeetCluster = true;
  e.target().meetGroupOfCluster(e, meetingPlace(e, e.group().number));
}

void releaseWarps(FunctionEmitter& e) {
  if (specializations(e.source()).empty()) return;
  unsigned end = stateCount(e.source());
  storeStates(e, e.group().warps, [&](unsigned) { return end; });
  meet(e);
}

llvm::ArrayRef<OpRow> warpSpecializeOps() {
  static constexpr OpRow rows[] = {
      {"ttg.warp_specialize", specialize},
      {"ttg.warp_yield", makesNoCode},
      {"ttg.warp_return", makesNoCode},
  };
  return rows;
}

} // namespace gluond::lowering
