// Kernels that ask for endless work: it is given up on in words, and what is linear is done.
#include "HostileKernels.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST(Work, isGivenUpOnInWords) {
  struct Case {
    std::string what, before, body, launch, parameters;
  };
  std::string doubling;
  for (int i = 1; i <= 40; ++i)
    doubling += "@gluon.jit\ndef f" + std::to_string(i) + "(p):\n    f" + std::to_string(i - 1) +
                "(p)\n    f" + std::to_string(i - 1) + "(p)\n";
  const std::vector<Case> cases = {
      {"operations in a loop that is unrolled", "",
       "    x = gl.load(p)\n    for i in gl.static_range(10**9):\n        x = x + i\n    "
       "gl.store(p, "
       "x)\n",
       "", ""},
      {"calls that double once they are inlined",
       "@gluon.jit\ndef f0(p):\n    gl.store(p, 1)\n" + doubling, "    f40(p)\n", "", ""},
      {"tuples that double", "",
       "    x = (p, p)\n    for i in gl.static_range(60):\n        x = (x, x)\n", "", ""},
      {"types that double with each call", "@gluon.jit\ndef grow(x):\n    return grow((x, x))\n",
       "    grow(p)\n", "", ""},
      {"what is shared sixty times, as an argument",
       "T = (1,)\nfor i in range(60):\n    T = (T, T)\n", "    gl.store(p, 1)\n", ", T",
       ", T: gl.constexpr"},
      {"text that is too long for a name",
       "C = gl.constexpr('x' * (3 << 20))\n"
       "@gluon.jit\ndef f(p, T: gl.constexpr):\n    gl.store(p, 1)\n",
       "    f(p, C)\n", "", ""},
      {"a constexpr function that does not end",
       "@gluon.constexpr_function\ndef endless(n):\n    while n > 0:\n        n = n + 1\n    "
       "return n\n",
       "    gl.store(p, endless(1))\n", "", ""},
  };
  for (const Case& each : cases)
    EXPECT_THAT(saidOf(each.body, each.launch, each.before, each.parameters),
                Contains(HasSubstr("[budget-exhausted]")))
        << each.what;
  // What gl.constexpr() itself does not look through is not known, and no mistake of the user's.
  for (std::string made : {"T = []\nT.append(T)\n", "T = ()\nfor i in range(5000):\n    T = (T,)\n",
                           "T = (1,)\nfor i in range(60):\n    T = (T, T)\n"})
    EXPECT_THAT(
        saidOf("    x: gl.constexpr = C\n    gl.store(p, 1)\n", "", made + "C = gl.constexpr(T)\n"),
        Not(Contains(HasSubstr("[kernel-exception]"))))
        << made;
}

// A global that kernels may not read is looked at for a fix only.
TEST(Work, onRefusedGlobalsIsBounded) {
  for (std::string made : {"T = []\nT.append(T)\n", "T = ()\nfor i in range(5000):\n    T = (T,)\n",
                           "T = (1,)\nfor i in range(60):\n    T = (T, T)\n"})
    EXPECT_THAT(saidOf("    gl.store(p, T)\n", "", made),
                Contains(HasSubstr("[global-not-constexpr]")))
        << made;
}

TEST(Work, anEndlessCallIsToldAtItsLoopAndTriedOnce) {
  auto lines = said(imports + "@gluon.constexpr_function\n"
                              "def endless(n):\n"
                              "    while n > 0:\n"
                              "        n = n + 1\n"
                              "    return n\n"
                              "@gluon.jit\n"
                              "def kernel(p, N: gl.constexpr):\n"
                              "    gl.store(p, endless(1) + N)\n"
                              "for n in range(30):\n"
                              "    kernel[(1,)](torch.empty(8, device='cuda'), n)\n");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_TRUE(lines[0].starts_with("6:") || lines[0].starts_with("7:")) << lines[0];
  EXPECT_THAT(lines[0], HasSubstr("[budget-exhausted]"));
}

// Chains and trees of values that every analysis walks.
TEST(Work, ofTuplesIsBounded) {
  const std::string list = "L = gl.constexpr([1] * 70000)\n";
  for (const char* value :
       {"(1,) * 2**62", "(1, 2) * 32769", "() + L", "(1,) * 40000 + (1,) * 40000"})
    EXPECT_THAT(saidOf("    t = " + std::string(value) + "\n    gl.store(p, t[0])\n", "", list),
                Contains(HasSubstr("[too-large]")))
        << value;
  for (const char* value : {"() * 2**62", "(1,) * -5", "(1, 2) * 32768"})
    EXPECT_THAT(saidOf("    t = " + std::string(value) + "\n    gl.store(p, len(t))\n", "", list),
                Not(Contains(HasSubstr("[too-large]"))))
        << value;
}

