#include "simulate/translate/Translate.h"

#include "ir/gluon/Dialect.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/Ops.h"
#include "simulate/machine/Machine.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Transforms/RegionUtils.h>

#include <map>

namespace gluond::simulate {
using namespace mlir;

const OperationTable& operationTable() {
  static const OperationTable table = [] {
    OperationTable all;
    addArithmetic(all);
    addCasts(all);
    addMath(all);
    addLibrary(all);
    addPackedArithmetic(all);
    addSanitizer(all);
    addAssembly(all);
    addShapes(all);
    addGlobalMemory(all);
    addAtomics(all);
    addReductions(all);
    addDots(all);
    addSharedMemory(all);
    addAsyncCopies(all);
    addBarriers(all);
    addTma(all);
    addProgramOps(all);
    addClusters(all);
    addTensorMemory(all);
    addAmdMemory(all);
    addAmdTensors(all);
    addTdm(all);
    return all;
  }();
  return table;
}

Action unsupportedAction(std::string why) {
  return [why = std::move(why)](Execution& x) { return x.unsupported(why); };
}

std::vector<Location> callsOf(Location location) {
  std::vector<Location> calls;
  auto visit = [&](auto&& self, Location at) -> void {
    if (auto call = dyn_cast<CallSiteLoc>(at)) {
      self(self, call.getCaller());
      self(self, call.getCallee());
    } else {
      calls.push_back(at);
    }
  };
  visit(visit, location);
  calls.pop_back();
  return calls;
}

namespace {

// The action of every terminator of a function.
Action returnAction(std::vector<uint32_t> values) {
  return [values = std::move(values)](Execution& x) {
    std::vector<Value> returned;
    for (uint32_t value : values)
      returned.push_back(x.thread.frames.back().registers[value]);
    std::vector<uint32_t> results = std::move(x.thread.frames.back().results);
    if (x.thread.frames.size() == 1) {
      x.thread.isFinished = true;
      x.thread.returned = std::move(returned);
      return Step::Jump;
    }
    x.thread.frames.pop_back();
    std::vector<Value>& registers = x.thread.frames.back().registers;
    for (size_t i = 0; i < results.size(); ++i)
      registers[results[i]] = std::move(returned[i]);
    return Step::Jump;
  };
}

} // namespace

// One function: control flow becomes jumps.
class FunctionTranslator {
public:
  FunctionTranslator(Translator& translator, uint32_t index, Operation* op)
      : translator_(translator) {
    function_.op = op;
    index_ = index;
  }

  void translate(Region& region) {
    forAddresses_ = addressArithmetic(region);
    for (BlockArgument argument : region.front().getArguments())
      function_.arguments.push_back(registerOf(argument));
    llvm::SetVector<mlir::Value> above;
    mlir::getUsedValuesDefinedAbove(region, above);
    for (mlir::Value value : above)
      calculateAgain(value);
    blocks(region);
    translator_.code_.functions[index_] = std::move(function_);
  }

private:
  using Registers = std::vector<uint32_t>;

  uint32_t registerOf(mlir::Value value) {
    auto [it, isNew] = registers_.try_emplace(value, function_.registerCount);
    function_.registerCount += isNew;
    return it->second;
  }
  uint32_t fresh() { return function_.registerCount++; }
  template <class Range> Registers registersOf(Range&& values) {
    Registers all;
    for (mlir::Value value : values)
      all.push_back(registerOf(value));
    return all;
  }
  uint32_t here() const { return static_cast<uint32_t>(function_.instructions.size()); }

  uint32_t emit(Operation* op, Action action, bool hasValues = false) {
    Instruction instruction;
    instruction.op = op;
    instruction.action = std::move(action);
    if (hasValues) {
      instruction.firstOperand = static_cast<uint32_t>(function_.registers.size());
      instruction.operands = op->getNumOperands();
      for (mlir::Value operand : op->getOperands())
        function_.registers.push_back(registerOf(operand));
      instruction.firstResult = static_cast<uint32_t>(function_.registers.size());
      instruction.results = op->getNumResults();
      for (mlir::Value result : op->getResults())
        function_.registers.push_back(registerOf(result));
    }
    function_.instructions.push_back(std::move(instruction));
    return here() - 1;
  }

