// Number formats: every code, and roundings at their edges.
#include "simulate/values/Formats.h"

#include "simulate/values/ElementNames.h"

#include <gtest/gtest.h>
#include <limits>

namespace gluond::simulate {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Formats, EveryElementIsFoundByItsName) {
  for (auto i = static_cast<unsigned>(Element::I1); i <= static_cast<unsigned>(Element::E8M0);
       ++i) {
    auto element = static_cast<Element>(i);
    EXPECT_EQ(elementNamed(nameOf(element)), element) << nameOf(element).str();
  }
  // As signatures name them; signs do not matter.
  EXPECT_EQ(elementNamed("u1"), Element::I1);
  EXPECT_EQ(elementNamed("i64"), Element::I64);
  EXPECT_EQ(elementNamed("u16"), Element::I16);
  EXPECT_EQ(elementNamed("i7"), std::nullopt);
  EXPECT_EQ(elementNamed(""), std::nullopt);
}

TEST(Formats, HalvesComeBack) {
  for (unsigned code = 0; code < 0x10000; ++code) {
    float value = halfToFloat(static_cast<uint16_t>(code));
    if (value != value)
      EXPECT_GT(code & 0x7fff, 0x7c00u);
    else
      ASSERT_EQ(floatToHalf(value), code) << value;
  }
  EXPECT_EQ(halfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfToFloat(0x7bff), 65504.0f);
}

TEST(Formats, HalvesRoundToNearestEven) {
  EXPECT_EQ(floatToHalf(1.0f + 0x1p-11f), 0x3c00);            // a tie: down to even
  EXPECT_EQ(floatToHalf(1.0f + 3 * 0x1p-11f), 0x3c02);        // a tie: up to even
  EXPECT_EQ(floatToHalf(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01); // more than a tie
  EXPECT_EQ(floatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(floatToHalf(-infinity), 0xfc00);
  EXPECT_EQ(floatToHalf(0x1p-25f), 0); // half of the least: to even
  EXPECT_EQ(floatToHalf(0x1.8p-25f), 1);
  EXPECT_EQ(floatToHalf(-0.0f), 0x8000);
}

TEST(Formats, BfloatsRoundToNearestEven) {
  for (unsigned code = 0; code < 0x10000; ++code) {
    float value = bfloatToFloat(static_cast<uint16_t>(code));
    if (value == value) ASSERT_EQ(floatToBfloat(value), code) << value;
  }
  EXPECT_EQ(floatToBfloat(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_EQ(floatToBfloat(1.0f + 3 * 0x1p-8f), 0x3f82);
  EXPECT_EQ(floatToBfloat(std::numeric_limits<float>::max()), 0x7f80);
}

TEST(Formats, SmallFloatsComeBack) {
  for (Element element : {Element::E4M3, Element::E5M2, Element::E4M3Z, Element::E5M2Z})
    for (unsigned code = 0; code < 256; ++code) {
      float value = smallFloats(element)[code];
      if (value == value && !std::isinf(value))
        ASSERT_EQ(toSmallFloat(element, value), code) << value;
    }
}

TEST(Formats, SmallFloatsHaveTheirRange) {
  EXPECT_EQ(smallFloats(Element::E4M3)[0x7e], 448.0f);
  EXPECT_TRUE(std::isnan(smallFloats(Element::E4M3)[0x7f]));
  EXPECT_EQ(smallFloats(Element::E5M2)[0x7b], 57344.0f);
  EXPECT_EQ(smallFloats(Element::E5M2)[0x7c], infinity);
  EXPECT_EQ(smallFloats(Element::E4M3Z)[0x7f], 240.0f);
  EXPECT_EQ(smallFloats(Element::E5M2Z)[0x7f], 57344.0f);
  EXPECT_TRUE(std::isnan(smallFloats(Element::E4M3Z)[0x80]));
  EXPECT_EQ(smallFloats(Element::E8M0)[127], 1.0f);
}

TEST(Formats, SmallFloatsRoundAndSaturate) {
  EXPECT_EQ(toSmallFloat(Element::E4M3, 1.0625f), 0x38); // between 1 and 1.125: to even
  EXPECT_EQ(toSmallFloat(Element::E4M3, 1.1875f), 0x3a); // between 1.125 and 1.25: to even
  EXPECT_EQ(toSmallFloat(Element::E4M3, 1e9f), 0x7e);
  EXPECT_EQ(toSmallFloat(Element::E4M3, -infinity), 0xfe);
  EXPECT_EQ(toSmallFloat(Element::E4M3, NAN), 0x7f);
  EXPECT_EQ(toSmallFloat(Element::E5M2, 1e9f), 0x7b);
  EXPECT_EQ(toSmallFloat(Element::E5M2, 1e9f, /*saturates=*/false), 0x7c);
  EXPECT_EQ(toSmallFloat(Element::E4M3Z, -0.0f), 0);
}

TEST(Formats, PackedFp4) {
  for (unsigned code = 0; code < 16; ++code)
    if (code != 8) EXPECT_EQ(floatToFp4(fp4ToFloat(code)), code);
  EXPECT_EQ(fp4ToFloat(7), 6.0f);
  EXPECT_EQ(floatToFp4(2.5f), 4u); // between 2 and 3: to even
  EXPECT_EQ(floatToFp4(-100), 15u);
}

} // namespace
} // namespace gluond::simulate
