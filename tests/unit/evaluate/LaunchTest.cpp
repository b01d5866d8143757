// Host programs of our own: which launches are found, and what each argument is specialized to.
#include "chips/CodeOptions.h"
#include "evaluate/ModuleEvaluation.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/Launches.h"
#include "syntax/SyntaxTree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::evaluate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const char* prelude = R"(
import functools, itertools, pytest, torch, triton
from collections import namedtuple
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    pass
)";

struct Program {
  Interner names;
  ModuleEvaluation::Ptr evaluation;

  explicit Program(const std::string& body, const std::string& target = "cuda:90") {
    auto tree =
        syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(prelude + body), {}, names);
    EXPECT_TRUE(tree->errors().empty()) << tree->errors()[0].message;
    EvaluationRequest request;
    request.source = {tree->body(), "/w/prog.py", "prog", tree};
    request.target = target;
    evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  }

  std::string text(const LaunchArgument& argument) {
    std::string result = signature(argument);
    if (argument.divisibleBy) result += " D";
    if (argument.pointerRange) result += " S";
    if (argument.isConstexpr) {
      language::Heap heap;
      language::TypeContext types(names);
      Interpreter interpreter(heap, names, types, {});
      result = argument.constant.isUnknown() ? "unknown" : interpreter.repr(argument.constant);
    }
    if (argument.isTuple) {
      result = "(";
      for (auto& element : argument.elements)
        result += text(element) + ",";
      result += ")";
    }
    return result + (argument.isAssumed ? "?" : "");
  }

  std::vector<std::string> launches() {
    std::vector<std::string> result;
    for (auto& launch : evaluation->launches()) {
      std::string line = launch.kernel->qualname.str() + "(";
      bool first = true;
      for (auto& argument : launch.arguments) {
        line += (first ? "" : ", ") + text(argument);
        first = false;
      }
      line += ")";
      for (auto& option : launch.options)
        if (option.name != "num_warps" || option.value.asInt() != 4)
          line += " " + option.name + "=" +
                  std::to_string(option.value.isIntegral() ? option.value.asInt() : -1);
      result.push_back(line + (launch.isCertain ? "" : " maybe"));
    }
    return result;
  }
};

TEST(LaunchTest, IntegersAndPointers) {
  Program program(R"(
def test():
    x = torch.empty(1024, dtype=torch.float16)
    for n in (1, 2, 16, 2**31, 2**32, 2**63, -16, 0):
        copy[(1,)](x, x, n, 64)
    copy[1](x[1:], x[8:], True, 64)
    copy[1](x.to(torch.int64), x.view(torch.uint8), 1.5, BLOCK=32, num_warps=8)
    copy[1](None, gl.constexpr(gl.float16), gl.constexpr(5), BLOCK=[1])
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("copy(*fp16 D, *fp16 D, 1, 64)", "copy(*fp16 D, *fp16 D, i32, 64)",
                          "copy(*fp16 D, *fp16 D, i32 D, 64)", "copy(*fp16 D, *fp16 D, i64 D, 64)",
                          "copy(*fp16 D, *fp16 D, u64 D, 64)", "copy(*fp16, *fp16 D, u1, 64)",
                          "copy(*i64 D, *u8 D, fp32, 32) num_warps=8",
                          "copy(None, triton.language.float16, 5, [1])"));
}

TEST(LaunchTest, Annotations) {
  Program program(R"(
import triton.language as tl
@gluon.jit
def typed(a: tl.const, b: "*fp32", n: tl.int64, f: "fp32", flag: tl.int1, s: gl.constexpr = 3):
    pass
@gluon.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=["p"])
def loose(p, n, m):
    pass
def test():
    x = torch.empty(16)
    typed[(1,)](x, x, 16, 1, 0)
    loose[(1,)](x, 1, 1)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("typed(*kfp32 D, *fp32 D, i64 D, fp32, u1, 3)", "loose(*fp32, i32, 1)"));
}

