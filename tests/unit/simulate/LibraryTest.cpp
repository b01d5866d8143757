// Functions of the device libraries, by name: every one that gl.libdevice can name is known, and
// some are what they should be.
#include "simulate/operations/elementwise/Library.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>

namespace gluond::simulate::library {
namespace {

constexpr const char* overloads[] = {
#define DEVICE(name, signature, cuda, hip) cuda, hip,
#include "language/builtins/Libdevice.inc"
#undef DEVICE
};

TEST(Library, EveryFunctionIsKnown) {
  size_t seen = 0;
  for (llvm::StringRef row : overloads) {
    llvm::SmallVector<llvm::StringRef> each;
    row.split(each, ' ', -1, false);
    for (llvm::StringRef overload : each) {
      llvm::StringRef symbol = overload.split(':').second.split(':').first;
      EXPECT_TRUE(find(symbol)) << symbol.str();
      ++seen;
    }
  }
  EXPECT_GT(seen, 300u);
  EXPECT_FALSE(find("__nv_no_such_function"));
}

double real(const char* symbol, double a, double b = 0, double c = 0, double d = 0) {
  double arguments[] = {a, b, c, d};
  return find(symbol)->reals(arguments);
}
uint64_t bits(const char* symbol, unsigned size, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  uint64_t arguments[] = {a, b, c};
  return find(symbol)->bits(arguments, size);
}
float directed(const char* symbol, float a, float b) {
  float arguments[] = {a, b};
  auto function = find(symbol);
  return function->directed.narrow(arguments, function->directed.mode);
}

TEST(Library, InversesUndoTheirFunctions) {
  for (double x : {-2.5, -0.7, -1e-9, 0.0, 0.3, 1.9, 3.5}) {
    EXPECT_NEAR(real("__nv_erfinv", std::erf(x)), x, 1e-9 + std::fabs(x) * 1e-6) << x;
    EXPECT_NEAR(real("__nv_erfcinvf", std::erfc(x)), x, 1e-9) << x;
    EXPECT_NEAR(real("__nv_normcdfinv", real("__nv_normcdf", x)), x, 1e-8) << x;
  }
  EXPECT_NEAR(real("__nv_erfcx", 30.0), 0.018795888861416751, 1e-15);
  EXPECT_NEAR(real("__nv_erfcx", 24.9), real("__nv_erfcx", 25.1) * 25.1 / 24.9, 1e-5);
}

TEST(Library, BesselFunctions) {
  EXPECT_NEAR(real("__nv_cyl_bessel_i0", 1.0), 1.2660658777520084, 1e-14);
  EXPECT_NEAR(real("__ocml_i1_f32", -1.0), -0.5651591039924850, 1e-14);
  EXPECT_NEAR(real("__nv_cyl_bessel_i0f", 50.0) / 2.9325537838493363e20, 1, 1e-12);
  EXPECT_NEAR(real("__nv_jnf", 2, 1.5), ::jn(2, 1.5), 1e-15);
}

TEST(Library, PiAndNorms) {
  EXPECT_EQ(real("__nv_sinpif", 1.0), 0.0);
  EXPECT_EQ(real("__nv_cospif", 0.5), 0.0);
  EXPECT_EQ(real("__nv_sinpi", 2.5), 1.0);
  EXPECT_EQ(real("__nv_norm4d", 1, 1, 1, 1), 2.0);
  EXPECT_EQ(real("__nv_saturatef", NAN), 0.0);
}

TEST(Library, Bits) {
  EXPECT_EQ(bits("__nv_clz", 32, 1), 31u);
  EXPECT_EQ(bits("__nv_clzll", 64, 1), 63u);
  EXPECT_EQ(bits("__ockl_clz_u32", 32, 0), 32u);
  EXPECT_EQ(bits("__nv_brev", 32, 1), 0x80000000u);
  EXPECT_EQ(static_cast<uint32_t>(bits("__nv_mulhi", 32, 0xffffffffu, 2)), 0xffffffffu);
  EXPECT_EQ(bits("__nv_umulhi", 32, 0xffffffffu, 2), 1u);
  EXPECT_EQ(bits("__nv_byte_perm", 32, 0x33221100u, 0x77665544u, 0x7531), 0x77553311u);
  EXPECT_EQ(bits("__nv_double2hiint", 64, 0x4000000000000001u), 0x40000000u);
  EXPECT_EQ(bits("__nv_hiloint2double", 32, 0x40000000u, 1), 0x4000000000000001u);
  EXPECT_EQ(static_cast<uint32_t>(bits("__nv_rhadd", 32, static_cast<uint32_t>(-3), 2)), 0u);
}

TEST(Library, Directions) {
  float tiny = 0x1p-60f;
  EXPECT_EQ(directed("__nv_fadd_rn", 1, tiny), 1.0f);
  EXPECT_EQ(directed("__nv_fadd_ru", 1, tiny), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(directed("__nv_fsub_rz", 1, tiny), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(directed("__nv_fdiv_rd", 1, 3), 0x1.555554p-2f);
  EXPECT_EQ(directed("__nv_fdiv_ru", 1, 3), 0x1.555556p-2f);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  auto conversion = find("__nv_float2uint_rd")->conversion;
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->mode, FE_DOWNWARD);
  EXPECT_EQ(conversion->to, Conversion::To::Unsigned);
}

} // namespace
} // namespace gluond::simulate::library
