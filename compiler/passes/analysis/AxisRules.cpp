#include "passes/analysis/AxisRules.h"

#include "ir/gluon/Dialect.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "passes/analysis/IntegerArithmetic.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

#include <numeric>

namespace gluond::passes {
using namespace mlir;

namespace {

using Axes = AxisInfo::Axes;
using Rule = AxisInfo (*)(Operation*, ArrayRef<AxisInfo>);

int64_t gcd3(int64_t a, int64_t b, int64_t c) {
  return gcd(gcd(a, b), c);
}

int64_t product(int64_t a, int64_t b) {
  return a > maxDivisor / b ? maxDivisor : a * b;
}

Axes ones(unsigned rank) {
  return Axes(rank, 1);
}

bool isWhole(int64_t length, Type type, unsigned axis) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && length == tensor.getDimSize(axis);
}

int64_t pointeeBytes(Type pointer) {
  return std::max<int64_t>(1, tt::bitWidth(getElementTypeOrSelf(tt::pointeeType(pointer))) / 8);
}

//===----------------------------------------------------------------------===//
// Operations on two operands, axis by axis
//===----------------------------------------------------------------------===//

// One axis of an operation on `a` and `b`.
struct AxisOf {
  Operation* op;
  const AxisInfo &a, &b;
  unsigned axis;
  int64_t contiguityA() const { return a.contiguity[axis]; }
  int64_t contiguityB() const { return b.contiguity[axis]; }
  int64_t divisibilityA() const { return a.divisibility[axis]; }
  int64_t divisibilityB() const { return b.divisibility[axis]; }
  int64_t constancyA() const { return a.constancy[axis]; }
  int64_t constancyB() const { return b.constancy[axis]; }
  Type type() const { return op->getResult(0).getType(); }
  bool aIsOneRun() const { return isWhole(contiguityA(), type(), axis); }
  bool bIsOneValue() const { return isWhole(constancyB(), type(), axis); }
};

struct BinaryRule {
  int64_t (*contiguity)(const AxisOf&);
  int64_t (*divisibility)(const AxisOf&);
  int64_t (*constancy)(const AxisOf&);
};

// The result of the operation for two constants; nullopt if it is not known.
std::optional<int64_t> evaluate(Operation* op, const AxisInfo& a, const AxisInfo& b) {
  if (isa<arith::MulIOp>(op) && (a.isConstant(0) || b.isConstant(0))) return 0;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && b.isConstant(1)) return 0;
  if (!a.constant || !b.constant) return std::nullopt;
  auto bits = [](int64_t value) { return static_cast<uint64_t>(value); };
  if (isa<tt::AddPtrOp>(op))
    return static_cast<int64_t>(
        bits(*a.constant) + bits(*b.constant) * bits(pointeeBytes(op->getOperand(0).getType())));
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!type.isInteger()) return std::nullopt;
  unsigned width = integerBits(type);
  int64_t left = wrapped(bits(*a.constant), width), right = wrapped(bits(*b.constant), width);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison.getPredicate(), left, right, width);
  IntegerRule rule = integerRule(op);
  return rule ? rule(left, right, width) : std::nullopt;
}

AxisInfo applyBinary(const BinaryRule& rule, Operation* op, ArrayRef<AxisInfo> operands) {
  const AxisInfo &a = operands[0], &b = operands[1];
  if (auto value = evaluate(op, a, b)) return AxisInfo::splat(*value, op->getResult(0).getType());
  Axes contiguity, divisibility, constancy;
  for (unsigned axis = 0; axis < a.rank(); ++axis) {
    AxisOf each{op, a, b, axis};
    contiguity.push_back(rule.contiguity(each));
    constancy.push_back(rule.constancy(each));
    divisibility.push_back(rule.divisibility(each));
  }
  return {contiguity, divisibility, constancy};
}

int64_t commonConstancy(const AxisOf& each) {
  return gcd(each.constancyA(), each.constancyB());
}

// --- sums: a run plus a repeated value is a run

int64_t sumContiguity(const AxisOf& each) {
  return std::max(gcd(each.constancyA(), each.contiguityB()),
                  gcd(each.contiguityA(), each.constancyB()));
}
int64_t differenceContiguity(const AxisOf& each) {
  return gcd(each.contiguityA(), each.constancyB());
}

