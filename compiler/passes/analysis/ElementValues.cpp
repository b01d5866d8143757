#include "passes/analysis/ElementValues.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "passes/analysis/IntegerArithmetic.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned deepest = 600; // nested operands; deeper ones are not followed

std::shared_ptr<const Elements> make(std::vector<int64_t> values) {
  return std::make_shared<Elements>(Elements{std::move(values)});
}

int64_t countOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

// Elements of `source` picked for each element of the result: `pick` maps its coordinates.
template <typename Pick>
std::shared_ptr<const Elements> gather(const Elements& source, ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to, Pick pick) {
  if (source.values.size() == 1) return make({source.values.front()});
  int64_t count = 1;
  for (int64_t size : to)
    count *= size;
  std::vector<int64_t> values(static_cast<size_t>(count));
  SmallVector<int64_t, 5> at(to.size(), 0), of(from.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    pick(ArrayRef<int64_t>(at), MutableArrayRef<int64_t>(of));
    int64_t index = 0;
    for (auto [coordinate, size] : llvm::zip_equal(of, from))
      index = index * size + coordinate;
    values[static_cast<size_t>(i)] = source.values[static_cast<size_t>(index)];
    for (size_t d = to.size(); d-- > 0;) {
      if (++at[d] < to[d]) break;
      at[d] = 0;
    }
  }
  return make(std::move(values));
}

} // namespace

ElementValues::Result ElementValues::fail(std::string why) {
  if (unknown_.empty()) unknown_ = std::move(why);
  return nullptr;
}

ElementValues::Result ElementValues::loaded(Operation* op) {
  Type type = op->getResult(0).getType();
  int64_t count = countOf(type);
  if (!assumesLoads_ || !getElementTypeOrSelf(type).isInteger() || count > mostElements)
    return fail("a value that is loaded from memory");
  // The innermost place: where the user wrote it, or the library did for them.
  std::string line;
  op->getLoc()->walk([&](Location location) {
    auto place = dyn_cast<FileLineColLoc>(location);
    if (!place) return WalkResult::advance();
    line = " in line " + std::to_string(place.getLine());
    return WalkResult::interrupt();
  });
  int64_t step = (*assume("loaded" + line + ": i *", 1))[0];
  unsigned bits = integerBits(type);
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (auto [i, value] : llvm::enumerate(values))
    value = wrapped(static_cast<uint64_t>(i) * static_cast<uint64_t>(step), bits);
  return make(std::move(values));
}

ElementValues::Result ElementValues::assume(std::string name, int64_t standard) {
  auto given = given_.find(name);
  int64_t value = given == given_.end() ? standard : given->second;
  if (llvm::none_of(assumptions_, [&](const Assumption& a) { return a.name == name; }))
    assumptions_.push_back({std::move(name), value, given != given_.end()});
  return make({value});
}

ElementValues::Result ElementValues::of(Value value) {
  if (auto it = known_.find(value); it != known_.end()) return it->second;
  if (countOf(value.getType()) > mostElements) return fail("the tensor is too large");
  if (depth_ >= deepest) return fail("the expression is too deep");
  if (elements_ > mostOfAll) return fail("the expression takes too many elements");
  ++depth_;
  Result result = compute(value);
  --depth_;
  if (result) elements_ += static_cast<int64_t>(result->values.size());
  known_[value] = result;
  return result;
}

ElementValues::Result ElementValues::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) return ofArgument(argument);
  return ofOp(value.getDefiningOp(), value);
}

ElementValues::Result ElementValues::ofArgument(BlockArgument argument) {
  Operation* parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return of(index == 0 ? loop.getLowerBound() : loop.getInitArgs()[index - 1]);
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner()->getParent() == &loop.getBefore()) return of(loop.getInits()[index]);
    return of(loop.getConditionOp().getArgs()[index]);
  }
  if (auto function = dyn_cast<FunctionOpInterface>(parent)) {
    if (isa<tt::PointerType>(argument.getType())) return make({0});
    if (!isa<IntegerType>(argument.getType()))
      return fail("'" + name_(index) + "' is not an integer");
    auto divisor = function.getArgAttrOfType<IntegerAttr>(index, "tt.divisibility");
    bool isFlag = argument.getType().isInteger(1);
    return assume(name_(index), isFlag ? 1 : divisor && divisor.getInt() > 1 ? 4096 : 4099);
  }
  if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(parent))
    return index < partitions->getNumOperands() ? of(partitions->getOperand(index))
                                                : fail("a captured value");
  return fail("a block argument of " + parent->getName().getStringRef().str());
}