  // All at once, as the arguments of a block are set.
  static void move(Execution& x, const Registers& from, const Registers& to) {
    std::vector<Value>& registers = x.thread.frames.back().registers;
    if (from.size() == 1) {
      registers[to[0]] = registers[from[0]];
      return;
    }
    llvm::SmallVector<Value, 8> values;
    for (uint32_t each : from)
      values.push_back(registers[each]);
    for (auto [i, each] : llvm::enumerate(to))
      registers[each] = std::move(values[i]);
  }
  void emitMove(Operation* op, Registers from, Registers to) {
    if (from.empty()) return;
    uint32_t at = emit(op, [from, to](Execution& x) {
      move(x, from, to);
      return Step::Next;
    });
    noteMove(at, Role::Move, from, to);
  }
  // For who follows values: an op does not tell what control flow moves.
  void noteMove(uint32_t at, Role role, const Registers& from, const Registers& to) {
    Instruction& instruction = function_.instructions[at];
    instruction.role = role;
    std::vector<uint32_t>& registers = function_.registers;
    instruction.firstOperand = static_cast<uint32_t>(registers.size());
    instruction.operands = static_cast<uint32_t>(from.size());
    registers.insert(registers.end(), from.begin(), from.end());
    instruction.firstResult = static_cast<uint32_t>(registers.size());
    instruction.results = static_cast<uint32_t>(to.size());
    registers.insert(registers.end(), to.begin(), to.end());
  }
  // A jump whose target is known later.
  uint32_t emitJump(Operation* op) { return emit(op, nullptr); }
  void land(uint32_t jump, uint32_t target) {
    function_.instructions[jump].action = [target](Execution& x) { return x.jump(target); };
  }
  uint32_t emitBranch(Operation* op) { return emit(op, nullptr); }
  void landBranch(uint32_t branch, uint32_t condition, uint32_t otherwise) {
    function_.instructions[branch].action = [condition, otherwise](Execution& x) {
      const Value& value = x.thread.frames.back().registers[condition];
      return std::get<Scalar>(value).bits & 1 ? Step::Next : x.jump(otherwise);
    };
  }

  // A value from outside of the function's region, such as a constant that a pass moved there.
  void calculateAgain(mlir::Value value) {
    if (registers_.contains(value)) return;
    Operation* op = value.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(value);
    if (op && !op->getNumRegions() && mlir::isMemoryEffectFree(op)) {
      for (mlir::Value operand : op->getOperands())
        calculateAgain(operand);
      plain(*op);
    } else if (argument && argument.getOwner()->isEntryBlock() &&
               isa<tt::FuncOp>(argument.getOwner()->getParentOp())) {
      emit(function_.op, [to = registerOf(value), i = argument.getArgNumber()](Execution& x) {
        x.thread.frames.back().registers[to] = x.machine.setting().arguments[i];
        return Step::Next;
      });
    } else {
      emit(function_.op,
           unsupportedAction("the function uses a value that is defined outside of it"));
    }
  }

  void blocks(Region& region) {
    if (region.hasOneBlock()) return block(region.front());
    for (Block& each : region) {
      starts_[&each] = here();
      block(each);
    }
    for (auto& [at, target] : pending_)
      at(starts_.lookup(target));
    pending_.clear();
  }

  void block(Block& block) {
    for (Operation& op : block)
      operation(op);
  }

  void operation(Operation& op) {
    llvm::TypeSwitch<Operation*>(&op)
        .Case([&](scf::ForOp loop) { forLoop(loop); })
        .Case([&](scf::WhileOp loop) { whileLoop(loop); })
        .Case([&](scf::IfOp branch) { ifElse(branch); })
        .Case([&](scf::ExecuteRegionOp inner) { inPlace(inner); })
        .Case([&](cf::BranchOp branch) {
          emitMove(branch, registersOf(branch.getDestOperands()),
                   registersOf(branch.getDest()->getArguments()));
          goTo(branch, branch.getDest());
        })
        .Case([&](cf::CondBranchOp branch) {
          uint32_t test = emitBranch(branch);
          emitMove(branch, registersOf(branch.getTrueDestOperands()),
                   registersOf(branch.getTrueDest()->getArguments()));
          goTo(branch, branch.getTrueDest());
          landBranch(test, registerOf(branch.getCondition()), here());
          emitMove(branch, registersOf(branch.getFalseDestOperands()),
                   registersOf(branch.getFalseDest()->getArguments()));
          goTo(branch, branch.getFalseDest());
        })
        .Case([&](tt::CallOp call) {
          uint32_t callee = translator_.functionOf(call.getCallee());
          emit(call, [callee, arguments = registersOf(call.getArgOperands()),
                      results = registersOf(call.getResults())](Execution& x) {
            constexpr size_t deepest = 1000;
            if (x.thread.frames.size() >= deepest) return x.unsupported("calls nest too deeply");
            std::vector<Value> values;
            for (uint32_t argument : arguments)
              values.push_back(x.thread.frames.back().registers[argument]);
            x.machine.push(x.state, x.thread, callee, std::move(values), results);
            return Step::Jump;
          });
        })
        .Case([&](ttg::WarpSpecializeOp specialize) { warpSpecialize(specialize); })
        .Case([&](gluon::StatementOp mark) { statement(mark); })
        .Case([&](gluon::VariableOp mark) { variable(mark); })
        .Case<tt::ReturnOp, tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp,
              ttg::WarpReturnOp>(
            [&](auto) { emit(&op, returnAction(registersOf(op.getOperands()))); })
        .Default([&](Operation*) { plain(op); });
  }

