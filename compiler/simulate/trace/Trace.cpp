#include "simulate/trace/Trace.h"

#include "ir/ttg/Types.h"

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

// Returns the bytes that the operation counts, or else those of the first buffer among its
// operands.
uint64_t bytesOf(const AsyncOperation& operation) {
  if (operation.bytes) return static_cast<uint64_t>(operation.bytes);
  if (operation.actor == Actor::Wgmma || operation.actor == Actor::Tcgen05) return 0;
  for (mlir::Value operand : operation.instruction->op->getOperands())
    if (auto type = llvm::dyn_cast<ttg::MemDescType>(operand.getType()))
      if (type.getElementType().isIntOrFloat())
        return static_cast<uint64_t>(type.getNumElements()) * tt::bitWidth(type.getElementType()) /
               8;
  return 0;
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
  if (slices_.size() + flows_.size() >= options_.most) {
    isCut_ = true;
    return false;
  }
  slices_.push_back(std::move(slice));
  return true;
}

uint32_t Trace::laneOf(const Thread& thread) {
  auto [found, isNew] = threadLanes_.try_emplace(thread.id, lanes_.size());
  if (isNew) lanes_.push_back({thread.name(), false, false});
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

bool Trace::isSameWork(const Instruction& a, const Instruction& b) {
  mlir::Location first = a.op->getLoc(), second = b.op->getLoc();
  if (first == second || !options_.byLine) return first == second;
  auto line = [&](mlir::Location at) {
    auto [found, isNew] = lines_.try_emplace(at.getAsOpaquePointer());
    if (isNew) found->second = lineOf(at);
    return found->second;
  };
  return line(first) == line(second);
}

void Trace::executed(const State& state, const Thread& thread, const Instruction& instruction) {
  // Combiners of reductions run in threads that the state does not list.
  if (thread.id >= state.threads.size() || &state.threads[thread.id] != &thread) return;
  uint64_t now = at(state);
  source_.reset();
  uint32_t lane = laneOf(thread);
  PartitionState& partition = partitions_[thread.id];
  if (partition.isWaiting) {
    partition.isWaiting = false;
    partition.last = nullptr;
    if (partition.slice < slices_.size()) slices_[partition.slice].to = now;
    auto phase = phases_.find(partition.waiting.barrier);
    if (phase != phases_.end() && phase->second.complete && !isCut_)
      flows_.push_back({phase->second.lane, lane, phase->second.step, now, "phase"});
    return;
  }
  if (instruction.role == Role::Statement || instruction.role == Role::Variable) return;
  if (partition.last && partition.slice < slices_.size() &&
      isSameWork(*partition.last, instruction) && slices_[partition.slice].lane == lane) {
    slices_[partition.slice].to = now;
    return;
  }
  partition.last = &instruction;
  partition.slice = slices_.size();
  add({Slice::Kind::Work, lane, now - 1, now, &instruction, {}});
}

void Trace::blocked(const State& state, const Thread& thread, const Instruction& instruction) {
  uint64_t now = at(state);
  PartitionState& partition = partitions_[thread.id];
  partition.isWaiting = true;
  partition.waiting = thread.waiting.value_or(Waiting());
  partition.slice = slices_.size();
  std::string what;
  if (thread.waiting)
    what = "parity " + std::to_string(thread.waiting->parity) + " of the barrier at " +
           std::to_string(thread.waiting->barrier);
  add({Slice::Kind::Wait, laneOf(thread), now, now, &instruction, std::move(what)});
}

void Trace::barrierChanged(const State& state, uint32_t address, const Barrier& barrier) {
  Phase& phase = phases_[address];
  if (barrier.phase == phase.complete) return;
  phase = {barrier.phase, source_ ? *source_ : laneOf(state.threads[state.current]), at(state)};
}

void Trace::began(const State& state, const Thread& thread, const AsyncOperation& operation) {
  uint32_t lane = laneOf(operation.actor);
  lanes_[lane].isFree = false;
  underWay_[operation.id] = {lane, laneOf(thread), at(state), bytesOf(operation),
                             operation.instruction};
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
  if (!add({Slice::Kind::Operation, begun.lane, begun.from, std::max(at(state), begun.from + 1),
            operation.instruction, std::move(what), begun.bytes}))
    return;
  flows_.push_back({begun.issuer, begun.lane, begun.from, begun.from, "issue"});
}

void Trace::close() {
  for (auto& [id, partition] : partitions_)
    if (partition.isWaiting && partition.slice < slices_.size()) {
      slices_[partition.slice].to = std::max(now_, slices_[partition.slice].from);
      slices_[partition.slice].isOpen = true;
    }
  for (const auto& [id, begun] : underWay_) {
    if (!add({Slice::Kind::Operation, begun.lane, begun.from, std::max(now_, begun.from + 1),
              begun.instruction, "not over", begun.bytes, true}))
      break;
    flows_.push_back({begun.issuer, begun.lane, begun.from, begun.from, "issue"});
  }
  underWay_.clear();
}

std::string Trace::text() const {
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
      json.attribute("note",
                     "events beyond the first " + std::to_string(options_.most) + " are left out");
    json.attributeArray("traceEvents", [&] {
      for (auto [i, lane] : llvm::enumerate(lanes_))
        event("M", "thread_name", static_cast<uint32_t>(i), 0,
              [&] { json.attributeObject("args", [&] { json.attribute("name", lane.name); }); });
      for (const Slice& slice : slices_)
        event("X", slice.kind == Slice::Kind::Wait ? "wait" : nameOf(*slice.instruction),
              slice.lane, slice.from, [&] {
                json.attribute("dur", static_cast<int64_t>(slice.to - slice.from));
                json.attributeObject("args", [&] {
                  json.attribute("line", lineOf(slice.instruction->op->getLoc()));
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
