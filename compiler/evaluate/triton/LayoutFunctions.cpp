#include "evaluate/triton/LayoutFunctions.h"

#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeArguments.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::evaluate {

namespace {

using Numbers = llvm::SmallVector<uint64_t, 4>;

// Returns nullopt if it is no list of numbers that are not negative; then it may have raised.
std::optional<Numbers> numbersOf(Interpreter& in, Value value) {
  llvm::SmallVector<Value> items;
  if (value.isAbsent() || value.isUnknown() || !in.unpack(value, items)) return std::nullopt;
  Numbers numbers;
  for (Value item : items) {
    if (!item.is(ValueKind::Int) || item.asInt() < 0) return std::nullopt;
    numbers.push_back(static_cast<uint64_t>(item.asInt()));
  }
  return numbers;
}

// make_cga_layout(ctas_per_cga, cta_split_num, cta_order) returns a basis for each bit of a
// program's number in its cluster. From the first dimension of the order on, each has log2(split)
// bases 1, 2, 4, ... along it, then zeros for the programs that hold the same part.
Value makeCgaLayout(Interpreter& in, const CallArguments& arguments) {
  std::optional<Numbers> given[3];
  constexpr llvm::StringLiteral names[] = {"arg0", "arg1", "arg2"};
  for (size_t i = 0; i < std::size(given); ++i) {
    given[i] = numbersOf(in, evaluate::given(in, arguments, i, names[i]));
    if (in.failed()) return Value::absent();
    if (!given[i]) return Value::unknown();
  }
  const auto& [ctas, splits, order] = given;
  constexpr size_t mostDimensions = 8;
  size_t rank = order->size();
  if (rank > mostDimensions || ctas->size() != rank || splits->size() != rank)
    return Value::unknown();
  llvm::SmallVector<Value> bases;
  for (uint64_t dimension : *order) {
    if (dimension >= rank) return Value::unknown();
    uint64_t programs = (*ctas)[dimension], parts = (*splits)[dimension];
    if (!llvm::isPowerOf2_64(programs) || !llvm::isPowerOf2_64(parts) || parts > programs)
      return Value::unknown(); // Triton ends the process
    for (uint64_t step = 1; step < programs; step *= 2) {
      llvm::SmallVector<Value, 4> basis(rank, Value::integer(0));
      if (step < parts) basis[dimension] = Value::integer(static_cast<int64_t>(step));
      bases.push_back(in.heap().list(basis));
    }
  }
  return in.heap().list(bases);
}

constexpr NativeRow rows[] = {{"make_cga_layout", makeCgaLayout}};

} // namespace

llvm::ArrayRef<NativeRow> layoutFunctions() {
  return rows;
}

} // namespace gluond::evaluate
