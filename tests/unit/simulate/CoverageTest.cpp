// Every op of the dialects that a kernel's `ttgir` consists of has a row in the simulator's table,
// or a reason here why it needs none.
#include "ir/Context.h"
#include "simulate/ordering/Actors.h"
#include "simulate/translate/Translate.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/Operation.h>

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace gluond::simulate {
namespace {

constexpr const char* jumps = "translate/ makes jumps, calls or threads of it";
constexpr const char* plainTriton = "plain Triton's; Gluon's code generation makes none";
constexpr const char* laterStages = "made after ttgir";
constexpr const char* marks = "a mark for the debugger, which translate/ reads";
constexpr const char* earlierStages = "none is left in ttgir";

const std::map<std::string, const char*>& reasons() {
  static const std::map<std::string, const char*> all = {
      {"cf.br", jumps},
      {"cf.cond_br", jumps},
      {"scf.condition", jumps},
      {"scf.execute_region", jumps},
      {"scf.for", jumps},
      {"scf.if", jumps},
      {"scf.while", jumps},
      {"scf.yield", jumps},
      {"tt.call", jumps},
      {"tt.func", jumps},
      {"tt.map_elementwise.return", jumps},
      {"tt.reduce.return", jumps},
      {"tt.return", jumps},
      {"tt.scan.return", jumps},
      {"ttg.warp_return", jumps},
      {"ttg.warp_specialize", jumps},
      {"ttg.warp_specialize.partitions", jumps},
      {"ttg.warp_yield", jumps},
      {"tt.descriptor_gather", plainTriton},
      {"tt.descriptor_load", plainTriton},
      {"tt.descriptor_reduce", plainTriton},
      {"tt.descriptor_scatter", plainTriton},
      {"tt.descriptor_store", plainTriton},
      {"ttg.mask", plainTriton},
      {"ttg.mask.return", plainTriton},
      {"ttg.predicate_stage", plainTriton},
      {"ttg.warp_id", laterStages},
      {"ttng.clc_try_cancel_sync", laterStages},
      {"gluon.set_auto_layout", earlierStages},
      {"gluon.statement", marks},
      {"gluon.variable", marks},
  };
  return all;
}

// Those of MLIR's own dialects that nothing makes are not listed one by one.
bool isOurs(llvm::StringRef dialect) {
  return llvm::is_contained({"tt", "ttg", "ttng", "amdg", "tti", "rocdl", "gluon"}, dialect);
}

TEST(Coverage, EveryOpIsExecutedOrHasAReason) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  size_t seen = 0;
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations()) {
    if (!isOurs(op.getDialectNamespace())) continue;
    ++seen;
    std::string name = op.getStringRef().str();
    bool hasRow = operationTable().contains(name), hasReason = reasons().contains(name);
    EXPECT_NE(hasRow, hasReason) << name << (hasRow ? " has a row and a reason" : " has neither");
  }
  EXPECT_GT(seen, 150u);
}

TEST(Coverage, ReasonsAreOfOpsThatExist) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  for (const auto& [name, reason] : reasons())
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(name, context.get())) << name;
}

// Every op whose name says that an engine executes it has a row in the table of engines, or a
// reason here why the thread executes it.
TEST(Coverage, EveryAsynchronousOpHasAnEngine) {
  constexpr const char* waits = "waits for operations, or groups them";
  constexpr const char* own = "the thread's own access or calculation";
  const std::map<std::string, const char*> reasons = {
      {"amdg.async_tdm_intrinsic_wait", waits},
      {"amdg.async_tdm_wait", waits},
      {"amdg.async_wait", waits},
      {"amdg.tdm_prefetch", "fills a cache: nothing can be told of it"},
      {"ttg.async_commit_group", waits},
      {"ttg.async_wait", waits},
      {"ttng.async_tma_store_wait", waits},
      {"ttng.clc_get_program_id", own},
      {"ttng.clc_is_canceled", own},
      {"ttng.clc_load_result", own},
      {"ttng.clc_try_cancel_sync", laterStages},
      {"ttng.fence_async_shared", "orders what the thread wrote"},
      {"ttng.tmem_alloc", own},
      {"ttng.tmem_load", own},
      {"ttng.tmem_store", own},
      {"ttng.tmem_subslice", own},
      {"ttng.tmem_wait", waits},
      {"ttng.warp_group_dot_wait", waits},
  };
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  auto isAsynchronous = [](llvm::StringRef name) {
    return llvm::any_of(std::initializer_list<llvm::StringRef>{"async_", ".tma_", ".tdm_", ".tmem_",
                                                               ".tc_gen5", ".clc_", "group_dot"},
                        [&](llvm::StringRef part) { return name.contains(part); });
  };
  size_t seen = 0;
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations()) {
    std::string text = name.getStringRef().str();
    if (!isOurs(name.getDialectNamespace()) || !isAsynchronous(text)) continue;
    ++seen;
    mlir::Operation* op =
        mlir::Operation::create(mlir::OperationState(mlir::UnknownLoc::get(context.get()), name));
    bool hasRow = ordering::actorOf(op) != ordering::Actor::Thread;
    op->destroy();
    bool hasReason = reasons.contains(text);
    EXPECT_NE(hasRow, hasReason)
        << text
        << (hasRow ? " has a row and a reason"
                   : " has neither a row in ordering/Actors.cpp nor a reason here");
  }
  EXPECT_GT(seen, 35u);
}

// What code generation makes of arith and math, by its rules and its tables (codegen/rules).
TEST(Coverage, ArithmeticOfCodeGeneration) {
  for (const char* name :
       {"arith.addf",     "arith.addi",     "arith.andi",      "arith.bitcast", "arith.cmpf",
        "arith.cmpi",     "arith.constant", "arith.divf",      "arith.divsi",   "arith.divui",
        "arith.extf",     "arith.extsi",    "arith.extui",     "arith.fptosi",  "arith.fptoui",
        "arith.maximumf", "arith.maxnumf",  "arith.maxsi",     "arith.maxui",   "arith.minimumf",
        "arith.minnumf",  "arith.minsi",    "arith.minui",     "arith.mulf",    "arith.muli",
        "arith.negf",     "arith.ori",      "arith.remf",      "arith.remsi",   "arith.remui",
        "arith.select",   "arith.shli",     "arith.shrsi",     "arith.shrui",   "arith.sitofp",
        "arith.subf",     "arith.subi",     "arith.truncf",    "arith.trunci",  "arith.uitofp",
        "arith.xori",     "math.absf",      "math.absi",       "math.ceil",     "math.cos",
        "math.erf",       "math.exp",       "math.exp2",       "math.floor",    "math.fma",
        "math.log",       "math.log2",      "math.rsqrt",      "math.sin",      "math.sqrt",
        "ub.poison",      "gpu.barrier",    "llvm.intr.assume"})
    EXPECT_TRUE(operationTable().contains(name)) << name;
}

} // namespace
} // namespace gluond::simulate