// Two runs added step by two; otherwise the result's runs may start inside an operand's run.
int64_t sumDivisibility(const AxisOf& each, int64_t contiguity, int64_t unit, bool runsCancel) {
  int64_t a = each.divisibilityA(), b = product(each.divisibilityB(), unit);
  bool aRuns = each.contiguityA() > 1, bRuns = each.contiguityB() > 1;
  if (aRuns && bRuns) {
    if (runsCancel && each.contiguityA() == each.contiguityB()) return gcd(a, b);
    return a % 2 == 0 && b % 2 == 0 ? 2 : 1;
  }
  return aRuns || bRuns ? gcd3(a, b, product(contiguity, unit)) : gcd(a, b);
}

const BinaryRule addition{
    sumContiguity,
    [](const AxisOf& each) { return sumDivisibility(each, sumContiguity(each), 1, false); },
    commonConstancy};
const BinaryRule subtraction{
    differenceContiguity,
    [](const AxisOf& each) { return sumDivisibility(each, differenceContiguity(each), 1, true); },
    commonConstancy};
// Offsets count elements, divisibility bytes.
const BinaryRule pointerSum{sumContiguity,
                            [](const AxisOf& each) {
                              int64_t bytes = pointeeBytes(each.op->getOperand(0).getType());
                              return sumDivisibility(each, sumContiguity(each), bytes, false);
                            },
                            commonConstancy};

// --- products: a run times anything but 1 is not a run

const BinaryRule multiplication{
    [](const AxisOf& each) {
      return std::max(each.b.isConstant(1) ? each.contiguityA() : 1,
                      each.a.isConstant(1) ? each.contiguityB() : 1);
    },
    [](const AxisOf& each) {
      int64_t a = each.contiguityA() > 1 && !each.b.isConstant(1) ? 1 : each.divisibilityA();
      int64_t b = each.contiguityB() > 1 && !each.a.isConstant(1) ? 1 : each.divisibilityB();
      return product(a, b);
    },
    commonConstancy};

// --- quotients: a run divided by its alignment is repeated

int64_t alignedRun(const AxisOf& each) {
  return gcd3(each.contiguityA(), each.divisibilityA(), each.divisibilityB());
}

const BinaryRule quotient{
    [](const AxisOf& each) { return each.b.isConstant(1) ? each.contiguityA() : 1; },
    [](const AxisOf& each) -> int64_t {
      if (each.a.isConstant(0) || each.b.isConstant(1)) return each.divisibilityA();
      if (!each.b.constant || each.contiguityA() != 1) return 1;
      auto by = llvm::AbsoluteValue(*each.b.constant);
      return llvm::isPowerOf2_64(by)
                 ? std::max<int64_t>(1, each.divisibilityA() / static_cast<int64_t>(by))
                 : 1;
    },
    [](const AxisOf& each) {
      int64_t constancy = commonConstancy(each);
      return each.aIsOneRun() && each.bIsOneValue() ? std::max(constancy, alignedRun(each))
                                                    : constancy;
    }};

int64_t remainderContiguity(const AxisOf& each) {
  return each.aIsOneRun() && each.bIsOneValue() ? alignedRun(each) : 1;
}

const BinaryRule remainder{
    remainderContiguity,
    [](const AxisOf& each) -> int64_t {
      if (each.contiguityB() > 1) return 1;
      int64_t divisibility = gcd(each.divisibilityA(), each.divisibilityB()),
              contiguity = remainderContiguity(each);
      // Runs of the result that start inside a run of an operand are less aligned than it.
      return each.contiguityA() > contiguity ? gcd(divisibility, contiguity) : divisibility;
    },
    [](const AxisOf& each) {
      auto tensor = dyn_cast<RankedTensorType>(each.type());
      return tensor && each.b.isConstant(1) ? tensor.getDimSize(each.axis) : commonConstancy(each);
    }};

// --- bits

int64_t one(const AxisOf&) {
  return 1;
}
const BinaryRule bitwise{one, one, commonConstancy};

bool isShift(int64_t by) {
  return by >= 0 && by < 63;
}
int64_t contiguityIfNotShifted(const AxisOf& each) {
  return each.b.isConstant(0) ? each.contiguityA() : 1;
}
int64_t divisibilityBeforeShift(const AxisOf& each) {
  return each.contiguityA() > 1 && !each.b.isConstant(0) ? 1 : each.divisibilityA();
}

const BinaryRule shiftLeft{contiguityIfNotShifted,
                           [](const AxisOf& each) {
                             int64_t by = each.b.constant.value_or(0);
                             return isShift(by)
                                        ? product(divisibilityBeforeShift(each), int64_t(1) << by)
                                        : 1;
                           },
                           commonConstancy};
const BinaryRule shiftRight{contiguityIfNotShifted,
                            [](const AxisOf& each) -> int64_t {
                              if (!each.b.constant || !isShift(*each.b.constant)) return 1;
                              return std::max<int64_t>(1, divisibilityBeforeShift(each) >>
                                                              *each.b.constant);
                            },
                            commonConstancy};

