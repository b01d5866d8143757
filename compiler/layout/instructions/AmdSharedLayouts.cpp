#include "layout/instructions/AmdSharedLayouts.h"

#include "chips/MatrixInstructions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

// How an operand is read from shared memory, and the resulting bank accesses.
struct ReadPattern {
  bool wide;       // ds_read_b128: 16 bytes a lane along K
  bool transposed; // ds_read_b64_tr: 8 bytes a lane across K
  unsigned banks;
  int64_t padding; // elements that move a row to other banks
};

ReadPattern readPattern(bool kContiguous, int64_t kWidth, int64_t elementBytes, int64_t nonK) {
  int64_t bytes = kWidth * elementBytes;
  if (kContiguous && bytes == 16) return {true, false, 64, nonK == 16 ? 2 * kWidth : kWidth};
  if (!kContiguous && bytes >= 8) return {false, true, 64, nonK == 16 ? 16 : 32};
  return {false, false, 32, 8 / elementBytes};
}

unsigned log2(int64_t size) {
  return exactLog2(size).value_or(0);
}

} // namespace

std::optional<Layout> cdna4PaddedLayout(const MfmaOperand& operand, Shape shape,
                                        unsigned elementBits, bool kContiguous) {
  constexpr int64_t lanes = chips::mfmaLanes;
  if (shape.size() != 2 || !isPowerOfTwoShape(shape) ||
      llvm::any_of(shape, [](int64_t size) { return size > 1 << 20; }))
    return std::nullopt;
  if (elementBits != 4 && elementBits != 8 && elementBits != 16) return std::nullopt;
  int64_t elementBytes = std::max(elementBits / 8, 1u), kWidth = operand.kWidth,
          nonK = operand.nonK;
  if ((nonK != 16 && nonK != 32) || (kWidth != 4 && kWidth != 8 && kWidth != 16))
    return std::nullopt;
  unsigned kDim = operand.index == 0 ? 1 : 0;
  ReadPattern read = readPattern(kContiguous, kWidth, elementBytes, nonK);

  // A row is contiguous. Rows whose numbers differ by `wrap` are placed side by side; `wrap` rows
  // fill the banks.
  int64_t row = kContiguous ? shape[kDim] : shape[1 - kDim],
          rows = kContiguous ? shape[1 - kDim] : shape[kDim];
  int64_t vector = 16 / elementBytes, rowLanes = row / vector;
  int64_t wrap = std::min(row, int64_t{read.banks} * 4 / elementBytes) / read.padding;
  if (wrap == 0 || rowLanes == 0) return std::nullopt;
  // With too few rows to deal out, they conflict: never for the wide read, two ways at most for the
  // others.
  int64_t required = lanes / rowLanes * wrap;
  unsigned ways = rows >= required ? 1 : log2(required / rows) + 1;
  if ((read.wide && ways > 1) || ways > 2) return std::nullopt;
  if (ways > 1) wrap /= int64_t(1) << (ways - 1);
  if (wrap == 0) return std::nullopt;
  constexpr int64_t bestWrap = 16;
  bool useBest = rows >= lanes / rowLanes * bestWrap && bestWrap > wrap;
  if (useBest) wrap = bestWrap;

  // The order of offset bits: along the row, then distant rows until one write is full, then near
  // rows, then the rest.
  struct Step {
    bool alongRow;
    int64_t size;
  };
  llvm::SmallVector<Step, 24> steps;
  for (int64_t size = 1; size < row; size *= 2)
    steps.push_back({true, size});
  int64_t interval = lanes * vector, far = wrap;
  for (; steps.size() < log2(interval); far *= 2)
    steps.push_back({false, far});
  for (int64_t size = 1; size < wrap; size *= 2)
    steps.push_back({false, size});
  for (; far < rows; far *= 2)
    steps.push_back({false, far});

  // The transposed read takes 8 bytes at a time; where a lane wants 16, rows 8 and 16 bytes on
  // trade places.
  if (read.transposed && nonK == 16 && kWidth * elementBytes == 16) {
    auto rowStep = [&](int64_t size) {
      return llvm::find_if(steps, [&](const Step& s) { return !s.alongRow && s.size == size; });
    };
    auto* a = rowStep(8 / elementBytes);
    auto* b = rowStep(16 / elementBytes);
    if (a == steps.end() || b == steps.end()) return std::nullopt;
    std::swap(*a, *b);
  }
  // 32 rows of less than 256 bytes: every 16th row changes place with the step over the banks.
  if (read.wide && nonK == 32 && useBest && shape[kDim] < 256 / elementBytes) {
    unsigned banksStep = log2(kWidth == 16 / elementBytes ? 256 : 128), row16 = log2(row);
    if (banksStep >= steps.size() || row16 >= steps.size()) return std::nullopt;
    std::swap(steps[banksStep], steps[row16]);
  }

  unsigned rowDim = kContiguous ? kDim : 1 - kDim; // the dimension that runs along a row
  Bases bases;
  for (const Step& step : steps) {
    Coordinates basis = {0, 0};
    basis[step.alongRow ? rowDim : 1 - rowDim] = static_cast<int32_t>(step.size);
    bases.push_back(basis);
  }
  LinearLayout::InBases offset{Dim::Offset, bases};
  auto tile = LinearLayout::fromBases(offset, llvm::ArrayRef(tensorDims(2)));
  if (!tile) return std::nullopt;
  LinearLayout linear = combineCtaAndCga(std::move(*tile), operand.CGALayout, shape);
  if (!linear.valid()) return std::nullopt;
  OrError<Layout> layout = Layout::make(PaddedShared{
      {static_cast<int32_t>(interval)}, {static_cast<int32_t>(read.padding)}, std::move(linear)});
  if (!layout) return std::nullopt;
  return *layout;
}

} // namespace gluond::layout
