#include "Context.h"
#include "language/types/ComputedLayouts.h"
#include "layout/named/GluonFields.h"

#include <llvm/ADT/STLExtras.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <gtest/gtest.h>

namespace gluond::language {
namespace {

Value blocked(TestContext& c) {
  return c.call(BuiltinId::gl_BlockedLayout,
                {c.list({1, 2}), c.list({8, 4}), c.list({4, 1}), c.list({1, 0})});
}

// Every class has fields of the table, under the names that its layouts are printed with.
TEST(Layout, fieldsAreNamedByTheTable) {
  constexpr llvm::StringLiteral names[] = {
#define LAYOUT_FIELD(name, gluon) gluon,
#include "layout/named/FieldNames.def"
  };
  for (const LayoutClass& cls : layoutClasses()) {
    if (cls.family == LayoutFamily::Policy) continue;
    for (const LayoutField& field : cls.fields)
      EXPECT_TRUE(llvm::is_contained(names, field.name)) << cls.name.str() << field.name.str();
  }
  auto expectFields = [](const tl::expected<layout::Layout, layout::LayoutError>& made) {
    ASSERT_TRUE(made);
    layout::GluonObject object = layout::gluonObject(*made);
    const LayoutClass* cls = llvm::find_if(
        layoutClasses(), [&](const LayoutClass& each) { return each.name == object.cls; });
    ASSERT_NE(cls, layoutClasses().end());
    std::vector<std::string> printed, declared;
    for (const layout::GluonField& field : object.fields)
      printed.push_back(field.name.str());
    for (const LayoutField& field : cls->fields)
      declared.push_back(field.name.str());
    EXPECT_EQ(printed, declared) << object.cls.str();
  };
  layout::LinearLayout cta = layout::oneCta(2);
  auto blocked = layout::Layout::make(layout::Blocked{{1, 4}, {8, 4}, {4, 1}, {1, 0}, cta});
  expectFields(blocked);
  expectFields(layout::Layout::make(layout::Slice{1, *blocked}));
  expectFields(layout::Layout::make(layout::NvidiaMma{2, 0, {4, 1}, cta, {16, 8}}));
  expectFields(layout::Layout::make(layout::AmdMfma{3, {2, 2}, {32, 32, 8}, true, cta, {}}));
  expectFields(layout::Layout::make(layout::SwizzledShared{8, 1, 8, {1, 0}, cta}));
  expectFields(layout::Layout::make(layout::NvmmaShared{128, false, 16, false, cta}));
  expectFields(layout::Layout::make(layout::TensorMemory{128, 128, 1, cta}));
}

TEST(Layout, PrintsAsTheDataclass) {
  TestContext c;
  EXPECT_EQ(c.repr(blocked(c)),
            "BlockedLayout(size_per_thread=[1, 2], threads_per_warp=[8, 4], warps_per_cta=[4, 1], "
            "order=[1, 0], cga_layout=[])");
  Value slice = c.call(BuiltinId::gl_SliceLayout, {Value::integer(0), blocked(c)});
  EXPECT_EQ(mangle(*slice.as<LayoutObject>()), "SL0_B1_2_8_4_4_1_1_0_BSL");
  Value barrier = c.call(BuiltinId::ampere_MBarrierLayout, {});
  EXPECT_EQ(c.repr(barrier),
            "MBarrierLayout(vec=1, per_phase=1, max_phase=1, order=[0], cga_layout=[])");
  EXPECT_TRUE(isA(barrier.as<LayoutObject>(), LayoutKind::SwizzledSharedLayout));
}

TEST(Layout, MangleKeepsHowListsWereWritten) {
  TestContext c;
  auto* tuple =
      c.heap().make<TupleObject>(Object{}, c.heap().copy({Value::integer(2), Value::integer(0)}));
  tuple->triton = true;
  Value version = Value::object(ValueKind::Tuple, tuple);
  Value a = c.call(BuiltinId::gl_NVMMADistributedLayout,
                   {c.list({2, 0}), c.list({4, 1}), c.list({16, 8})});
  Value b =
      c.call(BuiltinId::gl_NVMMADistributedLayout, {version, c.list({4, 1}), c.list({16, 8})});
  EXPECT_EQ(mangle(*a.as<LayoutObject>()), "MMA_[2, 0]_[4, 1]_[16, 8]__MMA");
  EXPECT_EQ(mangle(*b.as<LayoutObject>()), "MMA_['2', '0']_[4, 1]_[16, 8]__MMA");
  EXPECT_TRUE(equal(a, b));
  EXPECT_FALSE(equal(a, b, Equality::Exact));
  int64_t shape[] = {16, 16};
  auto* f16 = scalarType(ScalarKind::Fp16);
  auto* ta = c.types().tensor(f16, shape, a.as<LayoutObject>());
  auto* tb = c.types().tensor(f16, shape, b.as<LayoutObject>());
  EXPECT_NE(ta, tb);
  EXPECT_TRUE(same(ta, tb));
  EXPECT_FALSE(same(ta, c.types().tensor(f16, shape, nullptr)));
}

TEST(Layout, ChecksItsFields) {
  TestContext c;
  EXPECT_TRUE(c.call(BuiltinId::gl_BlockedLayout,
                     {c.list({1}), c.list({8, 4}), c.list({4, 1}), c.list({1, 0})})
                  .isAbsent());
  EXPECT_EQ(c.error, "AssertionError: threads_per_warp has 2 entries, size_per_thread has 1");
  EXPECT_TRUE(
      c.call(BuiltinId::gl_NVMMASharedLayout, {Value::integer(48), Value::integer(16)}).isAbsent());
  Value mfma = c.call(BuiltinId::amd_AMDMFMALayout, {Value::integer(3), c.list({32, 32, 8}),
                                                     Value::boolean(true), c.list({2, 2})});
  EXPECT_EQ(mangle(*mfma.as<LayoutObject>()), "MFMA_3_32_32_8_True_2_2_32_1_1__MFMA");
  EXPECT_TRUE(c.call(BuiltinId::amd_AMDMFMALayout,
                     {Value::integer(5), c.list({32, 32, 8}), Value::boolean(true), c.list({2, 2})})
                  .isAbsent());
  EXPECT_EQ(c.error, "AssertionError: version must be in the [1, 4] range");
}

TEST(Layout, DefaultsForBlocks) {
  TestContext c;
  Value f16 = Value::type(scalarType(ScalarKind::Fp16));
  Value layout = c.call(BuiltinId::NVMMASharedLayout_get_default_for, {c.list({128, 32}), f16});
  EXPECT_EQ(
      c.repr(layout),
      "NVMMASharedLayout(swizzle_byte_width=64, element_bitwidth=16, rank=2, transposed=False, "
      "fp4_padded=False, cga_layout=[])");
  layout = c.call(BuiltinId::NVMMASharedLayout_get_default_for, {c.list({4, 64}), f16});
  EXPECT_EQ(field(*layout.as<LayoutObject>(), "swizzle_byte_width")->asInt(), 0);
  layout = c.call(BuiltinId::PaddedSharedLayout_with_identity_for,
                  {c.lists({{128, 8}}), c.list({2, 4}), c.list({1, 0})});
  EXPECT_EQ(c.repr(layout), "PaddedSharedLayout(interval_padding_pairs=[[128, 8]], "
                            "offset_bases=[[0, 1], [0, 2], [1, 0]], "
                            "cga_layout=[], shape=[2, 4])");
  layout = c.call(BuiltinId::MBarrierLayout_multicta, {Value::integer(4), Value::boolean(true)});
  EXPECT_EQ(c.repr(layout),
            "MBarrierLayout(vec=1, per_phase=1, max_phase=1, order=[0], cga_layout=[[0], [1]])");
}

TEST(Layout, Properties) {
  TestContext c;
  Value slice = c.call(BuiltinId::gl_SliceLayout, {Value::integer(0), blocked(c)});
  EXPECT_EQ(rankOf(*slice.as<LayoutObject>()), 1u);
  EXPECT_EQ(rankOf(*c.call(BuiltinId::gl_AutoLayout, {}).as<LayoutObject>()), std::nullopt);
  Value linear = c.call(BuiltinId::gl_SharedLinearLayout, {c.lists({{0, 1}, {0, 2}, {1, 0}})});
  EXPECT_EQ(c.repr(*layoutAttribute(*linear.as<LayoutObject>(), "shape", c.heap())), "[2, 4]");
  EXPECT_FALSE(layoutAttribute(*linear.as<LayoutObject>(), "colour", c.heap()));
}

TEST(Layout, CachePolicies) {
  TestContext c;
  Value policy = c.call(BuiltinId::gl_CachePolicy, {c.heap().str(".cg")});
  EXPECT_EQ(mangle(*policy.as<LayoutObject>()), "CP_cg_evict_normal_CP");
  EXPECT_TRUE(c.call(BuiltinId::gl_CachePolicy, {c.heap().str("xx")}).isAbsent());
  EXPECT_EQ(c.error, "ValueError: Unsupported cache modifier 'xx'");
  Value fraction = c.call(BuiltinId::ampere_FractionalEvictionPolicy,
                          {c.heap().str("evict_first"), Value::real(0.5)});
  EXPECT_EQ(mangle(*fraction.as<LayoutObject>()),
            "FEP_evict_first_0x1d0000000000000pm1_evict_unchanged_FEP");
}

// Against Triton's answers (scripts/oracle/record_layouts.py has the others).
TEST(Layout, PaddedForMfmaOperands) {
  std::ifstream file(GLUOND_SOURCE_DIR "/tests/data/layouts/efficient-padded.jsonl");
  ASSERT_TRUE(file);
  size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    SCOPED_TRACE(line);
    auto golden = nlohmann::json::parse(line);
    TestContext c;
    auto numbers = [&](const nlohmann::json& items) {
      return listOf(llvm::ArrayRef<int64_t>(items.get<std::vector<int64_t>>()), c.heap());
    };
    Value mfma =
        c.call(BuiltinId::amd_AMDMFMALayout, {Value::integer(4), numbers(golden["instr_shape"]),
                                              Value::boolean(true), c.list({2, 2})});
    Value operand = c.call(BuiltinId::gl_DotOperandLayout, {Value::integer(golden["operand"]), mfma,
                                                            Value::integer(golden["k_width"])});
    ASSERT_TRUE(operand.is(ValueKind::Layout)) << c.error;
    auto shape = golden["shape"].get<std::vector<int64_t>>();
    auto made = efficientPaddedLayout(*operand.as<LayoutObject>(), shape, golden["bits"],
                                      golden["k_contiguous"], c.heap());
    ASSERT_TRUE(made);
    ASSERT_EQ(*made == nullptr, golden["result"].is_null());
    if (!*made) continue;
    for (const char* name : {"interval_padding_pairs", "offset_bases"}) {
      std::vector<std::vector<int64_t>> ours;
      auto lists = bases(*field(**made, name));
      ASSERT_TRUE(lists);
      for (const Basis& basis : *lists)
        ours.emplace_back(basis.begin(), basis.end());
      EXPECT_EQ(ours, golden["result"][name].get<std::vector<std::vector<int64_t>>>()) << name;
    }
  }
  EXPECT_GT(count, 200u);
}

} // namespace
} // namespace gluond::language
