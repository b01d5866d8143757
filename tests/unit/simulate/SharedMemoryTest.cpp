// Shared memory, asynchronous copies, barriers, TMA, wgmma and partitions.
#include "Kernel.h"

namespace gluond::simulate {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

class SharedTest : public KernelTest {
protected:
  // A descriptor of a dense matrix.
  Value descriptor(const Value& pointer, int64_t rows, int64_t columns, bool nanPadding = false) {
    auto made = std::make_shared<TensorDescriptor>();
    made->base = std::get<Scalar>(pointer).bits;
    made->element = Element::F32;
    made->shape = {rows, columns};
    made->strides = {columns * 4, 4};
    made->nanPadding = nanPadding;
    return DescriptorRef(std::move(made));
  }
};

// Pointers to a 16x16 matrix from %name on, as %name_p.
std::string tile(const std::string& name) {
  std::string text = R"(
    %N_i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #tile}>>
    %N_j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #tile}>>
    %N_ii = tt.expand_dims %N_i {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #tile}>> -> tensor<16x1xi32, #tile>
    %N_jj = tt.expand_dims %N_j {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x16xi32, #tile>
    %N_c = arith.constant dense<16> : tensor<16x1xi32, #tile>
    %N_r = arith.muli %N_ii, %N_c : tensor<16x1xi32, #tile>
    %N_ri = tt.broadcast %N_r : tensor<16x1xi32, #tile> -> tensor<16x16xi32, #tile>
    %N_rj = tt.broadcast %N_jj : tensor<1x16xi32, #tile> -> tensor<16x16xi32, #tile>
    %N_o = arith.addi %N_ri, %N_rj : tensor<16x16xi32, #tile>
    %N_s = tt.splat %N : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #tile>
    %N_p = tt.addptr %N_s, %N_o : tensor<16x16x!tt.ptr<f32>, #tile>, tensor<16x16xi32, #tile>
)";
  for (size_t at; (at = text.find("%N")) != std::string::npos;)
    text.replace(at, 2, "%" + name);
  return text;
}

TEST_F(SharedTest, ViewsOfASwizzledBuffer) {
  std::vector<Value> arguments{tensor("x", counting(256)), tensor("y", std::vector<float>(256))};
  // Stored as it is, loaded transposed; then the lower half of the rows is overwritten by the
  // upper.
  Outcome outcome = run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", tile("x") + tile("y") + R"(
    %v = tt.load %x_p : tensor<16x16x!tt.ptr<f32>, #tile>
    %m = ttg.local_alloc %v : (tensor<16x16xf32, #tile>) -> !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable>
    %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> !ttg.memdesc<16x16xf32, #swizzledT, #smem, mutable>
    %w = ttg.local_load %t : !ttg.memdesc<16x16xf32, #swizzledT, #smem, mutable> -> tensor<16x16xf32, #tile>
    tt.store %y_p, %w : tensor<16x16x!tt.ptr<f32>, #tile>)",
                        arguments);
  EXPECT_TRUE(outcome.findings.empty());
  std::vector<float> y = contents<float>(1);
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 16; ++j)
      ASSERT_EQ(y[i * 16 + j], static_cast<float>(j * 16 + i));
}

TEST_F(SharedTest, PartsOfASwizzledBuffer) {
  std::vector<Value> arguments{tensor("x", counting(256)), tensor("y", std::vector<float>(256))};
  Outcome outcome = run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", tile("x") + tile("y") + R"(
    %v = tt.load %x_p : tensor<16x16x!tt.ptr<f32>, #tile>
    %m = ttg.local_alloc %v : (tensor<16x16xf32, #tile>) -> !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable>
    %a = ttg.memdesc_subslice %m[0, 8] : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> !ttg.memdesc<16x8xf32, #swizzled, #smem, mutable, 16x16>
    %b = ttg.memdesc_subslice %m[0, 0] : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> !ttg.memdesc<16x8xf32, #swizzled, #smem, mutable, 16x16>
    %p = ttg.local_load %a : !ttg.memdesc<16x8xf32, #swizzled, #smem, mutable, 16x16> -> tensor<16x8xf32, #tile>
    ttg.local_store %p, %b : tensor<16x8xf32, #tile> -> !ttg.memdesc<16x8xf32, #swizzled, #smem, mutable, 16x16>
    %w = ttg.local_load %m : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> tensor<16x16xf32, #tile>
    tt.store %y_p, %w : tensor<16x16x!tt.ptr<f32>, #tile>)",
                        arguments);
  EXPECT_TRUE(outcome.findings.empty());
  std::vector<float> y = contents<float>(1);
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 16; ++j)
      ASSERT_EQ(y[i * 16 + j], static_cast<float>(i * 16 + (j | 8)));
}

TEST_F(SharedTest, AnotherTypeSeesTheBytesOfTheEncoding) {
  std::vector<Value> arguments{tensor("x", counting(256)), tensor("y", std::vector<float>(256))};
  // A swizzled buffer seen without its swizzle: row r has its groups of 4 in the order of xor r
  // % 4.
  run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", tile("x") + tile("y") + R"(
    %v = tt.load %x_p : tensor<16x16x!tt.ptr<f32>, #tile>
    %m = ttg.local_alloc %v : (tensor<16x16xf32, #tile>) -> !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable>
    %r = ttg.memdesc_reinterpret %m : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> !ttg.memdesc<16x16xf32, #rows, #smem, mutable>
    %w = ttg.local_load %r : !ttg.memdesc<16x16xf32, #rows, #smem, mutable> -> tensor<16x16xf32, #tile>
    tt.store %y_p, %w : tensor<16x16x!tt.ptr<f32>, #tile>)",
      arguments);
  std::vector<float> y = contents<float>(1);
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 16; ++j)
      ASSERT_EQ(y[i * 16 + j], static_cast<float>(i * 16 + (j ^ (i % 4 * 4))));
}

std::string asyncCopy(bool waits) {
  return tile("x") + tile("y") + R"(
    %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable>
    %t = ttg.async_copy_global_to_local %x_p, %m : tensor<16x16x!tt.ptr<f32>, #tile> -> <16x16xf32, #swizzled, #smem, mutable>
    %g = ttg.async_commit_group
)" + (waits ? "%d = ttg.async_wait {num = 0 : i32}\n" : "") +
         R"(    %w = ttg.local_load %m : !ttg.memdesc<16x16xf32, #swizzled, #smem, mutable> -> tensor<16x16xf32, #tile>
    tt.store %y_p, %w : tensor<16x16x!tt.ptr<f32>, #tile>)";
}

TEST_F(SharedTest, CopiesArriveWhenTheyAreWaitedFor) {
  std::vector<Value> arguments{tensor("x", counting(256)), tensor("y", std::vector<float>(256))};
  Outcome outcome = run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", asyncCopy(true), arguments);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(contents<float>(1), counting(256));
}

TEST_F(SharedTest, CopiesThatNobodyWaitsForAreMissing) {
  std::vector<Value> arguments{tensor("x", counting(256)), tensor("y", std::vector<float>(256))};
  Outcome outcome = run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", asyncCopy(false), arguments);
  EXPECT_THAT(codes(outcome), ElementsAre("run-race"));
  EXPECT_EQ(outcome.findings[0].message,
            "this access reads bytes 0 to 1023 of the 16x16xf32 buffer while an asynchronous copy "
            "may still write them: between the two, the program needs a `commit_group` and a "
            "`wait_group`");
  EXPECT_TRUE(std::isnan(contents<float>(1)[0]));
}

// A block is loaded by TMA, doubled by the threads, and stored by TMA.
std::string bulkCopies(const std::string& bytes) {
  return R"(
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %b, )" +
         bytes + R"(, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %x[%at, %at] %m, %b, %true : !tt.tensordesc<16x16xf32, #nvmma>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
    ttng.wait_barrier %b, %zero, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.inval_barrier %b : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %v = ttg.local_load %m : !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable> -> tensor<16x16xf32, #tile>
    %w = arith.addf %v, %v : tensor<16x16xf32, #tile>
    ttg.local_store %w, %m : tensor<16x16xf32, #tile> -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %y[%at, %at] %m : !tt.tensordesc<16x16xf32, #nvmma>, !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32})";
}
constexpr const char* bulkParameters =
    "%x: !tt.tensordesc<16x16xf32, #nvmma>, %y: !tt.tensordesc<16x16xf32, #nvmma>, %at: i32";