  // ---------------------------------------------------------------- marks for debuggers

  // A combiner runs on whole tensors at once: nobody stops in it.
  bool isCombiner() const {
    return !isa<tt::FuncOp, ttg::WarpSpecializeOp, ttg::WarpSpecializePartitionsOp>(function_.op);
  }

  // The registers of all variables of one call, filled while it is translated.
  struct Call {
    std::shared_ptr<Registers> registers = std::make_shared<Registers>();
    llvm::StringMap<size_t> variables; // by name: the number in the function
  };
  Call& callOf(Operation* mark) {
    std::vector<const void*> key;
    for (Location call : callsOf(mark->getLoc()))
      key.push_back(call.getAsOpaquePointer());
    return calls_[key];
  }

  void statement(gluon::StatementOp mark) {
    if (isCombiner()) return;
    uint32_t at;
    if (mark.getFunction()) // a new call: its variables have no values yet
      at = emit(mark, [registers = callOf(mark).registers](Execution& x) {
        for (uint32_t each : *registers)
          x.thread.frames.back().registers[each] = Value();
        return Step::Next;
      });
    else
      at = emit(mark, [](Execution&) { return Step::Next; });
    function_.instructions[at].role = Role::Statement;
  }

  void variable(gluon::VariableOp mark) {
    if (isCombiner()) return;
    Call& call = callOf(mark);
    auto [found, isNew] = call.variables.try_emplace(mark.getName(), function_.variables.size());
    if (isNew) {
      Variable& made = function_.variables.emplace_back();
      made.name = mark.getName().str();
      made.calls = callsOf(mark->getLoc());
      made.current = fresh();
      call.registers->push_back(made.current);
    }
    Variable& variable = function_.variables[found->second];
    Scalar number{variable.definitions.size(), Element::I32};
    variable.definitions.push_back(mark);
    Registers from = registersOf(mark.getValues());
    while (variable.parts.size() < from.size()) {
      variable.parts.push_back(fresh());
      call.registers->push_back(variable.parts.back());
    }
    Registers to(variable.parts.begin(),
                 variable.parts.begin() + static_cast<ptrdiff_t>(from.size()));
    uint32_t at = emit(mark, [from, to, number, current = variable.current](Execution& x) {
      std::vector<Value>& registers = x.thread.frames.back().registers;
      for (size_t i = 0; i < from.size(); ++i)
        registers[to[i]] = registers[from[i]];
      registers[current] = number;
      return Step::Next;
    });
    noteMove(at, Role::Variable, from, to);
  }

  void plain(Operation& op) {
    auto row = operationTable().find(op.getName().getStringRef());
    if (row == operationTable().end()) {
      emit(&op, unsupportedAction("the operation is unknown to the simulator"), true);
      return;
    }
    Made made = row->second(&op, translator_);
    Action action = made ? std::move(*made) : unsupportedAction(made.error());
    emit(&op, withChecks(&op, std::move(action), forAddresses_.contains(&op)), true);
  }

  void goTo(Operation* op, Block* target) {
    uint32_t jump = emitJump(op);
    pending_.push_back({[this, jump](uint32_t to) { land(jump, to); }, target});
  }

