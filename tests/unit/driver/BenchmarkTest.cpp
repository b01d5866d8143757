// What a launch passes at run time, what a kernel moves and computes, and the peaks it is held
// against.
#include "driver/benchmark/Benchmark.h"

#include "chips/GpuModels.h"
#include "driver/analysis/Analysis.h"
#include "driver/benchmark/CompareKernels.h"
#include "driver/launches/ArgumentText.h"
#include "driver/launches/RecordWriter.h"
#include "ir/Context.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string imports = R"(import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

)";

class BenchmarkTest : public testing::Test {
protected:
  const Kernel& open(const std::string& text) {
    workspace.open("/w/a.py", 1, imports + text);
    snapshot = workspace.snapshot();
    list = kernelsOf(*snapshot, snapshot->file("/w/a.py"), {});
    EXPECT_FALSE(list->kernels.empty());
    return list->kernels.back();
  }
  HostLaunch launchOf(const std::string& text) {
    return hostLaunchOf(open(text).variants.front(), snapshot->names());
  }
  // With the launch's numbers.
  KernelWork work(const std::string& text) {
    const Variant& variant = open(text).variants.front();
    launch = hostLaunchOf(variant, snapshot->names());
    std::vector<std::string> assumed;
    assumeMissing(launch, assumed);
    auto made = Analyzer(*snapshot, worker, {}).compile(variant, "ttgir");
    EXPECT_TRUE(made && made->module)
        << (made->result.diagnostics.empty() ? made->result.unsupported
                                             : made->result.diagnostics.front().message);
    auto found = workOf(*made->module, launch);
    EXPECT_TRUE(found) << found.error();
    return *found;
  }

  Workspace workspace{Settings{}};
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const KernelList> list;
  Worker worker;
  HostLaunch launch;
};

const std::string copy = "@gluon.jit\ndef copy(src, dst, n, scale, BLOCK: gl.constexpr):\n"
                         "    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, "
                         "gl.BlockedLayout([1], [32], [4], [0]))\n"
                         "    gl.store(dst + i, gl.load(src + i, mask=i < n), mask=i < n)\n\n";

TEST_F(BenchmarkTest, hostCodeSaysWhatIsPassed) {
  HostLaunch launch =
      launchOf(copy + "x = torch.randn((100, 200), device='cuda').T\ny = torch.zeros_like(x)\n"
                      "grid = lambda meta: (triton.cdiv(x.numel(), meta['BLOCK']), 2)\n"
                      "copy[grid](x, y, x.numel(), 0.5, 256)\n");
  ASSERT_EQ(launch.arguments.size(), 4u);
  const HostArgument &x = launch.arguments[0], &y = launch.arguments[1];
  EXPECT_EQ(x.tensor->dtype, "fp32");
  EXPECT_THAT(x.tensor->shape, ElementsAre(200, 100));
  EXPECT_THAT(x.tensor->strides, ElementsAre(1, 200));
  EXPECT_EQ(x.tensor->contents, "normal");
  EXPECT_EQ(y.tensor->contents, "constant");
  EXPECT_EQ(y.tensor->low, 0);
  EXPECT_EQ(launch.arguments[2].integer, 20000);
  EXPECT_EQ(launch.arguments[3].real, 0.5);
  EXPECT_THAT(launch.constants, ElementsAre("BLOCK"));
  EXPECT_EQ(launch.grid, (std::array<int64_t, 3>{79, 2, 1}));
}

TEST_F(BenchmarkTest, theLargestOfLaunchesThatShareASpecialization) {
  const Kernel& kernel = open(copy + "for n in (1600, 6400, 3200):\n    x = torch.empty(n, "
                                     "device='cuda')\n    copy[(n // 128,)](x, x, n, 1.0, 128)\n");
  ASSERT_EQ(kernel.variants.size(), 1u);
  HostLaunch launch = hostLaunchOf(kernel.variants[0], snapshot->names());
  EXPECT_EQ(launch.arguments[2].integer, 6400);
  EXPECT_EQ((*launch.grid)[0], 50);
  EXPECT_EQ(launch.arguments[1].sameAs, 0);
  EXPECT_TRUE(launch.arguments[0].tensor->contents.empty()) << "torch.empty says nothing";
}

TEST_F(BenchmarkTest, whatNobodyKnowsIsAssumedAndSaid) {
  HostLaunch launch = launchOf(copy + "def host(x, n):\n    copy[(n,)](x, x, n, 1.0, 64)\n");
  std::vector<std::string> assumed;
  assumeMissing(launch, assumed);
  EXPECT_FALSE(assumed.empty());
  for (const HostArgument& argument : launch.arguments)
    EXPECT_TRUE(argument.isKnown()) << argument.name;
  EXPECT_TRUE(launch.grid);
}