// As Triton's KernelParam reads them; text that names no type leaves the value's.
TEST(LaunchTest, AnnotationsThatAreText) {
  Program program(R"(
@gluon.jit
def typed(a: "double", b: "tl.float16", c: "uint8_t", d: "gl.float32", e: "half", f: "float8_e5m2"):
    pass
@gluon.jit
def pointed(a: "const double*", b: "*kfp16", c: "tl.bfloat16*", d: "*khalf", e: "**fp16"):
    pass
def test():
    x = torch.empty(16)
    typed[(1,)](5, 5, 5, 5, 5, 5)
    pointed[(1,)](x, x, x, x, x)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("typed(fp64, fp16, u8, i32, fp16, fp8e5)",
                          "pointed(*kfp64 D, *kfp16 D, *bf16 D, *kfp32 D, *fp32 D)"));
}

TEST(LaunchTest, AmdPointerRange) {
  Program program("def test():\n    copy[(1,)](torch.empty(16), torch.empty(2**30), 5, 64)\n",
                  "hip:gfx942");
  EXPECT_THAT(program.launches(), ElementsAre("copy(*fp32 D S, *fp32 D, i32, 64)"));
}

TEST(LaunchTest, Tuples) {
  Program program(R"(
P = namedtuple("P", ["x", "y"])
@gluon.jit
def kernel(t, p):
    pass
def test():
    x = torch.empty(16)
    kernel[(1,)]((x, 1, 5), P(x[1:], (16, 2.0)))
)");
  EXPECT_THAT(program.launches(), ElementsAre("kernel((*fp32 D,1,i32,), (*fp32,(i32 D,fp32,),))"));
  ASSERT_EQ(program.evaluation->launches()[0].arguments[1].fields.size(), 2u);
}

TEST(LaunchTest, ViewsKeepTheirAlignment) {
  Program program(R"(
@gluon.jit
def kernel(p, s0, s1, m, n):
    pass
def run(x):
    kernel[(1,)](x, *x.stride(), *x.shape)
def test():
    x = torch.randn(64, 48, device="cuda", dtype=torch.bfloat16)
    run(x)
    run(x.T)
    run(x[1:2])
    run(x[:, 8:])
    run(x[:, 1:])
    run(x[::2])
    run(x.T.contiguous())
    run(x.reshape(96, -1))
    run(x.view(32, 2, 48)[:, 1])
    run(torch.empty_like(x.T))
    run(x.unsqueeze(0)[0].permute(1, 0))
def run1(x):
    pass
)");
  EXPECT_THAT(program.launches(), ElementsAre("kernel(*bf16 D, i32 D, 1, i32 D, i32 D)",
                                              "kernel(*bf16 D, 1, i32 D, i32 D, i32 D)",
                                              "kernel(*bf16 D, i32 D, 1, 1, i32 D)",
                                              "kernel(*bf16 D, i32 D, 1, i32 D, i32)",
                                              "kernel(*bf16, i32 D, 1, i32 D, i32)"));
}

TEST(LaunchTest, Autotune) {
  Program program(R"(
def hook(nargs):
    nargs["d"].block_shape = [nargs["BLOCK"], 32]
configs = [triton.Config({"BLOCK": b}, num_warps=w, num_stages=s, pre_hook=hook) for b in (32, 64) for w in (4, 8) for s in (3,)]
def prune(configs, named_args, **kwargs):
    return [c for c in configs if c.kwargs["BLOCK"] * c.num_warps < 512]
@triton.autotune(configs=configs, key=["n"], prune_configs_by={"early_config_prune": prune})
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@gluon.jit
def tuned(d, n, BLOCK: gl.constexpr, EVEN: gl.constexpr):
    pass
def test():
    x = torch.empty(128, 128, dtype=torch.float16)
    layout = gl.NVMMASharedLayout.get_default_for([32, 32], gl.float16)
    d = TensorDescriptor.from_tensor(x, [32, 32], layout)
    grid = lambda meta: (triton.cdiv(128, meta["BLOCK"]),)
    tuned[grid](d, 96)
)");
  EXPECT_THAT(program.launches(), ElementsAre("tuned(tensordesc, i32 D, 32, True)",
                                              "tuned(tensordesc, i32 D, 32, True) num_warps=8",
                                              "tuned(tensordesc, i32 D, 64, False)"));
  EXPECT_EQ(program.evaluation->launches()[2].arguments[0].type->element()->shape()[0], 64);
}

