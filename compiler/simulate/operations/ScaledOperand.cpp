#include "simulate/operations/ScaledOperand.h"

#include "simulate/operations/StridedWalk.h"
#include "simulate/values/Formats.h"

namespace gluond::simulate {

using Kind = tt::ScaleDotElemType;

namespace {

float fp6(unsigned code, unsigned exponentBits, unsigned mantissaBits, int bias) {
  unsigned mantissa = code & ((1u << mantissaBits) - 1),
           exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
  float value = exponent ? std::ldexp(float(mantissa | 1u << mantissaBits),
                                      int(exponent) - bias - int(mantissaBits))
                         : std::ldexp(float(mantissa), 1 - bias - int(mantissaBits));
  return code >> 5 & 1 ? -value : value;
}

float elementValue(const ScaledOperand& operand, const Tensor& tensor, size_t i) {
  switch (operand.kind) {
  case Kind::E4M3:
    return smallFloats(Element::E4M3)[tensor.as<uint8_t>()[i]];
  case Kind::E5M2:
    return smallFloats(Element::E5M2)[tensor.as<uint8_t>()[i]];
  case Kind::E2M3:
    return fp6(tensor.as<uint8_t>()[i], 2, 3, 1);
  case Kind::E3M2:
    return fp6(tensor.as<uint8_t>()[i], 3, 2, 3);
  case Kind::BF16:
    return bfloatToFloat(tensor.as<uint16_t>()[i]);
  case Kind::FP16:
    return halfToFloat(tensor.as<uint16_t>()[i]);
  case Kind::E2M1:
    break;
  }
  return fp4ToFloat(tensor.as<uint8_t>()[i] >> 2 & 15u);
}

} // namespace

std::shared_ptr<Tensor> unpacked(const ScaledOperand& operand, const Tensor& from) {
  Shape shape(from.shape());
  if (operand.kind != Kind::E2M1 || operand.isPadded) {
    auto result = std::make_shared<Tensor>(Element::F32, shape);
    for (size_t i = 0; i < result->count(); ++i)
      result->as<float>()[i] = elementValue(operand, from, i);
    return result;
  }
  // The axis along which a byte holds two.
  size_t axis = shape.size() - (operand.packsK != operand.isRight ? 1 : 2);
  size_t inner = 1;
  for (size_t d = axis + 1; d < shape.size(); ++d)
    inner *= static_cast<size_t>(shape[d]);
  shape[axis] *= 2;
  auto along = static_cast<size_t>(shape[axis]);
  auto result = std::make_shared<Tensor>(Element::F32, shape);
  for (size_t i = 0; i < result->count(); ++i) {
    size_t at = i / inner % along, before = i / inner / along;
    unsigned byte = from.as<uint8_t>()[(before * (along / 2) + at / 2) * inner + i % inner];
    result->as<float>()[i] = fp4ToFloat(at & 1 ? byte >> 4 : byte & 15u);
  }
  return result;
}

static float scaleValue(const Tensor& scales, size_t i) {
  if (scales.element() == Element::I8) return smallFloats(Element::E8M0)[scales.as<uint8_t>()[i]];
  return static_cast<float>(
      numberAt(scales.element(), scales.data() + i * bytesOf(scales.element())));
}

// Scales are [.., rows, k / block] for both operands.
void applyScales(const ScaledOperand& operand, Tensor& values, const Tensor& scales) {
  size_t rank = values.shape().size();
  auto rows = static_cast<size_t>(values.shape()[rank - 2]),
       columns = static_cast<size_t>(values.shape()[rank - 1]);
  size_t k = operand.isRight ? rows : columns, outer = operand.isRight ? columns : rows;
  auto groups = static_cast<size_t>(scales.shape().back());
  size_t block = groups ? k / groups : k;
  size_t batch = values.count() / (rows * columns);
  for (size_t b = 0; b < batch; ++b)
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < k; ++i)
        values.as<float>()[b * rows * columns +
                           (operand.isRight ? i * columns + o : o * columns + i)] *=
            scaleValue(scales, (b * outer + o) * groups + std::min(i / block, groups - 1));
}

} // namespace gluond::simulate