TEST_F(SharedTest, BulkCopiesFillAndDropWhatIsOutside) {
  std::vector<float> ones(400, 1.0f);
  Value x = tensor("x", counting(400)), y = tensor("y", ones);
  Outcome outcome = run(bulkParameters, bulkCopies("1024"),
                        {descriptor(x, 20, 20), descriptor(y, 20, 20), i32(8)});
  EXPECT_TRUE(outcome.findings.empty());
  std::vector<float> result = contents<float>(1);
  for (size_t i = 0; i < 20; ++i)
    for (size_t j = 0; j < 20; ++j)
      ASSERT_EQ(result[i * 20 + j],
                i >= 8 && j >= 8 ? 2.0f * static_cast<float>(i * 20 + j) : 1.0f);
}

TEST_F(SharedTest, AWaitForBytesThatNobodyCopiesHangs) {
  Value x = tensor("x", counting(400)), y = tensor("y", counting(400));
  Outcome outcome = run(bulkParameters, bulkCopies("2048"),
                        {descriptor(x, 20, 20), descriptor(y, 20, 20), i32(0)});
  EXPECT_EQ(outcome.end, Outcome::End::Failed);
  ASSERT_THAT(codes(outcome), ElementsAre("run-wrong-bytes"));
  EXPECT_EQ(outcome.findings[0].message, "the barrier expects 2048 bytes in this phase, but copies "
                                         "deliver 1024: the wait never ends");
  ASSERT_EQ(outcome.findings[0].events.size(), 2u);
  EXPECT_EQ(outcome.findings[0].events[0].message, "the program waits here");
  EXPECT_EQ(outcome.findings[0].events[1].message, "a copy is issued here");
}