TEST(LaunchTest, Pytest) {
  Program program(R"(
CASES = [pytest.param(16, 2, id="a"), pytest.param(32, 3, marks=pytest.mark.skip), (64, 5)]
@pytest.fixture(params=[torch.float16, torch.float32])
def dtype(request):
    return request.param
def is_blackwell():
    return torch.cuda.get_device_capability()[0] == 10
@pytest.mark.parametrize("block, n", CASES, ids=str)
@pytest.mark.parametrize("warps", [4, 8])
def test_cases(block, n, warps, dtype):
    if warps == 8 and block == 64:
        pytest.skip("too large")
    x = torch.zeros(n, dtype=dtype)
    copy[(1,)](x, x, n, block, num_warps=warps)
    assert torch.allclose(x, x)
@pytest.mark.skipif(not is_blackwell(), reason="needs Blackwell")
def test_never():
    copy[(1,)](torch.zeros(1), None, 7, 1)
class TestGroup:
    @pytest.mark.parametrize("k", range(2))
    def test_inside(self, k):
        copy[(1,)](torch.zeros(1), None, 100 + k, 256)
def not_a_test():
    copy[(1,)](torch.zeros(1), None, 9, 1)
)");
  EXPECT_THAT(program.launches(),
              UnorderedElementsAre(
                  "copy(*fp16 D, *fp16 D, i32, 16)", "copy(*fp16 D, *fp16 D, i32, 16) num_warps=8",
                  "copy(*fp32 D, *fp32 D, i32, 16)", "copy(*fp32 D, *fp32 D, i32, 16) num_warps=8",
                  "copy(*fp16 D, *fp16 D, i32, 64)", "copy(*fp32 D, *fp32 D, i32, 64)",
                  "copy(*fp32 D, None, i32, 256)"));
  EXPECT_THAT(program.evaluation->errors(), IsEmpty());
}

TEST(LaunchTest, FixturesOfFixtures) {
  Program program(R"(
@pytest.fixture(params=[torch.float16, pytest.param(torch.float32, id="single")])
def dtype(request):
    return request.param
@pytest.fixture
def width(request):
    return {"narrow": 3, "wide": 5}[request.param]
@pytest.fixture
def data(dtype, n):
    yield torch.zeros(n, dtype=dtype)
@pytest.fixture
def missing():
    pytest.skip("not here")
@pytest.mark.parametrize("n", [8])
@pytest.mark.parametrize("width", ["narrow", "wide"], indirect=True)
def test_data(data, width, dtype):
    assert data.dtype == dtype
    copy[(1,)](data, data, width, 16)
def test_missing(missing):
    copy[(1,)](torch.zeros(1), None, 7, 1)
class TestPrepared:
    @pytest.fixture(params=[32, 64])
    def block(self, request):
        return request.param
    @pytest.fixture(autouse=True)
    def prepare(self, block):
        self.block = block
    def test_run(self):
        copy[(1,)](torch.zeros(1), None, 7, self.block)
)");
  EXPECT_THAT(program.launches(),
              UnorderedElementsAre("copy(*fp16 D, *fp16 D, i32, 16)",
                                   "copy(*fp32 D, *fp32 D, i32, 16)",
                                   "copy(*fp32 D, None, i32, 32)", "copy(*fp32 D, None, i32, 64)"));
  EXPECT_THAT(program.evaluation->errors(), IsEmpty());
}

TEST(LaunchTest, Unittest) {
  Program program(R"(
import unittest
class Base(unittest.TestCase):
    def setUp(self):
        self.n = 7
class CopyTest(Base):
    def test_run(self):
        for block in (16, 32):
            with self.subTest(block=block):
                copy[(1,)](torch.zeros(1), None, self.n, block)
        self.assertEqual(self.n, 7)
    @unittest.skip("later")
    def test_later(self):
        copy[(1,)](torch.zeros(1), None, 7, 64)
    @unittest.skipUnless(torch.cuda.is_available(), "needs a GPU")
    def test_here(self):
        copy[(1,)](torch.zeros(1), None, 9, 128)
    @unittest.skipIf(torch.cuda.get_device_capability()[0] == 9, "not on Hopper")
    def test_elsewhere(self):
        copy[(1,)](torch.zeros(1), None, 9, 256)
if __name__ == "__main__":
    unittest.main()
)");
  EXPECT_THAT(program.launches(),
              UnorderedElementsAre("copy(*fp32 D, None, i32, 16)", "copy(*fp32 D, None, i32, 32)",
                                   "copy(*fp32 D, None, i32, 128)"));
  EXPECT_THAT(program.evaluation->errors(), IsEmpty());
}

