#include "lowering/memory/GlobalMemory.h"

#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/Predicated.h"
#include "passes/analysis/AccessWidth.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lowering {

AccessRuns accessRuns(FunctionEmitter& e, mlir::Value pointer, mlir::Value mask) {
  passes::MemoryAccess access;
  access.pointers = pointer;
  access.mask = mask;
  passes::AccessWidth width = passes::addressWidth(access, e.state().axes);
  return {static_cast<unsigned>(width.consecutive), static_cast<unsigned>(width.elements)};
}

namespace {

bool isTrue(llvm::Value* value) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known && known->isOne();
}

// Returns the address of register `i`, counted from the first of those that are consecutive in
// memory: an address that is a constant further needs no arithmetic of its own.
llvm::Value* addressOf(FunctionEmitter& e, Registers pointers, size_t i, const AccessRuns& runs,
                       unsigned elementBits) {
  size_t past = i % runs.consecutive;
  if (past == 0) return pointers[i];
  return e.b.CreateGEP(e.b.getInt8Ty(), pointers[i - past], e.i64(past * elementBits / 8));
}

// Moves the instructions that take apart the results of an operation's loads after the last of
// these loads, as Triton's code has them: an assembler that follows the order of its text then
// begins all loads before it waits for one. `before` is the instruction before the first of them,
// or null if it begins its block.
void takeApartLast(FunctionEmitter& e, llvm::Instruction* before) {
  llvm::BasicBlock& block = *e.b.GetInsertBlock();
  llvm::DenseSet<llvm::Value*> parts;
  llvm::SmallVector<llvm::Instruction*> moved;
  for (llvm::Instruction& each :
       llvm::make_range(before ? std::next(before->getIterator()) : block.begin(), block.end())) {
    if (llvm::isa<llvm::CallBase, llvm::LoadInst>(each)) {
      parts.insert(&each);
    } else if (llvm::any_of(each.operands(), [&](llvm::Use& use) { return parts.contains(use); })) {
      parts.insert(&each);
      moved.push_back(&each);
    }
  }
  for (llvm::Instruction* each : moved)
    each->moveBefore(block, e.b.GetInsertPoint());
}

// How many elements an access has where the masks of a thread agree, or 0 if that is no gain.
unsigned widthWithinRow(FunctionEmitter& e, mlir::Operation* op) {
  if (!e.target().traits().delaysLoads) return 0;
  return static_cast<unsigned>(passes::widthWithinRow(*passes::memoryAccessOf(op), e.state().axes));
}

// Whether the masks of each `wide` registers, which change once at most, are all alike.
llvm::Value* areAlike(FunctionEmitter& e, Registers masks, unsigned wide) {
  llvm::Value* differs = e.b.getFalse();
  for (size_t i = 0; i < masks.size(); i += wide)
    differs = e.b.CreateOr(differs, e.b.CreateXor(masks[i], masks[i + wide - 1]));
  return e.b.CreateNot(differs);
}

// What an operation loads.
struct Loads {
  Registers pointers, masks, others;
  AccessRuns runs;
  unsigned elementBits; // in memory
  GlobalAccess access;  // of any of them

  RegisterList make(FunctionEmitter& e, unsigned run);
};

RegisterList Loads::make(FunctionEmitter& e, unsigned run) {
  RegisterList results;
  access.elements = run;
  llvm::Type* element = access.element;
  for (size_t i = 0; i < pointers.size(); i += run) {
    access.address = addressOf(e, pointers, i, runs, elementBits);
    access.predicate = masks.empty() || isTrue(masks[i]) ? nullptr : masks[i];
    if (access.predicate || !access.cache.isEmpty()) {
      RegisterList kept; // the contents of the registers where nothing is loaded
      if (!others.empty())
        for (unsigned k = 0; k < run; ++k)
          kept.push_back(others[others.size() == 1 ? 0 : i + k]);
      llvm::append_range(results, e.target().loadGlobal(e, access, kept));
      continue;
    }
    llvm::Type* memory = element->isIntegerTy(1) ? e.b.getInt8Ty() : element;
    llvm::Type* whole = run == 1 ? memory : llvm::FixedVectorType::get(memory, run);
    llvm::LoadInst* value = e.b.CreateAlignedLoad(
        whole, access.address, llvm::Align(run * elementBits / 8), access.isVolatile);
    for (unsigned k = 0; k < run; ++k) {
      llvm::Value* one =
          run == 1 ? static_cast<llvm::Value*>(value) : e.b.CreateExtractElement(value, k);
      results.push_back(element->isIntegerTy(1) ? e.b.CreateTrunc(one, element) : one);
    }
  }
  return results;
}

