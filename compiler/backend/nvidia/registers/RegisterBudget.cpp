#include "backend/nvidia/registers/RegisterBudget.h"

#include "backend/nvidia/registers/RegisterPressure.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/NVPTXAddrSpace.h>

namespace gluond::backend::nvidia {

namespace {

constexpr llvm::StringLiteral limitAttribute = "nvvm.maxnreg", sizeAttribute = "nvvm.reqntid";

// What a kernel does, as far as the budget depends on it.
struct Work {
  bool loops = false;
  bool meetsInLoops = false;    // all threads of the CTA
  bool exchanges = false;       // threads tell each other values, anywhere
  bool multiplies = false;      // matrices, by mma.sync
  bool copies = false;          // by cp.async
  bool multipliesAside = false; // by wgmma, while the threads go on
  bool isAsynchronous = false;  // other units that work by themselves have an order of their own
  unsigned turn = 0;            // registers that a loop carries and the loads of a turn bring, most
};

bool isGlobalLoad(const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  auto* text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && llvm::StringRef(text->getAsmString()).contains("ld.global.");
}

unsigned registersOfTurn(const llvm::Loop& loop, const llvm::LoopInfo& loops) {
  const llvm::DataLayout& layout = loop.getHeader()->getDataLayout();
  unsigned sum = 0;
  for (const llvm::Loop* each = &loop; each; each = each->getParentLoop())
    for (llvm::PHINode& carried : each->getHeader()->phis())
      sum += registersOf(carried.getType(), layout);
  for (const llvm::BasicBlock* block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      for (const llvm::Instruction& instruction : *block)
        if (isGlobalLoad(instruction)) sum += registersOf(instruction.getType(), layout);
  return sum;
}

// What an instruction of this name, or an assembly of this text, makes of the kernel.
void noteUnits(Work& work, llvm::StringRef words) {
  bool isWarpGroup = words.contains("wgmma");
  bool isUnit = isWarpGroup || words.contains("mbarrier") || words.contains("tcgen05") ||
                words.contains("bulk") || words.contains("setmaxnreg");
  work.multipliesAside |= isWarpGroup;
  work.isAsynchronous |= isUnit && !isWarpGroup;
  work.copies |= !isUnit && words.contains("async");
  work.multiplies |= !isUnit && words.contains("mma");
}

Work workOf(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  Work work;
  work.loops = !loops.empty();
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    work.turn = std::max(work.turn, registersOfTurn(*loop, loops));
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) continue;
    if (auto* text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
      llvm::StringRef words = text->getAsmString();
      noteUnits(work, words);
      continue;
    }
    llvm::StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    if (!name.consume_front("llvm.nvvm.")) continue;
    noteUnits(work, name);
    bool isBarrier = name.starts_with("barrier");
    work.exchanges |= isBarrier || name.starts_with("shfl") || name.starts_with("redux");
    work.meetsInLoops |= isBarrier && loops.getLoopFor(instruction.getParent());
  }
  return work;
}

// Kernels of this many threads, and registers in the order of LLVM's instructions, get the limit.
struct Row {
  bool loops, meets; // whether there are loops; whether threads may meet in them, or anywhere else
  unsigned aboveThreads, mostThreads, least, most;
  unsigned limit;
  unsigned mostOfTurn = 512; // registers that a turn loads and the loop carries
  bool multiplies = false;
  unsigned leastOfTurn = 0;
};
constexpr Row rows[] = {
    // A turn's loads are under way together; with more room where they would fill the limit. In
    // between, ptxas has them under way by itself, and a limit would cost programs.
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 80,
     .most = 84,
     .limit = 80,
     .mostOfTurn = 56,
     .leastOfTurn = 40},
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 0,
     .most = 43,
     .limit = 64},
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 44,
     .most = 55,
     .limit = 64,
     .leastOfTurn = 34},
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 56,
     .most = 85,
     .limit = 64},
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 0,
     .most = 84,
     .limit = 128,
     .leastOfTurn = 57},
    // The same in kernels that hold much.
    {.loops = true,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 92,
     .most = 180,
     .limit = 128},
    // Where all threads meet, others have to run meanwhile: another CTA fits into the
    // multiprocessor.
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 92,
     .most = 132,
     .limit = 96},
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 133,
     .most = 180,
     .limit = 128},
    // What they hold for a moment only is computed in parts.
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 181,
     .most = 300,
     .limit = 128,
     .mostOfTurn = 32},
    // Without a limit, ptxas serves one program more, and loads a part of a turn after the other.
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 181,
     .most = 250,
     .limit = 200,
     .mostOfTurn = 170,
     .leastOfTurn = 100},
    // Few registers less let a fourth program run.
    {.loops = true,
     .meets = true,
     .aboveThreads = 128,
     .mostThreads = 256,
     .least = 120,
     .most = 135,
     .limit = 64,
     .mostOfTurn = 48},
    {.loops = true,
     .meets = true,
     .aboveThreads = 128,
     .mostThreads = 256,
     .least = 140,
     .most = 210,
     .limit = 128},
    // As many CTAs as without a limit, whose loads are then under way together.
    {.loops = true,
     .meets = false,
     .aboveThreads = 128,
     .mostThreads = 256,
     .least = 50,
     .most = 64,
     .limit = 64},
    // Products of small tiles: operands of the next products are loaded meanwhile. Attention: a few
    // registers less let another program run.
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 94,
     .most = 101,
     .limit = 80,
     .mostOfTurn = 57,
     .multiplies = true},
    {.loops = true,
     .meets = true,
     .aboveThreads = 128,
     .mostThreads = 256,
     .least = 155,
     .most = 163,
     .limit = 128,
     .mostOfTurn = 80,
     .multiplies = true},
    // Products whose turns load little: operands of the next products are loaded meanwhile.
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 110,
     .most = 140,
     .limit = 96,
     .mostOfTurn = 40,
     .multiplies = true},
    {.loops = true,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 128,
     .least = 181,
     .most = 220,
     .limit = 200,
     .mostOfTurn = 40,
     .multiplies = true},
    // Values of many loads are converted and stored together; small CTAs rather run beside others.
    {.loops = false,
     .meets = false,
     .aboveThreads = 0,
     .mostThreads = 64,
     .least = 72,
     .most = 96,
     .limit = 64},
    {.loops = false,
     .meets = false,
     .aboveThreads = 64,
     .mostThreads = 128,
     .least = 66,
     .most = 69,
     .limit = 56},
    {.loops = false,
     .meets = false,
     .aboveThreads = 64,
     .mostThreads = 128,
     .least = 70,
     .most = 79,
     .limit = 96},
    {.loops = false,
     .meets = false,
     .aboveThreads = 64,
     .mostThreads = 128,
     .least = 80,
     .most = 96,
     .limit = 128},
    {.loops = false,
     .meets = false,
     .aboveThreads = 128,
     .mostThreads = 256,
     .least = 36,
     .most = 64,
     .limit = 48},
    // The same where threads exchange values.
    {.loops = false,
     .meets = true,
     .aboveThreads = 64,
     .mostThreads = 128,
     .least = 90,
     .most = 105,
     .limit = 96},
    {.loops = false,
     .meets = true,
     .aboveThreads = 0,
     .mostThreads = 64,
     .least = 85,
     .most = 96,
     .limit = 80},
    {.loops = false,
     .meets = true,
     .aboveThreads = 64,
     .mostThreads = 128,
     .least = 145,
     .most = 160,
     .limit = 128},
};