  void forLoop(scf::ForOp loop) {
    uint32_t index = registerOf(loop.getInductionVar()), upper = registerOf(loop.getUpperBound()),
             step = registerOf(loop.getStep());
    Registers carried = registersOf(loop.getRegionIterArgs());
    Registers from = registersOf(loop.getInits()), to = carried;
    from.push_back(registerOf(loop.getLowerBound()));
    to.push_back(index);
    emitMove(loop, from, to);
    uint32_t head = here();
    bool isUnsigned = loop.getUnsignedCmp();
    uint32_t test = emit(loop, nullptr);
    for (Operation& op : loop.getBody()->without_terminator())
      operation(op);
    Operation* yield = loop.getBody()->getTerminator();
    emitMove(yield, registersOf(yield->getOperands()), carried);
    uint32_t next = emit(yield, [index, step, head](Execution& x) {
      std::vector<Value>& registers = x.thread.frames.back().registers;
      auto& value = std::get<Scalar>(registers[index]);
      value.bits += std::get<Scalar>(registers[step]).bits;
      if (value.element == Element::I32) value.bits &= 0xffffffff;
      return x.jump(head);
    });
    noteMove(next, Role::Operation, {index, step}, {index});
    uint32_t exit = here();
    function_.instructions[test].action = [index, upper, isUnsigned, exit](Execution& x) {
      const std::vector<Value>& registers = x.thread.frames.back().registers;
      const auto &i = std::get<Scalar>(registers[index]), &end = std::get<Scalar>(registers[upper]);
      bool goesOn = isUnsigned ? i.bits < end.bits
                               : integerAt(i.element, &i.bits) < integerAt(end.element, &end.bits);
      return goesOn ? Step::Next : x.jump(exit);
    };
    emitMove(loop, carried, registersOf(loop.getResults()));
  }

  void whileLoop(scf::WhileOp loop) {
    Registers before = registersOf(loop.getBeforeArguments());
    emitMove(loop, registersOf(loop.getInits()), before);
    uint32_t head = here();
    for (Operation& op : loop.getBefore().front().without_terminator())
      operation(op);
    scf::ConditionOp condition = loop.getConditionOp();
    Registers values = registersOf(condition.getArgs());
    uint32_t test = emitBranch(condition);
    emitMove(condition, values, registersOf(loop.getAfterArguments()));
    for (Operation& op : loop.getAfter().front().without_terminator())
      operation(op);
    Operation* yield = loop.getAfter().front().getTerminator();
    emitMove(yield, registersOf(yield->getOperands()), before);
    land(emitJump(yield), head);
    landBranch(test, registerOf(condition.getCondition()), here());
    emitMove(condition, values, registersOf(loop.getResults()));
  }

  // A region that runs once, as the stages of a warp pipeline do.
  void inPlace(scf::ExecuteRegionOp op) {
    if (!op.getRegion().hasOneBlock()) {
      emit(op, unsupportedAction("its region has several blocks"));
      return;
    }
    for (Operation& inner : op.getRegion().front().without_terminator())
      operation(inner);
    Operation* yield = op.getRegion().front().getTerminator();
    emitMove(yield, registersOf(yield->getOperands()), registersOf(op.getResults()));
  }

  void ifElse(scf::IfOp branch) {
    Registers results = registersOf(branch.getResults());
    uint32_t test = emitBranch(branch);
    auto side = [&](Region& region) {
      if (region.empty()) return;
      for (Operation& op : region.front().without_terminator())
        operation(op);
      Operation* yield = region.front().getTerminator();
      emitMove(yield, registersOf(yield->getOperands()), results);
    };
    side(branch.getThenRegion());
    uint32_t over = emitJump(branch);
    landBranch(test, registerOf(branch.getCondition()), here());
    side(branch.getElseRegion());
    land(over, here());
  }

