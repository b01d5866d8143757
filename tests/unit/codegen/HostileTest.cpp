// Kernels that are written to do harm: what they ask for ends, is refused in words or given up on
// in words, and changes nothing of what is said about other files.
#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/analysis/Worker.h"
#include "driver/analysis/WorkerPool.h"

#include <llvm/Support/thread.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string imports = "from triton.experimental import gluon\n"
                            "from triton.experimental.gluon import language as gl\n"
                            "import torch\n";

std::vector<std::string> said(const Snapshot& snapshot, const std::string& path, Worker& worker) {
  WorkerPool workers(worker);
  std::vector<std::string> lines;
  auto result = check(snapshot, snapshot.file(path), workers, {}, Depth::Full);
  if (!result) return {"nothing"};
  for (const Finding& finding : result->findings) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    uint32_t line = snapshot.file(path)->text().lineOf(diagnostic.location.range.begin) + 1;
    lines.push_back(std::to_string(line) + ": [" + diagnostics::slug(diagnostic.id).str() + "] " +
                    diagnostic.message);
  }
  return lines;
}

// What is said about one file.
std::vector<std::string> said(const std::string& text) {
  Workspace workspace(Settings{});
  workspace.open("/a.py", 1, text);
  Worker worker;
  return said(*workspace.snapshot(), "/a.py", worker);
}

// A kernel, and a launch of it.
std::vector<std::string> saidOf(const std::string& body, const std::string& launch = "",
                                const std::string& before = "",
                                const std::string& parameters = "") {
  return said(imports + before + "\n@gluon.jit\ndef kernel(p" + parameters + "):\n" + body +
              "\n\nkernel[(1,)](torch.empty(1024, device='cuda', dtype=torch.int32)" + launch +
              ")\n");
}

// ---------------------------------------------------------------- loops

// A side of a conditional expression that failed uses values of the first visit of a loop's body,
// which are destroyed after it: so is the side. Without that, memory is corrupted.
TEST(Loops, whatFailedInTheFirstVisitOfABodyGoesWithIt) {
  auto lines = saidOf("    x = gl.program_id(0)\n"
                      "    for i in range(n):\n"
                      "        x = inner(x, i)\n"
                      "    gl.store(p + x, inner(x, n))",
                      ", 5",
                      "@gluon.jit\ndef inner(x, n):\n"
                      "    for i in range(n):\n"
                      "        for j in range(x):\n"
                      "            x -= j\n"
                      "        x = x + 0 if n > 3 else missing\n"
                      "    return x\n",
                      ", n");
  EXPECT_THAT(lines, Contains(HasSubstr("[undefined-name] 'missing' is not defined")));
}

// ---------------------------------------------------------------- order

