// Kernels that are written to do harm: what they ask for ends, is refused in words or given up on
// in words, and changes nothing of what is said about other files.
#include "HostileKernels.h"

#include <llvm/Support/thread.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

} // namespace
} // namespace gluond::driver