  // The partitions start, the default region goes on in this thread, and at its end it waits for
  // them.
  void warpSpecialize(ttg::WarpSpecializeOp op) {
    translator_.code_.hasPartitions = true;
    std::vector<std::pair<uint32_t, unsigned>> partitions; // function, warps
    for (auto [region, warps] : llvm::zip(op.getPartitionRegions(), op.getPartitionNumWarps()))
      partitions.push_back({translator_.function(*region), static_cast<unsigned>(warps)});
    Registers captures = registersOf(op.getPartitionOp().getExplicitCaptures());
    emit(op, [partitions, captures](Execution& x) {
      const std::vector<Value>& registers = x.thread.frames.back().registers;
      for (auto [function, warps] : partitions) {
        std::vector<Value> values;
        for (uint32_t capture : captures)
          values.push_back(registers[capture]);
        auto id = static_cast<uint32_t>(x.state.threads.size());
        Thread& partition = x.state.threads.emplace_back();
        partition.id = id;
        partition.parent = x.thread.id;
        partition.warps = warps;
        x.thread.children.push_back(id);
        x.machine.push(x.state, partition, function, std::move(values));
        x.machine.began(x.state, x.thread, partition);
      }
      return Step::Next;
    });
    Region& region = op.getDefaultRegion();
    auto leave = [&](Operation* yield) {
      emit(yield, [](Execution& x) {
        for (uint32_t child : x.thread.children)
          if (!x.state.threads[child].isFinished) return Step::Blocked;
        for (uint32_t child : x.thread.children)
          x.machine.joined(x.thread, x.state.threads[child]);
        x.thread.children.clear();
        // Partitions that are done make room, so that a loop around this does not fill memory.
        auto isAtWork = [&](const Thread& thread) {
          return llvm::any_of(x.state.underWay, [&](const AsyncOperation& operation) {
            return operation.thread == thread.id;
          });
        };
        while (x.state.threads.size() > 1 && x.state.threads.back().isFinished &&
               !isAtWork(x.state.threads.back()))
          x.state.threads.pop_back();
        x.state.current = x.thread.id;
        return Step::Next;
      });
      emitMove(yield, registersOf(yield->getOperands()), registersOf(op.getResults()));
    };
    for (Operation& inner : region.front().without_terminator())
      operation(inner);
    leave(region.front().getTerminator());
  }

  Translator& translator_;
  Function function_;
  uint32_t index_ = 0;
  llvm::DenseMap<mlir::Value, uint32_t> registers_;
  llvm::DenseSet<Operation*> forAddresses_;
  llvm::DenseMap<Block*, uint32_t> starts_;
  std::map<std::vector<const void*>, Call> calls_;
  std::vector<std::pair<std::function<void(uint32_t)>, Block*>> pending_;
};

uint32_t Translator::allocate(int64_t bytes, int64_t alignment, Operation* op) {
  auto at = (static_cast<int64_t>(code_.sharedBytes) + alignment - 1) / alignment * alignment;
  code_.sharedBytes = static_cast<uint32_t>(at + bytes);
  code_.shared.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(bytes), op});
  return static_cast<uint32_t>(at);
}

tl::expected<PlacesRef, std::string> Translator::places(ttg::MemDescType type) {
  if (auto found = places_.find(type); found != places_.end()) return found->second;
  auto made = makePlaces(type);
  if (made) places_[type] = *made;
  return made;
}

tl::expected<TensorPlacesRef, std::string> Translator::tensorPlaces(ttg::MemDescType type) {
  if (auto found = tensorPlaces_.find(type); found != tensorPlaces_.end()) return found->second;
  auto made = makeTensorPlaces(type);
  if (made) tensorPlaces_[type] = *made;
  return made;
}

uint32_t Translator::function(Region& region) {
  auto index = static_cast<uint32_t>(code_.functions.size());
  code_.functions.emplace_back();
  FunctionTranslator(*this, index, region.getParentOp()).translate(region);
  return index;
}

uint32_t Translator::functionOf(StringRef symbol) const {
  auto found = symbols_.find(symbol);
  return found == symbols_.end() ? 0 : found->second;
}

tl::expected<void, std::string> Translator::translate(ModuleOp module) {
  code_.threadsPerWarp = ttg::lookupThreadsPerWarp(module);
  code_.warps = ttg::lookupNumWarps(module).value_or(4);
  code_.ctas = std::max(1u, ttg::lookupNumCTAs(module));
  std::vector<tt::FuncOp> functions;
  for (auto function : module.getOps<tt::FuncOp>())
    if (!function.isExternal()) {
      if (function.isPublic())
        functions.insert(functions.begin(), function);
      else
        functions.push_back(function);
    }
  if (functions.empty() || !functions.front().isPublic())
    return tl::unexpected<std::string>("the module has no kernel");
  for (auto [i, function] : llvm::enumerate(functions))
    symbols_[function.getSymName()] = static_cast<uint32_t>(i);
  code_.functions.resize(functions.size());
  for (auto [i, function] : llvm::enumerate(functions)) {
    FunctionTranslator translator(*this, static_cast<uint32_t>(i), function);
    translator.translate(function.getBody());
    code_.functions[i].name = function.getSymName().str();
  }
  return {};
}

tl::expected<std::shared_ptr<const KernelCode>, std::string> translate(ModuleOp module) {
  auto code = std::make_shared<KernelCode>();
  if (auto done = Translator(*code).translate(module); !done) return tl::unexpected(done.error());
  return code;
}

} // namespace gluond::simulate
