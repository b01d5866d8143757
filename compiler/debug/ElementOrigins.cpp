#include "debug/ElementOrigins.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/TypeUtilities.h>

#include <map>
#include <set>

namespace gluond::debug {

using namespace simulate;

namespace {

using Index = llvm::SmallVector<int64_t, 4>;
using Time = std::chrono::steady_clock;

// A number, or an element of a tensor, in a register of a call.
struct Cell {
  uint32_t thread = 0, function = 0, reg = 0;
  size_t element = 0;
};

// An operand of an instruction, and which of its elements.
struct Source {
  unsigned operand = 0;
  size_t element = 0;
};

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>();
}

Index indexOf(size_t element, llvm::ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = static_cast<int64_t>(element) % shape[d];
    element /= static_cast<size_t>(shape[d]);
  }
  return index;
}
size_t elementOf(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape) {
  size_t element = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    element = element * static_cast<size_t>(shape[d]) + static_cast<size_t>(index[d]);
  return element;
}

// Which elements of its operands an element of result `number` was made of.
class Sources {
public:
  Sources(mlir::Operation* op, unsigned number, size_t element) : op_(op) {
    shape_ = shapeOf(op->getResult(number));
    index_ = indexOf(element, shape_);
    element_ = element;
    llvm::TypeSwitch<mlir::Operation*>(op)
        .Case<tt::SplatOp, tt::UnsplatOp>([&](auto) { add(0, size_t{0}); })
        .Case([&](tt::BroadcastOp broadcast) {
          Index at = index_;
          for (auto [d, extent] : llvm::enumerate(shapeOf(broadcast.getSrc())))
            if (extent == 1) at[d] = 0;
          add(0, at);
        })
        .Case([&](tt::ExpandDimsOp expand) {
          Index at = index_;
          at.erase(at.begin() + expand.getAxis());
          add(0, at);
        })
        .Case<tt::ReshapeOp, ttg::ConvertLayoutOp>([&](auto) { add(0, element_); })
        .Case([&](tt::TransOp trans) {
          Index at(index_.size());
          for (auto [d, from] : llvm::enumerate(trans.getOrder()))
            at[static_cast<size_t>(from)] = index_[d];
          add(0, at);
        })
        .Case([&](tt::JoinOp) {
          Index at = index_;
          add(static_cast<unsigned>(at.pop_back_val()), at);
        })
        .Case([&](tt::SplitOp) {
          Index at = index_;
          at.push_back(number);
          add(0, at);
        })
        .Case([&](tt::ReduceOp reduce) { along(reduce, number, reduce.getAxis(), -1, true); })
        .Case([&](tt::ScanOp scan) {
          auto axis = static_cast<unsigned>(scan.getAxis());
          along(scan, number, axis, index_[axis], false, scan.getReverse());
        })
        .Case<tt::DotOp, ttng::WarpGroupDotOp>([&](auto) { product(); })
        .Case([&](tt::GatherOp gather) {
          add(1, element_);
          gathered = gather.getAxis();
        })
        .Default([&](mlir::Operation*) {
          for (unsigned i = 0; i < op->getNumOperands(); ++i) {
            llvm::ArrayRef<int64_t> own = shapeOf(op->getOperand(i));
            if (own.empty())
              add(i, size_t{0});
            else if (own == shape_)
              add(i, element_);
          }
        });
  }
  std::vector<Source> all;
  std::optional<unsigned> gathered; // axis of a gather: its element follows from the index
  const Index& index() const { return index_; }

private:
  void add(unsigned operand, size_t element) { all.push_back({operand, element}); }
  void add(unsigned operand, llvm::ArrayRef<int64_t> index) {
    add(operand, elementOf(index, shapeOf(op_->getOperand(operand))));
  }
  // Elements along an axis, up to `last` of them where that is not below zero.
  void along(mlir::Operation* op, unsigned operand, unsigned axis, int64_t last, bool isReduced,
             bool isReversed = false) {
    llvm::ArrayRef<int64_t> from = shapeOf(op->getOperand(operand));
    Index at = index_;
    if (isReduced) {
      if (at.size() + 1 != from.size()) at.assign(from.size() - 1, 0);
      at.insert(at.begin() + axis, 0);
    }
    for (int64_t i = 0; i < from[axis]; ++i) {
      if (last >= 0 && (isReversed ? i < last : i > last)) continue;
      at[axis] = i;
      add(operand, at);
    }
  }
  void product() {
    llvm::ArrayRef<int64_t> a = shapeOf(op_->getOperand(0)), b = shapeOf(op_->getOperand(1));
    if (op_->getNumOperands() > 2 && shapeOf(op_->getOperand(2)) == shape_) add(2, element_);
    size_t rank = shape_.size();
    if (rank < 2) return;
    for (auto [operand, from] : {std::pair{0u, a}, {1u, b}}) {
      if (from.size() != rank) continue; // in shared memory
      size_t inner = operand == 0 ? rank - 1 : rank - 2;
      Index at = index_;
      for (int64_t k = 0; k < from[inner]; ++k) {
        at[inner] = k;
        add(operand, at);
      }
    }
  }

