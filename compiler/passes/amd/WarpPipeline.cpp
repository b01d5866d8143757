#include "passes/amd/WarpPipeline.h"

#include "ir/amdg/Ops.h"
#include "ir/rocdl/Dialect.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/IRMapping.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr llvm::StringLiteral borderAttr = "triton.warp_pipeline.border",
                              priorityAttr = "triton.warp_pipeline.priority",
                              stageAttr = "triton.warp_pipeline.stage",
                              emptyAttr = "triton.warp_pipeline.empty_cluster",
                              pipelinedAttr = "triton.warp_pipeline.pipelined_for";

bool isBorder(Operation* op) {
  return op->hasAttr(borderAttr);
}
bool isLoop(Operation* op) {
  return isa<scf::ForOp, scf::WhileOp>(op);
}
// Waits and barriers are between stages.
bool standsBetween(Operation* op) {
  return isa<ttg::AsyncWaitOp, mlir::gpu::BarrierOp, ttg::BarrierOp, amdg::AsyncTDMWait>(op);
}
bool isPureScalar(Operation* op) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return isPure(op) && llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

PassFailure malformed(Location location, std::string message) {
  return {FailureKind::WarpPipeline, location, std::move(message), {}, {}, {}, {}};
}

struct Stage {
  SmallVector<Operation*> ops;
  StringAttr name;
  int64_t priority = -1; // none
};

// Moves scalars computed just before barriers after them, into the next stage, unless the barriers
// use them.
void sinkScalars(Block& block) {
  SmallVector<Operation*> pending;
  auto usesPending = [&](Operation* user) {
    return llvm::any_of(user->getOperands(), [&](Value value) {
      return llvm::is_contained(pending, value.getDefiningOp());
    });
  };
  for (Operation* op = &block.front(); op;) {
    Operation* next = op->getNextNode();
    if (isPureScalar(op)) {
      pending.push_back(op);
      op = next;
      continue;
    }
    if (standsBetween(op) && !pending.empty()) {
      Operation* last = op;
      bool conflict = usesPending(op);
      while (last->getNextNode() && standsBetween(last->getNextNode())) {
        last = last->getNextNode();
        conflict |= usesPending(last);
      }
      if (!conflict) {
        next = last->getNextNode();
        for (Operation* scalar : llvm::reverse(pending))
          scalar->moveAfter(last);
      }
    }
    pending.clear();
    op = next;
  }
}

class StageCollector {
public:
  // Takes the op into the stage under way; a border ends the stage.
  Result add(Operation* op) {
    if (isBorder(op)) {
      if (current_.ops.empty()) current_.ops.push_back(placeholder(op));
      current_.name = op->getAttrOfType<StringAttr>(borderAttr);
      if (auto priority = op->getAttrOfType<IntegerAttr>(priorityAttr))
        current_.priority = priority.getInt();
      op->erase();
      finish();
      return {};
    }
    if (standsBetween(op)) {
      if (current_.ops.empty()) return {};
      return tl::unexpected(malformed(
          op->getLoc(), "barrier or wait op cannot appear inside a warp_pipeline_stage region"));
    }
    if (isLoop(op))
      return tl::unexpected(
          malformed(op->getLoc(),
                    "loop op cannot appear inside a warp_pipeline_stage region; to pipeline loop "
                    "iterations, place warp_pipeline_stage blocks inside the loop body"));
    current_.ops.push_back(op);
    return {};
  }
  void addRest(MLIRContext* context) {
    if (current_.ops.empty()) return;
    current_.name = StringAttr::get(context, "last_cluster");
    finish();
  }
  ArrayRef<Stage> stages() const { return stages_; }

private:
  void finish() { stages_.push_back(std::exchange(current_, {})); }
  // A stage that is meant to be empty.
  static Operation* placeholder(Operation* border) {
    OpBuilder builder(border);
    Operation* op =
        rocdl::SchedBarrierOp::create(builder, border->getLoc(), rocdl::SchedMask::NONE);
    op->setAttr(emptyAttr, builder.getUnitAttr());
    return op;
  }
  SmallVector<Stage> stages_;
  Stage current_;
};

void formStage(const Stage& stage, Location location) {
  llvm::SmallPtrSet<Operation*, 32> inside(stage.ops.begin(), stage.ops.end());
  SmallVector<Value> leaving;
  for (Operation* op : stage.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation* user) { return !inside.contains(user); }))
        leaving.push_back(result);
  OpBuilder builder(stage.ops.front());
  auto region = scf::ExecuteRegionOp::create(builder, location, ValueRange(leaving).getTypes());
  builder.setInsertionPointToStart(&region.getRegion().emplaceBlock());
  IRMapping mapping;
  for (Operation* op : stage.ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value value : leaving)
    yielded.push_back(mapping.lookup(value));
  scf::YieldOp::create(builder, location, yielded);
  for (auto [value, result] : llvm::zip(leaving, region.getResults()))
    value.replaceAllUsesWith(result);
  for (Operation* op : llvm::reverse(stage.ops))
    op->erase();
  region.setNoInline(true);
  region->setAttr(stageAttr, stage.name);
  if (stage.priority >= 0)
    region->setAttr(priorityAttr, builder.getI32IntegerAttr(static_cast<int32_t>(stage.priority)));
}

Result formStages(ArrayRef<Stage> stages, Location location) {
  if (stages.size() < 2)
    return tl::unexpected(
        malformed(location, "warp_pipeline_stage borders did not produce at least two stages"));
  for (const Stage& stage : stages)
    formStage(stage, location);
  return {};
}

Result pipelineLoop(scf::ForOp loop) {
  Block& body = *loop.getBody();
  if (llvm::none_of(body, [](Operation& op) { return isBorder(&op); })) return {};
  sinkScalars(body);
  StageCollector collector;
  for (Operation& op : llvm::make_early_inc_range(body.without_terminator()))
    if (Result result = collector.add(&op); !result) return result;
  collector.addRest(loop.getContext());
  if (Result result = formStages(collector.stages(), loop.getLoc()); !result) return result;
  loop->setAttr(pipelinedAttr, UnitAttr::get(loop.getContext()));
  return {};
}

// Straight code: the first stage extends back to the first op that cannot be in it, the last border
// ends the last stage.
Result pipelineBlock(Block& block) {
  SmallVector<Operation*> borders;
  for (Operation& op : block)
    if (isBorder(&op)) borders.push_back(&op);
  if (borders.empty()) return {};
  Location location = borders.front()->getLoc();
  if (borders.size() < 2)
    return tl::unexpected(malformed(
        location, "warp_pipeline_stage requires at least two borders to form a flat pipeline"));
  Operation *first = borders.front(), *last = borders.back();
  while (Operation* before = first->getPrevNode()) {
    if (isLoop(before) || isa<amdg::CondBarrierOp>(before) || standsBetween(before)) break;
    first = before;
  }
  StageCollector collector;
  for (Operation* op = first; op;) {
    Operation* next = op == last ? nullptr : op->getNextNode();
    if (Result result = collector.add(op); !result) return result;
    op = next;
  }
  return formStages(collector.stages(), location);
}

} // namespace

Result formWarpPipelines(ModuleOp module) {
  for (auto function : module.getOps<tt::FuncOp>()) {
    SmallVector<scf::ForOp> loops;
    function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Result result = pipelineLoop(loop); !result) return result;
    for (Block& block : function.getBody())
      if (Result result = pipelineBlock(block); !result) return result;
  }
  return {};
}

} // namespace gluond::passes
