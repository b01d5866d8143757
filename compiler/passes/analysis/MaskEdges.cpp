#include "passes/analysis/MaskEdges.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <optional>

namespace gluond::passes {

namespace {

// How a mask goes on along an axis, within elements side by side.
enum class Course : uint8_t { Constant, Falling, Rising };

using Found = std::optional<Course>;

// Of `index < bound`, where the index grows by one.
Found courseOf(mlir::arith::CmpIPredicate predicate) {
  using P = mlir::arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
  case P::sle:
  case P::ult:
  case P::ule:
    return Course::Falling;
  case P::sgt:
  case P::sge:
  case P::ugt:
  case P::uge:
    return Course::Rising;
  case P::eq:
  case P::ne:
    return std::nullopt;
  }
  return std::nullopt;
}

// Of both.
Found meet(Found a, Found b) {
  if (!a || !b) return std::nullopt;
  if (*a == Course::Constant) return b;
  return *b == Course::Constant || *a == *b ? a : std::nullopt;
}

class Courses {
public:
  Courses(int64_t count, const ModuleAxisInfo& axes) : count_(count), axes_(axes) {}

  Found operator()(mlir::Value mask, unsigned dim) const {
    if (isConstant(mask, dim)) return Course::Constant;
    mlir::Operation* op = mask.getDefiningOp();
    if (!op) return std::nullopt;
    if (auto each = mlir::dyn_cast<mlir::arith::AndIOp>(op))
      return meet((*this)(each.getLhs(), dim), (*this)(each.getRhs(), dim));
    if (auto each = mlir::dyn_cast<tt::ExpandDimsOp>(op)) {
      unsigned axis = each.getAxis();
      return axis == dim ? Found(Course::Constant)
                         : (*this)(each.getSrc(), dim > axis ? dim - 1 : dim);
    }
    if (mlir::isa<tt::BroadcastOp, ttg::ConvertLayoutOp>(op))
      return (*this)(op->getOperand(0), dim);
    if (auto each = mlir::dyn_cast<mlir::arith::CmpIOp>(op)) {
      if (grows(each.getLhs(), dim) && isConstant(each.getRhs(), dim))
        return courseOf(each.getPredicate());
      if (isConstant(each.getLhs(), dim) && grows(each.getRhs(), dim))
        return reversed(courseOf(each.getPredicate()));
    }
    return std::nullopt;
  }

private:
  static Found reversed(Found course) {
    if (!course || *course == Course::Constant) return course;
    return *course == Course::Falling ? Course::Rising : Course::Falling;
  }
  bool isConstant(mlir::Value value, unsigned dim) const {
    AxisInfo info = axes_.at(value);
    return info.rank() > dim && info.constancy[dim] >= count_;
  }
  bool grows(mlir::Value value, unsigned dim) const {
    AxisInfo info = axes_.at(value);
    return info.rank() > dim && info.contiguity[dim] >= count_;
  }

  int64_t count_;
  const ModuleAxisInfo& axes_;
};

} // namespace

bool changesOnce(mlir::Value mask, unsigned dim, int64_t count, const ModuleAxisInfo& axes) {
  return Courses(count, axes)(mask, dim).has_value();
}

} // namespace gluond::passes