  mlir::Operation* op_;
  llvm::ArrayRef<int64_t> shape_;
  Index index_;
  size_t element_ = 0;
};

// Ops that only move elements: they are passed over.
bool isPassedOver(mlir::Operation* op) {
  return llvm::isa<tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp,
                   tt::TransOp, tt::JoinOp, tt::SplitOp, ttg::ConvertLayoutOp>(op);
}

class Search {
public:
  Search(Debugger& debugger, OriginLimits limits, const CancellationToken& token)
      : debugger_(debugger), history_(debugger.history()), code_(history_.machine().code()),
        limits_(limits), token_(token), until_(Time::now() + limits.time) {}

  // The operation that made the cell's value, looked for before the present moment.
  Origin of(Cell cell, std::string name) {
    Origin origin;
    origin.value = textOf(cell);
    bool isWhole = false;
    while (!isWhole) {
      if (isSpent()) {
        origin.name = name;
        origin.isCut = true;
        return origin;
      }
      unsigned result = 0;
      bool isFound = writes(cell, result) ||
                     history_.seekBack([] {}, [&] { return writes(cell, result); }, token_);
      if (!isFound) {
        origin.name = name;
        origin.what = begins(cell);
        return origin;
      }
      --left_;
      const History::Done done = history_.done();
      const Instruction& instruction = *done.instruction;
      uint64_t moment = history_.now();
      history_.seek(moment - 1, token_);
      auto operandCell = [&](unsigned operand, size_t element) {
        const Function& function = code_.functions[done.function];
        return Cell{done.thread, done.function,
                    function.registers[instruction.firstOperand + operand], element};
      };
      if (instruction.role != Role::Operation) {
        cell = operandCell(result, cell.element);
        if (name.empty()) name = nameOf(cell);
        continue;
      }
      if (isPassedOver(instruction.op)) {
        Sources sources(instruction.op, result, cell.element);
        if (sources.all.size() == 1) {
          cell = operandCell(sources.all[0].operand, sources.all[0].element);
          if (name.empty()) name = nameOf(cell);
          continue;
        }
      }
      origin.name = name;
      origin.moment = moment;
      origin.place = placeOf(instruction.op->getLoc());
      origin.what = llvm::isa<mlir::scf::YieldOp>(instruction.op)
                        ? "the next turn of the loop"
                        : instruction.op->getName().getStringRef().str();
      isWhole = true;
      if (instruction.op->getNumResults() != instruction.results) return origin;
      follow(origin, instruction, result, cell.element, operandCell);
    }
    return origin;
  }

  bool isSpent() const { return left_ == 0 || Time::now() > until_ || token_.isCancelled(); }

private:
  const Frame* frameOf(const Cell& cell) const {
    const State& state = history_.state();
    if (cell.thread >= state.threads.size()) return nullptr;
    for (const Frame& frame : state.threads[cell.thread].frames)
      if (frame.function == cell.function) return &frame;
    return nullptr;
  }
  const Value* valueOf(const Cell& cell) const {
    const Frame* frame = frameOf(cell);
    return frame && cell.reg < frame->registers.size() ? &frame->registers[cell.reg] : nullptr;
  }

