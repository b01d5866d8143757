#include "simulate/operations/RegisterOrder.h"

#include "ir/layouts/Layouts.h"
#include "simulate/operations/StridedWalk.h"

namespace gluond::simulate {

using layout::Dim;

RegisterOrder registerOrder(mlir::RankedTensorType type) {
  RegisterOrder order;
  const layout::LinearLayout& linear = ir::toLinearLayout(type);
  auto count = static_cast<size_t>(type.getNumElements());
  if (!linear.valid() || !linear.hasIn(Dim::Register)) {
    order.registers = count;
    for (uint32_t i = 0; i < count; ++i)
      order.elements.push_back(i);
    return order;
  }
  Shape strides = rowMajor(type.getShape());
  // The element of each bit of a place; those of several bits are combined by xor of coordinates,
  // which in row-major order of sizes that are powers of two is xor of numbers.
  std::vector<uint32_t> bases;
  auto add = [&](Dim dim) {
    size_t size = 1;
    if (linear.hasIn(dim))
      for (unsigned bit = 0; bit < linear.inBits(dim); ++bit, size *= 2) {
        uint32_t element = 0;
        for (unsigned d = 0; d < strides.size(); ++d)
          element +=
              static_cast<uint32_t>(linear.basis(dim, bit, layout::tensorDim(d)) * strides[d]);
        bases.push_back(element);
      }
    return size;
  };
  order.registers = add(Dim::Register);
  order.lanes = add(Dim::Lane);
  order.warps = add(Dim::Warp);
  size_t all = order.registers * order.lanes * order.warps * add(Dim::Block);
  order.elements.resize(all);
  for (size_t i = 1; i < all; ++i) {
    auto highest = static_cast<unsigned>(std::bit_width(i) - 1);
    order.elements[i] = order.elements[i ^ (size_t(1) << highest)] ^ bases[highest];
  }
  return order;
}

Homes homesOf(mlir::RankedTensorType type) {
  Homes homes;
  homes.first.resize(static_cast<size_t>(type.getNumElements()));
  const layout::LinearLayout& linear = ir::toLinearLayout(type);
  if (!linear.valid() || !linear.hasIn(Dim::Block)) return homes;
  homes.copies = static_cast<uint32_t>(linear.freeMask(Dim::Block));
  std::optional<layout::LinearLayout> places = linear.pseudoInvert();
  if (!places || !places->hasOut(Dim::Block)) return homes;
  size_t known = 1; // elements whose CTA follows from the lower bits of their number
  for (auto d = static_cast<unsigned>(type.getRank()); d-- > 0;)
    for (unsigned bit = 0; bit < places->inBits(layout::tensorDim(d)); ++bit, known *= 2) {
      auto cta = static_cast<uint8_t>(places->basis(layout::tensorDim(d), bit, Dim::Block));
      for (size_t i = 0; i < known; ++i)
        homes.first[known + i] = homes.first[i] ^ cta;
    }
  return homes;
}

} // namespace gluond::simulate