template <const BinaryRule& rule> AxisInfo binary(Operation* op, ArrayRef<AxisInfo> operands) {
  return applyBinary(rule, op, operands);
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

AxisInfo comparison(Operation* op, ArrayRef<AxisInfo> operands) {
  auto compare = cast<arith::CmpIOp>(op);
  const AxisInfo &a = operands[0], &b = operands[1];
  if (auto value = evaluate(op, a, b)) return AxisInfo::splat(*value, compare.getType());
  auto type = dyn_cast<RankedTensorType>(compare.getType());
  if (!type) return {};
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  bool above = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  bool below = llvm::is_contained({P::slt, P::ult, P::sge, P::uge}, predicate);
  Axes constancy;
  for (unsigned axis = 0; axis < static_cast<unsigned>(type.getRank()); ++axis) {
    int64_t same = gcd(a.constancy[axis], b.constancy[axis]);
    // Where a value meets an aligned run the answer changes only at the run's ends.
    if (above && isWhole(a.constancy[axis], type, axis))
      same = std::max(same, gcd3(b.contiguity[axis], a.divisibility[axis], b.divisibility[axis]));
    else if (below && isWhole(b.constancy[axis], type, axis))
      same = std::max(same, gcd3(a.contiguity[axis], a.divisibility[axis], b.divisibility[axis]));
    constancy.push_back(same);
  }
  return {ones(type.getRank()), ones(type.getRank()), constancy};
}

AxisInfo choice(Operation* op, ArrayRef<AxisInfo> operands) {
  const AxisInfo &condition = operands[0], &a = operands[1], &b = operands[2];
  if (condition.constant) return *condition.constant ? a : b;
  if (a.constant && a.constant == b.constant)
    return AxisInfo::splat(*a.constant, op->getResult(0).getType());
  bool perElement = isa<RankedTensorType>(op->getOperand(0).getType());
  Axes contiguity, divisibility, constancy;
  for (unsigned axis = 0; axis < a.rank(); ++axis) {
    int64_t within = perElement ? condition.constancy[axis] : 0;
    constancy.push_back(gcd3(a.constancy[axis], b.constancy[axis], within));
    contiguity.push_back(gcd3(a.contiguity[axis], b.contiguity[axis], within));
    int64_t divisor = joinDivisibility(a, b, axis);
    divisibility.push_back(perElement ? gcd(divisor, contiguity.back()) : divisor);
  }
  return {contiguity, divisibility, constancy};
}

AxisInfo extremum(Operation* op, ArrayRef<AxisInfo> operands) {
  if (auto value = evaluate(op, operands[0], operands[1]))
    return AxisInfo::splat(*value, op->getResult(0).getType());
  AxisInfo joined = AxisInfo::join(operands[0], operands[1]);
  joined.constant.reset();
  return joined;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

AxisInfo same(Operation*, ArrayRef<AxisInfo> operands) {
  return operands[0];
}

AxisInfo pointerCast(Operation* op, ArrayRef<AxisInfo> operands) {
  const AxisInfo& info = operands[0];
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!isa<tt::PointerType>(getElementTypeOrSelf(from)) || pointeeBytes(from) == pointeeBytes(to))
    return info;
  Axes divisibility = info.divisibility; // every element starts a run now
  for (unsigned axis = 0; axis < info.rank(); ++axis)
    if (info.contiguity[axis] > 1) divisibility[axis] = gcd(divisibility[axis], pointeeBytes(from));
  return {ones(info.rank()), divisibility, info.constancy, info.constant};
}

AxisInfo range(Operation* op, ArrayRef<AxisInfo>) {
  auto range = cast<tt::MakeRangeOp>(op);
  uint32_t start = range.getStart();
  int64_t divisor = start ? powerOfTwoDivisor(start) : int64_t(1) << 30; // of a 32-bit zero
  return {Axes{int64_t(range.getEnd()) - int64_t(start)}, Axes{divisor}, Axes{1}};
}

AxisInfo constant(Operation* op, ArrayRef<AxisInfo>) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  Type type = op->getResult(0).getType();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    bool isBool = integer.getType().isInteger(1);
    return AxisInfo::splat(isBool ? int64_t(integer.getValue().getZExtValue())
                                  : integer.getValue().getSExtValue(),
                           type);
  }
  if (auto splat = dyn_cast<SplatElementsAttr>(value);
      splat && splat.getElementType().isIntOrIndex())
    return AxisInfo::splat(splat.getSplatValue<APInt>().getSExtValue(), type);
  return {};
}

