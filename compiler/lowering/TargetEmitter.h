// The interface of a target: everything that differs between chips in the lowering.
//
// The handlers of this room's ops work over linear layouts and write LLVM IR that every GPU has:
// arithmetic, loads, stores, branches. Where chips differ they call a function of this class
// (FunctionEmitter::target()). A back end is one class that implements these functions and one
// table of handlers, which has the ops of its own dialect and those that it does in its own way
// (lowering/nvidia is one). Functions with a body here stand for what a chip may lack: a back end
// implements those that its chips have.
//
// CONVENTIONS. Every function writes code where the builder of `e` stands, and may begin new blocks
// there. Numbers of threads, lanes, warps and CTAs are i32 and count from 0. A predicate is an i1;
// a null predicate is true. A word is an i32. An address is a pointer of its memory's address
// space.
#pragma once

#include "ir/Context.h"
#include "ir/tt/Dialect.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Value.h>
#include <mlir/IR/Operation.h>

#include <optional>
#include <string>

namespace gluond::lowering {

class FunctionEmitter;
struct ModuleState;
struct SharedPlace;
using Registers = llvm::ArrayRef<llvm::Value*>;
using RegisterList = llvm::SmallVector<llvm::Value*, 16>;

// LLVM's address spaces. NVPTX and AMDGPU number these alike.
inline constexpr unsigned globalSpace = 1, sharedSpace = 3, constantSpace = 4;

// A subset of the offsets in shared memory: those that have, of the bits of the first number,
// exactly those of the second.
using OnlyOffsets = std::optional<std::pair<uint64_t, uint64_t>>;

// ---- Handlers of ops.

// A row of a table of handlers. The handler writes the code of the op, and returns false after
// FunctionEmitter::fail().
using Handler = bool (*)(FunctionEmitter& e, mlir::Operation* op);
struct OpRow {
  llvm::StringLiteral op; // "tt.reduce"
  Handler handler;
  // Returns the bytes of shared memory that the handler uses as scratch. It is null if the handler
  // uses none.
  int64_t (*scratchBytes)(mlir::Operation* op) = nullptr;
};
using HandlerTable = llvm::StringMap<OpRow>;

// ---- What is handed over.

// The warps that run a piece of code together.
struct WarpGroup {
  unsigned firstWarp = 0, warps = 4;
  unsigned barrier = 0; // number of the hardware barrier on which they meet
  bool isWholeCta = true;
  unsigned number = 0; // among the groups of the kernel: 0 the default warps, then the partitions
};

// Numbers of a launch, along an axis of the grid. Programs are clusters where a kernel has clusters
// of several CTAs; otherwise they are CTAs.
enum class GridNumber : uint8_t { Program, Programs, Cta, Ctas };

// An op's cache policy in the target's own form, made once for all of the op's accesses. Only the
// target reads it.
struct CacheHint {
  std::string words;            // for the instruction's text
  llvm::Value* value = nullptr; // an operand of the instruction
  bool isEmpty() const { return words.empty() && !value; }
};

// One access of a thread to consecutive elements of global memory, which are aligned to the size of
// all of them.
struct GlobalAccess {
  llvm::Value* address;
  llvm::Value* predicate; // whether the access happens
  llvm::Type* element;    // in registers: i1 lies in memory as a byte
  unsigned elements = 1;  // a power of two; 16 bytes at most
  bool isVolatile = false;
  CacheHint cache;
};

// One atomic access of a thread.
struct AtomicAccess {
  llvm::Value* address;   // of global or shared memory, of another CTA's perhaps
  llvm::Value* predicate; // whether the access happens
  tt::MemSemantic order = tt::MemSemantic::RELAXED;
  tt::MemSyncScope scope = tt::MemSyncScope::CTA;
  bool isResultUsed = true; // otherwise any value may be given as the old one
};

// Properties of the chip that the shared lowering and the launch of a kernel depend on.
struct TargetTraits {
  unsigned warpSize = 32;
  // A kernel whose warps have different tasks is launched with a multiple of this number of warps.
  unsigned warpUnit = 1;
  // Whether copies and matrix units reach shared memory on a path of their own, so that a fence
  // must stand between a thread's access and theirs (passes/memory/Synchronization.h).
  bool hasAsyncPath = false;
  // Whether code that a whole warp skips must follow a branch on a uniform() value: otherwise
  // lanes are masked, and a barrier is met even if none is left.
  bool branchesByUniformValues = false;
  // Whether code that is the same for all lanes of a warp has registers and instructions of its
  // own, so that what follows from the warp's number alone costs a thread nothing.
  bool hasScalarUnit = false;
  // Whether loadMatrices() and storeMatrices() have instructions.
  bool loadsMatrices = false, storesMatrices = false;
  // Returns whether one instruction makes two stores of so many bytes to shared memory at this
  // distance from each other. It is null if none does.
  bool (*storesTogether)(int64_t bytes, int64_t distance) = nullptr;
  // Whether any instruction may have a predicate, so that no branch is needed around a few.
  bool hasPredicates = false;
  // Whether the assembler saves registers by beginning a load only after what was loaded before it
  // is used.
  bool delaysLoads = false;
  // Whether an operand of a product is converted after the products before it
  // (passes/memory/LateOperands.h): the assembler moves nothing across the barriers of a
  // conversion.
  bool convertsOperandsLate = false;
  // The numbers of registers that a thread may set itself, in steps of `unit`. It is empty if the
  // launch alone decides.
  struct Registers {
    unsigned least, most, unit;
  };
  std::optional<Registers> registers = std::nullopt;
};

// Features that not every chip has.
enum class Feature : uint8_t {
  ClusterMemory,     // reading and writing the shared memory of other CTAs of the cluster
  WarpSpecialization // partitions of a kernel's warps with barriers and tasks of their own
};

class TargetEmitter {
public:
  explicit TargetEmitter(TargetTraits traits) : traits_(traits) {}
  virtual ~TargetEmitter() = default;