// Scales of fewer dimensions than the values are refused.
TEST(Work, onScalesOfAnotherRank) {
  for (const char* call :
       {"scaled_downcast(x, s, 'e4m3')", "scaled_downcast(x, s, 'e2m1', 0)",
        "scaled_upcast(b, s, gl.float16, 0)", "scaled_upcast(s, b, gl.float16, 0)",
        "scaled_downcast(y, b, 'e4m3', 0)"})
    EXPECT_THAT(said(imports +
                     "from triton.experimental.gluon.language.amd import cdna4\n"
                     "L = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))\n"
                     "# gluond: launch(p=\"*fp16\", target=\"hip:gfx950\")\n@gluon.jit\n"
                     "def kernel(p):\n    x = gl.zeros([64], gl.float16, gl.SliceLayout(0, L))\n"
                     "    y = gl.zeros([64, 64], gl.float16, L)\n"
                     "    b = gl.zeros([64], gl.uint8, gl.SliceLayout(0, L))\n"
                     "    s = gl.zeros([64, 8], gl.uint8, L)\n    cdna4." +
                     std::string(call) + "\n"),
                Contains(HasSubstr("[bad-argument]")))
        << call;
}

// As the blocks of tensors are: powers of two, and not too many elements.
TEST(Work, onBlocksOfDescriptorsIsBounded) {
  const std::string makers[] = {
      "hip:gfx1250\")\nfrom triton.experimental.gluon.language.amd.cdna5 import tdm as maker\n"
      "S = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))\n",
      "cuda:90\")\nfrom triton.experimental.gluon.language.nvidia.hopper import tma as maker\n"
      "S = gl.constexpr(gl.NVMMASharedLayout(128, 16, 2))\n"};
  for (llvm::StringRef maker : makers)
    for (const char* block : {"[0, 64]", "[64, 0]", "[3, 64]", "[-1, 64]", "[64, -(2**63)]",
                              "[2**62, 64]", "[64, 2**62]", "[2**40, 2**40]"}) {
      auto [target, before] = maker.split("\")\n");
      auto lines =
          said(imports + before.str() + "# gluond: launch(p=\"*fp16\", n=\"i32\", target=\"" +
               target.str() + "\")\n@gluon.jit\ndef kernel(p, n):\n" +
               "    d = maker.make_tensor_descriptor(p, [n, n], [n, 1], " + block +
               ", S)\n"
               "    s = gl.allocate_shared_memory(gl.float16, [64, 64], S)\n"
               "    maker.async_store(d, [0, 0], s)\n");
      EXPECT_TRUE(llvm::any_of(lines,
                               [](const std::string& line) {
                                 llvm::StringRef text = line;
                                 return text.contains("[not-power-of-two]") ||
                                        text.contains("[tensor-too-large]") ||
                                        text.contains("[bad-argument]");
                               }))
          << target.str() << block << ": " << (lines.empty() ? "" : lines.front());
    }
}

// What changes a name everywhere is offered once if the file has it often, or a file of some KB
// would have fixes of hundreds of MB.
TEST(Work, ofFixesIsLinear) {
  std::string body;
  constexpr size_t many = 300;
  for (size_t i = 0; i < many; ++i)
    body += "    gl.thread_barrier()\n";
  Workspace workspace(Settings{});
  workspace.open("/a.py", 1, imports + "@gluon.jit\ndef kernel(p):\n" + body + "kernel[(1,)](0)\n");
  Worker worker;
  WorkerPool workers(worker);
  auto snapshot = workspace.snapshot();
  auto result = check(*snapshot, snapshot->file("/a.py"), workers, {}, Depth::Full);
  ASSERT_TRUE(result);
  size_t edits = 0, largest = 0;
  for (const Finding& finding : result->findings)
    for (const diagnostics::Fix& fix : finding.diagnostic.fixes) {
      edits += fix.edits.size();
      largest = std::max(largest, fix.edits.size());
    }
  EXPECT_EQ(largest, many);
  EXPECT_LE(edits, 4 * many);
}

// A mistake in an unrolled loop is one, but it is looked at again each time. Steps end it, on any
// machine: the time would do for more of them.
TEST(Work, ofMistakesInUnrolledLoopsIsCharged) {
  Settings patient;
  patient.analysisSeconds = 3600;
  for (const char* mistake :
       {"gl.thread_barrier()", "gl.lod(p)", "x = p.shap", "gl.load(p, msk=1)"})
    EXPECT_THAT(said(kernelOf("    for i in gl.static_range(100000):\n        " +
                              std::string(mistake) + "\n"),
                     patient),
                Contains(HasSubstr("too many steps")))
        << mistake;
}