AxisInfo poison(Operation* op, ArrayRef<AxisInfo>) {
  auto tensor = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  Axes most(tensor ? tensor.getRank() : 1, maxDivisor);
  return {most, most, most};
}

AxisInfo splat(Operation* op, ArrayRef<AxisInfo> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned rank = type.getRank();
  return {ones(rank), Axes(rank, operands[0].divisibility[0]), Axes(type.getShape()),
          operands[0].constant};
}

// Equal pointers under equal masks load equal values.
AxisInfo load(Operation*, ArrayRef<AxisInfo> operands) {
  const AxisInfo& pointer = operands[0];
  Axes constancy;
  for (unsigned axis = 0; axis < pointer.rank(); ++axis)
    constancy.push_back(
        gcd(pointer.constancy[axis], operands.size() > 1 ? operands[1].constancy[axis] : 0));
  return {ones(pointer.rank()), ones(pointer.rank()), constancy};
}

AxisInfo expandDims(Operation* op, ArrayRef<AxisInfo> operands) {
  AxisInfo info = operands[0];
  int64_t divisibility = 1;
  if (info.constant) {
    divisibility = powerOfTwoDivisor(*info.constant);
  } else if (info.rank()) {
    divisibility = 0;
    for (unsigned axis = 0; axis < info.rank(); ++axis)
      divisibility = gcd(divisibility, info.contiguity[axis] > 1 ? 1 : info.divisibility[axis]);
  }
  unsigned at = cast<tt::ExpandDimsOp>(op).getAxis();
  info.contiguity.insert(info.contiguity.begin() + at, 1);
  info.divisibility.insert(info.divisibility.begin() + at, divisibility);
  info.constancy.insert(info.constancy.begin() + at, 1);
  return {info.contiguity, info.divisibility, info.constancy, info.constant};
}

AxisInfo broadcast(Operation* op, ArrayRef<AxisInfo> operands) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType()),
       to = cast<RankedTensorType>(op->getResult(0).getType());
  AxisInfo info = operands[0];
  for (unsigned axis = 0; axis < info.rank(); ++axis) {
    if (from.getDimSize(axis) != 1) continue;
    info.contiguity[axis] = 1;
    info.constancy[axis] = to.getDimSize(axis);
  }
  return {info.contiguity, info.divisibility, info.constancy, info.constant};
}

AxisInfo transpose(Operation* op, ArrayRef<AxisInfo> operands) {
  const AxisInfo& info = operands[0];
  Axes contiguity, divisibility, constancy;
  for (int32_t axis : cast<tt::TransOp>(op).getOrder()) {
    contiguity.push_back(info.contiguity[axis]);
    divisibility.push_back(info.divisibility[axis]);
    constancy.push_back(info.constancy[axis]);
  }
  return {contiguity, divisibility, constancy, info.constant};
}

// Elements from the start of one index along an axis to the next, in row-major order; then the
// whole size in front.
Axes strides(ArrayRef<int64_t> shape) {
  Axes result(shape.size() + 1, 1);
  for (size_t axis = shape.size(); axis-- > 0;)
    result[axis] = result[axis + 1] * shape[axis];
  return result;
}

// A destination axis has the properties of the source axis that contains its stride.
AxisInfo reshape(Operation* op, ArrayRef<AxisInfo> operands) {
  const AxisInfo& info = operands[0];
  auto from = cast<RankedTensorType>(op->getOperand(0).getType()),
       to = cast<RankedTensorType>(op->getResult(0).getType());
  if (info.constant) return AxisInfo::splat(*info.constant, to);
  unsigned fromRank = from.getRank(), rank = to.getRank();
  Axes fromStrides = strides(from.getShape()), toStrides = strides(to.getShape());
  int64_t global = info.globalDivisibility();
  Axes contiguity = ones(rank), divisibility(rank, global), constancy = ones(rank);
  for (unsigned axis = 0; axis < rank; ++axis) {
    int64_t stride = toStrides[axis + 1], size = to.getDimSize(axis);
    unsigned source = 0;
    while (source < fromRank &&
           !(fromStrides[source + 1] <= stride && stride < fromStrides[source]))
      ++source;
    if (source == fromRank) source = 0; // leading axes of size 1
    if (fromRank == 0) continue;
    int64_t sourceStride = fromStrides[source + 1], run = info.contiguity[source];
    if (run > 1) {
      if (stride != sourceStride) continue; // starts inside the axis: no run of step 1
      int64_t kept = std::min(run, size);
      contiguity[axis] = kept;
      int64_t divisor = info.divisibility[source];
      divisibility[axis] = std::max(global, kept == run ? divisor : std::min(divisor, kept));
      continue;
    }
    int64_t repeated = info.constancy[source], end = sourceStride * repeated;
    if (stride > end) continue;
    int64_t constant = std::max<int64_t>(1, std::min(size, end / stride));
    // Axes in front that are constant as well merge into this one.
    int64_t remaining = size / constant;
    for (unsigned outer = source;
         repeated == from.getDimSize(source) && outer-- > 0 && remaining > 1;) {
      int64_t piece = std::min(from.getDimSize(outer), remaining),
              ofPiece = std::min(info.constancy[outer], piece);
      constant *= ofPiece;
      if (ofPiece < piece) break;
      remaining /= piece;
    }
    constancy[axis] = constant;
  }
  return {contiguity, divisibility, constancy};
}