TEST_F(BenchmarkTest, aGridThatRaisesCostsNothing) {
  HostLaunch launch = launchOf(copy + "x = torch.empty(64, device='cuda')\n"
                                      "copy[lambda meta: (meta['NONE'],)](x, x, 64, 1.0, 64)\n");
  EXPECT_FALSE(launch.grid);
  EXPECT_EQ(launch.arguments[2].integer, 64);
}

TEST_F(BenchmarkTest, recordsKeepWhatRuns) {
  const Kernel& kernel = open(copy + "x = torch.full((64,), 3.0, device='cuda')\ncopy[(1,)](x, "
                                     "torch.arange(64, device='cuda').float(), 64, 1.5, 64)\n");
  auto record = recordOf(kernel.variants[0], "a.py", snapshot->names());
  EXPECT_EQ(
      record["run"].dump(),
      R"({"grid":[1,1,1],"values":{"src":{"shape":[64],"strides":[1],"fill":"constant","low":3.0},)"
      R"("dst":{"shape":[64],"strides":[1],"fill":"iota"},"n":64,"scale":1.5}})");
}

// ---------------------------------------------------------------- what users write

TEST_F(BenchmarkTest, argumentsAsUsersWriteThem) {
  HostLaunch launch =
      launchOf(copy + "x = torch.empty(64, device='cuda')\ncopy[(1,)](x, x, 64, 1.0, 64)\n");
  auto apply = [&](const char* text) {
    auto applied = applyArgument(launch, text);
    return applied ? std::string() : applied.error();
  };
  EXPECT_EQ(apply("src=random:f32[128,64]"), "");
  EXPECT_THAT(launch.arguments[0].tensor->shape, ElementsAre(128, 64));
  EXPECT_THAT(launch.arguments[0].tensor->strides, ElementsAre(64, 1));
  EXPECT_EQ(launch.arguments[0].tensor->contents, "normal");
  EXPECT_EQ(apply("src=[8,4;1,8]"), "");
  EXPECT_THAT(launch.arguments[0].tensor->strides, ElementsAre(1, 8));
  EXPECT_EQ(launch.arguments[0].tensor->contents, "normal") << "what is left out stays";
  EXPECT_EQ(apply("src=uniform(-1,2.5)"), "");
  EXPECT_EQ(launch.arguments[0].tensor->low, -1);
  EXPECT_EQ(launch.arguments[0].tensor->high, 2.5);
  EXPECT_EQ(apply("src=float32"), "");
  EXPECT_EQ(apply("src=a/b.npy"), "");
  EXPECT_EQ(launch.arguments[0].tensor->path, "a/b.npy");
  EXPECT_EQ(launch.arguments[1].tensor->path, "a/b.npy") << "both are one tensor";
  EXPECT_EQ(apply("dst=c.npy"), "");
  EXPECT_EQ(launch.arguments[1].tensor->path, "c.npy");
  EXPECT_EQ(launch.arguments[1].sameAs, -1) << "now they are two";
  EXPECT_EQ(launch.arguments[0].tensor->path, "a/b.npy");
  EXPECT_EQ(apply("dst=constant(2)"), "");
  EXPECT_THAT(launch.arguments[1].tensor->shape, ElementsAre(8, 4)) << "as before the file";
  EXPECT_EQ(apply("n=0x40"), "");
  EXPECT_EQ(launch.arguments[2].integer, 64);
  EXPECT_EQ(apply("scale=-2e3"), "");
  EXPECT_EQ(launch.arguments[3].real, -2000);
  EXPECT_THAT(apply("n=63"), HasSubstr("multiple of 16"));
  EXPECT_THAT(apply("n=many"), HasSubstr("not an integer"));
  EXPECT_THAT(apply("src=f16"), HasSubstr("compiled for fp32"));
  EXPECT_THAT(apply("src=[1,2"), HasSubstr("']' is missing"));
  EXPECT_THAT(apply("src=[1,x]"), HasSubstr("not a list of numbers"));
  EXPECT_THAT(apply("src=constant(1,2)"), HasSubstr("unknown fill"));
  EXPECT_THAT(apply("BLOCK=1"), HasSubstr("constexpr"));
  EXPECT_THAT(apply("other=1"), HasSubstr("choose one of src, dst, n, scale"));
  EXPECT_THAT(apply("n"), HasSubstr("NAME=VALUE"));
}