  std::string textOf(const Cell& cell) const {
    const Value* value = valueOf(cell);
    if (!value) return {};
    if (const auto* scalar = std::get_if<Scalar>(value))
      return elementText(scalar->element, reinterpret_cast<const std::byte*>(&scalar->bits));
    const auto* tensor = std::get_if<TensorRef>(value);
    if (tensor && *tensor && cell.element < (*tensor)->count())
      return elementText((*tensor)->element(),
                         (*tensor)->data() + cell.element * bytesOf((*tensor)->element()));
    return debugger_.look().textOf({*value, {}, {}, {}});
  }
  double numberOf(const Cell& cell) const {
    const Value* value = valueOf(cell);
    const auto* tensor = value ? std::get_if<TensorRef>(value) : nullptr;
    if (!tensor || !*tensor || cell.element >= (*tensor)->count()) return 0;
    return numberAt((*tensor)->element(),
                    (*tensor)->data() + cell.element * bytesOf((*tensor)->element()));
  }

  // Whether the last step wrote the cell's register, and as which result.
  bool writes(const Cell& cell, unsigned& result) const {
    const History::Done& done = history_.done();
    if (!done.instruction || done.thread != cell.thread || done.function != cell.function)
      return false;
    const Function& function = code_.functions[done.function];
    for (unsigned i = 0; i < done.instruction->results; ++i)
      if (function.registers[done.instruction->firstResult + i] == cell.reg) {
        result = i;
        return true;
      }
    return false;
  }

  // Says where a register that nothing wrote comes from: it is an argument.
  std::string begins(const Cell& cell) const {
    const Function& function = code_.functions[cell.function];
    for (size_t i = 0; i < function.arguments.size(); ++i)
      if (function.arguments[i] == cell.reg)
        return cell.function == 0 ? "an argument of the kernel" : "what the caller passed";
    return "what the program began with";
  }

  // The variable that is set from the register, with the index of the element; empty: there is
  // none.
  std::string nameOf(const Cell& cell) {
    auto& names = names_[cell.function];
    const Function& function = code_.functions[cell.function];
    if (names.empty())
      for (const Variable& variable : function.variables)
        for (mlir::Operation* definition : variable.definitions)
          for (const Instruction& instruction : function.instructions)
            if (instruction.op == definition && instruction.role == Role::Variable &&
                instruction.operands == 1)
              names.try_emplace(function.registers[instruction.firstOperand], variable.name);
    auto found = names.find(cell.reg);
    if (found == names.end()) return {};
    const Value* value = valueOf(cell);
    const auto* tensor = value ? std::get_if<TensorRef>(value) : nullptr;
    if (!tensor || !*tensor) return found->second;
    std::string text = found->second + "[";
    for (auto [d, at] : llvm::enumerate(indexOf(cell.element, (*tensor)->shape())))
      text += (d ? ", " : "") + std::to_string(at);
    return text + "]";
  }