const llvm::DenseMap<TypeID, Rule>& rules() {
  static const llvm::DenseMap<TypeID, Rule> table = {
      {TypeID::get<arith::ExtSIOp>(), same},
      {TypeID::get<arith::ExtUIOp>(), same},
      {TypeID::get<arith::TruncIOp>(), same},
      {TypeID::get<ttg::ConvertLayoutOp>(), same},
      {TypeID::get<gluon::SetAutoLayoutOp>(), same},
      {TypeID::get<tt::BitcastOp>(), pointerCast},
      {TypeID::get<tt::MakeRangeOp>(), range},
      {TypeID::get<ub::PoisonOp>(), poison},
      {TypeID::get<arith::ConstantOp>(), constant},
      {TypeID::get<tt::AddPtrOp>(), binary<pointerSum>},
      {TypeID::get<arith::AddIOp>(), binary<addition>},
      {TypeID::get<arith::SubIOp>(), binary<subtraction>},
      {TypeID::get<arith::MulIOp>(), binary<multiplication>},
      {TypeID::get<arith::DivSIOp>(), binary<quotient>},
      {TypeID::get<arith::DivUIOp>(), binary<quotient>},
      {TypeID::get<arith::RemSIOp>(), binary<remainder>},
      {TypeID::get<arith::RemUIOp>(), binary<remainder>},
      {TypeID::get<tt::BroadcastOp>(), broadcast},
      {TypeID::get<tt::SplatOp>(), splat},
      {TypeID::get<tt::ExpandDimsOp>(), expandDims},
      {TypeID::get<tt::ReshapeOp>(), reshape},
      {TypeID::get<arith::CmpIOp>(), comparison},
      {TypeID::get<arith::AndIOp>(), binary<bitwise>},
      {TypeID::get<arith::OrIOp>(), binary<bitwise>},
      {TypeID::get<arith::XOrIOp>(), binary<bitwise>},
      {TypeID::get<arith::SelectOp>(), choice},
      {TypeID::get<arith::ShLIOp>(), binary<shiftLeft>},
      {TypeID::get<arith::ShRUIOp>(), binary<shiftRight>},
      {TypeID::get<arith::ShRSIOp>(), binary<shiftRight>},
      {TypeID::get<arith::MaxSIOp>(), extremum},
      {TypeID::get<arith::MaxUIOp>(), extremum},
      {TypeID::get<arith::MinSIOp>(), extremum},
      {TypeID::get<arith::MinUIOp>(), extremum},
      {TypeID::get<tt::LoadOp>(), load},
      {TypeID::get<tt::TransOp>(), transpose},
  };
  return table;
}

} // namespace

int64_t gcd(int64_t a, int64_t b) {
  return a == 0 ? b : b == 0 ? a : std::gcd(a, b);
}

int64_t powerOfTwoDivisor(int64_t value) {
  return value == 0 ? maxDivisor : value & -value;
}

int64_t joinDivisibility(const AxisInfo& a, const AxisInfo& b, unsigned axis) {
  int64_t runA = a.contiguity[axis], runB = b.contiguity[axis];
  int64_t divisor = gcd(a.divisibility[axis], b.divisibility[axis]);
  // Shorter runs than either had start inside them; a run of unknown length will be settled by the
  // other.
  if (runA == runB || runA == maxDivisor || runB == maxDivisor) return divisor;
  return gcd3(divisor, runA, runB);
}

AxisInfo inferAxisInfo(Operation* op, ArrayRef<AxisInfo> operands) {
  auto info = op->getName().getRegisteredInfo();
  if (!info) return {};
  auto found = rules().find(info->getTypeID());
  return found == rules().end() ? AxisInfo() : found->second(op, operands);
}

} // namespace gluond::passes