// One partition copies, the other one works; two barriers keep them in step.
std::string partitions(const std::string& released) {
  return R"(
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %empty = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %empty, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %sum = ttg.warp_specialize(%x, %m, %full, %empty, %n)
    default {
      %one = arith.constant 1 : i32
      %nothing = arith.constant dense<0.0> : tensor<16x16xf32, #tile>
      %all = scf.for %i = %zero to %n step %one iter_args(%acc = %nothing) -> (tensor<16x16xf32, #tile>)  : i32 {
        %phase = arith.andi %i, %one : i32
        ttng.wait_barrier %full, %phase, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %v = ttg.local_load %m : !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable> -> tensor<16x16xf32, #tile>
        )" +
         released + R"(
        %next = arith.addf %acc, %v : tensor<16x16xf32, #tile>
        scf.yield %next : tensor<16x16xf32, #tile>
      }
      ttg.warp_yield %all : tensor<16x16xf32, #tile>
    }
    partition0(%px: !tt.tensordesc<16x16xf32, #nvmma>, %pm: !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>, %pfull: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %pempty: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %pn: i32) num_warps(1) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      %on = arith.constant true
      scf.for %i = %c0 to %pn step %c1  : i32 {
        %phase = arith.andi %i, %c1 : i32
        %other = arith.xori %phase, %c1 : i32
        ttng.wait_barrier %pempty, %other, %on : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        ttng.barrier_expect %pfull, 1024, %on : !ttg.memdesc<1xi64, #bar, #smem, mutable>
        %row = arith.muli %i, %c16 : i32
        ttng.async_tma_copy_global_to_local %px[%row, %c0] %pm, %pfull, %on : !tt.tensordesc<16x16xf32, #nvmma>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>
      }
      ttg.warp_return
    } : (!tt.tensordesc<16x16xf32, #nvmma>, !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>, i32) -> tensor<16x16xf32, #tile>
)" + tile("y") +
         "    tt.store %y_p, %sum : tensor<16x16x!tt.ptr<f32>, #tile>";
}
constexpr const char* partitionParameters =
    "%x: !tt.tensordesc<16x16xf32, #nvmma>, %y: !tt.ptr<f32>, %n: i32";
constexpr const char* release =
    "ttng.arrive_barrier %empty, 1, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>";