  const TargetTraits& traits() const { return traits_; }
  // Returns the handlers of all ops that can be compiled for the target; see withSharedHandlers().
  virtual const HandlerTable& handlers() const = 0;
  // Returns the chips that have the feature, for messages ("sm_90 or later"), or "" if this one has
  // it.
  virtual std::string lacks(Feature feature) const = 0;

  // ---- The kernel's interface.

  // Gives the kernel's function what the launch and the loader read off it: the calling convention,
  // numbers of threads and CTAs, limits of registers, how descriptors among `arguments` are passed.
  virtual void declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                             llvm::Function& kernel) const = 0;

  // Emit the code that the warps which begin a kernel execute before its first op, and before each
  // of its ends, when all its other warps are done. beginKernel() returns false after
  // FunctionEmitter::fail().
  virtual bool beginKernel(FunctionEmitter&) const { return true; }
  virtual void endKernel(FunctionEmitter&) const {}

  // Returns the type of the value by which a thread holds a tensor descriptor: a generic pointer to
  // it, unless the target says otherwise.
  virtual llvm::Type* descriptorType(llvm::LLVMContext& context, mlir::Type) const {
    return llvm::PointerType::get(context, 0);
  }

  // ---- The thread's place.

  virtual llvm::Value* threadOfCta(FunctionEmitter& e) const = 0;
  // Returns the number of the CTA in its cluster. Only kernels with clusters call it.
  virtual llvm::Value* blockOfCluster(FunctionEmitter& e) const = 0;
  // Returns the number of the thread's warp in its CTA, in the form of uniform().
  virtual llvm::Value* warpOfCta(FunctionEmitter& e, llvm::Value* thread) const = 0;
  // Returns `value`, an i32 that is the same in all lanes of a warp, in a form from which the
  // compiler knows that it is the same.
  virtual llvm::Value* uniform(FunctionEmitter& e, llvm::Value* value) const = 0;
  // Returns the number as an i32. `axis` is 0, 1 or 2 for x, y or z.
  virtual llvm::Value* gridNumber(FunctionEmitter& e, GridNumber number, unsigned axis) const = 0;
  // Returns the nanoseconds of a clock as an i64.
  virtual llvm::Value* nanoseconds(FunctionEmitter& e) const = 0;