TEST(Order, whatIsSaidOfAFileDoesNotDependOnWhatCameBefore) {
  const std::string body = "@gluon.jit\ndef f(p, n, BLOCK: gl.constexpr, L: gl.constexpr):\n";
  std::vector<std::pair<std::string, std::string>> files = {
      {"/cdiv.py", imports + body + "    gl.store(p, gl.cdiv(n, BLOCK))\n\n" +
                       "@gluon.jit\ndef g(p, BLOCK: gl.constexpr, L: gl.constexpr):\n"
                       "    i = gl.arange(0, BLOCK, layout=L)\n    gl.store(p + i, 1)\n"},
      {"/barrier.py",
       imports + "from triton.experimental.gluon.language.nvidia.hopper import mbarrier\n" +
           "@gluon.jit\ndef h(p):\n    bar = mbarrier.allocate_mbarrier()\n"
           "    mbarrier.init(bar, count=1)\n    mbarrier.invalidate(bar)\n"},
      {"/sum.py", imports +
                      "@gluon.jit\ndef s(p):\n"
                      "    i = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))\n"
                      "    gl.store(p, gl.sum(gl.load(p + i), 0) + missing)\n"}};
  Workspace workspace(Settings{});
  for (const auto& [path, text] : files)
    workspace.open(path, 1, text);
  auto snapshot = workspace.snapshot();
  std::map<std::string, std::vector<std::string>> alone;
  for (const auto& [path, text] : files) {
    Worker worker;
    alone[path] = said(*snapshot, path, worker);
    EXPECT_THAT(alone[path], Not(Contains(HasSubstr("not-supported"))));
  }
  std::vector<size_t> order = {0, 1, 2};
  do {
    // On one thread, and each file on a thread of its own, with another stack.
    for (bool isThreaded : {false, true}) {
      Workspace fresh(Settings{});
      for (const auto& [path, text] : files)
        fresh.open(path, 1, text);
      auto shared = fresh.snapshot();
      Worker worker;
      for (size_t i : order) {
        const std::string& path = files[i].first;
        std::vector<std::string> found;
        auto run = [&] { found = said(*shared, path, worker); };
        if (isThreaded)
          llvm::thread(run).join();
        else
          run();
        EXPECT_EQ(found, alone[path]) << path << " as " << order[0] << order[1] << order[2];
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// ---------------------------------------------------------------- lifetimes

TEST(Lifetimes, layoutsKeepNothingOfAProgramThatIsGone) {
  Workspace workspace(Settings{});
  Worker worker;
  int32_t version = 0;
  std::vector<std::string> fields = {"11111111111111111111",
                                     "'text'",
                                     "b'bytes'",
                                     "range(3)",
                                     "slice(1, 2)",
                                     "2.5",
                                     "(1, (2, [3]))",
                                     "gl.float32",
                                     "f",
                                     "{1: 2}",
                                     "None",
                                     "True",
                                     "-11111111111111111111",
                                     "torch.float16",
                                     "gl.PropagateNan.ALL"};
  for (unsigned round = 0; round < 3; ++round)
    for (const std::string& field : fields) {
      // Another program each time: the heap of the one before is gone with it.
      workspace.open("/a.py", ++version,
                     imports + "def f():\n    pass\n" +
                         "P = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])\n"
                         "L = gl.constexpr(gl.SliceLayout(" +
                         field +
                         ", P))\n@gluon.jit\ndef inner(x, M: gl.constexpr):\n    return x\n"
                         "@gluon.jit\ndef kernel(p, N: gl.constexpr, M: gl.constexpr):\n"
                         "    inner(p, M)\n    i = gl.arange(0, N, layout=M)\n"
                         "    gl.store(p + i, 1)\n" +
                         "for n in (16, 32, 64):\n"
                         "    kernel[(1,)](torch.empty(64, device='cuda'), n, L)\n");
      auto lines = said(*workspace.snapshot(), "/a.py", worker);
      if (field != "True" && field != "None") EXPECT_THAT(lines, Not(IsEmpty())) << field;
    }
}

// ---------------------------------------------------------------- numbers

TEST(Numbers, ofALaunchAreCheckedWhereTheyEnter) {
  for (std::string number : {"0", "-1", "3", "64", "512", "2**20", "2**31", "2**62", "10**30",
                             "2.0", "'4'", "[4]", "(4,)", "float('nan')"})
    EXPECT_THAT(saidOf("    gl.store(p, 1)\n", ", num_warps=" + number),
                Contains(HasSubstr("[launch-argument] the launch of 'kernel' has num_warps")))
        << number;
  for (std::string number : {"1", "2", "4", "8", "16", "32", "True", "None"})
    EXPECT_THAT(saidOf("    gl.store(p, 1)\n", ", num_warps=" + number),
                Not(Contains(HasSubstr("launch-argument"))))
        << number;
  for (std::string number : {"0", "-1", "3", "32", "2**31", "10**30", "1.5", "'2'"})
    EXPECT_THAT(saidOf("    gl.store(p, 1)\n", ", num_ctas=" + number),
                Contains(HasSubstr("num_ctas")))
        << number;
  for (std::string number : {"0", "-2", "2**31", "10**30", "1.5", "'2'"}) {
    EXPECT_THAT(saidOf("    gl.store(p, 1)\n", ", maxnreg=" + number),
                Contains(HasSubstr("maxnreg")))
        << number;
    bool isTaken = number == "0" || number == "-2"; // by Triton, which only needs a number
    auto isTold = Contains(HasSubstr("num_stages"));
    auto said = saidOf("    gl.store(p, 1)\n", ", num_stages=" + number);
    if (isTaken)
      EXPECT_THAT(said, Not(isTold)) << number;
    else
      EXPECT_THAT(said, isTold) << number;
  }
}

// Every number of every layout, at its worst: said in words, whatever it is.
TEST(Numbers, ofLayoutsAndShapesNeverDoHarm) {
  const std::vector<std::string> numbers = {"0",     "-1",       "3",     "2**31", "2**32", "2**62",
                                            "2**63", "10**30",   "1.5",   "None",  "'x'",   "True",
                                            "[]",    "[1] * 33", "2**20", "-2**31"};
  const std::vector<std::string> forms = {
      "gl.arange(0, 128, layout=gl.BlockedLayout([{}], [32], [4], [0]))",
      "gl.arange(0, 128, layout=gl.BlockedLayout([1], [{}], [4], [0]))",
      "gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [{}], [0]))",
      "gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [{}]))",
      "gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[{}]]))",
      "gl.arange(0, {}, layout=gl.BlockedLayout([1], [32], [4], [0]))",
      "gl.arange({}, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))",
      "gl.full([{}], 1, gl.int32, gl.BlockedLayout([1], [32], [4], [0]))",
      "gl.full([{}, {}], 1, gl.int32, gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))",
      "gl.full([128], {}, gl.int32, gl.BlockedLayout([1], [32], [4], [0]))",
      "gl.arange(0, 128, layout=gl.SliceLayout({}, gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, "
      "0])))",
      "gl.arange(0, 128, layout=gl.DistributedLinearLayout([[{}]], [[1]], [[2]], [], [128]))",
      "gl.arange(0, 128, layout=gl.DistributedLinearLayout([], [], [], [], [{}]))",
      "gl.allocate_shared_memory(gl.float16, [{}, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout({}, 1, 1, [1, 0]))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, {}, 1, [1, 0]))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, {}, [1, 0]))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout({}, 16, 2))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(128, {}, 2))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(128, 16, {}))",
      "gl.allocate_shared_memory(gl.float16, [{}, 64, 64], gl.NVMMASharedLayout(128, 16, 2))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout.get_default_for([64, "
      "{}], gl.float16))",
      "gl.allocate_shared_memory(gl.float16, [64], gl.PaddedSharedLayout([[{}, 4]], [[1]], [], "
      "[64]))",
      "gl.allocate_shared_memory(gl.float16, [64], gl.PaddedSharedLayout([[32, {}]], [[1]], [], "
      "[64]))",
      "gl.allocate_shared_memory(gl.float16, [64, 64], "
      "gl.PaddedSharedLayout.with_identity_for([[32, 4]], [64, {}], [1, 0]))",
      "gl.allocate_shared_memory(gl.float16, [64], gl.SharedLinearLayout([[{}]], [], 16))",
      "gl.allocate_shared_memory(gl.float16, [64], gl.SharedLinearLayout([[1]], [], {}))",
      "gl.full([128, 128], 0, gl.float32, gl.NVMMADistributedLayout([{}, 0], [4, 1], [16, 8]))",
      "gl.full([128, 128], 0, gl.float32, gl.NVMMADistributedLayout([2, 0], [{}, 1], [16, 8]))",
      "gl.full([128, 128], 0, gl.float32, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, {}, 16]))",
      "gl.full([128, 128], 0, gl.float16, gl.DotOperandLayout({}, "
      "gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8]), 2))",
      "gl.full([128, 128], 0, gl.float16, gl.DotOperandLayout(0, "
      "gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8]), {}))",
      "gl.full([128, 128], 0, gl.float32, gl.amd.AMDMFMALayout({}, [32, 32, 8], True, [4, 1]))",
      "gl.full([128, 128], 0, gl.float32, gl.amd.AMDMFMALayout(3, [32, 32, {}], True, [4, 1]))",
      "gl.full([128, 128], 0, gl.float32, gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [{}, 1]))",
      "gl.full([128, 128], 0, gl.float32, gl.amd.AMDWMMALayout({}, True, [[1, 0], [2, 0]]))",
      "gl.full([128, 128], 0, gl.float32, gl.amd.AMDWMMALayout(2, True, [[{}, 0]]))",
      "gl.program_id({})",
      "gl.num_programs({})",
      "gl.load(p + {})",
      "gl.load(p) << {}",
      "gl.load(p) // {}",
      "gl.expand_dims(gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0])), {})",
      "gl.sum(gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0])), {})",
      "gl.reshape(gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0])), [{}, 2])",
      "gl.cast(gl.load(p), gl.int64) * {}",
      "gl.multiple_of(gl.load(p), [{}])"};
  std::string before, after;
  size_t count = 0;
  for (const std::string& target : {"cuda:90", "hip:gfx942"}) {
    Settings settings;
    settings.target = target;
    for (const std::string& form : forms) {
      // One file for all numbers of a form.
      std::string text = imports;
      for (const std::string& number : numbers) {
        std::string body = form;
        for (size_t at; (at = body.find("{}")) != std::string::npos;)
          body.replace(at, 2, number);
        std::string name = "k" + std::to_string(count++);
        text += "@gluon.jit\ndef " + name + "(p):\n    x = " + body + "\n\n" + name +
                "[(1,)](torch.empty(1024, device='cuda', dtype=torch.int32))\n";
      }
      Workspace workspace(settings);
      workspace.open("/a.py", 1, text);
      Worker worker;
      said(*workspace.snapshot(), "/a.py", worker);
    }
  }
  EXPECT_EQ(count, 2 * forms.size() * numbers.size());
}

// ---------------------------------------------------------------- types

// A program may make a type of any other; wherever it then uses it, the type is refused or works.
TEST(Types, ofAnyPartsNeverDoHarm) {
  const std::string layout = "gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])",
                    shared = "gl.SwizzledSharedLayout(1, 1, 1, [1, 0])",
                    tuple = "gl.tuple_type([gl.int32])",
                    buffer = "gl.shared_memory_descriptor_type(gl.int32, [64, 64], " + shared +
                             ", [64, 64])",
                    tensor = "gl.distributed_type(gl.int32, [64, 64], " + layout + ")";
  std::vector<std::string> parts = {tuple,
                                    buffer,
                                    tensor,
                                    "gl.void",
                                    "gl.pointer_type(gl.int8)",
                                    "gl.block_type(gl.int32, [64])"};
  std::vector<std::string> types = parts;
  for (const std::string& part : parts) {
    types.push_back("gl.pointer_type(" + part + ")");
    types.push_back("gl.block_type(" + part + ", [64])");
    types.push_back("gl.distributed_type(" + part + ", [64, 64], " + layout + ")");
    types.push_back("gl.shared_memory_descriptor_type(" + part + ", [64, 64], " + shared +
                    ", [64, 64])");
  }
  types.push_back("gl.distributed_type(gl.int32, [64, 64], "
                  "gl.BlockedLayout([3, 0], [-1, 2**40], [1, 1], [7, 7]))");
  types.push_back("gl.shared_memory_descriptor_type(gl.int32, [-1, 2**62], " + shared + ", [])");
  const std::string uses =
      "    t = gl.zeros([64, 64], gl.float32, L)\n"
      "    gl.store(p, gl.inline_asm_elementwise('', '=r,r', [t], T, True, 1))\n"
      "    gl.store(p, gl.inline_asm_elementwise('', '=r', [], (T, T), True, 1))\n"
      "    gl.store(p, gl.inline_asm('nop', '=r', (), (T,), True))\n"
      "    gl.store(p, t.to(T) + 1)\n"
      "    gl.store(p.to(gl.pointer_type(T)), 1)\n"
      "    gl.store(p, gl.load(p.to(T)))\n"
      "    z = gl.zeros([64, 64], T, L)\n"
      "    gl.store(p, z + z)\n"
      "    s = gl.allocate_shared_memory(T, [64, 64], S)\n"
      "    s.store(s.load(L))\n"
      "    gl.store(p, gl.fp4_to_fp(t.to(gl.uint8), T, 1))\n"
      "    takes(T)\n";
  for (const std::string& type : types) {
    SCOPED_TRACE(type);
    auto lines = saidOf(uses, "",
                        "L = gl.constexpr(" + layout + ")\nS = gl.constexpr(" + shared +
                            ")\nT = gl.constexpr(" + type +
                            ")\n@gluon.jit\ndef takes(x: T) -> T:\n    return x\n");
    EXPECT_THAT(lines, Not(IsEmpty()));
  }
}

// Pointers in shared memory are as wide as they are, for lints too.
TEST(Types, pointersMayLieInSharedMemory) {
  EXPECT_THAT(saidOf("    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])\n"
                     "    L: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
                     "    s = gl.allocate_shared_memory(gl.pointer_type(gl.int32), [128], S)\n"
                     "    s.store(p + gl.arange(0, 128, layout=L))\n"
                     "    gl.store(s.load(L), 1)\n"),
              Not(Contains(HasSubstr("[invalid-operation]"))));
}

// ---------------------------------------------------------------- recursion and work

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

// A mistake in an unrolled loop is one, but it is looked at again each time.
TEST(Work, ofMistakesInUnrolledLoopsIsCharged) {
  for (const char* mistake :
       {"gl.thread_barrier()", "gl.lod(p)", "x = p.shap", "gl.load(p, msk=1)"})
    EXPECT_THAT(
        saidOf("    for i in gl.static_range(100000):\n        " + std::string(mistake) + "\n"),
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
  EXPECT_THAT(saidOf("    x = gl.load(p)\n    y = gl.load(p + 1)\n"
                     "    for k in gl.static_range(8000):\n"
                     "        x = f(x, y) | (x & y ^ x) | (y & x ^ y & x ^ y & x) ^ (x | y & x)\n"
                     "    gl.store(p, x)\n",
                     "", "@gluon.jit\ndef f(x, y):\n    return x ^ y\n"),
              Not(Contains(HasSubstr("[budget-exhausted]"))));
}

// Of thousands of keywords that a function lacks, few are compared with all others of the call.
TEST(Work, onUnknownKeywordsIsLinear) {
  std::string keywords;
  for (int i = 0; i < 40'000; ++i)
    keywords += ", unknown" + std::to_string(i) + "=1";
  for (const std::string& function : {std::string("gl.load"), std::string("f")}) {
    auto lines = saidOf("    " + function + "(p" + keywords + ")\n", "",
                        "@gluon.jit\ndef f(p):\n    gl.store(p, 1)\n");
    EXPECT_THAT(lines, SizeIs(testing::Le(70))) << function;
    EXPECT_THAT(lines, Contains(HasSubstr("[unexpected-keyword]"))) << function;
    EXPECT_THAT(lines, Not(Contains(HasSubstr("[budget-exhausted]")))) << function;
  }
}

// What was seen between two equal reads is not looked at again after each op with a region.
TEST(Work, onReadsBetweenReductionsIsLinear) {
  EXPECT_THAT(saidOf("    i = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))\n"
                     "    x = i\n"
                     "    for k in gl.static_range(3500):\n"
                     "        x += gl.sum(gl.load(p + i) + x, 0)\n"
                     "    gl.store(p + i, x)\n"),
              Not(Contains(HasSubstr("[budget-exhausted]"))));
}

} // namespace
} // namespace gluond::driver
