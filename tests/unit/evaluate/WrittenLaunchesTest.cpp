// Kernels that programs compile without launching them, and launches that are expected to fail.
#include "LaunchProgram.h"

namespace gluond::evaluate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> described(const std::string& body, const std::string& target = "cuda:90") {
  LaunchProgram program(body, {}, target);
  std::vector<std::string> result;
  for (const Launch& launch : program.evaluation->launches()) {
    std::string text = launch.target + " " + signature(launch.arguments[0]);
    if (launch.arguments[0].divisibleBy) text += " D";
    if (launch.arguments[0].pointerRange) text += " S";
    text += " " + std::to_string(launch.arguments[1].constant.asInt());
    for (const LaunchOption& option : launch.options)
      text += " " + option.name + "=" + std::to_string(option.value.asInt());
    result.push_back(text);
  }
  return result;
}

const std::string imports = R"(
import pytest
from triton.backends.compiler import GPUTarget
from triton.experimental.gluon._runtime import GluonASTSource
)";

TEST(WrittenLaunchesTest, SourcesThatAreCompiled) {
  EXPECT_THAT(
      described(imports + R"(
@pytest.mark.parametrize("dtype", ["fp16", "fp32"])
def test_compile(dtype):
    source = GluonASTSource(kernel, signature={"x": f"*{dtype}", "N": "constexpr"},
                            constexprs={"N": 64}, attrs={(0,): [["tt.divisibility", 16]]})
    compiled = triton.compile(source, target=GPUTarget("hip", "gfx1250", 32))
    assert compiled.asm["amdgcn"]
)"),
      ElementsAre("hip:gfx1250 *fp16 D 64 num_warps=4", "hip:gfx1250 *fp32 D 64 num_warps=4"));
  EXPECT_THAT(described(imports + R"(
source = gluon._runtime.GluonASTSource(fn=kernel, signature={"x": "*i8", "N": "constexpr"},
                                       constexprs={(1,): 32},
                                       attrs={(0,): [("tt.pointer_range", 32)]})
triton.compiler.compile(source, options=dict(num_warps=8, num_stages=2, num_ctas=1))
)"),
              ElementsAre("cuda:90 *i8 S 32 num_warps=8 num_stages=2"));
}

TEST(WrittenLaunchesTest, SignaturesThatDoNotFitRaise) {
  auto raised = [](const std::string& signature, const std::string& constants) {
    LaunchProgram program(imports + "triton.compile(GluonASTSource(kernel, " + signature + ", " +
                          constants + "))\n");
    auto errors = program.evaluation->errors();
    return errors.empty() ? std::to_string(program.evaluation->launches().size())
                          : errors.front().message;
  };
  EXPECT_EQ(raised("{'x': '*i8'}", "{'N': 32}"), "1") << "a constant needs no type";
  EXPECT_EQ(raised("{'x': '*i1', 'N': 'constexpr'}", "{(1,): 32}"), "1");
  EXPECT_THAT(raised("{'x': '*i8'}", "{}"), HasSubstr("the signature lacks the parameter 'N'"));
  EXPECT_THAT(raised("{'x': '*i8', 'M': 'constexpr'}", "{'N': 3}"),
              HasSubstr("'M' is not in list"));
  EXPECT_THAT(raised("{'x': '*int8', 'N': 'constexpr'}", "{'N': 3}"),
              HasSubstr("a signature has the spelling '*i8'"));
}

TEST(WrittenLaunchesTest, WhatIsNotKnownIsNoLaunch) {
  EXPECT_THAT(described(imports + R"(
import somewhere
triton.compile(GluonASTSource(kernel, somewhere.signature, {"N": 64}))
triton.compile(GluonASTSource(kernel, {"x": "tensordesc<fp16[64, 64]>", "N": "constexpr"}, {"N": 64}))
triton.compile(GluonASTSource(somewhere.kernel, {"x": "*fp16", "N": "constexpr"}, {"N": 64}))
triton.compile("kernel.ttgir")
)"),
              IsEmpty());
}

TEST(WrittenLaunchesTest, TheParserOfTritonsTests) {
  const std::string body = R"(
from triton._filecheck import run_parser
from triton.backends.compiler import GPUTarget
from triton.runtime.jit import MockTensor
run_parser(kernel, args=(MockTensor(torch.float16), 4), target=GPUTarget("cuda", 90, 32))
run_parser(kernel, *(([MockTensor(torch.float16), 8], {"num_warps": 8})))
)";
  EXPECT_THAT(described(body), ElementsAre("cuda:90 *fp16 D 4 num_warps=4 sanitize_overflow=0"));
  EXPECT_THAT(described(body, "cuda:100"),
              ElementsAre("cuda:100 *fp16 D 8 num_warps=8 sanitize_overflow=0"));
}

TEST(WrittenLaunchesTest, LaunchesThatAreExpectedToFail) {
  LaunchProgram program(R"(
import pytest
x = torch.empty(16, device="cuda")
def test_refused():
    with pytest.raises(Exception):
        kernel[(1, )](x, 3)
        kernel[(1, )](x, 4)
    kernel[(1, )](x, 4)
)");
  EXPECT_THAT(program.launches(), ElementsAre("3?", "4"));
  EXPECT_TRUE(program.evaluation->launches()[0].isExpectedToFail);
  EXPECT_FALSE(program.evaluation->launches()[1].isExpectedToFail);
}

} // namespace
} // namespace gluond::evaluate