TEST(Grid, asUsersWriteIt) {
  using Grid = std::array<int64_t, 3>;
  EXPECT_EQ(*parseGrid("5"), (Grid{5, 1, 1}));
  EXPECT_EQ(*parseGrid("5,2"), (Grid{5, 2, 1}));
  EXPECT_EQ(*parseGrid("5x2x3"), (Grid{5, 2, 3}));
  EXPECT_EQ(*parseGrid("(5, 2)"), (Grid{5, 2, 1}));
  for (const char* wrong : {"", "0", "1,0", "-1", "1,2,3,4", "x", "a"})
    EXPECT_FALSE(parseGrid(wrong)) << wrong;
}

// ---------------------------------------------------------------- bytes and operations

TEST_F(BenchmarkTest, bytesAreThoseOfTensorsThatAreUsed) {
  KernelWork found =
      work("@gluon.jit\ndef k(a, b, c, unused, flags, n, BLOCK: gl.constexpr):\n"
           "    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))\n"
           "    where = a\n    for step in range(n):\n        where = where + BLOCK\n"
           "    value = gl.load(where + i)\n    if n > 5:\n        value += gl.load(b + i)\n"
           "    gl.store(c + i, value)\n    gl.atomic_add(flags, 1)\n\n"
           "a, b, c, d = (torch.empty(1024, device='cuda') for _ in range(4))\n"
           "k[(1,)](a, b.expand(4, 1024), c, d, torch.zeros(1, device='cuda', dtype=torch.int32), "
           "7, 64)\n");
  ASSERT_EQ(found.uses.size(), 6u);
  EXPECT_TRUE(found.uses[0].isRead && !found.uses[0].isWritten) << "through a loop";
  EXPECT_TRUE(found.uses[1].isRead) << "under a condition";
  EXPECT_TRUE(found.uses[2].isWritten && !found.uses[2].isRead);
  EXPECT_FALSE(found.uses[3].isRead || found.uses[3].isWritten);
  EXPECT_TRUE(found.uses[4].isAtomic);
  EXPECT_EQ(bytesMoved(launch, found), 3 * 4096 + 2 * 4) << "an expanded dimension is no memory";
  ASSERT_TRUE(found.matrices);
  EXPECT_TRUE(found.matrices->empty());
}

const std::string matmul = R"(
@gluon.jit
def tile(a, b, c, K, row, col, M: gl.constexpr, N: gl.constexpr, STEP: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16])
    a_tile = gl.allocate_shared_memory(a.dtype, [M, STEP], a.layout)
    b_tile = gl.allocate_shared_memory(b.dtype, [STEP, N], b.layout)
    acc = gl.zeros([M, N], gl.float32, layout)
    for k in range(0, K, STEP):
        acc = warpgroup_mma(a_tile, b_tile, acc, is_async=True)
        acc = warpgroup_mma_wait(0, deps=(acc, ))
    c_tile = gl.allocate_shared_memory(c.dtype, [M, N], c.layout)
    c_tile.store(acc.to(c.dtype))
    tma.async_store(c, [row, col], c_tile)

@gluon.jit
def matmul(a, b, c, K, M: gl.constexpr, N: gl.constexpr, STEP: gl.constexpr):
    tile(a, b, c, K, gl.program_id(0) * M, gl.program_id(1) * N, M, N, STEP)

@gluon.jit
def persistent(a, b, c, tiles, K, M: gl.constexpr, N: gl.constexpr, STEP: gl.constexpr):
    for index in range(gl.program_id(0), tiles, gl.num_programs(0)):
        tile(a, b, c, K, index * M, 0, M, N, STEP)

@gluon.jit
def searching(a, b, c, flag, K, M: gl.constexpr, N: gl.constexpr, STEP: gl.constexpr):
    while gl.load(flag) == 0:
        tile(a, b, c, K, 0, 0, M, N, STEP)

def described(rows, cols, block):
    t = torch.empty((rows, cols), device='cuda', dtype=torch.float16)
    return TensorDescriptor.from_tensor(t, block, gl.NVMMASharedLayout.get_default_for(block, gl.float16))

a, b, c = described(512, 1024, [64, 64]), described(1024, 256, [64, 128]), described(512, 256, [64, 128])
)";

class Operations : public BenchmarkTest {
protected:
  KernelWork workOfKernel(const std::string& name, const std::string& call) {
    workspace.open("/w/a.py", 1, imports + matmul + call);
    snapshot = workspace.snapshot();
    list = kernelsOf(*snapshot, snapshot->file("/w/a.py"), {});
    const Variant& variant = list->find(name)->variants.front();
    launch = hostLaunchOf(variant, snapshot->names());
    auto made = Analyzer(*snapshot, worker, {}).compile(variant, "ttgir");
    EXPECT_TRUE(made->module);
    auto found = workOf(*made->module, launch);
    EXPECT_TRUE(found) << found.error();
    return *found;
  }
};