bool load(FunctionEmitter& e, mlir::Operation* op) {
  auto load = mlir::cast<tt::LoadOp>(op);
  llvm::Type* element = e.elementType(load.getType());
  Loads loads{.pointers = e.get(load.getPtr()),
              .masks = load.getMask() ? e.get(load.getMask()) : Registers(),
              .others = load.getOther() ? e.get(load.getOther()) : Registers(),
              .runs = accessRuns(e, load.getPtr(), load.getMask()),
              .elementBits = e.memoryBits(mlir::getElementTypeOrSelf(load.getType())),
              .access = {.address = nullptr,
                         .predicate = nullptr,
                         .element = element,
                         .elements = 1,
                         .isVolatile = load.getIsVolatile(),
                         .cache = e.target().cacheHint(e, load.getCachePolicyAttr(), true)}};
  bool delays = e.target().traits().delaysLoads;
  auto last = [&]() -> llvm::Instruction* {
    llvm::BasicBlock& block = *e.b.GetInsertBlock();
    return block.empty() ? nullptr : &block.back();
  };
  unsigned wide = widthWithinRow(e, load);
  if (wide == 0) {
    llvm::Instruction* before = last();
    RegisterList results = loads.make(e, loads.runs.elements);
    if (delays) takeApartLast(e, before);
    e.set(load, results);
    return true;
  }
  auto words = [&](unsigned run) {
    llvm::Instruction* before = last();
    RegisterList packed = pack(e, loads.make(e, run));
    takeApartLast(e, before);
    return packed;
  };
  RegisterList loaded = choose(
      e, areAlike(e, loads.masks, wide), [&] { return words(wide); },
      [&] { return words(loads.runs.elements); });
  e.set(load, unpack(e, loaded, element, static_cast<unsigned>(loads.pointers.size())));
  return true;
}

// Whether each turn of a loop loads from global memory before it stores.
bool followsLoadsOfItsTurn(mlir::Operation* store) {
  if (!mlir::isa<mlir::LoopLikeOpInterface>(store->getParentOp())) return false;
  return llvm::any_of(llvm::make_range(store->getBlock()->begin(), store->getIterator()),
                      [](mlir::Operation& each) { return mlir::isa<tt::LoadOp>(each); });
}

// Whether each register of a result depends on all registers of the operands.
bool combinesRegisters(FunctionEmitter& e, mlir::Operation& op) {
  if (auto reduce = mlir::dyn_cast<tt::ReduceOp>(op)) {
    mlir::Type type = reduce.getResult().front().getType();
    return !mlir::isa<mlir::RankedTensorType>(type) || e.layoutOf(type).inSize(Dim::Register) == 1;
  }
  return mlir::isa<tt::ScanOp, tt::DotOp, tt::GatherOp, tt::HistogramOp, ttg::ConvertLayoutOp,
                   ttg::LocalLoadOp>(op);
}

// Whether what is stored first waits for the same loads of the turn as what is stored last.
bool waitsForWholeTurn(FunctionEmitter& e, tt::StoreOp store) {
  llvm::SmallVector<mlir::Value> todo{store.getValue()};
  llvm::SmallPtrSet<mlir::Operation*, 16> seen;
  while (!todo.empty()) {
    mlir::Operation* op = todo.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != store->getBlock() || !seen.insert(op).second) continue;
    if (combinesRegisters(e, *op)) return true;
    llvm::append_range(todo, op->getOperands());
  }
  return false;
}

