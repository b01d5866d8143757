// The value of a register of the simulator: a number, a tensor, a view of memory, a descriptor.
//
// Tensors are flat arrays of elements in row-major order, however the IR distributes them over
// threads. They are shared and never change once somebody else may see them, so that copying a
// value, or the state of a whole program, copies pointers.
#pragma once

#include "simulate/values/Element.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <array>
#include <cstddef>
#include <memory>
#include <variant>

namespace gluond::simulate {

using Shape = llvm::SmallVector<int64_t, 4>;

class Tensor {
public:
  // The contents are not initialized.
  Tensor(Element element, llvm::ArrayRef<int64_t> shape)
      : element_(element), shape_(shape.begin(), shape.end()), count_(1) {
    for (int64_t extent : shape)
      count_ *= static_cast<size_t>(extent);
    data_ = std::make_unique_for_overwrite<std::byte[]>(std::max<size_t>(bytes(), 1));
  }
  Element element() const { return element_; }
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  size_t count() const { return count_; }
  size_t bytes() const { return count_ * bytesOf(element_); }
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  template <typename T> T* as() { return reinterpret_cast<T*>(data_.get()); }
  template <typename T> const T* as() const { return reinterpret_cast<const T*>(data_.get()); }

private:
  Element element_;
  Shape shape_;
  size_t count_;
  std::unique_ptr<std::byte[]> data_;
};
using TensorRef = std::shared_ptr<const Tensor>;

// Little-endian, in the lower bytes.
struct Scalar {
  uint64_t bits = 0;
  Element element = Element::I32;
};

inline constexpr size_t mostDimensions = 8;

// Part of a buffer: where element (0, 0, ...) of the buffer lies, and with which element the view
// begins. In tensor memory a row follows the one before it after `pitch` bytes.
struct View {
  uint32_t base = 0, pitch = 0;
  uint32_t cta = 0; // in which a view of tensor memory begins
  std::array<int32_t, mostDimensions> begin = {};
  // The index of a view that begins outside of its buffer, and the number of valid ones. Such a
  // view is a mistake once it is used.
  int32_t index = 0, count = 0;
  bool isOutside() const { return count != 0; }
};

// A tensor in global memory as TMA and AMD's data mover see it, the contiguous dimension last.
struct TensorDescriptor {
  uint64_t base = 0;
  Element element = Element::F16;
  Shape shape, strides; // strides in bytes
  bool nanPadding = false;
  bool roundsToTf32 = false; // when it is read
  bool isOff = false;        // copies by it do nothing
  // im2col: the box of pixels that a filter's first corner moves in, and its steps.
  bool isIm2Col = false;
  Shape lowerCorner, upperCorner, elementStrides;
};
using DescriptorRef = std::shared_ptr<const TensorDescriptor>;

using Value = std::variant<std::monostate, Scalar, TensorRef, View, DescriptorRef>;

} // namespace gluond::simulate