TEST_F(Operations, aLoopOverK) {
  KernelWork found = workOfKernel("matmul", "matmul[(8, 2)](a, b, c, 1024, 64, 128, 64)\n");
  ASSERT_TRUE(found.matrices && found.matrices->size() == 1);
  EXPECT_EQ(found.matrices->front().type, "fp16");
  EXPECT_EQ(found.matrices->front().operations, 2.0 * 512 * 256 * 1024);
  ASSERT_TRUE(found.maps[0]);
  EXPECT_EQ(found.maps[0]->elementType, 6u);
  EXPECT_EQ(found.maps[0]->swizzle, 3u);
  EXPECT_THAT(found.maps[0]->box, ElementsAre(64, 64));
  EXPECT_THAT(found.maps[1]->box, ElementsAre(64, 64)) << "128 bytes of the 128 columns at once";
  EXPECT_FALSE(found.maps[3]);
  EXPECT_TRUE(found.uses[2].isWritten);
}

TEST_F(Operations, programsThatShareTiles) {
  KernelWork found =
      workOfKernel("persistent", "persistent[(5, )](a, b, c, 8, 1024, 64, 128, 64)\n");
  ASSERT_TRUE(found.matrices);
  EXPECT_EQ(found.matrices->front().operations, 2.0 * 512 * 128 * 1024)
      << "8 tiles, whoever takes them";
}

TEST_F(Operations, whatDependsOnMemoryIsNotSaid) {
  KernelWork found =
      workOfKernel("searching", "searching[(1, )](a, b, c, torch.zeros(1, device='cuda', "
                                "dtype=torch.int32), 1024, 64, 128, 64)\n");
  EXPECT_TRUE(found.hasMatrices);
  EXPECT_FALSE(found.matrices);
}

TEST(ScaledProducts, countPackedElements) {
  auto operations = [](const char* a, const char* aType, const char* b, const char* bType) {
    auto context = ir::createContext();
    std::string left = std::string("tensor<128x") + a + ">",
                right = std::string("tensor<") + b + ">", sum = "tensor<128x64xf32>";
    std::string text =
        "module attributes {\"ttg.num-warps\" = 4 : i32} {\ntt.func public @k() {\n%a "
        "= arith.constant dense<0> : " +
        left + "\n%b = arith.constant dense<0> : " + right +
        "\n%c = arith.constant dense<0.0> : " + sum +
        "\n%d = tt.dot_scaled %a, %b, %c lhs = " + aType + " rhs = " + bType +
        " {fastMath = false} : " + left + " * " + right + " -> " + sum + "\ntt.return\n}\n}";
    auto module = ir::parseModule(text, *context);
    EXPECT_TRUE(module) << text;
    HostLaunch launch;
    launch.grid = {{2, 1, 1}};
    auto found = workOf(*module, launch);
    EXPECT_TRUE(found) << found.error();
    EXPECT_TRUE(found->matrices && found->matrices->size() == 1);
    return found->matrices->front();
  };
  auto bytes = operations("32xi8", "e4m3", "32x64xi8", "e5m2");
  EXPECT_EQ(bytes.operations, 2.0 * 2 * 128 * 64 * 32);
  EXPECT_EQ(bytes.type, "fp8");
  auto nibbles = operations("32xi8", "e2m1", "32x64xi8", "e2m1");
  EXPECT_EQ(nibbles.operations, 2.0 * 2 * 128 * 64 * 64);
  EXPECT_EQ(nibbles.type, "fp4");
}

// ---------------------------------------------------------------- descriptors of AMD's TDM