TEST_F(SharedTest, PartitionsTakeTurns) {
  Value x = tensor("x", counting(5 * 256)), y = tensor("y", std::vector<float>(256));
  Outcome outcome =
      run(partitionParameters, partitions(release), {descriptor(x, 80, 16), y, i32(5)});
  EXPECT_TRUE(outcome.findings.empty());
  std::vector<float> sums = contents<float>(1);
  for (size_t i = 0; i < 256; ++i)
    ASSERT_EQ(sums[i], static_cast<float>(5 * i + 256 * (0 + 1 + 2 + 3 + 4)));
}

TEST_F(SharedTest, AHangNamesEveryPartitionThatWaits) {
  Value x = tensor("x", counting(5 * 256)), y = tensor("y", std::vector<float>(256));
  Outcome outcome = run(partitionParameters, partitions(""), {descriptor(x, 80, 16), y, i32(5)});
  ASSERT_THAT(codes(outcome), ElementsAre("run-deadlock"));
  const Finding& hang = outcome.findings[0];
  EXPECT_THAT(hang.message, HasSubstr("the default partition waits for parity 1 of a barrier"));
  ASSERT_EQ(hang.events.size(), 2u);
  EXPECT_EQ(
      hang.events[1].message,
      "partition 0 waits here for parity 0 of a barrier, but its phase 0 still needs 1 arrival");
}

TEST_F(SharedTest, ArrivalsTooManyAreTold) {
  Outcome outcome = run("%n: i32", R"(
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.arrive_barrier %b, 2, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>)",
                        {i32(0)});
  EXPECT_THAT(codes(outcome), ElementsAre("run-too-many-arrivals"));
}

TEST_F(SharedTest, ABarrierMustBeInitialized) {
  Outcome outcome = run("%n: i32", R"(
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %b, %n, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>)",
                        {i32(0)});
  EXPECT_THAT(codes(outcome), ElementsAre("run-uninitialized-barrier"));
}

// A view that begins outside of its buffer is a mistake once it is used.
TEST_F(SharedTest, AnIndexBeyondTheStagesIsToldWhereItIsUsed) {
  std::string view = R"(
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x16x16xf32, #nvmma, #smem, mutable>
    %i = ttg.memdesc_index %m[%n] : !ttg.memdesc<3x16x16xf32, #nvmma, #smem, mutable> -> !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable>)";
  EXPECT_TRUE(run("%n: i32", view, {i32(3)}).findings.empty());
  Outcome outcome = run("%n: i32", view + R"(
    %v = ttg.local_load %i : !ttg.memdesc<16x16xf32, #nvmma, #smem, mutable> -> tensor<16x16xf32, #tile>)",
                        {i32(3)});
  ASSERT_THAT(codes(outcome), ElementsAre("run-index-out-of-bounds"));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("the index is 3, but there are 3 elements"));
}