TEST(LaunchTest, TestsThatMayBeSkipped) {
  Program program(R"(
import os, unittest
def may_skip():
    if os.path.exists("somewhere"):
        pytest.skip("not today")
@pytest.fixture
def device():
    if os.path.exists("somewhere"):
        raise unittest.SkipTest("no device")
def test_first():
    copy[(1,)](torch.zeros(1), None, 7, 1)
    may_skip()
    copy[(1,)](torch.zeros(1), None, 7, 2)
def test_second():
    copy[(1,)](torch.zeros(1), None, 7, 4)
def test_fixture(device):
    copy[(1,)](torch.zeros(1), None, 7, 8)
def test_import():
    pytest.importorskip("no_such_module")
    copy[(1,)](torch.zeros(1), None, 7, 16)
def test_import_of_what_is_there():
    pytest.importorskip("torch")
    copy[(1,)](torch.zeros(1), None, 7, 32)
class CopyTest(unittest.TestCase):
    def test_run(self):
        self.skipTest("later")
        copy[(1,)](torch.zeros(1), None, 7, 64)
)");
  EXPECT_THAT(
      program.launches(),
      UnorderedElementsAre("copy(*fp32 D, None, i32, 1)", "copy(*fp32 D, None, i32, 2) maybe",
                           "copy(*fp32 D, None, i32, 4)", "copy(*fp32 D, None, i32, 8) maybe",
                           "copy(*fp32 D, None, i32, 16) maybe", "copy(*fp32 D, None, i32, 32)"));
}

TEST(LaunchTest, TestsThatDoNotRunOnTheTarget) {
  Program program(R"(
def is_blackwell():
    return torch.cuda.get_device_capability()[0] == 10
@gluon.jit
def for_others(x, y):
    pass
@gluon.jit
def for_all(x, y):
    pass
@pytest.mark.xfail(not is_blackwell(), reason="needs Blackwell", run=False)
def test_never():
    copy[(1,)](torch.zeros(1), None, 7, 1)
    for_others[(1,)](torch.zeros(1), None)
    for_all[(1,)](torch.zeros(1), None)
def launch(x):
    for_all.warmup(*x)
)");
  EXPECT_THAT(program.launches(), IsEmpty());
  ASSERT_EQ(program.evaluation->defaultLaunches().size(), 1u);
  EXPECT_EQ(program.evaluation->defaultLaunches()[0].kernel->qualname, "for_all");
}

TEST(LaunchTest, ThroughHelpersPartialsAndLambdas) {
  Program program(R"(
from elsewhere import bench_somehow
def launch(kernel, *args, block, **options):
    return kernel[(1,)](*args, BLOCK=block, **options)
def test():
    x = torch.empty(16)
    run = functools.partial(launch, copy, x, block=128)
    for n in itertools.chain([3], (m for m in [5])):
        triton.testing.do_bench(lambda: run(x, n, num_warps=1))
    copy.warmup(x, x, 1, BLOCK=8, grid=(1,))
    bench_somehow(lambda: copy[(1,)](x, x, 2, 512))
)");
  EXPECT_THAT(program.launches(), ElementsAre("copy(*fp32 D, *fp32 D, i32, 128) num_warps=1",
                                              "copy(*fp32 D, *fp32 D, 1, 8)",
                                              "copy(*fp32 D, *fp32 D, i32, 512) maybe"));
}

TEST(LaunchTest, MainAndPerfReport) {
  Program program(R"(
@triton.testing.perf_report(triton.testing.Benchmark(x_names=["n"], x_vals=[2**i for i in range(3, 5)], line_arg="provider", line_vals=["gluon", "torch"], line_names=[], plot_name="p", args={"block": 64}))
def bench(n, provider, block):
    x = torch.empty(n)
    if provider == "gluon":
        triton.testing.do_bench(lambda: copy[(1,)](x, x, n, block))
if __name__ == "__main__":
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--block-size", type=int, default=256)
    args = parser.parse_args()
    x = torch.empty(4)
    copy[(1,)](x, x, 4, args.block_size)
    bench.run(print_data=True)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("copy(*fp32 D, *fp32 D, i32, 256)", "copy(*fp32 D, *fp32 D, i32, 64)",
                          "copy(*fp32 D, *fp32 D, i32 D, 64)"));
  ASSERT_TRUE(program.evaluation->mainModule());
  EXPECT_EQ(program.evaluation->launches()[0].kernel->module, program.evaluation->mainModule());
}