// As the metadata that Triton 3.9.0 gives to its launcher: {'block_size': [64, 32], 'elem_bits':
// 16, 'interval_padding_pairs': [[32, 8]]}.
TEST(TdmDescriptors, haveTheBlockAndThePadding) {
  auto worked = [](const std::string& layout) {
    auto context = ir::createContext();
    auto module = ir::parseModule("#shared = #ttg." + layout + R"(
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%desc: !tt.tensordesc<64x32xf16, #shared>, %n: i32, %m: i32, %s: i64, %t: i64) attributes {noinline = false} {
    tt.return
  }
})",
                                  *context);
    EXPECT_TRUE(module);
    HostLaunch launch;
    launch.grid = {{1, 1, 1}};
    HostArgument argument;
    argument.name = "desc";
    argument.type = "tensordesc";
    argument.dtype = "fp16";
    argument.rank = 2;
    argument.tensor = HostTensor{"fp16", {512, 256}, {256, 1}, 0, {}, {}, {}, 0, 1};
    argument.descriptor.emplace();
    launch.arguments.push_back(argument);
    return workOf(*module, launch);
  };
  auto padded = worked("padded_shared<[32:+8] {order = [1, 0], shape = [64, 32]}>");
  ASSERT_TRUE(padded) << padded.error();
  ASSERT_TRUE(padded->maps[0]);
  EXPECT_EQ(padded->maps[0]->padInterval, 32u);
  EXPECT_EQ(padded->maps[0]->padAmount, 8u);
  EXPECT_EQ(padded->maps[0]->elementBytes, 2u);
  EXPECT_THAT(padded->maps[0]->box, ElementsAre(64, 32));
  auto plain = worked("swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>");
  ASSERT_TRUE(plain) << plain.error();
  EXPECT_EQ(plain->maps[0]->padInterval, 0u);
  auto twice = worked("padded_shared<[32:+8, 64:+4] {order = [1, 0], shape = [64, 32]}>");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error(), HasSubstr("TDM pads at one"));
}

// ---------------------------------------------------------------- peaks

TEST(Products, areFoundByNameAndTarget) {
  using chips::findGpuModel;
  EXPECT_EQ(findGpuModel("NVIDIA H200", "cuda:90")->bandwidth, 4800);
  EXPECT_EQ(findGpuModel("NVIDIA H100 80GB HBM3", "cuda:90")->bandwidth, 3350);
  EXPECT_EQ(findGpuModel("NVIDIA H100 PCIe", "cuda:90")->bandwidth, 2000);
  EXPECT_EQ(findGpuModel("NVIDIA A100-SXM4-80GB", "cuda:80")->bandwidth, 2039);
  EXPECT_EQ(findGpuModel("NVIDIA A100-SXM4-40GB", "cuda:80")->bandwidth, 1555);
  EXPECT_EQ(findGpuModel("NVIDIA L4", "cuda:89")->bandwidth, 300);
  EXPECT_EQ(findGpuModel("AMD Instinct MI300X VF", "hip:gfx942")->bandwidth, 5300);
  EXPECT_EQ(findGpuModel("AMD Radeon RX 7900 XT", "hip:gfx1100")->bandwidth, 800);
  EXPECT_EQ(findGpuModel("AMD Radeon RX 7900 XTX", "hip:gfx1100")->bandwidth, 960);
  EXPECT_EQ(findGpuModel("NVIDIA L40S", "cuda:89")->bandwidth, 864);
  EXPECT_EQ(findGpuModel("NVIDIA GeForce RTX 4090", "cuda:89")->fp16, 165.2);
  EXPECT_EQ(findGpuModel("NVIDIA GH200 480GB", "cuda:90")->bandwidth, 4000);
  EXPECT_EQ(findGpuModel("NVIDIA B200", "cuda:100")->matrixRate("fp8"), 4500);
  EXPECT_EQ(findGpuModel("NVIDIA H200", "cuda:80"), nullptr);
  EXPECT_EQ(findGpuModel("NVIDIA L400", "cuda:89"), nullptr);
  EXPECT_EQ(findGpuModel("", "cuda:90"), nullptr);
}

// By hand, from the binomial distribution of a fair coin.
TEST(MedianInterval, HoldsTheMedianWithItsProbability) {
  auto upTo = [](int count) {
    std::vector<double> values;
    for (int i = 1; i <= count; ++i)
      values.push_back(i);
    return values;
  };
  MedianInterval six = medianInterval(upTo(6));
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_NEAR(six.confidence, 1 - 2.0 / 64, 1e-12);
  MedianInterval sixteen = medianInterval(upTo(16));
  EXPECT_EQ(sixteen.low, 4);
  EXPECT_EQ(sixteen.high, 13);
  EXPECT_NEAR(sixteen.confidence, 1 - 2 * (1 + 16 + 120 + 560) / 65536.0, 1e-12);
  EXPECT_NEAR(medianInterval(upTo(5)).confidence, 1 - 2.0 / 32, 1e-12);
  EXPECT_EQ(medianInterval({}).confidence, 0);
  EXPECT_EQ(medianOf({3, 1, 2}), 2);
  EXPECT_EQ(medianOf({4, 1, 3, 2}), 2.5);
}

} // namespace
} // namespace gluond::driver