  // ---- Barriers and fences. All of these order accesses to shared memory: a thread that has
  // passed one sees all accesses that precede it.

  // Emits a barrier of a group of two warps or more.
  virtual void barrier(FunctionEmitter& e, const WarpGroup& group) const = 0;
  // Emits a barrier of the lanes of a warp.
  virtual void warpBarrier(FunctionEmitter& e) const = 0;
  // Emits a barrier of all warps of the CTA, which reach it at different places of the code.
  virtual void barrierOfAllWarps(FunctionEmitter&) const {}
  // Emits a barrier of all threads of the cluster. If `isRelaxed`, it need not order accesses.
  virtual void clusterBarrier(FunctionEmitter&, bool /*isRelaxed*/) const {}
  // A barrier of one group of warps with the same group of the other CTAs of the cluster. It needs
  // 32 bytes of shared memory that nothing else uses. prepareGroupMeetings() initializes these
  // bytes for all groups, in the thread in which `isFirst` is true; meetGroupOfCluster() emits the
  // barrier of the group that code is made for.
  static constexpr int64_t groupMeetingBytes = 32;
  virtual void prepareGroupMeetings(FunctionEmitter&, Registers /*places*/,
                                    llvm::Value* /*isFirst*/) const {}
  virtual void meetGroupOfCluster(FunctionEmitter&, llvm::Value* /*place*/) const {}
  // Makes the barriers that the CTA has initialized visible to the cluster.
  virtual void fenceInitializations(FunctionEmitter&) const {}
  // Makes the thread's accesses to shared memory visible to the asynchronous path.
  virtual void fenceAsyncShared(FunctionEmitter&, bool /*ofCluster*/) const {}
  // Orders the thread's accesses to memory before it and after it, for the threads of the scope.
  virtual void fence(FunctionEmitter& e, tt::MemSyncScope scope) const = 0;
  // Waits until the thread's stores to tensor memory are done.
  virtual void finishTensorStores(FunctionEmitter&) const {}
  // Changes the number of registers of each thread of the warp, from `now`. Called where
  // TargetTraits::registers allows the number.
  virtual void setRegisters(FunctionEmitter&, unsigned /*registers*/, unsigned /*now*/) const {}

  // ---- Between the lanes of a warp.

  // Return the word of the lane with that number, or of the lane whose number differs in `bits`.
  virtual llvm::Value* shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const = 0;
  virtual llvm::Value* shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const = 0;
  // Returns the word of the lane whose number is smaller by `distance` (greater, if that is
  // negative), or any word if there is no such lane. Returns null if the chip has no better way
  // than shuffle().
  virtual llvm::Value* shuffleBefore(FunctionEmitter&, llvm::Value* /*word*/,
                                     int /*distance*/) const {
    return nullptr;
  }
  // Returns, in every lane, the values of all lanes of a warp combined by one op ("arith.addi").
  // Returns null if the chip has no better way than shuffles.
  virtual llvm::Value* reduceWarp(FunctionEmitter&, llvm::StringRef /*combiner*/,
                                  llvm::Value*) const {
    return nullptr;
  }

  // The moves after which the last lane of a warp has what all lanes had, if it combines what it
  // has with what each of them brings. None if the chip has no better way than shuffles.
  virtual unsigned movesToLastLane(FunctionEmitter&) const { return 0; }
  // Returns the word that the move with that number brings to a lane, and the last lane's word.
  virtual llvm::Value* movedToLastLane(FunctionEmitter&, llvm::Value* word,
                                       unsigned /*move*/) const {
    return word;
  }
  virtual llvm::Value* wordOfLastLane(FunctionEmitter&, llvm::Value* word) const { return word; }