  template <class OperandCell>
  void follow(Origin& origin, const Instruction& instruction, unsigned result, size_t element,
              OperandCell operandCell) {
    mlir::Operation* op = instruction.op;
    if (llvm::isa<tt::LoadOp>(op)) {
      const Value* pointers = valueOf(operandCell(0, element));
      uint64_t address = 0;
      if (const auto* scalar = pointers ? std::get_if<Scalar>(pointers) : nullptr)
        address = scalar->bits;
      else if (const auto* tensor = pointers ? std::get_if<TensorRef>(pointers) : nullptr;
               tensor && *tensor && element < (*tensor)->count())
        address = (*tensor)->template as<uint64_t>()[element];
      mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0).getType());
      origin.what = "loaded from " + placeText(address, tt::bitWidth(type) / 8);
      return;
    }
    if (llvm::isa<ttg::LocalLoadOp>(op))
      return followBuffer(origin, operandCell(0, 0), element, op);
    Sources sources(op, result, element);
    if (sources.gathered && !sources.all.empty()) {
      Index at = sources.index();
      Cell index = operandCell(1, sources.all[0].element);
      at[*sources.gathered] = static_cast<int64_t>(numberOf(index));
      llvm::ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
      if (at[*sources.gathered] >= 0 && at[*sources.gathered] < from[*sources.gathered])
        sources.all.push_back({0, elementOf(at, from)});
    }
    // If there are many, those are chosen that explain most: NaN, infinity, the largest.
    std::vector<Source> chosen = sources.all;
    if (chosen.size() > limits_.sources) {
      std::vector<std::pair<double, size_t>> weights; // the heaviest first, then in order
      for (size_t i = 0; i < chosen.size(); ++i) {
        double number = std::fabs(numberOf(operandCell(chosen[i].operand, chosen[i].element)));
        weights.push_back({std::isnan(number) ? -HUGE_VAL : -number, i});
      }
      llvm::sort(weights);
      chosen.clear();
      for (const auto& [weight, i] : weights)
        chosen.push_back(sources.all[i]);
      chosen.resize(limits_.sources);
      origin.isCut = true;
    }
    uint64_t moment = history_.now();
    std::set<std::pair<uint32_t, size_t>> seen;
    for (const Source& source : chosen) {
      Cell operand = operandCell(source.operand, source.element);
      if (!seen.insert({operand.reg, operand.element}).second) continue; // x * x
      // A constant says what it is; operands in memory are followed where they are loaded.
      if (!valueOf(operand)) continue;
      if (isSpent()) {
        origin.isCut = true;
        return;
      }
      origin.from.push_back(of(operand, nameOf(operand)));
      history_.seek(moment, token_);
    }
  }

  std::string placeText(uint64_t address, unsigned bytes) const {
    auto place = history_.machine().memory().placeOf(address);
    if (!place || bytes == 0 || place->offset % bytes != 0)
      return history_.machine().describe(address);
    return "element " + std::to_string(place->offset / bytes) + " of '" + std::string(place->name) +
           "'";
  }

  // The operation that wrote the bytes of an element of a buffer last.
  void followBuffer(Origin& origin, const Cell& buffer, size_t element, mlir::Operation* load) {
    const Value* value = valueOf(buffer);
    if (!value) return;
    Datum datum{*value, load->getOperand(0).getType(), {}, {}};
    auto spot = debugger_.look().spotOf(datum, element);
    if (!spot) return;
    origin.what = "loaded from shared memory, byte " + std::to_string(spot->address);
    Watch watch;
    watch.spots = {*spot};
    std::string before;
    auto bytes = [&] { return watchedBytes(watch, history_.machine(), history_.state()); };
    auto begins = [&] { before = bytes(); };
    auto changes = [&] {
      std::string now = bytes();
      return std::exchange(before, now) != now;
    };
    history_.seek(history_.now() + 1, token_); // so that the present moment is looked at, too
    if (!history_.seekBack(begins, changes, token_)) return;
    const History::Done done = history_.done();
    Origin writer;
    writer.value = origin.value;
    writer.moment = history_.now();
    const Instruction* instruction = done.instruction;
    if (done.ended) {
      writer.what =
          "written by " + done.ended->op->getName().getStringRef().str() + ", which was under way";
      writer.place = placeOf(done.ended->op->getLoc());
    } else if (instruction) {
      writer.what = "written by " + instruction->op->getName().getStringRef().str();
      writer.place = placeOf(instruction->op->getLoc());
      unsigned operand = 0;
      mlir::Value view;
      if (auto store = llvm::dyn_cast<ttg::LocalStoreOp>(instruction->op)) view = store.getDst();
      if (auto alloc = llvm::dyn_cast<ttg::LocalAllocOp>(instruction->op); alloc && alloc.getSrc())
        view = alloc.getResult();
      if (view) {
        const Function& function = code_.functions[done.function];
        bool isAlloc = llvm::isa<ttg::LocalAllocOp>(instruction->op);
        Cell place{done.thread, done.function,
                   isAlloc ? function.registers[instruction->firstResult]
                           : function.registers[instruction->firstOperand + 1],
                   0};
        Cell stored{done.thread, done.function,
                    function.registers[instruction->firstOperand + operand], 0};
        if (const Value* at = valueOf(place)) {
          auto count = static_cast<size_t>(1);
          for (int64_t extent : shapeOf(instruction->op->getOperand(operand)))
            count *= static_cast<size_t>(extent);
          Datum target{*at, view.getType(), {}, {}};
          if (auto found = elementAt(target, *spot, count)) {
            stored.element = *found;
            if (!isSpent()) writer.from.push_back(of(stored, nameOf(stored)));
          }
        }
      }
    }
    origin.from.push_back(std::move(writer));
  }

  // The element of a view that begins at the byte.
  std::optional<size_t> elementAt(const Datum& view, const Spot& spot, size_t count) const {
    auto places = makePlaces(llvm::cast<ttg::MemDescType>(view.type));
    if (!places || (*places)->count() != count) return std::nullopt;
    const SharedMemory& memory = history_.state().shared;
    for (size_t i = 0; i < count; ++i)
      if ((*places)->at(memory, std::get<View>(view.value), i) == spot.address) return i;
    return std::nullopt;
  }

  Debugger& debugger_;
  History& history_;
  const KernelCode& code_;
  OriginLimits limits_;
  const CancellationToken& token_;
  Time::time_point until_;
  size_t left_ = 0;
  std::map<uint32_t, std::map<uint32_t, std::string>> names_; // by function and register

