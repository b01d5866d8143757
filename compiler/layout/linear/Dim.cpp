#include "layout/linear/Dim.h"

namespace gluond::layout {

namespace {
constexpr llvm::StringLiteral names[] = {
    "register", "lane",    "warp", "block",   "offset", "partition", "row",  "col",  "vector",
    "bank",     "segment", "reps", "message", "dim0",   "dim1",      "dim2", "dim3", "dim4",
    "dim5",     "dim6",    "dim7", "dim8",    "dim9",   "dim10",     "dim11"};
static_assert(std::size(names) == static_cast<size_t>(Dim::Dim11) + 1);
} // namespace

llvm::StringRef name(Dim dim) {
  return names[static_cast<size_t>(dim)];
}

std::optional<Dim> dimNamed(llvm::StringRef text) {
  for (size_t i = 0; i < std::size(names); ++i)
    if (names[i] == text) return static_cast<Dim>(i);
  return std::nullopt;
}

Dims tensorDims(unsigned rank) {
  Dims result;
  for (unsigned i = 0; i < rank; ++i)
    result.push_back(tensorDim(i));
  return result;
}

} // namespace gluond::layout