TEST(LaunchTest, DefaultsOfOptionsThatAreTextHaveTheType) {
  Program program(R"(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--block", type=int, default="256")
parser.add_argument("--twice", type=lambda text: 2 * int(text), default="64")
parser.add_argument("--name", type=int, default="x")
parser.add_argument("--plain", type=int, default=32)
args = parser.parse_args()
x = torch.empty(4)
for block in (args.block, args.twice, args.plain):
    copy[(1,)](x, x, 4, block)
known, rest = parser.parse_known_args(["--other"])
copy[(1,)](x, x, len(rest), 8)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("copy(*fp32 D, *fp32 D, i32, 256)", "copy(*fp32 D, *fp32 D, i32, 128)",
                          "copy(*fp32 D, *fp32 D, i32, 32)", "copy(*fp32 D, *fp32 D, i32?, 8)"));
}

TEST(LaunchTest, OptionsMayBeAddedUnderUnknownConditions) {
  Program program(R"(
import argparse
from elsewhere import maybe
parser = argparse.ArgumentParser()
parser.add_argument("--block", type=int, default=32)
if maybe():
    parser.add_argument("--more", type=int, default=64)
args = parser.parse_args()
x = torch.empty(4)
copy[(1,)](x, x, 4, args.block)
copy[(1,)](x, x, args.more, 8)
known, rest = parser.parse_known_args(["--block", "16"])
copy[(1,)](x, x, known.block, 16)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("copy(*fp32 D, *fp32 D, i32, 32)", "copy(*fp32 D, *fp32 D, i32?, 8)",
                          "copy(*fp32 D, *fp32 D, i32?, 16)"));
}

TEST(LaunchTest, NestedKernelsHaveQualifiedNamesAndClosures) {
  Program program(R"(
def make(block):
    BLOCK = gl.constexpr(block)
    @gluon.jit
    def inner(x):
        pass
    return inner
def test_nested():
    @gluon.jit
    def kernel(x):
        pass
    kernel[(1,)](torch.empty(4))
    make(64)[(1,)](torch.empty(4))
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("test_nested.<locals>.kernel(*fp32 D)", "make.<locals>.inner(*fp32 D)"));
  auto* kernel = program.evaluation->launches()[1].kernel;
  Value block = kernel->scope->get(program.names.intern("BLOCK"));
  ASSERT_TRUE(block.is(language::ValueKind::Int));
  EXPECT_TRUE(block.isConstexpr());
  EXPECT_EQ(block.asInt(), 64);
}

TEST(LaunchTest, WhatIsNotKnownIsMarked) {
  Program program(R"(
import config
def test():
    x = torch.empty(16)
    copy[(1,)](config.tensor, x, config.n, 64)
    if config.fast:
        copy[(1,)](x, x, 7, 32)
    with pytest.raises(ValueError):
        copy[(1,)](x, x, 7, 16)
    copy[(1,)](x, x, 7, BLOCK=config.block)
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("copy(i32?, *fp32 D, i32?, 64)", "copy(*fp32 D, *fp32 D, i32, 32) maybe",
                          "copy(*fp32 D, *fp32 D, i32, 16) maybe",
                          "copy(*fp32 D, *fp32 D, i32, unknown?)"));
}

TEST(LaunchTest, Defaults) {
  Program program(
      "@gluon.jit\ndef unused(x_ptr, n, BLOCK: gl.constexpr = 128, flag=True):\n    pass\n");
  EXPECT_THAT(program.launches(), IsEmpty());
  ASSERT_EQ(program.evaluation->defaultLaunches().size(), 2u); // copy too
  auto& launch = program.evaluation->defaultLaunches()[1];
  EXPECT_EQ(program.text(launch.arguments[0]), "*fp32 D?");
  EXPECT_EQ(program.text(launch.arguments[1]), "i32?");
  EXPECT_EQ(program.text(launch.arguments[2]), "128?");
  EXPECT_EQ(program.text(launch.arguments[3]), "u1?");
}

