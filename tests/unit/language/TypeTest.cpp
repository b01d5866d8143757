#include "Context.h"
#include "language/types/TypeText.h"

#include <llvm/ADT/SmallString.h>

#include <gtest/gtest.h>

namespace gluond::language {
namespace {

TEST(Type, MangledNamesAreTritons) {
  TestContext c;
  TypeContext& types = c.types();
  auto* f32 = scalarType(ScalarKind::Fp32);
  Value layout =
      c.call(BuiltinId::gl_BlockedLayout, {c.list({1}), c.list({32}), c.list({4}), c.list({0})});
  int64_t shape[] = {128};
  auto* tensor = types.tensor(types.pointer(f32), shape, layout.as<LayoutObject>());
  EXPECT_EQ(types.mangle(tensor), "Pfp32S128SLB1_32_4_0_BL");
  EXPECT_EQ(types.mangle(types.tensor(scalarType(ScalarKind::Int1), shape, nullptr)), "u1S128S");
  Value swizzled = c.call(BuiltinId::gl_SwizzledSharedLayout, {Value::integer(1), Value::integer(1),
                                                               Value::integer(1), c.list({1, 0})});
  int64_t view[] = {32, 64}, all[] = {2, 32, 64};
  EXPECT_EQ(types.mangle(types.sharedMemory(f32, view, swizzled.as<LayoutObject>(), all)),
            "MDfp32S32_64SLSSS_1_1_1_1_0__SSSLAS2_32_64ASMD");
  Value tmem =
      c.call(BuiltinId::blackwell_TensorMemoryLayout, {c.list({128, 64}), Value::integer(1)});
  auto* memory = types.tensorMemory(f32, view, tmem.as<LayoutObject>(), view, true);
  llvm::SmallString<64> text;
  types.mangleArguments(
      {memory, types.constexprType(Value::none()), types.constexprType(c.heap().str("a'b"))}, text);
  EXPECT_EQ(text.str(),
            "MDfp32S32_64SLTL128x64C1TLLAS__sq_32_sq_, _sq_64_sq__ASMD_cNone_c\"a_sq_b\"");
  EXPECT_EQ(types.mangle(types.constexprType(Value::type(f32))), "cfp32");
  EXPECT_EQ(types.mangle(types.constexprType(Value::real(1e20))), "c1e+20");
  const Type* parts[] = {types.constexprType(Value::integer(1)), f32};
  EXPECT_EQ(types.mangle(types.tuple(parts)), "Tc1_fp32T");
}

TEST(Type, EverySpellingOfADtypeIsFound) {
  for (unsigned i = 0; i < scalarKindCount; ++i) {
    const ScalarInfo& info = scalarInfo(static_cast<ScalarKind>(i));
    EXPECT_EQ(scalarSpelled(info.name), info.kind) << info.name.data();
    EXPECT_EQ(scalarSpelled(info.attribute), info.kind) << info.name.data();
    if (info.kind != ScalarKind::Void)
      EXPECT_EQ(scalarSpelled(info.mangled), info.kind) << info.name.data();
  }
  EXPECT_EQ(scalarSpelled("half"), ScalarKind::Fp16);
  EXPECT_EQ(scalarSpelled("bool"), ScalarKind::Int1);
  EXPECT_EQ(scalarSpelled("f16"), std::nullopt); // MLIR's
  EXPECT_EQ(scalarInIr("f16"), ScalarKind::Fp16);
  EXPECT_EQ(scalarInIr("i8"), ScalarKind::Int8);
  EXPECT_EQ(scalarInIr("half"), std::nullopt);
  EXPECT_EQ(scalarInIr("f"), std::nullopt);
  TestContext c;
  const Type* half = scalarType(ScalarKind::Fp16);
  EXPECT_EQ(typeOfSignature("*kfp16", c.types()), c.types().pointer(half, true));
  EXPECT_EQ(typeOfSignature("u1", c.types()), scalarType(ScalarKind::Int1));
  EXPECT_EQ(typeOfSignature("tl.int32", c.types()), nullptr);
}

TEST(Type, EqualTypesAreOne) {
  TestContext c;
  TypeContext& types = c.types();
  auto* f32 = scalarType(ScalarKind::Fp32);
  EXPECT_EQ(types.pointer(f32), types.pointer(f32));
  EXPECT_NE(types.pointer(f32), types.pointer(f32, true));
  EXPECT_TRUE(
      same(types.constexprType(Value::integer(1)), types.constexprType(Value::boolean(true))));
  EXPECT_NE(types.constexprType(Value::integer(1)), types.constexprType(Value::boolean(true)));
  EXPECT_FALSE(
      same(types.constexprType(Value::integer(1)), types.constexprType(Value::integer(2))));
  EXPECT_TRUE(same(types.constexprType(c.heap().str("x")), types.constexprType(c.heap().str("x"))));
  TestContext other;
  EXPECT_EQ(other.types().import(types.pointer(f32)), other.types().pointer(f32));
}

// Each part of a type of another context is brought along once: twice a level would never end.
TEST(Type, DeepTypesOfOthersAreImportedInTime) {
  TestContext one, other;
  const Type *here = scalarType(ScalarKind::Fp32), *there = here;
  for (int level = 0; level < 60; ++level) {
    here = one.types().tuple({here});
    there = other.types().tuple({there});
  }
  EXPECT_EQ(other.types().import(here), there);
}

TEST(Type, EndRunDropsWhatRefersToValues) {
  TestContext c;
  int64_t shape[] = {8};
  auto* kept = c.types().tensor(scalarType(ScalarKind::Fp16), shape, nullptr);
  Value number = c.heap().str("text");
  c.types().constexprType(number);
  c.types().endRun();
  EXPECT_EQ(kept, c.types().tensor(scalarType(ScalarKind::Fp16), shape, nullptr));
  EXPECT_EQ(c.types().mangle(c.types().constexprType(c.heap().str("other"))), "c'other'");
}

TEST(Type, ScalarsAnswerTheirQuestions) {
  TestContext c;
  Value u64 = Value::type(scalarType(ScalarKind::UInt64)),
        i1 = Value::type(scalarType(ScalarKind::Int1));
  EXPECT_EQ(c.repr(c.call(BuiltinId::dtype_get_int_max_value, {u64})), "18446744073709551615");
  EXPECT_TRUE(c.call(BuiltinId::dtype_is_int_unsigned, {i1}).asBool());
  EXPECT_FALSE(c.call(BuiltinId::dtype_is_int_signed, {i1}).asBool());
  EXPECT_EQ(c.repr(i1), "triton.language.int1");
  EXPECT_EQ(str(scalarType(ScalarKind::Bf16), c.interner()), "bf16");
  EXPECT_EQ(
      c.call(BuiltinId::tl_get_int_dtype, {Value::integer(16), Value::boolean(false)}).asType(),
      scalarType(ScalarKind::UInt16));
}

TEST(Text, FloatsAsPython) {
  EXPECT_EQ(reprFloat(1.0), "1.0");
  EXPECT_EQ(reprFloat(1e16), "1e+16");
  EXPECT_EQ(reprFloat(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(reprFloat(0.0001), "0.0001");
  EXPECT_EQ(reprFloat(0.00001), "1e-05");
  EXPECT_EQ(reprFloat(-1.5), "-1.5");
  EXPECT_EQ(reprFloat(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(reprFloat(1e300), "1e+300");
}

} // namespace
} // namespace gluond::language
