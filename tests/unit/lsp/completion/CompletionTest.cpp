#include "CompletionFixture.h"

#include <llvm/ADT/STLExtras.h>

#include <gmock/gmock.h>
#include <map>

namespace gluond::lsp {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

TEST(Completion, directivesInComments) {
  EXPECT_THAT(labels("# gluond: ^\n"), testing::ElementsAre("ignore", "ignore[]", "launch()"));
  EXPECT_THAT(labels("x = 1  # gluond: ign^\n"), testing::ElementsAre("ignore", "ignore[]"));
  EXPECT_THAT(labels("x = 1  # gluond: ignore[bank-^\n"), Contains("bank-conflict"));
  EXPECT_THAT(labels("x = 1  # gluond: ignore[bank-conflict, ^]\n"),
              AllOf(Contains("missing-mask"), Not(Contains("bank-conflict"))));
  EXPECT_THAT(labels("x = 1  # gluond: ignore[bank-conflict] ^\n"), IsEmpty());
  EXPECT_THAT(labels("# about gluond: ^\n"), IsEmpty());
  std::string kernel = "@gluon.jit\ndef k(src, n, B: ttgl.constexpr): pass\n";
  auto launch = labels("# gluond: launch(n=\"i32\", ^)\n" + kernel);
  EXPECT_THAT(launch, AllOf(Contains("src="), Contains("B="), Contains("num_warps="),
                            Contains("target="), Not(Contains("n="))));
  EXPECT_THAT(labels("# gluond: launch(src=\"*fp^\")\n" + kernel),
              AllOf(Contains("*fp16:16"), Contains("*fp32"), Not(Contains("i32"))));
  EXPECT_THAT(labels("# gluond: launch(B=[1, 2][0], target=\"cuda^\")\n" + kernel),
              AllOf(Contains("cuda:90"), Not(Contains("hip:gfx942"))));
  EXPECT_THAT(labels("# gluond: launch(B=\"^\")\n" + kernel), IsEmpty()); // a string is a string
  EXPECT_THAT(labels("# gluond: launch(B=1) ^\n" + kernel), IsEmpty());
  // An error cannot be ignored.
  EXPECT_THAT(labels("# gluond: ignore[layout-^\n"), Not(Contains("layout-mismatch")));
}

// Members of the wanted kind come first, before modules, too.
TEST(Completion, dtypesWhereOneIsTaken) {
  Opened opened("@gluon.jit\ndef f(x):\n    y = ttgl.cast(x, ttgl.^)\n");
  std::map<std::string, unsigned> ranks;
  for (const Completion& item :
       completionsAt(opened.resolver, opened.file(), opened.source.point(), {}).items)
    ranks[item.label] = item.rank;
  EXPECT_EQ(ranks.at("float16"), 0u);
  for (const char* other : {"amd", "BlockedLayout", "load", "tensor"})
    EXPECT_EQ(ranks.at(other), 1u) << other;
}

// The receiver may be any expression, and the call may be in others.
TEST(Completion, argumentsOfMethodsOfExpressions) {
  for (llvm::StringRef call : {"(x * 2).to(^)", "ttgl.exp(x).to(^)", "ttgl.load(p).to(^",
                               "x[:, None].to(^)", "ttgl.store(p, (x.to(ttgl.float32) * 2).to(^",
                               "ttgl.store(p, (-x).to(\n    ^), mask=None)"}) {
    auto found =
        labels("@gluon.jit\ndef f(p):\n    x = ttgl.load(p)\n    y = " + call.str() + "\n", false);
    EXPECT_THAT(found, AllOf(Contains("dtype="), Contains("ttgl.float16"))) << call.str();
  }
  auto dtypes = labels("@gluon.jit\ndef f(p):\n    y = (ttgl.load(p) + 1).to(ttgl.^)\n", false);
  EXPECT_THAT(dtypes, Contains("float16"));
  // A function of the file with the method's name is not meant.
  EXPECT_THAT(
      labels("@gluon.jit\ndef to(mine): pass\n@gluon.jit\ndef f(p):\n    y = (ttgl.load(p) + "
             "1).to(^)\n",
             false),
      Not(Contains("mine=")));
}

// Members of the wanted kind come first.
TEST(Completion, dtypesInComparisonsAndTypesOfFields) {
  auto ranks = [](llvm::StringRef marked) {
    Opened opened(marked);
    std::map<std::string, unsigned> result;
    for (const Completion& item :
         completionsAt(opened.resolver, opened.file(), opened.source.point(), {}).items)
      result[item.label] = item.rank;
    return result;
  };
  auto compared = ranks("@gluon.jit\ndef f(x):\n    if x.dtype == ttgl.^:\n        pass\n");
  EXPECT_EQ(compared.at("float16"), 0u);
  EXPECT_EQ(compared.at("load"), 1u);
  auto field = ranks("@gluon.aggregate\nclass A:\n    a: ttgl.^\n");
  EXPECT_EQ(field.at("tensor"), 0u);
  EXPECT_EQ(field.at("constexpr"), 0u);
  EXPECT_EQ(field.at("load"), 1u);
}

TEST(Completion, membersOfNamespacesUnderAnyAlias) {
  EXPECT_THAT(labels("x = ttgl.lo^"), Contains("load"));
  EXPECT_THAT(labels("x = gl2.^\n"), Contains("BlockedLayout"));
  EXPECT_THAT(labels("x = triton.experimental.gluon.language.^\n"), Contains("arange"));
  EXPECT_THAT(labels("def f():\n  ttgl.nvidia.^\n  return 1\n"), Contains("hopper"));
  EXPECT_THAT(labels("x = ttgl.nvidia.hopper.tma.^"), Not(IsEmpty()));
  EXPECT_THAT(labels("x = other.^\n"), IsEmpty());
  EXPECT_THAT(labels("def f(ttgl):\n  return ttgl.^\n"), IsEmpty()); // shadowed
}

// What Triton refuses for a value or a type is not offered.
TEST(Completion, membersThatAValueHas) {
  struct Case {
    const char* value;
    std::vector<const char*> has, lacks;
  };
  const Case cases[] = {
      {"p", {"atomic_cas", "store", "to", "cast", "dtype"}, {"abs", "T", "exp", "sum", "reduce"}},
      {"p.type", {"element_ty", "is_ptr"}, {"shape", "layout", "itemsize", "int_bitwidth"}},
      {"p.dtype.element_ty", {"primitive_bitwidth", "exponent_bias"}, {"int_bitwidth", "shape"}},
      {"n", {"to", "item", "abs"}, {"sum", "reshape", "exp", "T", "atomic_add"}},
      {"n.dtype", {"int_signedness", "get_int_max_value"}, {"element_ty", "fp_mantissa_width"}},
      {"x", {"sum", "exp", "reduce"}, {"T", "atomic_add", "cdiv", "split", "view"}},
      {"rows", {"cdiv", "xor_sum", "expand_dims"}, {"exp", "logical_and"}},
      {"x[:, None]", {"T", "trans"}, {"item"}},
      {"(rows < n)", {"logical_and"}, {"sqrt"}},
      {"x.type", {"shape", "layout", "nbytes"}, {"itemsize", "block_type"}},
      {"smem.type", {"alloc_shape", "layout"}, {"numel", "is_ptr"}},
      {"parent", {"order", "rank"}, {"vec"}},
      {"shared", {"vec", "order"}, {"rank", "size_per_thread"}},
      {"ring", {"slot", "buffer"}, {"__init__"}},
      {"Ring", {"slot"}, {"buffer", "count"}},
      {"token", {"type"}, {"to", "shape"}},
      {"token.type", {"tensor_type"}, {"shape", "element_ty"}},
  };
  for (const Case& each : cases) {
    std::string text =
        kernel("  x = ttgl.load(p + rows)\n  n = ttgl.program_id(0)\n"
               "  mma: ttgl.constexpr = ttgl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])\n"
               "  token = ttgl.nvidia.hopper.warpgroup_mma_init(ttgl.zeros([64, 64], "
               "ttgl.float32, mma))\n  v = " +
               std::string(each.value) + ".^\n");
    std::vector<std::string> names = labels(text);
    for (const char* name : each.has)
      EXPECT_THAT(names, Contains(name)) << each.value;
    for (const char* name : each.lacks)
      EXPECT_THAT(names, Not(Contains(name))) << each.value;
  }
  EXPECT_THAT(labels("@gluon.jit\ndef f(desc, B: ttgl.constexpr):\n"
                     "    ttgl.nvidia.hopper.tma.async_load(desc, [0, 0], B, B)\n"
                     "    n = desc.block_type.^\n"),
              AllOf(Contains("nbytes"), Contains("shape"), Not(Contains("layout"))));
}

// While a kernel is written, nothing launches it yet and its sizes are not known.
TEST(Completion, membersOfValuesWithoutALaunch) {
  auto members = [](llvm::StringRef body) {
    return labels(("from triton.experimental.gluon.language.nvidia.hopper import mbarrier\n"
                   "@gluon.jit\ndef k(p, t, S: ttgl.constexpr, L: ttgl.constexpr):\n" +
                   body)
                      .str());
  };
  EXPECT_THAT(members("    b = ttgl.allocate_shared_memory(ttgl.int64, [S, 1], "
                      "mbarrier.MBarrierLayout())\n    mbarrier.init(b.^\n"),
              Contains("index"));
  EXPECT_THAT(members("    b = ttgl.allocate_shared_memory(p.dtype, [S], L)\n    b.index(0).^\n"),
              Contains("load"));
  EXPECT_THAT(members("    b = ttgl.allocate_shared_memory(p.dtype, [S], L)\n    c = b.index(0)\n"
                      "    v = c.load(L)\n    v.^\n"),
              Contains("to"));
  EXPECT_THAT(members("    x = ttgl.load(p + ttgl.arange(0, S, L)).^\n"), Contains("to"));
  EXPECT_THAT(members("    x = ttgl.zeros([S], ttgl.float32, L)\n    y = x * 2 + 1\n    y.^\n"),
              Contains("shape"));
  EXPECT_THAT(members("    b = ttgl.nvidia.blackwell.allocate_tensor_memory(ttgl.float32, [S, S], "
                      "L)\n    b.^\n"),
              Contains("get_reg_layout"));
  EXPECT_THAT(members("    x = other(p)\n    x.^\n"), IsEmpty());
}

TEST(Completion, importLines) {
  EXPECT_THAT(labels("from triton.experimental.gluon.language.nvidia.hopper import tm^"),
              Contains("tma"));
  EXPECT_THAT(labels("from triton.experimental.gluon import ^"), Contains("jit"));
  EXPECT_THAT(labels("import triton.experimental.gl^"), Contains("gluon"));
}

// The labels that a file gets which lies among others.
std::vector<std::string> labelsAmong(std::map<std::string, std::string> others,
                                     llvm::StringRef marked) {
  Opened opened(marked);
  for (const auto& [path, text] : others)
    opened.workspace.open(path, 1, text);
  auto snapshot = opened.workspace.snapshot();
  NameResolver resolver(*snapshot, opened.worker, {});
  std::vector<std::string> result;
  for (const Completion& item :
       completionsAt(resolver, *resolver.indexed("/w/a.py"), opened.source.point(), {true, false})
           .items)
    result.push_back(item.label);
  return result;
}

TEST(Completion, importsOfTheWorkspace) {
  std::map<std::string, std::string> others = {{"/w/tiles.py", "SIZE = 1\ndef load(p): pass\n"},
                                               {"/w/pkg/__init__.py", "TOP = 1\n"},
                                               {"/w/pkg/deep.py", "X = 1\n"}};
  for (llvm::StringRef text : {"from tiles import ^\n", "from tiles import SIZE, ^",
                               "from tiles import (SIZE,\n  ^\n", "from tiles import (^)\n"}) {
    EXPECT_THAT(labelsAmong(others, text), Contains("load")) << text.str();
    EXPECT_THAT(labelsAmong(others, text), Not(Contains("tiles"))) << text.str();
  }
  EXPECT_THAT(labelsAmong(others, "from pkg import ^\n"), testing::IsSupersetOf({"TOP", "deep"}));
  EXPECT_THAT(labelsAmong(others, "from pkg.^ import x\n"), Contains("deep"));
  EXPECT_THAT(labelsAmong(others, "import ^\n"), testing::IsSupersetOf({"tiles", "pkg", "triton"}));
  EXPECT_THAT(labelsAmong(others, "import ^\n"), Not(Contains("a")));
  EXPECT_THAT(labelsAmong(others, "import os, ti^\n"), Contains("tiles"));
  EXPECT_THAT(labelsAmong(others, "import pkg.^\n"), testing::ElementsAre("deep"));
  EXPECT_THAT(labelsAmong(others, "from ^\n"), Contains("tiles"));
  EXPECT_THAT(labelsAmong(others, "from .^\n"), testing::IsSupersetOf({"tiles", "pkg"}));
  EXPECT_THAT(labelsAmong(others, "from . import ^\n"), Contains("tiles"));
  EXPECT_THAT(labelsAmong(others, "x = f(\n  ^\n"), Not(Contains("pkg")));
}

TEST(Completion, namesThatAreImportedAreNotOffered) {
  std::map<std::string, std::string> others = {{"/w/tiles.py", "SIZE = 1\ndef load(p): pass\n"}};
  for (llvm::StringRef text : {"from tiles import SIZE, ^", "from tiles import SIZE as S, ^\n",
                               "from tiles import (\n  SIZE,\n  ^\n"})
    EXPECT_THAT(labelsAmong(others, text), Not(Contains("SIZE"))) << text.str();
  for (llvm::StringRef text : {"from tiles import load as ^\n", "from tiles import load as lo^\n",
                               "import tiles as ^\n", "import os, tiles as ti^\n"})
    EXPECT_THAT(labelsAmong(others, text), IsEmpty()) << text.str();
  EXPECT_THAT(labelsAmong(others, "from tiles import SIZ^\n"), Contains("SIZE"));
}

TEST(Completion, decorators) {
  for (llvm::StringRef text : {"@^\ndef k(p):\n  pass\n", "@^\n", "@gl^\ndef k(p): pass\n",
                               "x = 1\n\n@triton.heuristics({})\n@^\ndef k(p): pass\n"})
    EXPECT_THAT(labels(text, false), Contains("gluon.jit")) << text.str();
  EXPECT_THAT(labels("@^\ndef k(p): pass\n", false), Contains("triton.autotune"));
  EXPECT_THAT(labels("@gluon.^\ndef k(p): pass\n", false), Contains("jit"));
  EXPECT_THAT(labels("@triton.^\ndef k(p): pass\n", false), Contains("autotune"));
  EXPECT_THAT(labels("x = triton.^\n", false), Contains("cdiv"));
}

TEST(Completion, parametersOfDefinitions) {
  EXPECT_THAT(labels("@gluon.jit\ndef k(^):\n  pass\n", false), IsEmpty());
  EXPECT_THAT(labels("@gluon.jit\ndef k(p, ^):\n  pass\n", false), IsEmpty());
  EXPECT_THAT(labels("@gluon.jit\ndef k(p: int, q=(1, 2), na^", false), IsEmpty());
  for (llvm::StringRef text : {"@gluon.jit\ndef k(p, B: ^):\n  pass\n", "@gluon.jit\ndef k(B: tt^",
                               "@gluon.jit\ndef k(p,\n      B: ^, n):\n  pass\n"}) {
    auto found = labels(text, false);
    EXPECT_TRUE(llvm::any_of(found, [](llvm::StringRef label) {
      return label.ends_with(".constexpr");
    })) << text.str();
  }
}

TEST(Completion, emptyStatementsInKernels) {
  const std::string head = "@gluon.jit\ndef k(p, B: ttgl.constexpr):\n  x = ttgl.load(p)\n";
  for (const std::string& text :
       {head + "  ^\n", head + "  ^", head + "\n\n  # what comes next\n  ^\n\ny = 1\n",
        head + "  ^\n  z = x\n", head + "  for i in range(4):\n    z = i\n    ^\n"}) {
    auto names = labels(text, false);
    for (const char* expected : {"x", "p", "B", "ttgl", "for", "return"})
      EXPECT_THAT(names, Contains(expected)) << text;
  }
  EXPECT_THAT(labels(head + "^\n", false), IsEmpty()); // after the kernel
  EXPECT_THAT(labels(head + "  y = ^\n", false), Not(Contains("for")));
}

// No range of the tree reaches the blanks at the end of a line.
TEST(Completion, afterBlanksAtTheEndOfAKernel) {
  const std::string head = "@gluon.jit\ndef k(p, B: ttgl.constexpr):\n  x = ttgl.load(p)\n  ";
  for (const char* line :
       {"y = ^", "y = x + ^", "if ^", "return ^", "y = ttgl.load(p, ^", "y = [x, ^", "y = x[:, ^",
        "ttgl.warp_specialize([(k, (p, ^", "y = ttgl.load(\n    p,\n    ^", "for i in ^"})
    for (const char* after : {"", "\n", "\n\n\ndef main():\n  pass\n"}) {
      auto names = labels(head + line + after, false);
      for (const char* expected : {"x", "p", "B", "ttgl"})
        EXPECT_THAT(names, Contains(expected)) << line << after;
      for (const char* unexpected : {"y", "i"})
        EXPECT_THAT(names, Not(Contains(unexpected))) << line << after;
    }
}

TEST(Completion, variablesThatHaveAValue) {
  const std::string head = "@gluon.jit\ndef k(p):\n  x = ttgl.load(p)\n";
  EXPECT_THAT(labels(head + "  y = ttgl.exp(^)\n  z = y\n", false),
              AllOf(Contains("x"), Not(Contains("y")), Not(Contains("z"))));
  EXPECT_THAT(labels(head + "  y: ttgl.constexpr = ^\n", false), Not(Contains("y")));
  EXPECT_THAT(labels(head + "  x += ^\n", false), Contains("x"));
  EXPECT_THAT(labels(head + "  for i in range(^):\n    pass\n", false), Not(Contains("i")));
  EXPECT_THAT(labels(head + "  for i in range(4):\n    y = ^\n", false), Contains("i"));
  EXPECT_THAT(labels(head + "  y = 1; z = ^\n", false), Contains("y"));
}

TEST(Completion, membersOfModulesThatAreOtherModules) {
  EXPECT_THAT(labels("x = ttgl.nvidia.blackwell.mbarrier.^\n"),
              AllOf(Contains("init"), Contains("wait"), Contains("MBarrierLayout")));
  EXPECT_THAT(labels("x = ttgl.nvidia.rubin.async_copy.^\n"), Not(IsEmpty()));
}

TEST(Completion, membersThatFitComeFirst) {
  auto first = [](llvm::StringRef marked) {
    Opened opened(marked);
    std::vector<std::string> names;
    for (const Completion& item :
         completionsAt(opened.resolver, opened.file(), opened.source.point(), {true, false}).items)
      if (item.rank == 0) names.push_back(item.label);
    return names;
  };
  EXPECT_THAT(first("x = ttgl.full([1], 0, ttgl.^\n"),
              AllOf(Contains("float32"), Not(Contains("load"))));
  EXPECT_THAT(first("x = ttgl.arange(0, 64, layout=ttgl.^\n"),
              AllOf(Contains("BlockedLayout"), Not(Contains("float32"))));
  EXPECT_THAT(first("L: ttgl.^\n"), AllOf(Contains("constexpr"), Not(Contains("load"))));
  EXPECT_THAT(first("@gluon.jit\ndef k(p):\n  for i in ^\n"),
              AllOf(Contains("range"), Contains("ttgl.static_range")));
  EXPECT_THAT(first("@gluon.jit\ndef k(p):\n  for i in ttgl.^\n"),
              AllOf(Contains("static_range"), Not(Contains("load"))));
  EXPECT_THAT(first("@gluon.jit\ndef k(p, B: ttgl.^\n"),
              AllOf(Contains("constexpr"), Not(Contains("load"))));
}

TEST(Completion, namesInScope) {
  auto names =
      labels("TOP = 1\ndef f(arg):\n  local = 1\n  x = ^\n  later = 2\ndef g(other): pass\n");
  for (const char* expected : {"TOP", "arg", "local", "later", "f", "g", "ttgl"})
    EXPECT_THAT(names, Contains(expected));
  EXPECT_THAT(names, Not(Contains("other")));
}

TEST(Completion, onlyWhatHoldsTheLettersTyped) {
  auto names = labels("T_LOW = 1\ndef f(arg):\n  local = 1\n  lo^\n  later = 2\n");
  EXPECT_THAT(names, Contains("local"));
  EXPECT_THAT(names, Contains("T_LOW")); // in either case, anywhere
  for (const char* unexpected : {"lo", "arg", "later", "f"})
    EXPECT_THAT(names, Not(Contains(unexpected)));
  EXPECT_THAT(labels("x = ttgl.prg^\n"), Contains("program_id"));
  EXPECT_THAT(labels("x = ttgl.prg^\n"), Not(Contains("load")));
}

TEST(Completion, argumentsOfTheCall) {
  auto names = labels("x = ttgl.load(p, mask=m, ^)\n");
  EXPECT_THAT(names, Contains("other="));
  EXPECT_THAT(names, Not(Contains("mask="))); // given already
  EXPECT_THAT(labels("def f(alpha, beta=2): pass\nf(^)\n"), Contains("beta="));
  EXPECT_THAT(labels("def k(alpha, beta): pass\nk[(1,)](^)\n"), Contains("beta="));
  EXPECT_THAT(labels("x = ttgl.load(p, mask=^)\n"), Not(Contains("other=")));
}

TEST(Completion, argumentsThatAreGivenAreNotOffered) {
  auto names = labels("x = ttgl.load(p, m, ^)\n");
  EXPECT_THAT(names, Not(Contains("pointer="))); // by position
  EXPECT_THAT(names, Not(Contains("mask=")));
  EXPECT_THAT(names, Contains("other="));
  names = labels("x = ttgl.load(p, ^, other=0, cache_modifier='.ca')\ny = f(volatile=1)\n");
  EXPECT_THAT(names, Contains("mask="));
  EXPECT_THAT(names, Contains("volatile="));
  EXPECT_THAT(names, Not(Contains("other="))); // after the cursor
  EXPECT_THAT(names, Not(Contains("cache_modifier=")));
  EXPECT_THAT(labels("def f(a, b, c): pass\nf(^, g(b=1, c=2), c=(3, 4))\n"), Contains("a="));
  EXPECT_THAT(labels("def f(a, b, c): pass\nf(^, g(1))\n"), Not(Contains("b=")));
  EXPECT_THAT(labels("def f(a, b, c): pass\nf(^, g(1))\n"), Contains("c="));
  EXPECT_THAT(labels("def k(a, b): pass\nk[(1,)](1, ^, num_warps=8)\n"),
              Not(Contains("num_warps=")));
}

TEST(Completion, stringsThatAParameterKnows) {
  EXPECT_THAT(labels("x = ttgl.load(p, cache_modifier=\"^\")\n"),
              testing::UnorderedElementsAre(".ca", ".cg", ".cs", ".cv"));
  EXPECT_THAT(labels("x = ttgl.load(p, cache_modifier=\"^\n"), Contains(".ca")); // half typed
  EXPECT_THAT(labels("x = ttgl.load(p, cache_modifier='.c^')\n"), Contains(".cg"));
  EXPECT_THAT(labels("x = ttgl.load(p, eviction_policy='^')\n"), Contains("evict_first"));
  EXPECT_THAT(labels("ttgl.atomic_add(p, x, sem=\"^\")\n"), Contains("acq_rel"));
  EXPECT_THAT(labels("ttgl.atomic_add(p, x, None, '^')\n"), Contains("relaxed")); // by position
  EXPECT_THAT(labels("x = ttgl.load(p, mask='^')\n"), IsEmpty());
  EXPECT_THAT(labels("x = ttgl.load('^')\n"), IsEmpty());
  EXPECT_THAT(labels("x = other(sem='^')\n"), IsEmpty());
  Opened opened("x = ttgl.load(p, cache_modifier='.c^a')\n");
  auto found = completionsAt(opened.resolver, opened.file(), opened.source.point(), {true, false});
  EXPECT_EQ(opened.file().file->text().slice(found.replaces), ".ca");
}

TEST(Completion, stringsThatAParameterKnowsAreOfferedWithTheirQuotes) {
  EXPECT_THAT(labels("x = ttgl.load(p, eviction_policy=^)\n"), Contains("\"evict_first\""));
  EXPECT_THAT(labels("x = ttgl.load(p, mask=^)\n"), Not(Contains("\"evict_first\"")));
}

TEST(Completion, parametersOfKernelsForAnAutotuner) {
  const std::string kernel =
      "@gluon.jit\ndef kernel(x, n, BLOCK: ttgl.constexpr): pass\ndef plain(other): pass\n";
  for (const char* place : {"@triton.autotune(configs=[], key=[\"^\"])\n",
                            "c = triton.Config({\"^\": 128}, num_warps=4)\n",
                            "grid = lambda meta: (meta[\"^\"], )\n"}) {
    auto names = labels(place + kernel);
    EXPECT_THAT(names, Contains("BLOCK")) << place;
    EXPECT_THAT(names, Contains("n")) << place;
    EXPECT_THAT(names, Not(Contains("other"))) << place;
  }
  EXPECT_THAT(labels("x = table[\"^\"]\n" + kernel), IsEmpty());
}

const std::string tiled =
    "@gluon.jit\ndef kernel(x, n, BLOCK_M: ttgl.constexpr, STAGES: ttgl.constexpr): pass\n";

TEST(Completion, keysOfConfigurations) {
  for (llvm::StringRef place : {"c = triton.Config({^})\n", "c = triton.Config({^}, num_warps=4)\n",
                                "cs = [triton.Config({'A': 1, ^\n", "c = triton.Config({\n  ^\n"}) {
    auto names = labels((tiled + place).str());
    EXPECT_THAT(names, testing::IsSupersetOf({"\"BLOCK_M\": ", "\"STAGES\": "})) << place.str();
    EXPECT_THAT(names, Not(Contains("\"n\": "))) << place.str();
  }
  EXPECT_THAT(labels(tiled + "c = triton.Config({\"BLOCK_M\": 1, ^})\n"),
              AllOf(Contains("\"STAGES\": "), Not(Contains("\"BLOCK_M\": "))));
  EXPECT_THAT(labels(tiled + "c = triton.Config({\"BLOCK_M\": ^})\n"),
              Not(Contains("\"STAGES\": ")));
  EXPECT_THAT(labels(tiled + "c = dict({^})\n"), Not(Contains("\"STAGES\": ")));
  EXPECT_THAT(labels(tiled + "c = {^}\n"), Not(Contains("\"STAGES\": ")));
}

TEST(Completion, gridsOfLaunches) {
  auto names = labels(tiled + "def host(x, n, small_grid):\n  kernel[^](x, n, 4, 5)\n");
  EXPECT_THAT(names, Contains("(1,)"));
  EXPECT_THAT(names, Contains("lambda meta: (triton.cdiv(n, meta[\"BLOCK_M\"]),)"));
  EXPECT_THAT(names, Contains("small_grid"));
  EXPECT_THAT(labels(tiled + "table = {}\nx = table[^]\n"), Not(Contains("(1,)")));
}

TEST(Completion, membersOfKernelsInHostCode) {
  EXPECT_THAT(labels(tiled + "kernel.^\n"), testing::IsSupersetOf({"warmup", "run", "fn"}));
  EXPECT_THAT(labels("def plain(x): pass\nplain.^\n"), Not(Contains("warmup")));
}

TEST(Completion, argumentsOfHostFunctionsOfTriton) {
  EXPECT_THAT(labels(tiled + "kernel.warmup(^)\n", false),
              testing::IsSupersetOf({"BLOCK_M=", "grid=", "num_warps="}));
  EXPECT_THAT(labels(tiled + "kernel.warmup(1, 2, grid=(1,), ^)\n", false), Not(Contains("grid=")));
  EXPECT_THAT(labels(tiled + "@triton.autotune(^)\ndef f(): pass\n", false),
              testing::IsSupersetOf({"configs=", "key="}));
  EXPECT_THAT(labels(tiled + "c = triton.Config({'A': 1}, ^)\n", false),
              AllOf(Contains("num_warps="), Not(Contains("kwargs="))));
  const std::string host =
      tiled + "from triton.experimental.gluon.nvidia.hopper import TensorDescriptor\n";
  EXPECT_THAT(labels(host + "d = TensorDescriptor.^\n", false), Contains("from_tensor"));
  EXPECT_THAT(labels(host + "d = TensorDescriptor.from_tensor(x, ^)\n", false),
              AllOf(Contains("block_shape="), Contains("layout="), Not(Contains("tensor="))));
}

TEST(Completion, annotationsOfVariablesAndFields) {
  EXPECT_THAT(labels("@gluon.jit\ndef k(p):\n  layout: ^\n", false), Contains("ttgl.constexpr"));
  EXPECT_THAT(
      labels("@gluon.aggregate\nclass A:\n  x: ^\n", false),
      testing::IsSupersetOf({"ttgl.constexpr", "ttgl.tensor", "ttgl.shared_memory_descriptor"}));
  EXPECT_THAT(labels("@gluon.jit\ndef k(p):\n  if p:\n    pass\n  else: ^\n", false),
              Not(Contains("ttgl.constexpr")));
}

// Nothing launches the kernel or calls the method, but annotations and functions tell.
TEST(Completion, membersThatAnnotationsTell) {
  EXPECT_THAT(labels("@gluon.aggregate\nclass A:\n  smem: ttgl.shared_memory_descriptor\n\n"
                     "  @gluon.jit\n  def go(self):\n    self.smem.^\n"),
              AllOf(Contains("index"), Contains("load"), Not(Contains("smem"))));
  EXPECT_THAT(labels("@gluon.jit\ndef k(d, p):\n  x = ttgl.load(p)\n  x.type.^\n"),
              AllOf(Contains("shape"), Contains("layout")));
}

TEST(Completion, whatAKernelCannotCallIsNotOffered) {
  auto names = labels("def host(): pass\n@gluon.jit\ndef helper(): "
                      "pass\n@gluon.constexpr_function\ndef pick(): pass\n"
                      "@gluon.jit\ndef k(p):\n  ^\n",
                      false);
  EXPECT_THAT(names, AllOf(Contains("helper"), Contains("pick"), Not(Contains("host"))));
}

TEST(Completion, membersOfParameters) {
  auto members = [](llvm::StringRef parameters, llvm::StringRef body) {
    return labels(("from triton.experimental.gluon.language.nvidia.hopper import tma\n"
                   "@gluon.jit\ndef k(" +
                   parameters + "):\n" + body)
                      .str());
  };
  EXPECT_THAT(members("d, b, s", "    tma.async_load(d, [0, 0], b, s)\n    d.^\n"),
              Contains("block_type"));
  EXPECT_THAT(members("d, b, s", "    d.^\n    tma.async_load(d, [0, 0], b, s)\n"),
              Contains("block_type"));
  EXPECT_THAT(members("d: tma.tensor_descriptor, i", "    d.^\n"), Contains("block_type"));
  EXPECT_THAT(members("p, i", "    ttgl.store(p, i)\n    p.^\n"), Not(Contains("block_type")));
  EXPECT_THAT(members("N: ttgl.constexpr", "    N.^\n"), Contains("value"));
}

TEST(Completion, inTheExpressionsOfFStrings) {
  EXPECT_THAT(labels("x = f'{ttgl.^'\n"), Contains("load"));
  EXPECT_THAT(labels("x = f'a {1} {ttgl.^}'\n"), Contains("load"));
  EXPECT_THAT(labels("x = rf\"{f(ttgl.^\n"), Contains("load"));
  EXPECT_THAT(labels("x = f'''\n{ttgl.^\n"), Contains("load"));
  EXPECT_THAT(labels("x = f'{ttgl} ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("x = f'{{ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("x = f'{a:ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("x = '{ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("x = rb'{ttgl.^'\n"), IsEmpty());
}

TEST(Completion, notInsideText) {
  EXPECT_THAT(labels("x = 'ttgl.^'\n"), IsEmpty());
  EXPECT_THAT(labels("# ttgl.^\n"), IsEmpty());
  EXPECT_THAT(labels("x = \"\"\"a\nttgl.^\n"), IsEmpty());
}

// A kernel with all that has members; the mark is put in by the tests.
TEST(Completion, membersOfValues) {
  EXPECT_THAT(labels(kernel("  rows.^\n"), false), Contains("to"));
  EXPECT_THAT(labels(kernel("  rows.sh^\n"), false), Contains("shape"));
  EXPECT_THAT(labels(kernel("  smem.^\n"), false), Contains("index"));
  EXPECT_THAT(labels(kernel("  smem.^\n"), false), Not(Contains("logical_and")));
  EXPECT_THAT(labels(kernel("  x = smem.^\n  return x\n"), false), Contains("store"));
  EXPECT_THAT(labels(kernel("  x = parent.^\n"), false), Contains("size_per_thread"));
  EXPECT_THAT(labels(kernel("  x = ttgl.float32.^\n"), false), Contains("primitive_bitwidth"));
  EXPECT_THAT(labels(kernel("  x = rows.type.^\n"), false), Contains("layout"));
  EXPECT_THAT(labels(kernel("  x = rows.type.element_ty.^\n"), false), Contains("itemsize"));
  EXPECT_THAT(labels(kernel("  x = rows.dtype.^\n"), false), Contains("itemsize"));
  EXPECT_THAT(labels(kernel("  x = smem.type.^\n"), false), Contains("alloc_shape"));
  // Buffers have no dtype's members, tensors none of a buffer's, and elements none of a block's.
  EXPECT_THAT(labels(kernel("  x = smem.type.^\n"), false), Not(Contains("is_fp16")));
  EXPECT_THAT(labels(kernel("  x = rows.type.^\n"), false), Not(Contains("alloc_shape")));
  EXPECT_THAT(labels(kernel("  x = rows.dtype.^\n"), false), Not(Contains("layout")));
}

TEST(Completion, membersOfAggregates) {
  for (const char* member : {"buffer", "count", "slot"})
    EXPECT_THAT(labels(kernel("  ring.^\n"), false), Contains(member)) << member;
  EXPECT_THAT(labels(kernel("  ring.buffer.^\n"), false), Contains("index"));
}

TEST(Completion, membersOfExpressions) {
  EXPECT_THAT(labels(kernel("  smem.index(0).^\n"), false), Contains("store"));
  EXPECT_THAT(labels(kernel("  y = ring.slot(1).lo^\n"), false), Contains("load"));
  EXPECT_THAT(labels(kernel("  y = (rows + 1).^\n"), false), Contains("to"));
}

TEST(Completion, theSliceThatIsNeeded) {
  auto found = labels(kernel("  cols = ttgl.arange(0, B, layout=^)\n  t = cols[None, :]\n"), false);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found, Contains("ttgl.SliceLayout(0, parent)"));
  EXPECT_THAT(found, Contains("parent"));
  EXPECT_THAT(found, AllOf(Contains("ttgl.BlockedLayout"), Not(Contains("ttgl.CachePolicy"))));
  Opened opened(kernel("  cols = ttgl.arange(0, B, layout=^)\n  t = cols[None, :]\n"));
  for (const Completion& item :
       completionsAt(opened.resolver, opened.file(), opened.source.point(), {}).items) {
    if (item.label == "ttgl.SliceLayout(0, parent)") {
      EXPECT_EQ(item.rank, 0u);
    }
    if (item.label == "ttgl.SliceLayout(1, parent)") {
      EXPECT_EQ(item.rank, 1u);
    }
  }
}

TEST(Completion, dtypesAndLayoutsOfMethods) {
  EXPECT_THAT(labels(kernel("  y = ttgl.zeros([64], ^)\n"), false), Contains("ttgl.float16"));
  EXPECT_THAT(labels(kernel("  y = ttgl.full([64], 0, dtype=^)\n"), false),
              Contains("ttgl.bfloat16"));
  auto found = labels(kernel("  y = smem.load(^)\n"), false);
  EXPECT_THAT(found, Not(Contains("smem.BlockedLayout")));
  EXPECT_TRUE(
      llvm::any_of(found, [](llvm::StringRef label) { return label.ends_with(".BlockedLayout"); }));
}

TEST(Completion, fieldsOfConstructorsAndLaunchOptions) {
  EXPECT_THAT(labels(kernel("  r = Ring(^)\n"), false), Contains("count="));
  auto launch = labels("@gluon.jit\ndef k(p, B: ttgl.constexpr): pass\nk[(1,)](p, ^)\n", false);
  EXPECT_THAT(launch, Contains("B="));
  EXPECT_THAT(launch, Contains("num_warps="));
}

TEST(Completion, plainPythonIsLeftAlone) {
  EXPECT_THAT(labels("def host(a):\n  local = 1\n  lo^\n", false), IsEmpty());
  EXPECT_THAT(labels("def f(alpha): pass\nf(^)\n", false), IsEmpty());
  EXPECT_THAT(labels("@gluon.jit\ndef k(arg):\n  a^\n", false), Contains("arg"));
  EXPECT_THAT(labels("x = ttgl.^\n", false), Contains("load"));
}

} // namespace
} // namespace gluond::lsp
