// Buffers of shared and tensor memory in the machine, and views of them.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/MemorySpace.h"
#include "layout/access/MemoryCheck.h"
#include "lints/synchronization/Machine.h"

namespace gluond::lints::synchronization {
using namespace mlir;

namespace {

int64_t elements(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

// Returns the number of pieces into which the CTAs of a cluster divide a tensor.
int64_t shares(ttg::MemDescType type) {
  layout::LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid()) return 1;
  unsigned bits = linear.inBits(layout::Dim::Block);
  return int64_t(1) << (bits - llvm::popcount(linear.freeMask(layout::Dim::Block)));
}

std::string textOf(ttg::MemDescType type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int64_t size : type.getShape())
    out << size << "x";
  out << type.getElementType();
  return text;
}

} // namespace

int64_t Machine::extent(ttg::MemDescType type) {
  unsigned bits = tt::bitWidth(type.getElementType());
  if (!ttng::isTensorMemory(type)) {
    int64_t bytes = elements(type.getShape()) * bits / 8;
    if (!isCluster_) return bytes;
    auto [known, isNew] = shares_.try_emplace(type, 1);
    if (isNew) known->second = shares(type);
    return bytes / known->second;
  }
  const layout::Layout& encoding = ir::toLayout(type.getEncoding());
  if (!encoding) return 0;
  auto size = layout::tensorMemorySize(encoding, {type.getShape(), type.getShape(), bits});
  return size ? size->columns : 0;
}

Machine::Step Machine::allocate(Thread& thread, mlir::Operation& op) {
  mlir::Value result = op.getResult(0);
  auto type = cast<ttg::MemDescType>(result.getType());
  Region all;
  all.alloc = static_cast<uint32_t>(allocations_.size());
  all.end = extent(type);
  allocations_.push_back({&op, textOf(type)});
  if (all.end <= 0) {
    set(thread, result, {});
    return Step::Next;
  }
  setRegion(thread, result, all);
  if (op.getNumOperands()) write(thread, op, result); // its contents
  return Step::Next;
}

Machine::Step Machine::view(Thread& thread, mlir::Operation& op) {
  mlir::Value result = op.getResult(0);
  Value viewed = get(thread, op.getOperand(0));
  const Region* source = viewed.kind == Value::Kind::Memory ? &regions_[viewed.region] : nullptr;
  if (!source) {
    set(thread, result, viewed.kind == Value::Kind::PastTheEnd ? viewed : Value{});
    return Step::Next;
  }
  auto from = cast<ttg::MemDescType>(op.getOperand(0).getType()),
       to = cast<ttg::MemDescType>(result.getType());
  Region next = *source;
  bool isWhole = source->kind == Region::Kind::Whole;
  auto fuzzy = [&] {
    next.kind = Region::Kind::Fuzzy;
    next.box.clear();
  };
  if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
    int64_t count = from.getShape().front();
    auto i = integer(thread, index.getIndex());
    bool isPast = i && (*i < 0 || *i >= count);
    if (isPast && !usesGuess_) {
      views_.push_back({&op, *i, count, source->alloc});
      set(thread, result, {Value::Kind::PastTheEnd, 0, static_cast<uint32_t>(views_.size() - 1)});
      return Step::Next;
    }
    int64_t each = extent(to);
    if (!i || isPast || !isWhole || each <= 0) {
      fuzzy();
    } else {
      next.begin += *i * each;
      next.end = std::min(next.begin + each, source->end);
    }
  } else if (auto slice = dyn_cast<ttg::MemDescSubsliceOp>(op)) {
    if (to.getShape() != from.getShape()) {
      if (source->kind == Region::Kind::Fuzzy) {
        fuzzy();
      } else {
        next.kind = Region::Kind::Box;
        llvm::SmallVector<Region::Side, 4> box;
        for (auto [i, size] : llvm::enumerate(to.getShape()))
          box.push_back({slice.getOffsets()[i] + (isWhole ? 0 : source->box[i].offset), size});
        next.box = std::move(box);
      }
    }
  } else if (auto slice = dyn_cast<ttng::TMEMSubSliceOp>(op)) {
    int64_t columns = extent(to), all = from.getShape().back(), per = all ? extent(from) : 0;
    if (!isWhole || columns <= 0 || slice.getDim() != 1 ||
        per * slice.getOffset() % std::max<int64_t>(all, 1)) {
      fuzzy();
    } else {
      next.begin += per * slice.getOffset() / all;
      next.end = std::min(next.begin + columns, source->end);
    }
  } else if (isa<ttg::MemDescReinterpretOp>(op)) {
    int64_t size = extent(to);
    if (!isWhole || size <= 0)
      fuzzy();
    else
      next.end = std::min(next.begin + size, source->end);
  } else if (!isWhole) { // transposed, reshaped: another box
    fuzzy();
  }
  setRegion(thread, result, std::move(next));
  return Step::Next;
}

} // namespace gluond::lints::synchronization
