// The function being lowered, which all handlers of ops write to: its LLVM code, the registers of
// the values so far, and the place of the thread that runs it.
//
// A handler reads the registers of its operands with get(), makes LLVM instructions with `b`, and
// gives the registers of its results with set(). It returns false after fail() where the op cannot
// be lowered. Handlers know the linear layouts of types and nothing of each other.
//
// REGISTERS. A tensor has one value for each register of its layout, without register bits that
// only repeat (layoutOf()); a scalar has one. A memory descriptor has its base address and one
// coordinate per dimension, where a view begins within the allocation (swizzles are relative to the
// allocation); one of other memory than the shared one has its address alone, a word. A token has
// none.
#pragma once

#include "ir/layouts/Layouts.h"
#include "lowering/ModuleState.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/Allocator.h>

namespace gluond::lowering {

using layout::Dim;
using layout::LinearLayout;

class FunctionEmitter {
public:
  FunctionEmitter(ModuleState& state, mlir::Operation* function);

  llvm::IRBuilder<> b;

  // ---- Values.
  Registers get(mlir::Value value) const { return values_.lookup(value); }
  llvm::Value* scalar(mlir::Value value) const { return get(value).front(); }
  void set(mlir::Value value, Registers registers);
  void set(mlir::Value value, llvm::Value* scalar) { set(value, Registers(scalar)); }

  // ---- Types. The types of elements in registers are i1, iN, half, bfloat, float, double, and
  // pointers with their address space; fp8 is i8.
  llvm::Type* elementType(mlir::Type type);
  // Returns the type of the element in memory, where an i1 is an i8.
  llvm::Type* memoryType(mlir::Type type);
  unsigned memoryBits(mlir::Type type);
  // Return the types and the number of the registers of a value of this type.
  void registerTypes(mlir::Type type, llvm::SmallVectorImpl<llvm::Type*>& types);
  unsigned registerCount(mlir::Type type);
  // Returns a tensor's layout without registers that repeat others.
  const LinearLayout& layoutOf(mlir::Type tensor);

  // ---- Numbers.
  llvm::ConstantInt* i32(int64_t value) { return b.getInt32(static_cast<uint32_t>(value)); }
  llvm::ConstantInt* i64(int64_t value) { return b.getInt64(static_cast<uint64_t>(value)); }
  llvm::ConstantInt* i1(bool value) { return b.getInt1(value); }

  // Combines two numbers that have no bits in common.
  llvm::Value* disjointOr(llvm::Value* x, llvm::Value* y) {
    return b.CreateOr(x, y, "", /*IsDisjoint=*/true);
  }

  // ---- The thread's place.
  const WarpGroup& group() const { return group_; }
  llvm::Value* thread(); // within the group
  llvm::Value* lane();
  // Return the number of the warp within the group. That of warp() is known to be the same in all
  // lanes, for what a warp does as one; that of ownWarp() follows from the thread's number, for
  // addresses.
  llvm::Value* warp();
  llvm::Value* ownWarp();
  llvm::Value* block(); // CTA in its cluster
  // Return the coordinates, in the order of the layout's outputs, of a place, or of a register of
  // this thread.
  RegisterList apply(const LinearLayout& layout,
                     llvm::ArrayRef<std::pair<Dim, llvm::Value*>> place);
  RegisterList applyHere(const LinearLayout& layout, llvm::Value* registerNumber);
  // Returns whether no thread with a lower number has this thread's elements; with `ofOwnCta`, no
  // such thread of this CTA.
  llvm::Value* isFirstCopy(const LinearLayout& layout, bool ofOwnCta = false);

  // ---- Barriers.
  void barrier();
  void warpBarrier();
  // Emits a barrier of this group of warps in all CTAs of the cluster.
  void clusterBarrier(bool relaxed = false);
  // Emits the barrier between writers of shared memory and readers, of the CTA or of the whole
  // cluster.
  void meet(bool cluster) { cluster ? clusterBarrier() : barrier(); }
  // Emits a barrier of all warps of the cluster.
  void wholeClusterBarrier(bool relaxed = false);

  // ---- Assembly. Constraints are LLVM's: "=r,r,l".
  llvm::Value* assembly(llvm::Type* result, llvm::StringRef text, llvm::StringRef constraints,
                        Registers operands, bool sideEffects = true);
  void assembly(llvm::StringRef text, llvm::StringRef constraints, Registers operands) {
    assembly(b.getVoidTy(), text, constraints, operands);
  }
  llvm::CallInst* intrinsic(unsigned id, llvm::ArrayRef<llvm::Type*> overloads, Registers operands);

