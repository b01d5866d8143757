#include "simulate/operations/StridedWalk.h"

namespace gluond::simulate {

namespace {

template <typename T>
void gatherAs(const std::byte* source, llvm::ArrayRef<int64_t> strides, Tensor& to) {
  const T* from = reinterpret_cast<const T*>(source);
  T* elements = to.as<T>();
  forEachRow(to.shape(), strides, [&](int64_t offset, size_t first, size_t count, int64_t stride) {
    T* row = elements + first;
    const T* at = from + offset;
    if (stride == 1)
      std::memcpy(row, at, count * sizeof(T));
    else if (stride == 0)
      std::fill_n(row, count, *at);
    else
      for (size_t i = 0; i < count; ++i)
        row[i] = at[static_cast<int64_t>(i) * stride];
  });
}

} // namespace

void gather(const std::byte* from, llvm::ArrayRef<int64_t> strides, Tensor& to) {
  switch (bytesOf(to.element())) {
  case 1:
    return gatherAs<uint8_t>(from, strides, to);
  case 2:
    return gatherAs<uint16_t>(from, strides, to);
  case 4:
    return gatherAs<uint32_t>(from, strides, to);
  default:
    return gatherAs<uint64_t>(from, strides, to);
  }
}

} // namespace gluond::simulate