// A checkpoint is a copy: both go on, and end alike.
TEST_F(SharedTest, StatesAreCopied) {
  Value x = tensor("x", counting(5 * 256)), y = tensor("y", std::vector<float>(256));
  run(partitionParameters, partitions(release),
      {descriptor(x, 80, 16), y, i32(5)}); // makes the module
  auto program = translate(*module);
  ASSERT_TRUE(program);
  Setting setting{{1, 1, 1}, {descriptor(x, 80, 16), y, i32(5)}};
  Schedule schedule;
  Machine machine(**program, setting, memory, schedule);
  State state = machine.begin({0, 0, 0});
  ASSERT_EQ(machine.run(state, 40), Machine::Progress::Running);
  State checkpoint = state;
  ASSERT_EQ(machine.run(state, 100'000), Machine::Progress::Finished);
  std::vector<float> first = contents<float>(1);
  uint64_t steps = state.steps;
  ASSERT_EQ(machine.run(checkpoint, 100'000), Machine::Progress::Finished);
  EXPECT_EQ(checkpoint.steps, steps);
  EXPECT_EQ(contents<float>(1), first);
}

// Who watches sees every operation begin and end, and every change of a barrier.
TEST_F(SharedTest, ObserversSeeWhatHappens) {
  struct Counter : Observer {
    void executed(const State&, const Thread&, const Instruction&) override { ++instructions; }
    void barrierChanged(const State&, uint32_t, const Barrier&) override { ++changes; }
    void began(const State&, const Thread&, const AsyncOperation&) override { ++begun; }
    void ended(const State&, const AsyncOperation&) override { ++ends; }
    size_t instructions = 0, changes = 0, begun = 0, ends = 0;
  } counter;
  Value x = tensor("x", counting(400)), y = tensor("y", counting(400));
  std::vector<Value> arguments{descriptor(x, 20, 20), descriptor(y, 20, 20), i32(0)};
  run(bulkParameters, bulkCopies("1024"), arguments);
  auto program = translate(*module);
  ASSERT_TRUE(program);
  Setting setting{{1, 1, 1}, arguments};
  Schedule schedule;
  Machine machine(**program, setting, memory, schedule, &counter);
  State state = machine.begin({0, 0, 0});
  ASSERT_EQ(machine.run(state, 1000), Machine::Progress::Finished);
  EXPECT_GT(counter.instructions, 10u);
  EXPECT_EQ(counter.changes, 3u); // initialized, expected, delivered
  EXPECT_EQ(counter.begun, 2u);
  EXPECT_EQ(counter.ends, 2u);
}

// 64x16 times 16x16, both in shared memory as halves, with something between the product's issue
// and the wait for it.
class ProductTest : public SharedTest {
protected:
  Outcome multiply(const std::string& between, const std::string& pending = "0");
  float expected(size_t i, size_t j, bool isOverwritten) const {
    float sum = 100;
    for (size_t k = 0; k < 16; ++k)
      sum += halfToFloat(a[i * 16 + k]) * (isOverwritten ? 1.0f : halfToFloat(b[k * 16 + j]));
    return sum;
  }
  std::vector<uint16_t> a = std::vector<uint16_t>(64 * 16), b = std::vector<uint16_t>(16 * 16);
};

Outcome ProductTest::multiply(const std::string& between, const std::string& pending) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = floatToHalf(static_cast<float>(i % 7) - 3);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = floatToHalf(static_cast<float>(i % 5) - 2);
  std::vector<Value> arguments{tensor("a", a), tensor("b", b),
                               tensor("c", std::vector<float>(64 * 16, 100.0f))};
  auto matrix = [](const std::string& name, const std::string& layout, int rows,
                   const std::string& element) {
    std::string r = std::to_string(rows),
                row = "tensor<" + r + "xi32, #ttg.slice<{dim = 1, parent = " + layout + "}>>";
    std::string text = "%N_i = tt.make_range {start = 0 : i32, end = " + r + " : i32} : " + row +
                       R"(
    %N_j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #L}>>
    %N_ii = tt.expand_dims %N_i {axis = 1 : i32} : )" +
                       row + R"( -> tensor<Rx1xi32, #L>
    %N_jj = tt.expand_dims %N_j {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #L}>> -> tensor<1x16xi32, #L>
    %N_c = arith.constant dense<16> : tensor<Rx1xi32, #L>
    %N_r = arith.muli %N_ii, %N_c : tensor<Rx1xi32, #L>
    %N_ri = tt.broadcast %N_r : tensor<Rx1xi32, #L> -> tensor<Rx16xi32, #L>
    %N_rj = tt.broadcast %N_jj : tensor<1x16xi32, #L> -> tensor<Rx16xi32, #L>
    %N_o = arith.addi %N_ri, %N_rj : tensor<Rx16xi32, #L>
    %N_s = tt.splat %N : !tt.ptr<E> -> tensor<Rx16x!tt.ptr<E>, #L>
    %N_p = tt.addptr %N_s, %N_o : tensor<Rx16x!tt.ptr<E>, #L>, tensor<Rx16xi32, #L>
)";
    auto replace = [&](const std::string& from, const std::string& to) {
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    };
    replace("%N", "%" + name);
    replace("#L", layout);
    replace("<Rx", "<" + r + "x");
    replace("<E>", "<" + element + ">");
    return text;
  };
  return run("%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>",
             matrix("a", "#tile", 64, "f16") + matrix("b", "#tile", 16, "f16") +
                 matrix("c", "#mma", 64, "f32") + R"(
    %av = tt.load %a_p : tensor<64x16x!tt.ptr<f16>, #tile>
    %bv = tt.load %b_p : tensor<16x16x!tt.ptr<f16>, #tile>
    %am = ttg.local_alloc %av : (tensor<64x16xf16, #tile>) -> !ttg.memdesc<64x16xf16, #half, #smem>
    %bm = ttg.local_alloc %bv : (tensor<16x16xf16, #tile>) -> !ttg.memdesc<16x16xf16, #half, #smem, mutable>
    %cv = tt.load %c_p : tensor<64x16x!tt.ptr<f32>, #mma>
    %ones = arith.constant dense<1.0> : tensor<16x16xf16, #tile>
    %d = ttng.warp_group_dot %am, %bm, %cv {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x16xf16, #half, #smem> * !ttg.memdesc<16x16xf16, #half, #smem, mutable> -> tensor<64x16xf32, #mma>
)" + between + R"(
    %e = ttng.warp_group_dot_wait %d {pendings = )" +
                 pending + R"( : i32} : tensor<64x16xf32, #mma>
    tt.store %c_p, %e : tensor<64x16x!tt.ptr<f32>, #mma>)",
             arguments);
}

constexpr const char* overwriting =
    "ttg.local_store %ones, %bm : tensor<16x16xf16, #tile> -> !ttg.memdesc<16x16xf16, #half, "
    "#smem, mutable>\n";

TEST_F(ProductTest, WarpGroupProducts) {
  EXPECT_TRUE(multiply("").findings.empty());
  std::vector<float> c = contents<float>(2);
  for (size_t i = 0; i < 64; ++i)
    for (size_t j = 0; j < 16; ++j)
      ASSERT_EQ(c[i * 16 + j], expected(i, j, false)) << i << ", " << j;
}

TEST_F(ProductTest, AProductReadsItsOperandsWhenItIsWaitedFor) {
  multiply(overwriting);
  EXPECT_EQ(contents<float>(2)[5 * 16 + 3], expected(5, 3, true));
}

TEST_F(ProductTest, AProductThatWasWaitedForHasReadItsOperands) {
  multiply(std::string("%w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : "
                       "tensor<64x16xf32, #mma>\n") +
           overwriting);
  EXPECT_EQ(contents<float>(2)[5 * 16 + 3], expected(5, 3, false));
}

TEST_F(ProductTest, AResultThatNobodyWaitsForIsMissing) {
  multiply("", "1");
  EXPECT_TRUE(std::isnan(contents<float>(2)[0]));
}

TEST_F(ProductTest, AReadOfAResultThatNobodyWaitedForIsARace) {
  Outcome outcome = multiply("", "1");
  ASSERT_THAT(codes(outcome), ElementsAre("run-race"));
  const std::string& text = outcome.findings[0].message;
  EXPECT_THAT(text,
              HasSubstr("this store reads elements 0 to 1023 of the accumulator while a wgmma"));
  EXPECT_THAT(text, HasSubstr("`warpgroup_mma_wait(num_outstanding=0)`"));
}

// ---------------------------------------------------------------- work taken over

TEST_F(SharedTest, ProgramsTakeOverTheWorkOfOthers) {
  // Each program counts at its own place, and at that of every program that it takes over.
  std::vector<Value> arguments{tensor("r", std::vector<int32_t>(30))};
  std::string text = R"(
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%r: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %a = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %end:3 = scf.while (%i = %x, %j = %y, %phase = %zero, %goes = %true) : (i32, i32, i32, i1) -> (i32, i32, i32) {
      scf.condition(%goes) %i, %j, %phase : i32, i32, i32
    } do {
    ^bb0(%i: i32, %j: i32, %phase: i32):
      %row = arith.muli %j, %ten : i32
      %at = arith.addi %row, %i : i32
      %p = tt.addptr %r, %at : !tt.ptr<i32>, i32
      %n = tt.load %p : !tt.ptr<i32>
      %m = arith.addi %n, %one : i32
      tt.store %p, %m : !tt.ptr<i32>
      ttng.barrier_expect %b, 16, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttng.clc_try_cancel %a, %b : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
      ttng.wait_barrier %b, %phase, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      %answer = ttng.clc_load_result %a : !ttg.memdesc<2xi64, #bar, #smem, mutable> -> i128
      %more = ttng.clc_is_canceled %answer : i128 -> i1
      %ni = ttng.clc_get_program_id %answer, x : i128 -> i32
      %nj = ttng.clc_get_program_id %answer, y : i128 -> i32
      %next = arith.xori %phase, %one : i32
      scf.yield %ni, %nj, %next, %more : i32, i32, i32, i1
    }
    tt.return
  }
})";
  Outcome outcome = runModule(text, arguments, {10, 3, 1});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.programs, 30u);
  EXPECT_THAT(contents<int32_t>(0), Each(1));
}

// A copy of scales to tensor memory writes the rows of all four warps.
TEST_F(SharedTest, EachWarpHasTheScales) {
  std::vector<int8_t> x(64 * 16);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<int8_t>(i % 101);
  std::vector<Value> arguments{tensor("x", x), tensor("y", std::vector<int8_t>(128 * 32))};
  Outcome outcome = runModule(R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#flat = #ttg.slice<{dim = 1, parent = #blocked}>
#row = #ttg.slice<{dim = 0, parent = #blocked}>
#shared = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 8]]}, alignment = 16>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @kernel(%x: !tt.ptr<i8>, %y: !tt.ptr<i8>) {
    %sixteen = arith.constant dense<16> : tensor<64x1xi32, #blocked>
    %thirtytwo = arith.constant dense<32> : tensor<128x1xi32, #blocked>
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %m = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #flat>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32, #flat> -> tensor<64x1xi32, #blocked>
    %m2 = arith.muli %m1, %sixteen : tensor<64x1xi32, #blocked>
    %m3 = tt.broadcast %m2 : tensor<64x1xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %n = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
    %n1 = tt.expand_dims %n {axis = 0 : i32} : tensor<16xi32, #row> -> tensor<1x16xi32, #blocked>
    %n2 = tt.broadcast %n1 : tensor<1x16xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %at = arith.addi %m3, %n2 : tensor<64x16xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x16x!tt.ptr<i8>, #blocked>
    %xp = tt.addptr %xs, %at : tensor<64x16x!tt.ptr<i8>, #blocked>, tensor<64x16xi32, #blocked>
    %value = tt.load %xp : tensor<64x16x!tt.ptr<i8>, #blocked>
    %s = ttg.local_alloc : () -> !ttg.memdesc<64x16xi8, #shared, #smem, mutable>
    %t = ttng.tmem_alloc : () -> !ttg.memdesc<64x16xi8, #scales, #ttng.tensor_memory, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttg.local_store %value, %s : tensor<64x16xi8, #blocked> -> !ttg.memdesc<64x16xi8, #shared, #smem, mutable>
    ttng.tmem_copy %s, %t : !ttg.memdesc<64x16xi8, #shared, #smem, mutable>, !ttg.memdesc<64x16xi8, #scales, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_commit %b, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.wait_barrier %b, %zero, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %r = ttg.memdesc_reinterpret %t : !ttg.memdesc<64x16xi8, #scales, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xi8, #tmem, #ttng.tensor_memory, mutable>
    %v = ttng.tmem_load %r : !ttg.memdesc<128x32xi8, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xi8, #blocked>
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #flat>
    %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<128xi32, #flat> -> tensor<128x1xi32, #blocked>
    %i2 = arith.muli %i1, %thirtytwo : tensor<128x1xi32, #blocked>
    %i3 = tt.broadcast %i2 : tensor<128x1xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #row>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #row> -> tensor<1x32xi32, #blocked>
    %j2 = tt.broadcast %j1 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %to = arith.addi %i3, %j2 : tensor<128x32xi32, #blocked>
    %ys = tt.splat %y : !tt.ptr<i8> -> tensor<128x32x!tt.ptr<i8>, #blocked>
    %yp = tt.addptr %ys, %to : tensor<128x32x!tt.ptr<i8>, #blocked>, tensor<128x32xi32, #blocked>
    tt.store %yp, %v : tensor<128x32x!tt.ptr<i8>, #blocked>
    tt.return
  }
}
)",
                              arguments);
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  std::vector<int8_t> y = contents<int8_t>(1);
  for (size_t row = 0; row < 128; ++row)
    for (size_t column = 0; column < 32; ++column)
      ASSERT_EQ(y[row * 32 + column], y[row % 32 * 32 + column]) << row << ", " << column;
  EXPECT_EQ(y[33], x[17]); // row 1, the second scale along K
}

} // namespace
} // namespace gluond::simulate