  // Returns how many floats of the type one instruction combines by the op, in reductions within a
  // thread.
  virtual unsigned combinedAtOnce(llvm::StringRef /*combiner*/, llvm::Type*) const { return 1; }

  // ---- Memory.

  // Returns the same address in the shared memory of another CTA of the cluster.
  virtual llvm::Value* addressInBlock(FunctionEmitter&, llvm::Value* address,
                                      llvm::Value* /*block*/) const {
    return address;
  }
  // Returns what `policy`, the op's attribute, asks for. It may be null.
  virtual CacheHint cacheHint(FunctionEmitter&, mlir::Attribute /*policy*/, bool /*isLoad*/) const {
    return {};
  }
  // Emit accesses that have a predicate or a hint; the others are LLVM's load and store.
  // loadGlobal() returns `others` where the predicate is false, or zeros if `others` is empty.
  virtual RegisterList loadGlobal(FunctionEmitter& e, const GlobalAccess& access,
                                  Registers others) const = 0;
  virtual void storeGlobal(FunctionEmitter& e, const GlobalAccess& access,
                           Registers values) const = 0;
  // Emit accesses to shared memory by instructions in which lanes work together (ldmatrix,
  // ds_read_tr), with a barrier of the warp where one is needed. They return false, and write
  // nothing, if these instructions do not fit.
  virtual bool loadMatrices(FunctionEmitter&, const SharedPlace&, llvm::Type* /*element*/,
                            llvm::MutableArrayRef<llvm::Value*>, OnlyOffsets) const {
    return false;
  }
  virtual bool storeMatrices(FunctionEmitter&, const SharedPlace&, Registers, OnlyOffsets) const {
    return false;
  }
  // Emit the store of a word to shared memory where the predicate holds, and the atomic addition of
  // 1 to a word there.
  virtual void storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                           llvm::Value* word) const = 0;
  virtual void countShared(FunctionEmitter& e, llvm::Value* predicate,
                           llvm::Value* address) const = 0;

  // ---- Atomic accesses. Values are of the elements' types in registers.

  // Returns the most consecutive elements of global memory that one atomicUpdate() can change, or 0
  // if there is none for the type.
  virtual unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const = 0;
  // Returns the values before the update.
  virtual RegisterList atomicUpdate(FunctionEmitter& e, const AtomicAccess& access, tt::RMWOp kind,
                                    Registers values) const = 0;
  virtual llvm::Value* compareAndSwap(FunctionEmitter& e, const AtomicAccess& access,
                                      llvm::Value* expected, llvm::Value* value) const = 0;
  virtual llvm::Value* atomicLoad(FunctionEmitter& e, const AtomicAccess& access,
                                  llvm::Type* type) const = 0;
  virtual void atomicStore(FunctionEmitter& e, const AtomicAccess& access,
                           llvm::Value* value) const = 0;
  // Emits what orders all atomic accesses of an operation at once, before or after them. Returns
  // false, without code, where each is to be ordered by itself.
  virtual bool orderTogether(FunctionEmitter&, tt::MemSemantic /*order*/,
                             tt::MemSyncScope /*scope*/, bool /*isBefore*/) const {
    return false;
  }

  // ---- Numbers.

  // Emits a function of floats that arithmetic/Math.cpp leaves to the target, by the name of its
  // op. All operands have one type, which is the result's.
  virtual llvm::Value* math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const = 0;

  // ---- Messages to the host.

  // Emits C's printf. The values are promoted as C does it.
  virtual void print(FunctionEmitter& e, llvm::StringRef format, Registers values) const = 0;
  // Emits code that reports a failed assertion and ends the kernel.
  struct SourcePlace {
    std::string file, function;
    unsigned line = 0;
  };
  virtual void assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                               const SourcePlace& place) const = 0;

private:
  TargetTraits traits_;
};

} // namespace gluond::lowering
