#include "debug/Places.h"

#include "ir/Locations.h"
#include "ir/gluon/Dialect.h"
#include "simulate/translate/Translate.h"

namespace gluond::debug {

using simulate::Instruction;
using simulate::State;
using simulate::Thread;

std::optional<Place> placeOf(mlir::Location location) {
  mlir::FileLineColRange range = ir::rangeOf(ir::withoutCalls(location));
  if (!range) return std::nullopt;
  return Place{range.getFilename().str(), range.getStartLine(), range.getStartColumn(),
               range.getEndLine(), range.getEndColumn()};
}

static gluon::StatementOp markOf(const Instruction& instruction) {
  return llvm::dyn_cast_or_null<gluon::StatementOp>(instruction.op);
}

bool Places::isEntry(const Instruction& instruction) {
  auto mark = markOf(instruction);
  return mark && mark.getFunction();
}

static std::vector<const void*> keyOf(llvm::ArrayRef<mlir::Location> calls) {
  std::vector<const void*> key;
  for (mlir::Location call : calls)
    key.push_back(call.getAsOpaquePointer());
  return key;
}

// A partition was started by a function that is inlined into the kernel.
const std::string* Places::nameOf(uint32_t function, llvm::ArrayRef<mlir::Location> calls) const {
  for (uint32_t each : {function, 0u})
    if (auto name = names_.find({each, keyOf(calls)}); name != names_.end()) return &name->second;
  return nullptr;
}

Places::Places(const simulate::KernelCode& code) : code_(code) {
  for (size_t f = 0; f < code.functions.size(); ++f) {
    const auto& instructions = code.functions[f].instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].role != simulate::Role::Statement) continue;
      gluon::StatementOp mark = markOf(instructions[i]);
      Statement statement{static_cast<uint32_t>(f), static_cast<uint32_t>(i),
                          placeOf(mark->getLoc()).value_or(Place()),
                          mark.getFunction().value_or("").str()};
      if (!statement.name.empty())
        names_.try_emplace({static_cast<uint32_t>(f), keyOf(simulate::callsOf(mark->getLoc()))},
                           statement.name);
      statements_.push_back(std::move(statement));
    }
  }
}

const Instruction* Places::at(const State& state, const Thread& thread) const {
  if (thread.frames.empty()) return nullptr;
  const simulate::Frame& frame = thread.frames.back();
  const auto& instructions = code_.functions[frame.function].instructions;
  bool hasEnded = thread.isFinished || (state.isFinished && !thread.blockedAt);
  size_t index = hasEnded && frame.next > 0 ? frame.next - 1 : frame.next;
  // Instructions after the last statement belong to no statement.
  while (thread.isFinished && index > 0 && !isStatement(instructions[index]))
    --index;
  return index < instructions.size() ? &instructions[index] : nullptr;
}

void Places::addRows(size_t frame, uint32_t function, const Instruction& at,
                     std::vector<Row>& rows) const {
  std::vector<mlir::Location> calls = simulate::callsOf(at.op->getLoc());
  for (size_t depth = calls.size() + 1; depth-- > 0;) {
    llvm::ArrayRef<mlir::Location> prefix = llvm::ArrayRef(calls).take_front(depth);
    const std::string* name = nameOf(function, prefix);
    if (!name) continue; // a function of Gluon's library
    Row row;
    row.frame = frame;
    row.calls = prefix.vec();
    row.function = *name;
    row.place = placeOf(depth < calls.size() ? calls[depth] : at.op->getLoc());
    row.at = &at;
    row.isOfParent = !names_.contains({function, keyOf(prefix)});
    rows.push_back(std::move(row));
  }
}

std::vector<Row> Places::stackOf(const State& state, const Thread& thread,
                                 const Instruction* done) const {
  std::vector<Row> rows;
  for (size_t i = thread.frames.size(); i-- > 0;) {
    const simulate::Frame& frame = thread.frames[i];
    const auto& instructions = code_.functions[frame.function].instructions;
    bool isDone = done && done >= &instructions.front() && done <= &instructions.back();
    const Instruction* at = i + 1 == thread.frames.size() ? isDone ? done : this->at(state, thread)
                            : frame.next > 0              ? &instructions[frame.next - 1]
                                                          : nullptr;
    if (at) addRows(i, frame.function, *at, rows);
  }
  if (hasBegun(state, thread)) return rows;
  // It is where it was started, whatever its first instructions were made from.
  llvm::erase_if(rows, [](const Row& row) { return !row.isOfParent; });
  for (Row& row : rows)
    for (Row& starter : stackOf(state, state.threads[thread.parent]))
      if (starter.calls == row.calls && !starter.isOfParent) row.place = starter.place;
  return rows;
}

size_t Places::depthOf(const State& state, const Thread& thread) const {
  return stackOf(state, thread).size();
}

bool Places::hasBegun(const State& state, const Thread& thread) const {
  if (thread.id == 0 || thread.frames.size() != 1 || thread.parent >= state.threads.size())
    return true;
  const simulate::Frame& frame = thread.frames.front();
  const auto& instructions = code_.functions[frame.function].instructions;
  return llvm::any_of(
      llvm::ArrayRef(instructions).take_front(frame.next),
      [](const Instruction& each) { return each.role == simulate::Role::Statement; });
}

} // namespace gluond::debug
