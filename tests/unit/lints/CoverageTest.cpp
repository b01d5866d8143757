// Every op of the dialects that have buffers and barriers has a row in the machine's table of
// effects, or a reason here why it needs none.
#include "ir/Context.h"
#include "lints/synchronization/Machine.h"

#include <mlir/IR/MLIRContext.h>

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace gluond::lints::synchronization {
namespace {

constexpr const char* noBuffer = "uses neither shared nor tensor memory nor a barrier";
constexpr const char* control = "control flow, which Machine.cpp executes";
constexpr const char* scalar = "a scalar, which Machine.cpp computes";
constexpr const char* unknown = "not simulated: its buffers count as written afterwards";
constexpr const char* oneThread =
    "orders warps of a partition, which the machine runs as one thread";
constexpr const char* oneCta = "orders CTAs of a cluster, of which the machine runs one";
constexpr const char* plainTriton = "plain Triton's; Gluon's code generation makes none";
constexpr const char* laterStages = "made after ttgir";

const std::map<std::string, const char*>& reasons() {
  static const std::map<std::string, const char*> all = {
      {"amdg.arrive_barrier", unknown},
      {"amdg.async_copy_local_to_global", unknown},
      {"amdg.async_copy_mbarrier_arrive", unknown},
      {"amdg.buffer_atomic_cas", noBuffer},
      {"amdg.buffer_atomic_rmw", noBuffer},
      {"amdg.buffer_load", noBuffer},
      {"amdg.buffer_store", noBuffer},
      {"amdg.cluster_barrier_arrive", oneCta},
      {"amdg.cluster_barrier_wait", oneCta},
      {"amdg.concat", noBuffer},
      {"amdg.cond_barrier", oneThread},
      {"amdg.extract_slice", noBuffer},
      {"amdg.in_thread_transpose", noBuffer},
      {"amdg.init_barrier", unknown},
      {"amdg.local_load_packed_transposed", unknown},
      {"amdg.scaled_downcast_fp4", noBuffer},
      {"amdg.scaled_downcast_fp8", noBuffer},
      {"amdg.scaled_upcast_fp4", noBuffer},
      {"amdg.scaled_upcast_fp8", noBuffer},
      {"amdg.tdm_prefetch", noBuffer},
      {"amdg.update_tensor_descriptor", noBuffer},
      {"amdg.wait_barrier", unknown},
      {"ttg.barrier", oneThread},
      {"ttg.convert_layout", noBuffer},
      {"ttg.fp4_to_fp", noBuffer},
      {"ttg.global_scratch_alloc", noBuffer},
      {"ttg.inline_asm", unknown},
      {"ttg.local_atomic_scatter_rmw", unknown},
      {"ttg.local_scatter", unknown},
      {"ttg.mask", plainTriton},
      {"ttg.mask.return", plainTriton},
      {"ttg.predicate_stage", plainTriton},
      {"ttg.warp_id", laterStages},
      {"ttg.warp_return", control},
      {"ttg.warp_specialize", control},
      {"ttg.warp_specialize.partitions", control},
      {"ttg.warp_yield", control},
      {"ttng.async_shared_store", unknown},
      {"ttng.clc_get_program_id", scalar},
      {"ttng.clc_is_canceled", scalar},
      {"ttng.clc_try_cancel_sync", laterStages},
      {"ttng.cluster_barrier", oneCta},
      {"ttng.fence_mbarrier_init_release_cluster", oneCta},
      {"ttng.packed_arith", noBuffer},
      {"ttng.reinterpret_tensor_descriptor", noBuffer},
      {"ttng.tensormap_create", noBuffer},
      {"ttng.tensormap_fenceproxy_acquire", noBuffer},
      {"ttng.tmem_wait", laterStages},
  };
  return all;
}

TEST(Coverage, EveryOpHasAnEffectOrAReason) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  size_t seen = 0;
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations()) {
    if (!llvm::is_contained({"ttg", "ttng", "amdg"}, op.getDialectNamespace())) continue;
    ++seen;
    std::string name = op.getStringRef().str();
    bool hasRow = Machine::executes(op), hasReason = reasons().contains(name);
    EXPECT_NE(hasRow, hasReason)
        << name
        << (hasRow ? " has a row and a reason"
                   : " has neither a row in Machine::makeEffects nor a reason here");
  }
  EXPECT_GT(seen, 80u);
}

TEST(Coverage, ReasonsAreOfOpsThatExist) {
  auto context = ir::createContext();
  context->loadAllAvailableDialects();
  for (const auto& [name, reason] : reasons())
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(name, context.get())) << name;
}

} // namespace
} // namespace gluond::lints::synchronization