ElementValues::Result ElementValues::elementwise(Operation* op) {
  SmallVector<Result, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(of(operand));
    if (!operands.back()) return nullptr;
  }
  bool uniform = llvm::all_of(operands, [](const Result& r) { return r->values.size() == 1; });
  size_t count = uniform ? 1 : static_cast<size_t>(countOf(op->getResult(0).getType()));
  unsigned bits = integerBits(op->getResult(0).getType()),
           from = integerBits(op->getOperand(0).getType());
  std::vector<int64_t> values(count);
  auto each = [&](auto rule) {
    for (size_t i = 0; i < count; ++i)
      values[i] = rule(i);
    return make(std::move(values));
  };
  if (IntegerRule rule = integerRule(op)) {
    bool isDefined = true;
    Result result = each([&](size_t i) {
      auto value = rule((*operands[0])[i], (*operands[1])[i], bits);
      isDefined &= value.has_value();
      return value.value_or(0);
    });
    return isDefined ? result : fail("a division by zero, or a shift by more than the width");
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return each([&](size_t i) {
      return int64_t{compare(cmp.getPredicate(), (*operands[0])[i], (*operands[1])[i], from)};
    });
  if (isa<arith::SelectOp>(op))
    return each(
        [&](size_t i) { return (*operands[0])[i] ? (*operands[1])[i] : (*operands[2])[i]; });
  if (IntegerCast cast = integerCast(op))
    return each([&](size_t i) { return cast((*operands[0])[i], from, bits); });
  if (isa<tt::BitcastOp, tt::PtrToIntOp, tt::IntToPtrOp>(op))
    return each([&](size_t i) { return wrapped(static_cast<uint64_t>((*operands[0])[i]), bits); });
  if (isa<tt::AddPtrOp>(op)) {
    Type pointee = getElementTypeOrSelf(tt::pointeeType(op->getResult(0).getType()));
    uint64_t bytes = std::max(1u, tt::bitWidth(pointee) / 8);
    return each([&](size_t i) {
      return static_cast<int64_t>(static_cast<uint64_t>((*operands[0])[i]) +
                                  bytes * static_cast<uint64_t>((*operands[1])[i]));
    });
  }
  return fail("the result of " + op->getName().getStringRef().str());
}

ElementValues::Result ElementValues::ofOp(Operation* op, Value value) {
  Type type = value.getType();
  auto operand = [&]() { return of(op->getOperand(0)); };
  return llvm::TypeSwitch<Operation*, Result>(op)
      .Case([&](arith::ConstantOp constant) -> Result {
        if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
          return make({wrapped(number.getValue().getZExtValue(), integerBits(type))});
        auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
        if (!dense) return fail("a constant that is not an integer");
        std::vector<int64_t> values;
        if (dense.isSplat())
          values = {wrapped(dense.getSplatValue<APInt>().getZExtValue(), integerBits(type))};
        else
          for (const APInt& each : dense.getValues<APInt>())
            values.push_back(wrapped(each.getZExtValue(), integerBits(type)));
        return make(std::move(values));
      })
      .Case([&](tt::MakeRangeOp range) {
        std::vector<int64_t> values;
        for (int64_t i = range.getStart(), end = range.getEnd(); i < end; ++i)
          values.push_back(i);
        return make(std::move(values));
      })
      .Case([&](tt::GetProgramIdOp id) {
        return assume("program_id(" + std::to_string(static_cast<int>(id.getAxis())) + ")", 0);
      })
      .Case([&](tt::GetNumProgramsOp count) {
        return assume("num_programs(" + std::to_string(static_cast<int>(count.getAxis())) + ")",
                      64);
      })
      .Case<tt::SplatOp, ttg::ConvertLayoutOp>([&](auto) { return operand(); })
      .Case([&](tt::UnsplatOp) -> Result {
        Result source = operand();
        return source ? make({source->values.front()}) : nullptr;
      })
      .Case<tt::ExpandDimsOp>([&](auto) { return operand(); }) // row-major order stays
      .Case([&](tt::ReshapeOp reshape) -> Result {
        if (reshape.getAllowReorder()) return fail("a reshape that may reorder");
        return operand();
      })
      .Case([&](tt::BroadcastOp) -> Result {
        Result source = operand();
        if (!source) return nullptr;
        ArrayRef<int64_t> from = shapeOf(op->getOperand(0).getType());
        return gather(*source, from, shapeOf(type), [&](auto at, auto of) {
          for (size_t d = 0; d < of.size(); ++d)
            of[d] = from[d] == 1 ? 0 : at[d];
        });
      })
      .Case([&](tt::TransOp trans) -> Result {
        Result source = operand();
        if (!source) return nullptr;
        return gather(*source, shapeOf(op->getOperand(0).getType()), shapeOf(type),
                      [&](auto at, auto of) {
                        for (auto [d, from] : llvm::enumerate(trans.getOrder()))
                          of[static_cast<size_t>(from)] = at[d];
                      });
      })
      .Case([&](scf::ForOp loop) {
        return of(loop.getInitArgs()[cast<OpResult>(value).getResultNumber()]);
      })
      .Case([&](scf::IfOp branch) -> Result {
        Result condition = of(branch.getCondition());
        if (!condition) return nullptr;
        Region& region =
            condition->values.front() ? branch.getThenRegion() : branch.getElseRegion();
        return of(
            region.front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber()));
      })
      .Case<tt::LoadOp, ttg::LocalLoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>(
          [&](auto) { return loaded(op); })
      .Default([&](Operation*) {
        if (op->getNumResults() != 1 || op->getNumOperands() == 0 || op->getNumRegions())
          return fail("the result of " + op->getName().getStringRef().str());
        return elementwise(op);
      });
}

} // namespace gluond::passes