// Each element is an argument of the mapped function.
TEST(Work, ofMappedFunctionsIsBounded) {
  for (const char* pack : {"2**31 - 1", "2**20"})
    EXPECT_THAT(saidOf("    t = gl.zeros([64], gl.float32, gl.BlockedLayout([1], [32], [4], [0]))\n"
                       "    gl.map_elementwise(f, t, pack=" +
                           std::string(pack) + ")\n",
                       "", "@gluon.jit\ndef f(*x):\n    return x[0]\n"),
                Contains(HasSubstr("packed elements")));
}

TEST(Work, ofLintsAndPassesIsBounded) {
  const std::string range =
      "    i = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))\n";
  const std::vector<std::string> bodies = {
      range + "    for k in gl.static_range(64):\n        i = i + i\n    gl.store(p + i, 1)\n",
      range +
          "    for k in gl.static_range(3000):\n        i = i * 3 + k\n    gl.store(p + i, 1)\n",
      range + "    j = i\n    for t in range(10):\n        for k in gl.static_range(60):\n"
              "            i = i * i + i\n            j = j * j + j\n    gl.store(p + i, j)\n",
      "    a = gl.load(p)\n    b = a\n    for t in range(10):\n"
      "        for k in gl.static_range(60):\n            a = a * a - a\n            b = b * b - "
      "b\n"
      "    gl.store(p, a + b)\n",
      "    x = gl.load(p)\n    for k in gl.static_range(60):\n        x = x * x ^ x\n"
      "    for k in gl.static_range(500):\n        gl.store(p + x + k, x + k)\n",
  };
  for (const std::string& body : bodies)
    saidOf(body);
  // Blocks in blocks, through calls.
  std::string nested = "    x = gl.load(p)\n", indent = "    ";
  for (int i = 0; i < 90; ++i, indent += " ")
    nested += indent + "if x > " + std::to_string(i) + ":\n";
  nested += indent + "gl.store(p, x)\n";
  auto chainOf = [&](int count) {
    std::string functions;
    for (int i = 0; i < count; ++i) {
      std::string text = nested;
      if (i) text.replace(text.find("gl.store(p, x)"), 14, "f" + std::to_string(i - 1) + "(p)");
      functions += "@gluon.jit\ndef f" + std::to_string(i) + "(p):\n" + text;
    }
    return functions;
  };
  auto isExhausted = Contains(HasSubstr("[budget-exhausted]"));
  EXPECT_THAT(saidOf("    f7(p)\n", "", chainOf(8)), isExhausted);
  EXPECT_THAT(saidOf("    f2(p)\n", "", chainOf(3)), Not(isExhausted));
}

// Thousands of calls in one block are inlined in linear time.
TEST(Work, onManyCallsIsLinear) {
  EXPECT_THAT(
      saidPatiently("    x = gl.load(p)\n    y = gl.load(p + 1)\n"
                    "    for k in gl.static_range(8000):\n"
                    "        x = f(x, y) | (x & y ^ x) | (y & x ^ y & x ^ y & x) ^ (x | y & x)\n"
                    "    gl.store(p, x)\n",
                    "@gluon.jit\ndef f(x, y):\n    return x ^ y\n"),
      Not(Contains(HasSubstr("[budget-exhausted]"))));
}

// Of thousands of keywords that a function lacks, few are compared with all others of the call.
TEST(Work, onUnknownKeywordsIsLinear) {
  std::string keywords;
  for (int i = 0; i < 40'000; ++i)
    keywords += ", unknown" + std::to_string(i) + "=1";
  for (const std::string& function : {std::string("gl.load"), std::string("f")}) {
    auto lines = saidPatiently("    " + function + "(p" + keywords + ")\n",
                               "@gluon.jit\ndef f(p):\n    gl.store(p, 1)\n");
    EXPECT_THAT(lines, SizeIs(testing::Le(70))) << function;
    EXPECT_THAT(lines, Contains(HasSubstr("[unexpected-keyword]"))) << function;
    EXPECT_THAT(lines, Not(Contains(HasSubstr("[budget-exhausted]")))) << function;
  }
}

// What was seen between two equal reads is not looked at again after each op with a region.
TEST(Work, onReadsBetweenReductionsIsLinear) {
  EXPECT_THAT(
      saidPatiently("    i = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))\n"
                    "    x = i\n"
                    "    for k in gl.static_range(3500):\n"
                    "        x += gl.sum(gl.load(p + i) + x, 0)\n"
                    "    gl.store(p + i, x)\n",
                    ""),
      Not(Contains(HasSubstr("[budget-exhausted]"))));
}

} // namespace
} // namespace gluond::driver