bool store(FunctionEmitter& e, mlir::Operation* op) {
  auto store = mlir::cast<tt::StoreOp>(op);
  Registers pointers = e.get(store.getPtr()), values = e.get(store.getValue());
  Registers masks = store.getMask() ? e.get(store.getMask()) : Registers();
  mlir::Type type = store.getValue().getType();
  unsigned elementBits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  AccessRuns runs = accessRuns(e, store.getPtr(), store.getMask());
  GlobalAccess access{.address = nullptr,
                      .predicate = nullptr,
                      .element = e.elementType(type),
                      .elements = 1,
                      .cache = e.target().cacheHint(e, store.getCachePolicyAttr(), false)};
  llvm::Value* mine;
  if (mlir::isa<mlir::RankedTensorType>(type)) {
    mine = e.isFirstCopy(e.layoutOf(type));
  } else {
    mine = e.b.CreateICmpEQ(e.thread(), e.i32(0));
    if (e.state().ctas > 1 && !store.getIgnoreCta())
      mine = e.b.CreateAnd(mine, e.b.CreateICmpEQ(e.block(), e.i32(0)));
  }
  bool isEveryones = llvm::isa<llvm::ConstantInt>(mine);
  // The registers that are loaded last are stored first, so that all loads of a turn are under way
  // together. Registers that lie side by side in memory are stored together.
  bool isRotated = e.target().traits().delaysLoads && followsLoadsOfItsTurn(store) &&
                   !waitsForWholeTurn(e, store);
  size_t first = isRotated ? pointers.size() - runs.consecutive : 0;
  auto storeAll = [&](unsigned run) {
    access.elements = run;
    for (size_t done = 0; done < pointers.size(); done += run) {
      size_t i = (first + done) % pointers.size();
      llvm::Value* mask = isEveryones ? nullptr : mine;
      if (!masks.empty() && !isTrue(masks[i]))
        mask = mask ? e.b.CreateAnd(mask, masks[i]) : masks[i];
      access.address = addressOf(e, pointers, i, runs, elementBits);
      access.predicate = mask;
      if (mask || !access.cache.isEmpty()) {
        e.target().storeGlobal(e, access, values.slice(i, run));
        continue;
      }
      RegisterList words = pack(e, values.slice(i, run));
      llvm::Value* whole = words.front();
      if (words.size() > 1) {
        whole = llvm::PoisonValue::get(
            llvm::FixedVectorType::get(whole->getType(), static_cast<unsigned>(words.size())));
        for (auto [k, word] : llvm::enumerate(words))
          whole = e.b.CreateInsertElement(whole, word, k);
      }
      e.b.CreateAlignedStore(whole, access.address, llvm::Align(run * elementBits / 8));
    }
    return RegisterList();
  };
  unsigned wide = widthWithinRow(e, store);
  if (wide == 0)
    storeAll(runs.elements);
  else
    choose(
        e, areAlike(e, masks, wide), [&] { return storeAll(wide); },
        [&] { return storeAll(runs.elements); });
  return true;
}

// Each CTA of the grid has its own part of the launcher's scratch.
bool globalScratch(FunctionEmitter& e, mlir::Operation* op) {
  auto& own = e.functionState();
  auto number = [&](GridNumber which, unsigned axis) {
    return e.target().gridNumber(e, which, axis);
  };
  constexpr auto cta = GridNumber::Cta, ctas = GridNumber::Ctas;
  llvm::Value *z = number(cta, 2), *ctasOfY = number(ctas, 1);
  llvm::Value* ctaOfGrid = e.b.CreateMul(z, ctasOfY);
  ctaOfGrid = e.b.CreateAdd(ctaOfGrid, number(cta, 1));
  ctaOfGrid = e.b.CreateMul(ctaOfGrid, number(ctas, 0));
  ctaOfGrid = e.b.CreateAdd(ctaOfGrid, number(cta, 0));
  llvm::Value* offset =
      e.b.CreateMul(e.b.CreateZExt(ctaOfGrid, e.b.getInt64Ty()), e.i64(own.globalScratchBytes));
  offset = e.b.CreateAdd(offset, e.i64(own.globalScratch.lookup(op)));
  e.set(op->getResult(0), e.b.CreateGEP(e.b.getInt8Ty(), e.globalScratch(), offset));
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> globalMemoryOps() {
  static constexpr OpRow rows[] = {
      {"tt.load", load},
      {"tt.store", store},
      {"ttg.global_scratch_alloc", globalScratch},
  };
  return rows;
}

} // namespace gluond::lowering