  // ---- Shared memory.
  llvm::Value* sharedAddress(int64_t offset); // within the function's part
  llvm::Value* scratch(mlir::Operation* op);
  const passes::SharedMemory& memory() const { return *function_->memory; }
  // Returns the same address in the memory of another CTA of the cluster. Code without a barrier of
  // the cluster after the access must set ModuleState::touchesOtherCtas.
  llvm::Value* inBlock(llvm::Value* address, llvm::Value* block);
  // Returns the offset of a view within its buffer, with which a CTA's accesses combine those of
  // elements.
  llvm::Value* viewOffset(mlir::Value descriptor);
  // Returns the number by which the CTA in whose memory the view begins differs (by xor) from that
  // of the buffer's first element; null if it is the same.
  llvm::Value* viewBlock(mlir::Value descriptor);
  llvm::Value* viewBase(mlir::Value descriptor) { return get(descriptor).front(); }

  // ---- Going through the IR.
  bool region(mlir::Block& block); // all ops; the terminator too
  bool op(mlir::Operation* op);
  // Records that gluond cannot compile the op, and returns false.
  bool fail(mlir::Operation* op, llvm::Twine message);
  // Records a mistake of the kernel, which Triton refuses with this message, and returns false.
  bool reject(mlir::Operation* op, llvm::Twine message);
  // Returns whether the chip has the feature. If not, it fails with `what` and the chips that have
  // it ("sm_90 or later").
  bool needs(mlir::Operation* op, Feature feature, llvm::Twine what);
  void locate(mlir::Location location);

  // Gives `registers`, in their order, to `values`.
  void bind(mlir::ValueRange values, Registers registers);
  RegisterList flatten(mlir::ValueRange values) const;
  // Returns a phi for each register of these types; see control/Control.cpp.
  llvm::SmallVector<llvm::PHINode*> phis(mlir::TypeRange types, unsigned incoming);

  // The body of a function in place of a call of it. Its shared memory begins at `sharedBase`.
  bool inlined(mlir::Operation* callee, Registers arguments, llvm::Value* sharedBase,
               mlir::ResultRange results);
  // A region with early returns as a piece of this function; its results, of these types.
  bool inPlace(mlir::Region& body, mlir::TypeRange types, RegisterList& results);
  // Emits a return in such a body. Returns false in a function of its own.
  bool returnInlined(Registers results);

  // The LLVM block of a block of the function, its phis told what comes from here.
  llvm::BasicBlock* branchTo(mlir::Block* block, mlir::ValueRange operands);

  llvm::Function* function() const { return llvm_; }
  llvm::BasicBlock* newBlock(const llvm::Twine& name);
  ModuleState& state() { return state_; }
  const TargetEmitter& target() const { return state_.target; }
  bool isKernel() const { return llvm_ == state_.kernel; }
  ModuleState::FunctionState& functionState() { return *function_; }
  mlir::Operation* source() const { return source_; }
  llvm::Value* globalScratch() const { return globalScratch_; }
  llvm::Value* sharedBase() const { return sharedBase_; }

  // Code for another group of warps: values that follow from the thread's place are made anew in
  // it.
  struct Place {
    WarpGroup group;
    llvm::Value *thread = nullptr, *lane = nullptr, *warp = nullptr, *ownWarp = nullptr,
                *block = nullptr;
  };
  Place enterGroup(WarpGroup group);
  void leaveGroup(Place place);

  // Begins the function: parameters, entry block.
  bool function(llvm::Function* function);

private:
  void beginPlace();
  llvm::Value* warpFor(const LinearLayout& layout);
  bool blocks(mlir::Region& body);

  ModuleState& state_;
  mlir::Operation* source_;
  ModuleState::FunctionState* function_; // the callee's while its body stands for a call
  struct Inlining {
    llvm::BasicBlock* after = nullptr;
    llvm::SmallVector<llvm::PHINode*> results;
  };
  Inlining inlining_;
  llvm::Function* llvm_ = nullptr;
  WarpGroup group_;
  llvm::Value *thread_ = nullptr, *lane_ = nullptr, *warp_ = nullptr, *ownWarp_ = nullptr,
              *block_ = nullptr;
  llvm::Value *sharedBase_ = nullptr, *globalScratch_ = nullptr;
  llvm::DenseMap<mlir::Value, Registers> values_;
  llvm::DenseMap<mlir::Type, std::unique_ptr<LinearLayout>> layouts_;
  llvm::DenseMap<mlir::Type, llvm::Type*> types_;
  llvm::DenseMap<mlir::Block*, llvm::BasicBlock*> blocks_;
  llvm::BumpPtrAllocator arena_;
  llvm::DISubprogram* subprogram_ = nullptr;
};

// Whether the program wants calls of this function to stay calls.
bool isNoinline(mlir::Operation* function);
// The handler of ops that make no code of their own: terminators, whose operands the op around them
// reads.
bool makesNoCode(FunctionEmitter& e, mlir::Operation* op);
// Bits of a register of this type.
unsigned registerBits(llvm::Type* type);
// The coordinates that each register adds to those of its thread, packed as the layout has them.
llvm::SmallVector<uint64_t> registerPlaces(const LinearLayout& layout);

} // namespace gluond::lowering
