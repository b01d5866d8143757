#include "simulate/ordering/Actors.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::ordering {

namespace {

struct Row {
  llvm::StringLiteral name, orderedBy;
};
constexpr Row rows[actorCount] = {
    {"an access",
     "an arrival on a barrier after the first and a wait for its phase before the second"},
    {"a TMA load", "a wait for the phase that the load completes"},
    {"a TMA store", "a `store_wait`"},
    {"an asynchronous copy", "a `commit_group` and a `wait_group`"},
    {"a TDM load", "an `async_wait`"},
    {"a TDM store", "an `async_wait`"},
    {"a wgmma", "a `warpgroup_mma_wait`"},
    {"a tcgen05 MMA", "a `tcgen05_commit` and a wait for the phase that it completes"},
    {"a work request", "a wait for the phase that the answer completes"},
    {"a store to another CTA", "a wait for the phase that the store completes"},
};

} // namespace

llvm::StringRef name(Actor actor) {
  return rows[static_cast<size_t>(actor)].name;
}
llvm::StringRef orderedBy(Actor actor) {
  return rows[static_cast<size_t>(actor)].orderedBy;
}

Actor actorOf(mlir::Operation* op) {
  static const llvm::StringMap<Actor> actors = {
      {"ttng.async_tma_copy_global_to_local", Actor::TmaLoad},
      {"ttng.async_tma_gather", Actor::TmaLoad},
      {"ttng.async_tma_copy_local_to_global", Actor::TmaStore},
      {"ttng.async_tma_reduce", Actor::TmaStore},
      {"ttng.async_tma_scatter", Actor::TmaStore},
      {"ttg.async_copy_global_to_local", Actor::AsyncCopy},
      {"ttng.async_copy_mbarrier_arrive", Actor::AsyncCopy},
      {"amdg.buffer_load_to_local", Actor::AsyncCopy},
      {"amdg.async_copy_local_to_global", Actor::AsyncCopy},
      {"amdg.async_copy_mbarrier_arrive", Actor::AsyncCopy},
      {"amdg.async_tdm_copy_global_to_local", Actor::TdmLoad},
      {"amdg.async_tdm_fused_copy_global_to_local", Actor::TdmLoad},
      {"amdg.async_tdm_gather", Actor::TdmLoad},
      {"amdg.async_tdm_copy_local_to_global", Actor::TdmStore},
      {"amdg.async_tdm_scatter", Actor::TdmStore},
      {"ttng.warp_group_dot", Actor::Wgmma},
      {"ttng.tc_gen5_mma", Actor::Tcgen05},
      {"ttng.tc_gen5_mma_scaled", Actor::Tcgen05},
      {"ttng.tc_gen5_commit", Actor::Tcgen05},
      {"ttng.tmem_copy", Actor::Tcgen05},
      {"ttng.clc_try_cancel", Actor::WorkRequest},
      {"ttng.async_shared_store", Actor::RemoteStore},
  };
  auto found = actors.find(op->getName().getStringRef());
  return found == actors.end() ? Actor::Thread : found->second;
}

} // namespace gluond::ordering
