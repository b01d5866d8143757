// The actors that access memory: a partition by its own loads and stores, or an engine that works
// while partitions continue.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <mlir/IR/Operation.h>

#include <cstdint>

namespace gluond::ordering {

enum class Actor : uint8_t {
  Thread,
  TmaLoad,
  TmaStore,
  AsyncCopy,
  TdmLoad,
  TdmStore,
  Wgmma,
  Tcgen05,
  WorkRequest,
  RemoteStore
};
inline constexpr size_t actorCount = 10;

// The sort of an operation in messages: "a TMA load", "a wgmma".
llvm::StringRef name(Actor actor);
// Returns the operations that must come between an operation of this actor and a later access.
llvm::StringRef orderedBy(Actor actor);
// By the name of the op; an op without a row works in the partition itself.
Actor actorOf(mlir::Operation* op);
// Operations of one partition end in the order in which they were issued.
inline bool isInOrder(Actor actor) {
  return actor == Actor::AsyncCopy || actor == Actor::Wgmma || actor == Actor::Tcgen05;
}
// It reads shared memory through the async proxy.
inline bool isAsyncProxy(Actor actor) {
  return actor == Actor::TmaStore || actor == Actor::Wgmma || actor == Actor::Tcgen05;
}

} // namespace gluond::ordering
