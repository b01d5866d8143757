#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {

Step applyKernel(Execution& x, Kernel kernel, Element to, unsigned first) {
  constexpr unsigned most = 3;
  const std::byte* in[most] = {};
  unsigned operands = x.instruction.operands - first;
  const Tensor* shaped = nullptr;
  for (unsigned i = 0; i < operands; ++i) {
    in[i] = x.data(first + i);
    if (!shaped && x.isTensor(first + i)) shaped = &x.tensor(first + i);
  }
  if (!shaped) {
    Scalar result{0, to};
    kernel(in, reinterpret_cast<std::byte*>(&result.bits), 1);
    x.set(0, result);
    return Step::Next;
  }
  // A number beside tensors counts as a tensor of equal elements.
  std::vector<std::byte> spread[most];
  for (unsigned i = 0; i < operands; ++i) {
    if (x.isTensor(first + i)) continue;
    unsigned bytes = bytesOf(x.scalar(first + i).element);
    spread[i].resize(shaped->count() * bytes);
    for (size_t k = 0; k < shaped->count(); ++k)
      std::memcpy(spread[i].data() + k * bytes, in[i], bytes);
    in[i] = spread[i].data();
  }
  auto result = std::make_shared<Tensor>(to, shaped->shape());
  kernel(in, result->data(), result->count());
  x.set(0, std::move(result));
  return Step::Next;
}

} // namespace gluond::simulate
