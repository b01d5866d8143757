#include "passes/nvidia/TmaLimits.h"

#include "chips/MemorySizes.h"
#include "ir/ttng/Ops.h"
#include "passes/nvidia/TmaLowering.h"

namespace gluond::passes {

static std::string count(int64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string refusedBlock(tt::TensorDescInterface descriptor) {
  auto code = descriptorCode(descriptor);
  if (!code || code->block.empty() || code->fp4Padded) return ""; // the passes report it
  int64_t row = code->block.back() * code->elementBytes;
  if (row % chips::tmaAlignment)
    return "the rows of its block have " + count(row, "byte") +
           ", but TMA copies rows of a multiple of " + std::to_string(chips::tmaAlignment) +
           " bytes";
  if (mlir::isa<ttng::TensorDescIm2ColType>(descriptor) && code->block.size() == 2 &&
      code->block.front() > chips::tmaMostPixels)
    return "its block has " + std::to_string(code->block.front()) +
           " pixels, but TMA copies at most " + std::to_string(chips::tmaMostPixels) + " at a time";
  return "";
}

std::string refusedTensor(const DescribedTensor& tensor, llvm::StringRef base) {
  constexpr int64_t alignment = chips::tmaAlignment, mostExtent = int64_t(1) << 32,
                    mostStride = int64_t(1) << 40;
  constexpr size_t mostDimensions = 5;
  if (tensor.base % alignment)
    return "its base, " + base.str() + ", is not aligned to " + std::to_string(alignment) +
           " bytes";
  size_t rank = tensor.shape.size();
  if (rank == 0 || rank > mostDimensions)
    return "it has " + std::to_string(rank) + " dimensions, but TMA supports 1 to " +
           std::to_string(mostDimensions);
  for (size_t d = 0; d < rank; ++d) {
    int64_t extent = tensor.shape[d], stride = tensor.strides[d];
    std::string dimension = "dimension " + std::to_string(d);
    if (extent <= 0 || extent > mostExtent)
      return "its " + dimension + " has " + count(extent, "element");
    if (d + 1 == rank && stride != tensor.elementBytes)
      return "the elements of its last dimension are " + count(stride, "byte") +
             " apart instead of " + std::to_string(tensor.elementBytes);
    if (d + 1 == rank) continue;
    std::string is =
        "the stride of its " + dimension + " is " + count(stride, "byte") + ", but it must be ";
    if (stride % alignment) return is + "a multiple of " + std::to_string(alignment);
    if (stride < 0 || stride >= mostStride) return is + "at least 0 and less than 2**40";
  }
  return "";
}

} // namespace gluond::passes