// Registers beside what a turn loads and the loop carries: addresses, masks, and the value that is
// computed.
constexpr unsigned beside = 8;

// 0: ptxas chooses.
unsigned limitOf(llvm::Function& kernel, unsigned threads) {
  Work work = workOf(kernel);
  if (work.isAsynchronous) return 0;
  // The threads copy the operands of the next products: with all registers that there are, ptxas
  // has the addresses ready when the products end.
  constexpr unsigned all = 256, fewThreads = 128;
  constexpr unsigned muchHeld = 180;
  unsigned registers = mostRegisters(kernel);
  if (work.multipliesAside)
    return work.copies && threads <= fewThreads && registers > muchHeld ? all : 0;
  if (work.copies && !work.multiplies) return 0;
  bool meets = work.loops ? work.meetsInLoops : work.exchanges;
  auto* row = llvm::find_if(rows, [&](const Row& row) {
    return work.loops == row.loops && work.multiplies == row.multiplies && (row.meets || !meets) &&
           threads > row.aboveThreads && threads <= row.mostThreads && registers >= row.least &&
           registers <= row.most && work.turn <= row.mostOfTurn && work.turn >= row.leastOfTurn &&
           work.turn + beside <= row.limit; // else values would go to memory
  });
  return row == std::end(rows) ? 0 : row->limit;
}

} // namespace

void budgetRegisters(llvm::Function& kernel) {
  unsigned threads = 0;
  if (kernel.hasFnAttribute(limitAttribute) ||
      kernel.getFnAttribute(sizeAttribute).getValueAsString().getAsInteger(10, threads))
    return;
  if (unsigned limit = limitOf(kernel, threads))
    kernel.addFnAttr(limitAttribute, std::to_string(limit));
}

} // namespace gluond::backend::nvidia