// The uses of a parameter decide whether it is a pointer, before its name does.
TEST(LaunchTest, AssumedPointers) {
  Program program(R"(
import triton.language as tl
@gluon.jit
def read(p, offsets):
    return gl.load(p + offsets)
@gluon.jit
def used(source, K, W, x_ptr, flat: tl.const, BLOCK: gl.constexpr):
    offsets = gl.arange(0, BLOCK)
    base = source + offsets
    x = read(base, offsets)
    if K < 3:
        gl.store(W + offsets, x)
def launch(anything):
    used[(1,)](anything, anything.size(0), anything, 1, anything, 64)
@gluon.jit
def alone(source, n, m, state, mode, block_desc, x_ptr):
    if mode == "twice":
        n += n.to(gl.int32)
    if m is None or x_ptr is None:
        n += state.step
    gl.store(source + n, read(source, n))
)");
  EXPECT_THAT(program.launches(),
              ElementsAre("used(*fp32 D?, i32?, *fp32 D?, 1, *kfp32 D?, 64) maybe"));
  for (const Launch& launch : program.evaluation->defaultLaunches())
    if (launch.kernel->qualname == "alone") {
      std::vector<std::string> texts;
      for (const LaunchArgument& argument : launch.arguments)
        texts.push_back(program.text(argument));
      EXPECT_THAT(texts, ElementsAre("*fp32 D?", "i32?", "??", "??", "??", "??", "*fp32 D?"));
    }
}

TEST(LaunchTest, TargetsDecide) {
  const char* source = R"(
def num_sms():
    return torch.cuda.get_device_properties("cuda").multi_processor_count
def test():
    target = triton.runtime.driver.active.get_current_target()
    block = 64 if target.backend == "hip" else 128 if torch.cuda.get_device_capability()[0] >= 10 else 32
    copy[(num_sms(),)](torch.empty(1), None, num_sms(), block, num_ctas=1, maxnreg=128)
)";
  EXPECT_THAT(Program(source, "cuda:90").launches(),
              ElementsAre("copy(*fp32 D, None, i32, 32) maxnreg=128"));
  EXPECT_THAT(Program(source, "cuda:100").launches(),
              ElementsAre("copy(*fp32 D, None, i32, 128) maxnreg=128"));
  EXPECT_THAT(Program(source, "hip:gfx942").launches(),
              ElementsAre("copy(*fp32 D S, None, i32 D, 64) maxnreg=128"));
}

// A number that is no option of Triton's is an option that was given all the same.
TEST(LaunchTest, NumbersBelowZeroAreGiven) {
  EXPECT_THAT(
      Program(
          "def test():\n    copy[(1,)](torch.empty(1), None, 1, 32, maxnreg=-1, num_stages=-1)\n")
          .launches(),
      ElementsAre("copy(*fp32 D, None, 1, 32) maxnreg=-1 num_stages=-1"));
}

// Options that change the code alone have a table of their own; a launch takes them like the
// others.
TEST(LaunchTest, OptionsOfTheCodeAreLaunchOptions) {
  for (const chips::CodeOptionRow& row : chips::codeOptionRows())
    EXPECT_NE(findLaunchOption(row.name), nullptr) << row.name.str();
}

TEST(LaunchTest, ModuleErrorsAreThoseOfModuleCode) {
  Program program("x = 1 // 0\ny = gl.BlockedLayout([1], [32], [4])\nz = 5\n");
  ASSERT_EQ(program.evaluation->errors().size(), 2u);
  EXPECT_EQ(program.evaluation->errors()[0].exceptionClass, "ZeroDivisionError");
  EXPECT_EQ(program.evaluation->errors()[1].exceptionClass, "TypeError");
  EXPECT_TRUE(program.evaluation->module()->globals->contains(program.names.intern("z")));
  Program raising("def test():\n    raise ValueError\nif not torch.cuda.is_available():\n    raise "
                  "RuntimeError\n");
  EXPECT_THAT(raising.evaluation->errors(), IsEmpty()); // what a test raises itself may be meant
  Program called("def f(x): return x.nosuch\ndef test(): f(None)\n");
  EXPECT_EQ(called.evaluation->errors().size(), 1u);
}

TEST(LaunchTest, MissingNamesOfGluonAreSeen) {
  Program program(
      "from triton.experimental.gluon.language.nvidia.hopper import tma, no_such_thing\n");
  ASSERT_EQ(program.evaluation->missingImports().size(), 1u);
  EXPECT_EQ(program.names.text(program.evaluation->missingImports()[0].name), "no_such_thing");
}

} // namespace
} // namespace gluond::evaluate