public:
  void begin() { left_ = limits_.steps; }
};

// NAME, or NAME[i, j].
tl::expected<Cell, std::string> cellOf(Debugger& debugger, uint32_t thread, const Row& row,
                                       const std::string& text) {
  auto watch = debugger.watch(thread, row, text);
  if (!watch) return tl::unexpected(watch.error());
  if (!watch->spots.empty())
    return tl::unexpected<std::string>("this lies in memory: load it first");
  Cell cell{watch->thread, watch->function, watch->reg, 0};
  if (!watch->parts.empty()) {
    auto whole = debugger.evaluate(thread, row, text);
    const auto* scalar = whole ? std::get_if<Scalar>(&whole->value) : nullptr;
    if (!scalar) return tl::unexpected<std::string>("choose one element: x[3, 5]");
    cell.element = watch->parts.front().offset / bytesOf(scalar->element);
  }
  return cell;
}

} // namespace

tl::expected<Origin, std::string> originOf(Debugger& debugger, uint32_t thread, const Row& row,
                                           const std::string& text, OriginLimits limits,
                                           const CancellationToken& token) {
  auto cell = cellOf(debugger, thread, row, text);
  if (!cell) return tl::unexpected(cell.error());
  uint64_t now = debugger.history().now();
  Search search(debugger, limits, token);
  search.begin();
  Origin origin = search.of(*cell, text);
  debugger.history().seek(now);
  return origin;
}

tl::expected<std::vector<Reader>, std::string> readersOf(Debugger& debugger, uint32_t thread,
                                                         const Row& row, const std::string& text,
                                                         OriginLimits limits,
                                                         const CancellationToken& token) {
  auto cell = cellOf(debugger, thread, row, text);
  if (!cell) return tl::unexpected(cell.error());
  History& history = debugger.history();
  const KernelCode& code = history.machine().code();
  uint64_t now = history.now();
  auto until = Time::now() + limits.time;
  // The registers that have the value: instructions read that which the variable was set from.
  const Function& function = code.functions[cell->function];
  llvm::SmallVector<uint32_t, 4> registers{cell->reg};
  for (const Frame& frame : history.state().threads[cell->thread].frames)
    for (const Variable& variable : function.variables) {
      auto part = llvm::find(variable.parts, cell->reg);
      if (frame.function != cell->function || part == variable.parts.end()) continue;
      const auto* number = std::get_if<Scalar>(&frame.registers[variable.current]);
      if (!number || number->bits >= variable.definitions.size()) continue;
      auto operand = static_cast<uint32_t>(part - variable.parts.begin());
      for (const Instruction& instruction : function.instructions)
        if (instruction.op == variable.definitions[number->bits] &&
            instruction.role == Role::Variable && operand < instruction.operands)
          registers.push_back(function.registers[instruction.firstOperand + operand]);
    }
  std::vector<Reader> readers;
  while (!history.isFinished() && readers.size() < limits.steps && Time::now() < until &&
         !token.isCancelled()) {
    history.forward();
    const History::Done& done = history.done();
    if (!done.instruction || done.thread != cell->thread || done.function != cell->function)
      continue;
    const Instruction& instruction = *done.instruction;
    auto isIn = [&](uint32_t first, uint32_t count) {
      for (uint32_t i = 0; i < count; ++i)
        if (llvm::is_contained(registers, function.registers[first + i])) return true;
      return false;
    };
    if (instruction.role == Role::Operation && isIn(instruction.firstOperand, instruction.operands))
      readers.push_back({instruction.op->getName().getStringRef().str(),
                         placeOf(instruction.op->getLoc()), history.now()});
    if (instruction.role == Role::Variable) {
      bool isAnother = false;
      for (uint32_t i = 0; i < instruction.results; ++i)
        isAnother |= function.registers[instruction.firstResult + i] == cell->reg;
      if (isAnother) break;
    }
  }
  history.seek(now);
  return readers;
}

} // namespace gluond::debug
