#include "simulate/trace/Trace.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::simulate {

namespace {

// "kernel.py:12" of the innermost place that has a line.
std::string lineOf(mlir::Location at) {
  std::string line;
  at->walk([&](mlir::Location each) {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(each);
    if (!place) return mlir::WalkResult::advance();
    line = place.getFilename().str() + ":" + std::to_string(place.getLine());
    return mlir::WalkResult::interrupt();
  });
  return line;
}

std::string nameOf(const Instruction& instruction) {
  return instruction.op->getName().getStringRef().str();
}

llvm::StringRef engineOf(Actor actor) {
  switch (actor) {
  case Actor::Wgmma:
  case Actor::Tcgen05:
    return "tensor cores";
  case Actor::AsyncCopy:
    return "copies";
  case Actor::TdmLoad:
  case Actor::TdmStore:
    return "tensor data mover";
  case Actor::Thread:
  case Actor::WorkRequest:
  case Actor::RemoteStore:
    return "others";
  case Actor::TmaLoad:
  case Actor::TmaStore:
    break;
  }
  return "TMA";
}

} // namespace

bool Trace::add(Slice slice) {
  if (slices_.size() + flows_.size() >= most) {
    isCut_ = true;
    return false;
  }
  slices_.push_back(std::move(slice));
  return true;
}

uint32_t Trace::laneOf(const Thread& thread) {
  auto [found, isNew] = threadLanes_.try_emplace(thread.id, lanes_.size());
  if (isNew)
    lanes_.push_back(
        {thread.id == 0 ? "default partition" : "partition " + std::to_string(thread.id - 1),
         false});
  return found->second;
}

// Operations that overlap have lanes of their own.
uint32_t Trace::laneOf(Actor actor) {
  std::string engine = engineOf(actor).str();
  std::vector<uint32_t>& all = engineLanes_[engine];
  auto free = llvm::find_if(all, [&](uint32_t lane) { return lanes_[lane].isFree; });
  if (free != all.end()) return *free;
  auto lane = static_cast<uint32_t>(lanes_.size());
  lanes_.push_back({all.empty() ? engine : engine + " (" + std::to_string(all.size() + 1) + ")"});
  all.push_back(lane);
  return lane;
}

void Trace::executed(const State& state, const Thread& thread, const Instruction& instruction) {
  source_.reset();
  uint32_t lane = laneOf(thread);
  PartitionState& partition = partitions_[thread.id];
  if (partition.isWaiting) {
    partition.isWaiting = false;
    partition.last = nullptr;
    if (partition.slice < slices_.size()) slices_[partition.slice].to = state.steps;
    auto phase = phases_.find(partition.waiting.barrier);
    if (phase != phases_.end() && phase->second.complete && !isCut_)
      flows_.push_back({phase->second.lane, lane, phase->second.step, state.steps, "phase"});
    return;
  }
  // Instructions of one line are one slice.
  if (partition.last && partition.slice < slices_.size() &&
      partition.last->op->getLoc() == instruction.op->getLoc() &&
      slices_[partition.slice].lane == lane) {
    slices_[partition.slice].to = state.steps;
    return;
  }
  partition.last = &instruction;
  partition.slice = slices_.size();
  add({lane,
       state.steps - 1,
       state.steps,
       nameOf(instruction),
       lineOf(instruction.op->getLoc()),
       {}});
}

void Trace::blocked(const State& state, const Thread& thread, const Instruction& instruction) {
  PartitionState& partition = partitions_[thread.id];
  partition.isWaiting = true;
  partition.waiting = thread.waiting.value_or(Waiting());
  partition.slice = slices_.size();
  std::string what;
  if (thread.waiting)
    what = "parity " + std::to_string(thread.waiting->parity) + " of the barrier at " +
           std::to_string(thread.waiting->barrier);
  add({laneOf(thread), state.steps, state.steps, "wait", lineOf(instruction.op->getLoc()), what});
}

void Trace::barrierChanged(const State& state, uint32_t address, const Barrier& barrier) {
  Phase& phase = phases_[address];
  if (barrier.phase == phase.complete) return;
  phase = {barrier.phase, source_ ? *source_ : laneOf(state.threads[state.current]), state.steps};
}

void Trace::began(const State& state, const Thread& thread, const AsyncOperation& operation) {
  uint32_t lane = laneOf(operation.actor);
  lanes_[lane].isFree = false;
  underWay_[operation.id] = {lane, laneOf(thread), state.steps};
}

void Trace::ended(const State& state, const AsyncOperation& operation) {
  auto found = underWay_.find(operation.id);
  if (found == underWay_.end()) return;
  UnderWay begun = found->second;
  underWay_.erase(found);
  lanes_[begun.lane].isFree = true;
  source_ = begun.lane;
  std::string what;
  if (operation.bytes) what = std::to_string(operation.bytes) + " bytes";
  if (!add({begun.lane, begun.from, std::max(state.steps, begun.from + 1),
            nameOf(*operation.instruction), lineOf(operation.instruction->op->getLoc()), what}))
    return;
  flows_.push_back({begun.issuer, begun.lane, begun.from, begun.from, "issue"});
}

std::string Trace::text() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  auto event = [&](llvm::StringRef phase, llvm::StringRef name, uint32_t lane, uint64_t at,
                   llvm::function_ref<void()> more) {
    json.object([&] {
      json.attribute("ph", phase);
      json.attribute("name", name);
      json.attribute("pid", 0);
      json.attribute("tid", static_cast<int64_t>(lane));
      json.attribute("ts", static_cast<int64_t>(at));
      more();
    });
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    if (isCut_)
      json.attribute("note", "events beyond the first " + std::to_string(most) + " are left out");
    json.attributeArray("traceEvents", [&] {
      for (auto [i, lane] : llvm::enumerate(lanes_))
        event("M", "thread_name", static_cast<uint32_t>(i), 0,
              [&] { json.attributeObject("args", [&] { json.attribute("name", lane.name); }); });
      for (const Slice& slice : slices_)
        event("X", slice.name, slice.lane, slice.from, [&] {
          json.attribute("dur", static_cast<int64_t>(slice.to - slice.from));
          json.attributeObject("args", [&] {
            json.attribute("line", slice.line);
            if (!slice.what.empty()) json.attribute("what", slice.what);
          });
        });
      for (auto [i, flow] : llvm::enumerate(flows_)) {
        auto id = [&] {
          json.attribute("cat", "flow");
          json.attribute("id", static_cast<int64_t>(i));
        };
        event("s", flow.name, flow.fromLane, flow.from, id);
        event("f", flow.name, flow.toLane, flow.to, [&] {
          id();
          json.attribute("bp", "e");
        });
      }
    });
  });
  return text;
}

} // namespace gluond::simulate
